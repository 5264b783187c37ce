"""Accidents of the step `tensor`."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograd_lib.small.accidents.bench import (
    Engine,
    Wrong,
    accident,
    against_differences,
    holds,
    near,
    plain,
    recognise,
    refused,
    right_or_refused,
)

GRAD = ("Tensor", "grad")
FREED = ("freed", "retain", "used", "again")
NO_GRADIENT = ("gradient", "require", "record", "depend")


def tanh(engine: Engine, x: Any) -> Any:
    """Return tanh of a tensor, by the engine's function or by NumPy's name."""
    return engine.tanh(x) if engine.has("tanh") else np.tanh(x)


def derivative(engine: Engine, y: Any, x: Any, seed: Any = None) -> Any:
    """Return the gradient of `y` in `x`, recorded."""
    return engine.grad(y, [x], seed, create_graph=True)[0]


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
    x, y = engine.leaf(row), engine.leaf(row[None] + 1.0)
    gx, gy = engine.slopes(x * y, [x, y])
    same = "The shapes (2,) and (1, 2) have one size, and are two shapes."
    near(gx, [2.0, 3.0], same)
    near(gy, [[1.0, 2.0]], same)


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
    batch, right = rng.normal(size=(2, 2, 3)), rng.normal(size=(2, 3, 2))
    programs: dict[str, tuple[Callable[[Any], Any], np.ndarray]] = {
        "c @ t, for a batch c": (lambda t: engine.Tensor(batch) @ t, right[0]),
        "t @ c, for a batch c": (lambda t: t @ engine.Tensor(right), batch[0]),
        "c @ t, for two batches": (lambda t: engine.Tensor(batch) @ t, right),
        "t @ c, for two batches": (lambda t: t @ engine.Tensor(right), batch),
    }
    for name, (function, at) in programs.items():
        against_differences(engine, {name: function}, at)


@accident(*GRAD)
def tensor_vectors(engine: Engine) -> None:
    """A product with a vector gets its gradients right, or is refused at once."""
    words = "vector", "axes", "axis", "dimension", "shape"
    W, v = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([1.0, 2.0])
    for first, second, right in (
        (v, W, ([6.0, 15.0], [[1.0] * 3, [2.0] * 3])),
        (W.T, v, ([[1.0, 2.0]] * 3, [6.0, 15.0])),
        (v, v, ([1.0, 2.0], [1.0, 2.0])),
    ):
        x, y = engine.leaf(first), engine.leaf(second)
        try:
            z = x @ y
        except Exception as error:
            recognise(error, words, tensor_vectors.about)
            continue
        near(z, first @ second, tensor_vectors.about)
        for k in (0, 1):
            near(
                lambda x=x, y=y, k=k: engine.slopes(x @ y, [x, y])[k],
                right[k],
                tensor_vectors.about,
            )


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


def owner(array: np.ndarray) -> np.ndarray:
    """Return the array whose memory an array looks at."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


@accident(*GRAD)
def tensor_alive(engine: Engine) -> None:
    """A node holds edges and no data, so only what a rule needs stays alive."""
    w = engine.leaf(np.eye(7))
    z = engine.Tensor(np.ones((7, 7))) @ w + 1.0
    array = weakref.ref(owner(z.data))
    y = z * 2.0
    del z
    gc.collect()
    why = "x @ w + 1 is alive, and no rule needs it; right is that it is gone."
    holds(array() is None, why, tensor_alive.about)
    holds(y.shape == (7, 7), f"Got {y.shape}, right is (7, 7).", tensor_alive.about)


def gone_after_del(call: Callable[[], Any], why: str) -> None:
    """Hold that a result is freed by `del`, without the search for circles."""
    y = call()
    array = weakref.ref(owner(y.data))
    collects = gc.isenabled()
    gc.disable()
    try:
        del y
        gone = array() is None
    finally:
        if collects:
            gc.enable()
    holds(gone, "After del, the result is still alive; right is that it is gone.", why)


