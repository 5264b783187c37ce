"""Accidents of the step `tensor`."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.small.accidents.bench import (
    Engine,
    accident,
    against_differences,
    holds,
    near,
    plain,
    refused,
    right_or_refused,
)

GRAD = ("Tensor", "grad")
FREED = ("freed", "retain", "used", "again")
NO_GRADIENT = ("gradient", "require", "record", "depend")


def tanh(engine: Engine, x: Any) -> Any:
    """Return tanh of a tensor, by the engine's function or by NumPy's name."""
    return engine.tanh(x) if engine.has("tanh") else np.tanh(x)


@accident(*GRAD)
def tensor_sums_of_both(engine: Engine) -> None:
    """In a pass, (p + q) + p has one array for several gradients: make new ones."""
    p, q, seed = engine.leaf([1.0, 2.0]), engine.leaf([3.0, 4.0]), np.ones(2)
    gp, gq = engine.slopes((p + q) + p, [p, q], seed)
    near(gq, [1.0, 1.0], "A sum was written into an array that is q's gradient too.")
    near(gp, [2.0, 2.0], "p is used twice.")
    near(seed, [1.0, 1.0], "The caller's array was written into: make a new one.")


@accident(*GRAD)
def tensor_copies(engine: Engine) -> None:
    """Each operation copies to fit, so each gradient is summed to its input's shape."""
    row, column = np.array([1.0, 2.0]), np.array([[1.0], [2.0], [4.0]])
    programs: dict[str, tuple[Callable[[Any, Any], Any], list[float]]] = {
        "x + y": (lambda x, y: x + y, [3.0, 3.0]),
        "x − y": (lambda x, y: x - y, [3.0, 3.0]),
        "y − x": (lambda x, y: y - x, [-3.0, -3.0]),
        "x · y": (lambda x, y: x * y, [7.0, 7.0]),
    }
    for name, (function, right) in programs.items():
        x, y = engine.leaf(row), engine.leaf(column)
        got = engine.slopes(function(x, y), [x, y])
        near(got[0], right, f"{tensor_copies.about} This is {name}.")
        holds(got[1].shape == (3, 1), f"Got {got[1].shape}, right is (3, 1).", name)


@accident(*GRAD)
def tensor_products(engine: Engine) -> None:
    """The rule of a product of matrices turns the other matrix, in each of a batch."""
    rng = np.random.default_rng(0)
    other = rng.normal(size=(2, 3))
    against_differences(
        engine,
        {
            "t @ c": lambda t: t @ engine.Tensor(other),
            "c @ t": lambda t: engine.Tensor(other.T) @ t,
            "t.T @ t": lambda t: t.T @ t,
        },
        rng.normal(size=(2, 2)),
    )
    batch = rng.normal(size=(2, 2, 3))
    against_differences(
        engine,
        {"t @ c, for a batch": lambda t: engine.Tensor(batch) @ t},
        rng.normal(size=(3, 2)),
    )


@accident(*GRAD)
def tensor_vectors(engine: Engine) -> None:
    """A product with a vector gets its gradient right, or is refused at once."""
    W, v = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([1.0, 2.0])
    words = "vector", "axes", "axis", "dimension", "shape"

    def slope() -> Any:
        x = engine.leaf(v)
        y = x @ engine.Tensor(W)
        near(y, [9.0, 12.0, 15.0], tensor_vectors.about)
        return engine.slope(y, x)

    right_or_refused(slope, [6.0, 15.0], words, tensor_vectors.about)


@accident(*GRAD, "Tensor.T")
def tensor_turned(engine: Engine) -> None:
    """The gradient of t.T is turned back; with three axes, T is NumPy's or refused."""
    t = engine.leaf(np.ones((2, 3)))
    right = np.arange(6.0).reshape(3, 2)
    near(engine.slopes(t.T, [t], right)[0], right.T, tensor_turned.about)
    cube = np.arange(24.0).reshape(2, 3, 4)
    right_or_refused(
        lambda: engine.leaf(cube).T, cube.T, ("axes", "axis"), tensor_turned.about
    )


@accident(*GRAD)
def tensor_freed(engine: Engine) -> None:
    """A part of the graph was freed and looks like a leaf: refuse to go through it."""
    a = engine.leaf(3.0)
    square = a * a
    near(engine.slope(square, a), 6.0, "The slope of a².")
    right_or_refused(
        lambda: engine.slope(square + a, a), 7.0, FREED, tensor_freed.about
    )


@accident(*GRAD)
def tensor_frees(engine: Engine) -> None:
    """A pass lets go of what its rules saved, though somebody holds the result."""
    w = engine.leaf(np.eye(7))
    h = w @ engine.Tensor(np.ones((7, 7)))
    y, array = tanh(engine, h) @ w, weakref.ref(h.data)
    product = h * h
    z = y + product
    del h, product, y
    gc.collect()
    engine.slopes(z, [w])
    gc.collect()
    why = (
        "An array that a rule saved is alive after the pass; right is that it is gone."
    )
    holds(array() is None, why, tensor_frees.about)


