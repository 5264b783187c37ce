"""What the reader's engine is trained on, and the same on the library's.

The names of both are the same, so the moons, the digits and the convolution are one
program each. The GPT has a form of its own in each; both begin with the first weights
of the library's, by `autograd_lib.small.kept.same_weights`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np

import autograd_lib.small.gpt as small
from autograd_lib.book.moons import make_moons
from autograd_lib.data import batches, digits, split
from autograd_lib.engine import Tensor, no_grad
from autograd_lib.nn.gpt import GPT
from autograd_lib.optim import AdamW, warmup_cosine
from autograd_lib.text import Alphabet, book_text

LIBRARY = SimpleNamespace(
    Tensor=Tensor,
    no_grad=no_grad,
    cross_entropy=lambda scores, labels: scores.cross_entropy(labels),
)
CONTEXT, BATCH, RATE, WARMUP, HELD_OUT, LAST = 64, 8, 4e-3, 50, 16_640, 16


def layers(engine: Any, *sizes: int) -> list[Any]:
    """Return first weights of layers, W and b of each, from one seed."""
    rng = np.random.default_rng(0)
    arrays = []
    for n, m in pairwise(sizes):
        arrays += [rng.normal(size=(n, m)) * (2 / n) ** 0.5, np.zeros(m)]
    return [engine.Tensor(a, requires_grad=True) for a in arrays]


def network(weights: list[Any], x: Any) -> Any:
    """Return the last layer's sums; the layers before it end with a maximum with 0."""
    *hidden, last = zip(weights[::2], weights[1::2], strict=True)
    for W, b in hidden:
        x = np.maximum(x @ W + b, 0.0)
    return x @ last[0] + last[1]


def step(engine: Any, weights: list[Any], rate: float) -> None:
    """Move each weight against its gradient."""
    with engine.no_grad():
        for p in weights:
            p -= rate * p.grad
            p.grad = None


def moons(engine: Any) -> tuple[float, str]:
    """Train on 100 points of two moons; return the loss, and how many are right."""
    x, y = make_moons(100, noise=0.1, random_state=1)
    side, weights = (2.0 * y - 1)[:, None], layers(engine, 2, 16, 16, 1)
    for k in range(100):
        sums = network(weights, engine.Tensor(x))
        loss = np.mean(np.maximum(1 - side * sums, 0.0))
        loss.backward()
        step(engine, weights, 1.0 - 0.9 * k / 100)
    right = int(((sums.data > 0) == (side > 0)).sum())
    return loss.item(), f"{right} of 100"


def read_digits(engine: Any) -> tuple[float, str]:
    """Train on 1,437 digits; return the loss, and how many of 360 others are read."""
    images, labels = digits()
    pixels = images.reshape(-1, 64).astype(float)
    (x, y), (others, truth) = split(pixels, labels, held_out=360, rng=0)
    weights = layers(engine, 64, 64, 10)
    for _ in range(200):
        loss = engine.cross_entropy(network(weights, engine.Tensor(x)), y)
        loss.backward()
        step(engine, weights, 0.5)
    with engine.no_grad():
        guesses = network(weights, engine.Tensor(others)).data.argmax(1)
    return loss.item(), f"{int((guesses == truth).sum())} of 360"


def convolution(x: Any, w: Any) -> Any:
    """Return a sum of matrix products, one for each place of a filter in `w`."""
    rows, columns = w.shape[:2]
    high, wide = x.shape[1] - rows + 1, x.shape[2] - columns + 1
    parts = [
        x[:, i : i + high, j : j + wide] @ w[i, j] for i, j in np.ndindex(rows, columns)
    ]
    return sum(parts[1:], parts[0])


def pooled(x: Any, n: int) -> Any:
    """Return the largest of each square of n by n places."""
    largest = x[:, ::n, ::n]
    for i, j in np.ndindex(n, n):
        largest = np.maximum(largest, x[:, i::n, j::n])
    return largest