@accident(*GRAD)
def tensor_circle(engine: Engine) -> None:
    """A result that leads back to itself is not freed by del: save its argument."""
    t = engine.leaf(np.ones((7, 7)))
    gone_after_del(lambda: tanh(engine, t), tensor_circle.about)


@accident(*GRAD)
def tensor_second(engine: Engine) -> None:
    """With create_graph=True, rules work on tensors, and read what has a history."""
    a = engine.leaf(5.0)
    for y, rights in (
        (a * a * a, (75.0, 30.0, 6.0)),
        (tanh(engine, a * 0.1), (0.0786448, -0.0072686, -0.0005655)),
    ):
        for right in rights:
            found = partial(derivative, engine, y, a)
            near(found, right, tensor_second.about)
            y = found()


@accident(*GRAD)
def tensor_second_of_matrices(engine: Engine) -> None:
    """The rule of a product of matrices, and of a sum over copies, has rules too."""
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=shape) for shape in ((3, 2), (2, 2), (2,))]
    push, ones = np.zeros((2, 2)), np.ones((3, 2))
    push[0, 1] = 1e-5

    def gradients(W: Any, names: slice) -> list[Any]:
        x, _, b = map(engine.leaf, arrays)
        w = engine.leaf(W)
        y = tanh(engine, x @ w + b)
        found = engine.grad(y, [w, b][names], ones, create_graph=True)
        return [w, *found]

    for names in (slice(0, 1), slice(1, 2)):
        ends = [plain(gradients(arrays[1] + s, names)[1]).sum() for s in (push, -push)]
        w, g = gradients(arrays[1], names)
        near(
            lambda w=w, g=g: engine.slope(g, w)[0, 1],
            (ends[0] - ends[1]) / 2e-5,
            tensor_second_of_matrices.about,
            1e-3,
        )


@accident(*GRAD)
def tensor_not_recorded(engine: Engine) -> None:
    """A pass is recorded only if it is asked for, or each gradient keeps a graph."""
    a = engine.leaf(3.0)
    (g,) = engine.grad(a * a, [a])
    refused(lambda: engine.grad(g, [a]), NO_GRADIENT, tensor_not_recorded.about)


@accident(*GRAD)
def tensor_constant_slope(engine: Engine) -> None:
    """The slope of 3a is 3 everywhere: its own slope is 0, or refused in words."""
    a = engine.leaf(5.0)
    g = derivative(engine, a * 3.0, a)
    near(g, 3.0, tensor_constant_slope.about)
    again = partial(derivative, engine, g, a)
    right_or_refused(again, 0.0, NO_GRADIENT, tensor_constant_slope.about)


@accident(*GRAD)
def tensor_moved(engine: Engine) -> None:
    """A weight moved between forward and backward: an edge saves it as it was."""
    w = engine.leaf(3.0)
    y = w * w

    def moved() -> Any:
        w.data = np.array(5.0)
        return engine.slope(y, w)

    words = "read-only", "version", "written", "in place", "in-place", "changed"
    right_or_refused(moved, 6.0, words, tensor_moved.about)


@accident(*GRAD)
def tensor_own_array(engine: Engine) -> None:
    """Tensor(array) is a copy: the caller may write into the array afterwards."""
    array = np.array([3.0, 4.0])
    v = engine.leaf(array)
    y = v * v
    array[:] = 5.0
    near(v, [3.0, 4.0], tensor_own_array.about)
    near(engine.slope(y, v), [6.0, 8.0], tensor_own_array.about)


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
def tensor_once(engine: Engine) -> None:
    """A generator is gone through once: grad(y, (…)) gave no gradients, in silence."""
    x = engine.leaf(3.0)
    y = x * x
    words = "list", "sequence", "generator", "iter"

    def given() -> Any:
        return [float(plain(g)) for g in engine.grad(y, (t for t in [x]))]

    right_or_refused(given, [6.0], words, tensor_once.about)


