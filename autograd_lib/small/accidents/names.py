"""Accidents of the step `numpy`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograd_lib.small.accidents.arrays import GRAD, gone_after_del, types_stay
from autograd_lib.small.accidents.bench import (
    Engine,
    accident,
    against_differences,
    holds,
    near,
    plain,
    recognise,
    refused,
    right_or_refused,
)


@accident(*GRAD, "Tensor.__array_ufunc__")
def numpy_asks(engine: Engine) -> None:
    """An array on the left asks a tensor, by __array_ufunc__, before it begins."""
    t = engine.leaf([1.0, 2.0])
    e = np.exp([1.0, 2.0])
    programs: dict[str, tuple[Callable[[], Any], Any]] = {
        "array * t": (lambda: np.array([3.0, 4.0]) * t, [3.0, 4.0]),
        "array - t": (lambda: np.array([3.0, 4.0]) - t, [-1.0, -1.0]),
        "np.float64(3) * t": (lambda: np.float64(3) * t, [3.0, 3.0]),
        "np.exp(t)": (lambda: np.exp(t), e),
    }
    for name, (call, right) in programs.items():
        y = call()
        holds(
            isinstance(y, engine.Tensor),
            f"Got {type(y).__name__}, right is a tensor.",
            f"{numpy_asks.about} This is {name}.",
        )
        near(engine.slope(y, t), right, f"{numpy_asks.about} This is {name}.")
    column = engine.leaf([[1.0], [2.0]])
    near(
        lambda: engine.slope(np.array([[3.0, 4.0]]) @ column, column),
        [[3.0], [4.0]],
        f"{numpy_asks.about} This is array @ t.",
    )


UNKNOWN = (
    *("implement", "operand", "ufunc", "know"),
    *("unexpected", "support", "node", "rule"),
)


@accident(*GRAD, "Tensor.__array_ufunc__")
def numpy_silence(engine: Engine) -> None:
    """A function without a rule gave plain numbers: the gradient is lost, so refuse."""
    t = engine.leaf([1.0, 2.0])

    def as_numbers(t: Any) -> Any:
        array = np.asarray(t)
        if array.dtype == object:  # it holds the tensor, so nothing is lost
            raise TypeError("an array of one object, the tensor, and no numbers")
        return array

    def by(call: Callable[[], Any]) -> Any:
        y = call()
        return engine.slope(y, t) if isinstance(y, engine.Tensor) else None

    def beside_others() -> Any:
        others = [engine.leaf(3.0), engine.leaf(4.0)]
        return engine.slopes(t + others, others, np.ones(2))[0]

    for name, call, right in (
        ("np.cumsum(t)", lambda: np.cumsum(t), [2.0, 1.0]),
        ("np.multiply.outer(t, t)", lambda: np.multiply.outer(t, t), [6.0, 6.0]),
        ("np.add.reduce(t)", lambda: np.add.reduce(t), [1.0, 1.0]),
        ("np.power(t, 2)", lambda: np.power(t, 2), [2.0, 4.0]),
        ("np.negative(t)", lambda: np.negative(t), [-1.0, -1.0]),
        ("np.asarray(t)", lambda: as_numbers(t), None),
    ):
        why = f"{numpy_silence.about} This is {name}."
        if right is None:
            refused(call, (*UNKNOWN, "array", "gradient"), why)
        else:
            right_or_refused(partial(by, call), right, UNKNOWN, why)

    def into_array() -> Any:
        array = np.ones(2)
        array -= t
        return array

    words = "rule", "operand", "array", "ufunc"
    why = f"{numpy_silence.about} This is array -= t, for an array of NumPy's."
    refused(into_array, words, why)
    why = f"{numpy_silence.about} This is t + [a, b]."
    right_or_refused(beside_others, 1.0, (*UNKNOWN, "list", "tensor"), why)


@accident(*GRAD, "Tensor.__array_ufunc__", "Tensor.__truediv__", "Tensor.__pow__")
def numpy_rules(engine: Engine) -> None:
    """A rule multiplies by what comes to it, and by the slope."""
    at = np.array([[0.5, 1.5], [2.0, 0.7]])
    row = np.array([2.0, 3.0])
    functions: dict[str, Callable[[Any], Any]] = {
        "np.exp": lambda t: np.exp(t),
        "np.log": lambda t: np.log(t),
        "np.sqrt": lambda t: np.sqrt(t),
        "np.tanh": lambda t: np.tanh(t),
        "t ** 3": lambda t: t**3,
        "t ** -1.5": lambda t: t**-1.5,
        "t / c": lambda t: t / row,
        "c / t": lambda t: row / t,
        "t / t.T": lambda t: t / (t.T + 1.0),
        "1 - t": lambda t: 1 - t,
        "-t": lambda t: -t * t,
    }
    for name, function in functions.items():
        value = partial(function, engine.Tensor(at))
        near(value, function(at), f"The value of {name} is not NumPy's.")
    against_differences(engine, functions, at)
    against_differences(
        engine,
        {
            "t / c, with copies": lambda t: t / at,
            "c / t, with copies": lambda t: at / t,
            "t - c, with copies": lambda t: (t - at) * t,
        },
        row,
    )


SECOND: dict[str, Callable[[Any, Any], Any]] = {
    "x * y": lambda x, y: x * y,
    "(x - y) * y": lambda x, y: (x - y) * y,
    "np.exp(x)": lambda x, y: np.exp(x),
    "np.log(x)": lambda x, y: np.log(x),
    "np.sqrt(x)": lambda x, y: np.sqrt(x),
    "np.tanh(x)": lambda x, y: np.tanh(x),
    "x ** 3": lambda x, y: x**3,
    "x ** -1.5": lambda x, y: x**-1.5,
    "x / y": lambda x, y: x / y,
}


@accident(*GRAD, "Tensor.__array_ufunc__", "Tensor.__truediv__", "Tensor.__pow__")
def numpy_second(engine: Engine) -> None:
    """A rule saves tensors: in a recorded pass, an array would be a constant."""
    at = np.array([[0.5, 2.0], [1.5, 0.7], [1.1, -0.6]])

    def slopes(function: Callable[[Any, Any], Any], arrays: Any) -> tuple[Any, Any]:
        """Return x, y, c, and a sum of the gradients of c · f(x, y) in x and y."""
        x, y, c = inputs = [engine.leaf(array) for array in arrays]
        z = c * function(x, y) + 0.0 * x * y
        gx, gy = engine.grad(z, [x, y], np.ones(2), create_graph=True)
        return inputs, gx * 1.3 - gy * 0.7 + 0.0 * x * y * c

    for name, function in SECOND.items():
        for i, letter in enumerate("xyc"):
            push = np.zeros_like(at)
            push[i] = 1e-5
            ends = [plain(slopes(function, at + s)[1]) for s in (push, -push)]
            inputs, first = slopes(function, at)
            of = f"This is the gradient of c · {name}, differentiated in"
            near(
                partial(engine.slope, first, inputs[i]),
                (ends[0] - ends[1]) / 2e-5,
                f"{numpy_second.about} {of} {letter}.",
                1e-3,
            )


@accident(*GRAD, "Tensor.__truediv__")
def numpy_exact(engine: Engine) -> None:
    """49 / 49 is 1, and 49 · 49⁻¹ is not: divide."""
    y = engine.leaf(49.0) / engine.leaf(49.0)
    got = float(plain(y))
    holds(got == 1.0, f"Got {got!r}, right is 1.", numpy_exact.about)


@accident(*GRAD, "Tensor.__pow__")
def numpy_powers(engine: Engine) -> None:
    """t⁰ is 1 everywhere, with a slope of 0: no 0 · 0⁻¹, which is NaN."""
    for n, rights in ((2, (0.0, 2.0, 0.0)), (3, (0.0, 0.0, 6.0)), (0, (0.0,))):
        t = engine.leaf(0.0)
        y = t**n + 0.0 * t * t * t * t
        for right in rights:
            (y,) = engine.grad(y, [t], create_graph=True)
            near(y, right, f"{numpy_powers.about} This is t^{n} at 0.")


@accident(*GRAD, "Tensor.__pow__", "Tensor.__array_ufunc__")
def numpy_exponents(engine: Engine) -> None:
    """An exponent that is a tensor gets a gradient, or is refused: no endless calls."""
    words = "exponent", "number", "exp", "operand", "unsupported"
    t = engine.leaf(2.0)

    def slope(call: Callable[[], Any]) -> Any:
        return engine.slope(call(), t)

    for call, right in (
        (lambda: t**t, 4 * (np.log(2) + 1)),
        (lambda: 2.0**t, 4 * np.log(2)),
        (lambda: np.float64(2) ** t, 4 * np.log(2)),
        (lambda: np.power(2.0, t), 4 * np.log(2)),
    ):
        about = numpy_exponents.about
        right_or_refused(partial(slope, call), right, words, about)


@accident(*GRAD, "Tensor.__array_ufunc__", "Tensor.__pow__")
def numpy_many_exponents(engine: Engine) -> None:
    """An array of exponents has a slope for each element, or is refused."""
    t, n = engine.leaf([2.0, 0.0, 3.0]), np.array([3.0, 0.0, 2.0])
    words = "exponent", "number", "operand", "unsupported"
    about, right = numpy_many_exponents.about, [12.0, 0.0, 6.0]
    right_or_refused(lambda: engine.slope(t**n, t), right, words, about)
    try:
        y = t ** n.tolist()
    except Exception as error:
        recognise(error, (*words, "list"), f"{about} This is a list.")
    else:
        near(lambda: engine.slope(y, t), right, f"{about} This is a list.")


@accident(*GRAD, "Tensor.__array_ufunc__", "Tensor.__pow__")
def numpy_types(engine: Engine) -> None:
    """float32 stays float32: leave Python's numbers as they are."""
    t = engine.leaf(np.array([1.0, 2.0], np.float32))
    y = 0.5 * np.exp(t) / (1 + t) - t**2 + np.sqrt(t)
    types_stay(engine, y, t, numpy_types.about)
    for name, function in SECOND.items():
        why = f"{numpy_types.about} This is {name}."
        types_stay(engine, function(t, 0.5 * t), t, why)


@accident(*GRAD, "Tensor.__array_ufunc__", "Tensor.__truediv__", "Tensor.__pow__")
def numpy_circle(engine: Engine) -> None:
    """An edge that saved its own result is a circle, which del does not free."""
    t = engine.leaf(np.full((7, 7), 2.0))
    for name, function in SECOND.items():
        why = f"{numpy_circle.about} This is {name}: save its arguments."
        gone_after_del(partial(function, t, t), why)