@accident(*GRAD)
def tensor_alive(engine: Engine) -> None:
    """A node holds edges and no data, so only what a rule needs stays alive."""
    w = engine.leaf(np.eye(7))
    z = engine.Tensor(np.ones((7, 7))) @ w + 1.0
    array = weakref.ref(z.data)
    y = tanh(engine, z)
    del z
    gc.collect()
    why = "x @ w + 1 is alive, and no rule needs it; right is that it is gone."
    holds(array() is None, why, tensor_alive.about)
    holds(y.shape == (7, 7), f"Got {y.shape}, right is (7, 7).", tensor_alive.about)


@accident(*GRAD)
def tensor_circle(engine: Engine) -> None:
    """A result that leads back to itself is not freed by del: save its array."""
    y = tanh(engine, engine.leaf(np.ones((7, 7))))
    array = weakref.ref(y.data)
    collects = gc.isenabled()
    gc.disable()
    try:
        del y
        gone = array() is None
    finally:
        if collects:
            gc.enable()
    why = "After del, the result is still alive; right is that it is gone."
    holds(gone, why, tensor_circle.about)


@accident(*GRAD)
def tensor_second(engine: Engine) -> None:
    """With create_graph=True, rules work on tensors, and read what has a history."""
    a = engine.leaf(5.0)
    for y, rights in (
        (a * a * a, (75.0, 30.0, 6.0)),
        (tanh(engine, a * 0.1), (0.0786448, -0.0072686, -0.0005655)),
    ):
        for right in rights:
            (y,) = engine.grad(y, [a], create_graph=True)
            near(y, right, tensor_second.about)


@accident(*GRAD)
def tensor_second_of_matrices(engine: Engine) -> None:
    """The rule of a product of matrices, and of a sum over copies, has rules too."""
    rng = np.random.default_rng(1)
    x, w = engine.leaf(rng.normal(size=(3, 2))), engine.leaf(rng.normal(size=(2, 2)))
    b = engine.leaf(rng.normal(size=2))
    y = tanh(engine, x @ w + b)
    (g,) = engine.grad(y, [b], np.ones((3, 2)), create_graph=True)
    got = engine.slopes(g, [w], np.ones(2))[0]
    y = plain(y)
    right = plain(x).T @ (-2 * y * (1 - y * y))
    near(got, right, tensor_second_of_matrices.about)


@accident(*GRAD)
def tensor_not_recorded(engine: Engine) -> None:
    """A pass is recorded only if it is asked for, or each gradient keeps a graph."""
    a = engine.leaf(3.0)
    (g,) = engine.grad(a * a, [a])
    refused(lambda: engine.grad(g, [a]), NO_GRADIENT, tensor_not_recorded.about)


@accident(*GRAD)
def tensor_unused(engine: Engine) -> None:
    """An input that the result does not depend on is named, not a KeyError."""
    a, b = engine.leaf(3.0), engine.leaf(2.0)
    refused(lambda: engine.grad(a * a, [a, b]), ("depend", "used"), tensor_unused.about)
    refused(
        lambda: engine.grad(engine.Tensor(2.0) * 1.0, [a]),
        NO_GRADIENT,
        "Nothing was recorded, so there is no gradient.",
    )


@accident(*GRAD)
def tensor_which(engine: Engine) -> None:
    """A result of several numbers has no single derivative: ask for a gradient."""
    v = engine.leaf([1.0, 2.0])
    refused(lambda: engine.grad(v * v, [v]), ("shape", "sum"), tensor_which.about)
    refused(
        lambda: engine.grad(v * v, [v], np.ones(3)),
        ("shape", "broadcast"),
        "A gradient has the shape of the result.",
    )
    near(engine.grad(v * v, [v], np.ones(2))[0], [2.0, 4.0], tensor_which.about)


@accident(*GRAD)
def tensor_middle(engine: Engine) -> None:
    """The gradient in a result in between is the sum over all of its uses."""
    x = engine.leaf(3.0)
    h = x * x
    got = engine.slopes(3.0 * h + h * h, [h, x])
    near(got, [21.0, 126.0], tensor_middle.about)


@accident(*GRAD)
def tensor_failed_pass(engine: Engine) -> None:
    """A pass that fails leaves the recording as it was: with try and finally."""
    a, v = engine.leaf(3.0), engine.leaf([1.0, 2.0])
    square = a * a
    engine.slope(square, a)
    calls: list[Callable[[], Any]] = [
        lambda: engine.grad(square + a, [a]),
        lambda: engine.grad(v * v, [v], np.ones((5, 7))),
        lambda: engine.grad(v * v, [v], "one"),
    ]
    for call in calls:
        try:
            call()
        except Exception:  # whatever it says: only what is left counts here
            near(engine.slope(a * a, a), 6.0, tensor_failed_pass.about)


@accident(*GRAD)
def tensor_types(engine: Engine) -> None:
    """float32 stays float32; whole numbers become floats, or are refused."""
    t = engine.leaf(np.ones(2, np.float32))
    y = 0.5 * t * t + 1.0
    found = {plain(engine.slope(y, t)).dtype.name, y.data.dtype.name}
    holds(found == {"float32"}, f"Got {', '.join(sorted(found))}.", tensor_types.about)
    right_or_refused(
        lambda: engine.slope((n := engine.leaf([1, 2])) * 0.5, n),
        [0.5, 0.5],
        ("float",),
        tensor_types.about,
    )