@accident(*GRAD)
def tensor_for_a_list(engine: Engine) -> None:
    """grad takes a list: of a tensor in its place, rows are other tensors. Say so."""
    words = "list", "sequence", "itera", "unsized"
    for start, right in ((2.0, 4.0), ([1.0, 2.0], [2.0, 4.0])):
        x = engine.leaf(start)
        y = x * x

        def alone(y: Any = y, x: Any = x) -> Any:
            got = engine.grad(y, x, np.ones(y.shape))
            return got[0] if isinstance(got, list | tuple) and got else got

        right_or_refused(alone, right, words, tensor_for_a_list.about)


@accident(*GRAD)
def tensor_listed(engine: Engine) -> None:
    """A list beside a tensor is an array, for its rule, too; or refuse it at once."""
    words, t = ("list", "operand", "type"), engine.leaf([[1.0, 2.0]])
    programs: dict[str, tuple[Callable[[], Any], Any]] = {
        "t * [3.0, 4.0]": (lambda: t * [3.0, 4.0], [[3.0, 4.0]]),
        "t @ [[3.0], [4.0]]": (lambda: t @ [[3.0], [4.0]], [[3.0, 4.0]]),
    }
    for name, (call, right) in programs.items():
        about = f"{tensor_listed.about} This is {name}."
        try:
            y = call()
        except Exception as error:
            recognise(error, words, about)
            continue
        near(partial(engine.slope, y, t), right, about)


@accident(*GRAD)
def tensor_refused(engine: Engine) -> None:
    """A pass that is refused leaves the graph as it was: ask again, for less."""
    a, b = engine.leaf(3.0), engine.leaf(2.0)
    y = a * a
    refused(lambda: engine.grad(y, [a, b]), ("depend", "used"), tensor_refused.about)
    near(lambda: engine.slope(y, a), 6.0, tensor_refused.about)


@accident(*GRAD)
def tensor_which(engine: Engine) -> None:
    """A result of several numbers has no single derivative: ask for a gradient."""
    v = engine.leaf([1.0, 2.0])
    words = "sum", "gradient", "scalar"
    refused(lambda: engine.grad(v * v, [v]), words, tensor_which.about)
    refused(
        lambda: engine.grad(v * v, [v], np.ones(3)),
        ("shape", "broadcast"),
        "A gradient has the shape of the result.",
    )
    near(engine.grad(v * v, [v], np.ones(2))[0], [2.0, 4.0], tensor_which.about)
    one = engine.leaf([3.0])
    near(
        lambda: engine.grad(one * one, [one])[0],
        [6.0],
        "A result of one number needs no gradient, in whatever shape.",
    )


@accident(*GRAD)
def tensor_other_shape(engine: Engine) -> None:
    """What stands for an array has its shape: copies would hide a mistake."""
    v, words = engine.leaf([1.0, 2.0, 3.0]), ("shape", "broadcast", "size")
    given = partial(engine.grad, v * v, [v], np.ones(1))
    refused(given, words, f"{tensor_other_shape.about} This is a gradient.")

    def renewed() -> Any:
        y = v * 2.0
        v.data = np.array([5.0])
        return engine.slopes(y, [v])[0]

    refused(renewed, words, f"{tensor_other_shape.about} This is v.data = array.")
    near(v, [1.0, 2.0, 3.0], "After the refusal, the data is as it was.")

    def emptied() -> Any:
        x = engine.leaf(3.0)
        x.data = None
        return x

    words = "shape", "size", "none", "number"
    refused(emptied, words, f"{tensor_other_shape.about} This is x.data = None.")
    t = engine.leaf(np.ones(2, np.float32))

    def listed() -> Any:
        t.data = [3.0, 4.0]
        return t.data

    right_or_refused(listed, [3.0, 4.0], ("float", "type"), "t.data = [3.0, 4.0].")
    got = np.asarray(t.data).dtype.name
    said = f"Got {got}, right is float32."
    holds(got == "float32", said, "t.data = [3.0, 4.0] keeps the type of t.")