def read_sheets(engine: Any) -> tuple[float, str]:
    """Train filters on digits on sheets; return the loss, and what is read."""
    images, labels = digits()
    (x, y), (others, truth) = split(images, labels, held_out=360, rng=0)
    rng, sizes = np.random.default_rng(0), [(3, 3, 1, 16), (3, 3, 16, 32), (32, 10)]
    filters = [
        engine.Tensor(rng.normal(size=s) * (2 / np.prod(s[:-1])) ** 0.5, True)
        for s in sizes
    ]

    def scores(images: np.ndarray) -> Any:
        sheet = np.zeros((len(images), 14, 14, 1))
        sheet[:, 3:11, 3:11, 0] = images
        first = pooled(np.maximum(convolution(engine.Tensor(sheet), filters[0]), 0), 2)
        second = pooled(np.maximum(convolution(first, filters[1]), 0.0), 4)
        return second.reshape(len(images), 32) @ filters[2]

    order = np.random.default_rng(0)
    for epoch in range(6):
        for bx, by in batches((x, y), 32, rng=order):
            loss = engine.cross_entropy(scores(bx), by)
            loss.backward()
            step(engine, filters, 0.5 / (1 + epoch))
    with engine.no_grad():
        guesses = scores(others).data.argmax(1)
    return loss.item(), f"{int((guesses == truth).sum())} of 360"


WORKS: dict[str, Callable[[Any], tuple[float, str]]] = {
    "two moons": moons,
    "digits": read_digits,
    "digits, by filters": read_sheets,
}


class Text:
    """Chapter 18's text: batches of it, and the loss on what is held out."""

    def __init__(self) -> None:
        text = book_text()
        self.alphabet = Alphabet(text)
        tokens = self.alphabet.encode(text)
        self.train = tokens[: -HELD_OUT - CONTEXT]
        self.held_out = tokens[-HELD_OUT - CONTEXT :]

    def batches(self, steps: int) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
        """Yield texts, what comes next, and the rate of the step."""
        rng, factor = np.random.default_rng(0), warmup_cosine(WARMUP, steps)
        for step in range(steps):
            begin = rng.integers(len(self.train) - CONTEXT, size=(BATCH, 1))
            piece = self.train[begin + np.arange(CONTEXT + 1)]
            yield piece[:, :-1], piece[:, 1:], RATE * factor(step)

    def loss(self, scores: Callable[[np.ndarray], np.ndarray]) -> float:
        """Return the mean of -log p of held-out characters, with 48 or more before."""
        ends = np.arange(CONTEXT + LAST, len(self.held_out) + 1, LAST)[:, None]
        x = self.held_out[ends - 1 - CONTEXT + np.arange(CONTEXT)]
        y = self.held_out[ends - LAST + np.arange(LAST)]
        parts = [scores(x[i : i + 40])[:, -LAST:] for i in range(0, len(x), 40)]
        z = np.concatenate(parts).astype(float)
        z -= z.max(-1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(-1, keepdims=True))
        return float(-np.take_along_axis(log_p, y[..., None], -1).mean())


class LibraryRun:
    """The library's GPT and its AdamW, in training."""

    def __init__(self, tokens: int, seed: int) -> None:
        self.model = GPT(tokens, CONTEXT, rng=seed)
        self.optimizer = AdamW(self.model.parameters(), betas=(0.9, 0.99))

    def step(self, x: np.ndarray, y: np.ndarray, rate: float) -> float:
        """Make a step; return the loss before it."""
        loss = self.model(x).cross_entropy(y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.lr = rate
        self.optimizer.step()
        return float(loss.item())

    def scores(self, x: np.ndarray) -> np.ndarray:
        """Return scores, without a graph."""
        with no_grad():
            return np.asarray(self.model(x).data)


class SmallRun:
    """The reader's GPT and its AdamW, in training."""

    def __init__(self, weights: dict[str, Any]) -> None:
        self.model = weights
        self.memory: dict[str, Any] = {}

    def step(self, x: np.ndarray, y: np.ndarray, rate: float) -> float:
        """Make a step; return the loss before it."""
        loss = small.cross_entropy(small.gpt(self.model, x), y)
        loss.backward()
        small.adamw(self.model, self.memory, rate)
        return float(loss.item())

    def scores(self, x: np.ndarray) -> np.ndarray:
        """Return scores, without a graph."""
        with small.no_grad():
            return np.asarray(small.gpt(self.model, x).data)
