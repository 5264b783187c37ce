"""A network that fits a wave, and six loops that train it, one right (chapter 13).

Each loop is a generator: a step yields its loss, the parameters and the gradients that
are used. `lib` is an engine, the reader's or another with the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Step = tuple[Any, list[Any], list[Any]]
RATE, STEPS = 0.05, 300
xs = np.linspace(-2, 2, 50)[:, None]
ys = np.sin(3 * xs)


def begin(lib: Any) -> list[Any]:
    """Return the parameters of sixteen tanh units and one sum, as leaves."""
    rng = np.random.default_rng(1)
    arrays = (
        rng.normal(size=(1, 16)),
        np.zeros(16),
        rng.normal(size=(16, 1)) / 4,
        np.zeros(1),
    )
    return [lib.Tensor(array, requires_grad=True) for array in arrays]


def loss_of(params: list[Any]) -> Any:
    W1, b1, W2, b2 = params
    return ((np.tanh(xs @ W1 + b1) @ W2 + b2 - ys) ** 2.0).mean()


def right(params: list[Any], lib: Any) -> Iterator[Step]:
    while True:
        loss = loss_of(params)
        loss.backward()
        yield loss, params, [p.grad for p in params]
        for p in params:
            p.data = p.data - RATE * p.grad.data
            p.grad = None


def loop_1(params: list[Any], lib: Any) -> Iterator[Step]:
    while True:
        loss = loss_of(params)
        loss.backward()
        yield loss, params, [p.grad for p in params]
        for p in params:
            p = p - RATE * p.grad
        for p in params:
            p.grad = None


def loop_2(params: list[Any], lib: Any) -> Iterator[Step]:
    while True:
        loss = loss_of(params)
        loss.backward()
        yield loss, params, [p.grad for p in params]
        for p in params:
            p.data = p.data - RATE * p.grad.data


def loop_3(params: list[Any], lib: Any) -> Iterator[Step]:
    while True:
        loss = loss_of(params)
        grads = lib.grad(loss, params)
        yield loss, params, grads
        params = [p - RATE * g for p, g in zip(params, grads, strict=True)]


def loop_4(params: list[Any], lib: Any) -> Iterator[Step]:
    while True:
        W1, b1, W2, b2 = params
        hidden = np.tanh(xs @ W1 + b1).detach()
        loss = ((hidden @ W2 + b2 - ys) ** 2.0).mean()
        loss.backward()
        yield loss, params, [p.grad for p in params]
        for p in params:
            if p.grad is not None:
                p.data = p.data - RATE * p.grad.data
                p.grad = None


def loop_5(params: list[Any], lib: Any) -> Iterator[Step]:
    while True:
        W1, b1, W2, b2 = params
        misses = np.tanh(xs @ W1 + b1) @ W2 + b2 - ys[:, 0]
        loss = (misses**2.0).mean()
        loss.backward()
        yield loss, params, [p.grad for p in params]
        for p in params:
            p.data = p.data - RATE * p.grad.data
            p.grad = None


BROKEN: list[Callable[[list[Any], Any], Iterator[Step]]] = [
    loop_1,
    loop_2,
    loop_3,
    loop_4,
    loop_5,
]


def steps(loop: Callable[..., Iterator[Step]], lib: Any, count: int) -> Iterator[Step]:
    """Yield the first steps of a loop."""
    return islice(loop(begin(lib), lib), count)


def losses(loop: Callable[..., Iterator[Step]], lib: Any, count: int) -> list[float]:
    """Return the losses of the first steps of a loop."""
    return [loss.item() for loss, _, _ in steps(loop, lib, count)]


def drawn(curves: dict[str, list[float]]) -> Figure:
    """Draw the curve of the right loop, and each other one above it."""
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 5, figsize=(7.2, 2.1), sharey=True)
    for ax, (name, found) in zip(axes, list(curves.items())[1:], strict=True):
        shown = slice(60 if name == "loop_2" else None)
        ax.plot(curves["right"][shown], "C4", lw=3)
        ax.plot(found[shown], "C1")
        ax.set_title(name.replace("_", " "), fontsize=10, loc="center")
        ax.set(ylim=(0, 1.15), xticks=[0, 60] if name == "loop_2" else [0, 300])
    axes[0].set(ylabel="loss", xlabel="step")
    fig.suptitle("Five broken loops, and the right one in grey")
    return fig


def nodes(params: list[Any], lib: Any) -> int:
    """Return how many nodes are behind a loss of these parameters."""
    return len(lib.latest_first(loss_of(params).node))


def look(loop: Callable[..., Iterator[Step]], lib: Any) -> list[Any]:
    """Return what sixty steps leave behind.

    These are the parameters that have moved, the length of the gradient in W1 and in W2
    that was used over that of the true one, and the nodes behind a loss.
    """
    *_, (_, params, grads) = steps(loop, lib, 60)
    pairs = zip(("W1", "b1", "W2", "b2"), params, begin(lib), strict=True)
    moved = [name for name, p, q in pairs if (p.data != q.data).any()]
    copies = [lib.Tensor(p.data, requires_grad=True) for p in params]
    truth = lib.grad(loss_of(copies), copies)
    sizes = [
        "none" if g is None else round(norm(g) / norm(t), 2)
        for g, t in zip(grads, truth, strict=True)
    ]
    return [" ".join(moved) or "none", sizes[0], sizes[2], nodes(params, lib)]


def norm(gradient: Any) -> float:
    return float(np.linalg.norm(gradient.data))