@accident(*GRAD)
def tensor_switched_on(engine: Engine) -> None:
    """x.requires_grad = True makes a leaf of x, or is refused: not a new attribute."""
    x = engine.Tensor(3.0)
    ways = [getattr(t, "requires_grad", None) for t in (engine.leaf(3.0), x)]
    said = f"Got {ways} for a leaf and a constant, right is [True, False]."
    holds(ways in ([True, False], [None, None]), said, "This is requires_grad.")
    try:
        x.requires_grad = True
    except AttributeError:  # as of a property without a setter
        return
    near(lambda: engine.slope(x * x, x), 6.0, tensor_switched_on.about)


@accident(*GRAD)
def tensor_middle(engine: Engine) -> None:
    """The gradient in a result in between is the sum over all of its uses."""
    x = engine.leaf(3.0)
    h = x * x
    got = engine.slopes(3.0 * h + h * h, [h, x])
    near(got, [21.0, 126.0], tensor_middle.about)


@accident(*GRAD)
def tensor_below_a_middle(engine: Engine) -> None:
    """A pass to a result in between leaves what that was made from: it is not used."""
    w = start = engine.leaf(3.0)
    for _ in range(3):  # updates that make a new tensor, recorded, in every step
        slope = partial(engine.slope, w * w, w)
        near(slope, 2.0 * float(plain(w)), tensor_below_a_middle.about)
        w = w - 0.2 * float(plain(w))
    near(partial(engine.slope, w, start), 1.0, tensor_below_a_middle.about)


def overflows() -> bool:
    """Return whether NumPy can make an error of an overflow here."""
    large = np.full(2, 1e300)
    try:
        with np.errstate(over="raise"):
            return bool((large * large).sum() < 0)
    except FloatingPointError:
        return True


@accident(*GRAD)
def tensor_failed_pass(engine: Engine) -> None:
    """A pass that fails leaves the recording as it was: with try and finally."""
    a, v = engine.leaf(3.0), engine.leaf([1.0, 2.0])
    large = v * 1e300

    if not overflows():  # as in a browser: then nothing is known
        return
    try:
        with np.errstate(over="raise"):
            engine.grad(large, [v], np.full(2, 1e300))
    except FloatingPointError:
        near(lambda: engine.slope(a * a, a), 6.0, tensor_failed_pass.about)
    else:
        raise Wrong(f"The pass did not fail. {tensor_failed_pass.about}")
    again = partial(engine.slope, large, v)
    right_or_refused(again, [1e300] * 2, FREED, tensor_failed_pass.about)


def types_stay(engine: Engine, y: Any, t: Any, why: str) -> None:
    """Hold that a result and its gradient have the type of a float32 tensor."""
    result, gradient = y.data.dtype.name, plain(engine.slope(y, t)).dtype.name
    said = f"Got {result} for a result and {gradient} for its gradient, right is"
    seed = (
        ""
        if result != "float32"
        else " A rule, or the gradient that a pass begins with?"
    )
    same = result == gradient == "float32"
    holds(same, f"{said} float32 for both.", f"{why}{seed}")


@accident(*GRAD, "Tensor.item")
def tensor_types(engine: Engine) -> None:
    """float32 stays float32; whole numbers become floats, or are refused."""
    t = engine.leaf(np.ones(2, np.float32))
    y = 0.5 * t * t + 1.0
    types_stay(engine, y, t, tensor_types.about)
    types_stay(engine, tanh(engine, t), t, f"{tensor_types.about} This is tanh.")
    right_or_refused(
        lambda: engine.slopes((n := engine.leaf([1, 2])) * n, [n], np.full(2, 0.5))[0],
        [1.0, 2.0],
        ("float",),
        tensor_types.about,
    )
    got = engine.leaf([[0.5]]).item()
    said = f"Got {got!r} of type {type(got).__name__}, right is 0.5, a float."
    holds(type(got) is float and got == 0.5, said, "item() is a number of Python's.")
