"""Steps of training as they are written, compiled: equal to eager over fifty steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.optim import SGD, Adam, AdamW, LambdaLR
from autograd_lib.program import PASSES, compile
from autograd_lib.program.rewrites import REORDER_SUMS

EXACT = tuple(p for p in PASSES if p not in REORDER_SUMS)


class UNet(nn.Module):
    """Down, up, and past both; with batch norm and dropout in training."""

    def __init__(self, rng: Any) -> None:
        self.down = nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1, rng=rng), nn.BatchNorm(4), nn.ReLU()
        )
        self.inner = nn.Sequential(
            *(nn.MaxPool2d(2), nn.Conv2d(4, 8, 3, padding=1, rng=rng)),
            *(nn.BatchNorm(8), nn.ReLU(), nn.Dropout(0.1, rng=rng)),
        )
        self.up = nn.Conv2d(8, 4, 1, rng=rng)
        self.out = nn.Conv2d(8, 1, 1, rng=rng)

    def forward(self, x: Any) -> Any:
        a = self.down(x)
        b = self.up(self.inner(a))
        b = np.repeat(np.repeat(b, 2, axis=2), 2, axis=3)
        return self.out(np.concatenate([a, b], axis=1))


def state_of(model: Any, optimizer: Any) -> dict[str, Any]:
    """Return all that a step changes."""
    return {
        **model.state_dict(),
        **{f"grad of {n}": p.grad.data for n, p in model.named_parameters()},
        **{f"optimizer's {k}": v for k, v in optimizer.state_dict().items()},
    }


def gpt() -> Any:
    model = nn.GPT(tokens=27, context=8, embed_dim=16, num_heads=2, depth=1, rng=0)
    optimizer = AdamW(model.parameters(), betas=(0.9, 0.99))
    rng = np.random.default_rng(0)

    def step(x: Any, y: Any) -> Any:
        loss = model(x).cross_entropy(y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    def batch(i: int) -> Any:
        optimizer.lr = 4e-3 * (1 - i / 100)
        text = rng.integers(0, 27, (4, 9))
        return text[:, :-1], text[:, 1:]

    return step, batch, lambda: state_of(model, optimizer)


def u_net() -> Any:
    model, rng = UNet(np.random.default_rng(0)), np.random.default_rng(1)
    optimizer = Adam(model.parameters())

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    def batch(i: int) -> Any:
        x = rng.normal(size=(4, 1, 8, 8)).astype(np.float32)
        return Tensor(x), Tensor(np.abs(x))

    return step, batch, lambda: state_of(model, optimizer)


def makemore() -> Any:
    rng = np.random.default_rng(0)
    shapes = {"c": (27, 4), "w": (12, 20), "gain": (20,), "bias": (20,), "v": (20, 27)}
    p = {n: Tensor(0.1 * rng.normal(size=s), True) for n, s in shapes.items()}
    running = {"mean": Tensor(np.zeros(20)), "var": Tensor(np.ones(20)), "steps": 0}

    def step(x: Any, y: Any) -> Any:
        h = p["c"][x].reshape(len(x), -1) @ p["w"]
        mean, var = h.mean(axis=0), h.var(axis=0)
        with ag.no_grad():
            running["mean"] = 0.9 * running["mean"] + 0.1 * mean.detach()
            running["var"].data = 0.9 * running["var"].data + 0.1 * var.data
            running["steps"] += 1
        h = np.tanh(p["gain"] * (h - mean) / np.sqrt(var + 1e-5) + p["bias"])
        loss = (h @ p["v"]).cross_entropy(y)
        for t in p.values():
            t.grad = None
        loss.backward()
        for t in p.values():
            t.data -= (0.1 / running["steps"]) * t.grad.data
        return loss

    def batch(i: int) -> Any:
        return rng.integers(0, 27, (32, 3)), rng.integers(0, 27, 32)

    def state() -> Any:
        grads = {f"grad of {n}": t.grad for n, t in p.items()}
        kept = {**p, **grads, **running}
        return {n: t.data if isinstance(t, Tensor) else t for n, t in kept.items()}

    return step, batch, state


def diffusion() -> Any:
    rng = np.random.default_rng(0)
    model = nn.Sequential(nn.Linear(3, 32, rng=0), nn.GELU(), nn.Linear(32, 2, rng=1))
    optimizer = SGD(model.parameters(), lr=1e-2, momentum=0.9, nesterov=True)
    schedule = LambdaLR(optimizer, lambda step: 1 / (1 + step))
    table = np.cumprod(1 - np.linspace(1e-4, 0.02, 100)).astype(np.float32)

    def step(x: Any) -> Any:
        t = rng.integers(0, 100, len(x))
        noise = rng.normal(size=x.shape).astype(np.float32)
        a = table[t][:, None]
        noisy = np.sqrt(a) * x + np.sqrt(1 - a) * noise
        when = (t[:, None] / 100).astype(np.float32)
        loss = ((model(np.concatenate([noisy, when], axis=1)) - noise) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    points = np.random.default_rng(5)

    def batch(i: int) -> Any:
        schedule.step()
        return (points.normal(size=(64, 2)).astype(np.float32),)

    def state() -> Any:
        return {**state_of(model, optimizer), "rng": rng.bit_generator.state}

    return step, batch, state


STEPS: dict[str, Callable[[], Any]] = {
    "a GPT": gpt,
    "a U-Net": u_net,
    "makemore": makemore,
    "diffusion": diffusion,
}


@pytest.mark.parametrize("name", STEPS)
def test_fifty_steps_are_those_of_the_function_to_the_last_bit(name: str) -> None:
    step, batch, state = STEPS[name]()
    other, other_batch, other_state = STEPS[name]()
    compiled = compile(step, passes=EXACT)
    for i in range(50):
        got, want = compiled(*batch(i)), other(*other_batch(i))
        assert got.data.tobytes() == want.data.tobytes(), i
    mine, yours = state(), other_state()
    assert mine.keys() == yours.keys()
    for key, x in yours.items():
        assert type(mine[key]) is type(x), key
        assert repr(mine[key]) == repr(x), key
    assert len(compiled.programs) <= 2, compiled.reasons
    assert len(compiled.reasons) == len(compiled.programs)


@pytest.mark.parametrize("name", STEPS)
def test_with_all_rewrites_steps_are_those_of_the_function_but_for_rounding(
    name: str,
) -> None:
    step, batch, _ = STEPS[name]()
    other, other_batch, _ = STEPS[name]()
    compiled = compile(step)
    for i in range(10):
        got, want = compiled(*batch(i)), other(*other_batch(i))
        np.testing.assert_allclose(got.data, want.data, rtol=1e-4)
    assert not compiled.wrong
