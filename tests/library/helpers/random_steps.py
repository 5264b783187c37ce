"""Random models with random optimisers, and the steps that train them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from autograd_lib import nn
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.optim import SGD, Adam, AdamW, LambdaLR, clip_grad_norm

BENT = (nn.ReLU, nn.Tanh, nn.GELU, nn.Sigmoid)


def optimizer_of(r: random.Random, params: Any) -> Any:
    """Return one of the optimisers, with or without what it can have."""
    kind = r.choice((SGD, Adam, AdamW))
    more: dict[str, Any] = {"weight_decay": r.choice((0, 0.1))}
    if kind is SGD:
        more |= {"momentum": r.choice((0, 0.9))}
        more |= {"nesterov": bool(more["momentum"]) and r.random() < 0.5}
    if r.random() < 0.3:
        params = [{"params": params[:1], "lr": 0.05}, {"params": params[1:]}]
    return kind(params, 0.01, **more)


class RandomStep:
    """A step of training: a function of a batch. A seed makes always the same one.

    Args:
        seed: what makes it.
    """

    def __init__(self, seed: int) -> None:
        self.r = r = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.dtype = r.choice((np.float32, np.float64))
        self.images, self.words = r.random() < 0.4, r.random() < 0.3
        layers = self.convolutions() if self.images else self.linear_layers()
        self.model = nn.Sequential(*layers)
        self.optimizer = optimizer_of(r, list(self.model.parameters()))
        self.schedule = LambdaLR(self.optimizer, lambda step: 1 / (1 + step))
        self.follows, self.clips = r.random() < 0.4, r.random() < 0.3
        self.penalty, self.forgets = (
            r.random() < 0.3,
            r.choice(("first", "last", "out")),
        )
        self.means = self.model.state_dict()
        self.count, self.loss = 0, 0.0

    def options(self) -> dict[str, Any]:
        """Return what all layers get."""
        return {"rng": self.rng, "dtype": self.dtype}

    def between(self, n: int) -> list[Any]:
        """Return what may stand between two layers, of n numbers each."""
        r, found = self.r, list[Any]()
        if r.random() < 0.5:
            found.append(nn.BatchNorm(n, dtype=self.dtype))
        found.append(r.choice(BENT)())
        if r.random() < 0.4:
            found.append(nn.Dropout(0.3, rng=r.choice((self.rng, 3))))
        return found

    def convolutions(self) -> list[Any]:
        """Return layers for images of 6 by 6."""
        n = self.r.randint(1, 4)
        layers = [nn.Conv2d(1, n, 3, padding=1, **self.options()), *self.between(n)]
        layers += [nn.MaxPool2d(2), nn.Flatten()]
        return [*layers, nn.Linear(9 * n, 3, **self.options())]

    def linear_layers(self) -> list[Any]:
        """Return layers for four numbers, or for four words of seven."""
        n, layers = 4, list[Any]()
        if self.words:
            layers += [nn.Embedding(7, 2, **self.options()), nn.Flatten()]
            n = 8
        for _ in range(self.r.randint(1, 2)):
            m = self.r.randint(1, 8)
            bias = self.r.random() < 0.8
            layers += [nn.Linear(n, m, bias=bias, **self.options()), *self.between(m)]
            n = m
        return [*layers, nn.Linear(n, 3, **self.options())]

    def batch(self, i: int) -> Any:
        """Return the i-th batch, and do what is done between two steps."""
        if self.forgets == "out":
            self.optimizer.zero_grad()
        if i % 2:
            self.schedule.step()
        self.model.train(i != 4)
        rng = np.random.default_rng(i)
        y = rng.integers(0, 3, 5)
        if self.words and not self.images:
            return rng.integers(0, 7, (5, 4)), y
        shape = (5, 1, 6, 6) if self.images else (5, 4)
        return Tensor(rng.normal(size=shape).astype(self.dtype)), y

    def __call__(self, x: Any, y: Any) -> Any:
        """Make a step, and return the loss and what the model said."""
        if self.forgets == "first":
            self.optimizer.zero_grad()
        out = self.model(x)
        loss = out.cross_entropy(y)
        if self.penalty:
            loss += 0.01 * sum((p * p).sum() for p in self.model.parameters())
        loss.backward()
        if self.clips:
            clip_grad_norm(self.model.parameters(), 0.5)
        self.optimizer.step()
        if self.follows:
            self.count += 1
            for name, p in self.model.named_parameters():
                self.means[name] = self.means[name] * 0.9 + p.data * (0.1 / self.count)
            self.loss = self.loss * 0.5 + loss.data
        if self.forgets == "last":
            self.optimizer.zero_grad()
        return loss.detach(), out.detach()

    def state(self) -> dict[str, Any]:
        """Return all that a step changes."""
        return {
            **self.model.state_dict(),
            **{f"optimizer's {k}": v for k, v in self.optimizer.state_dict().items()},
            **{f"mean of {k}": v for k, v in self.means.items()},
            "gradients": [p.grad for p in self.model.parameters()],
            "numbers": (self.count, self.loss, self.rng.bit_generator.state),
        }
