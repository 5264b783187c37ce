"""Accidents of the steps `number`, `order`, `graph` and `copies`.

Engines of tensors can have the first three, too: a number is an array without axes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograd_lib.small.accidents.bench import (
    Engine,
    accident,
    at_most,
    holds,
    near,
    plain,
    refused,
    shown,
)

NUMBER = ("Number", "send_back")


@accident(*NUMBER)
def number_two_paths(engine: Engine) -> None:
    """Slopes multiply along a path, and paths add up: add to grad, do not set it."""
    x, w = engine.leaf(3.0), engine.leaf(2.0)
    about = number_two_paths.about
    dx, dw = engine.slopes((x + w) * x, [x, w])
    near(dx, 8.0, f"{about} x reaches y twice, by 3 and by 5.")
    near(dw, 3.0, f"{about} w reaches y through the sum, times x.")


@accident(*NUMBER)
def number_factors(engine: Engine) -> None:
    """The slope of a product in one factor is the value of the other."""
    a, b = engine.leaf(3.0), engine.leaf(2.0)
    da, db = engine.slopes(a * a * b, [a, b])
    near(da, 12.0, number_factors.about + " Here it is 2ab.")
    near(db, 9.0, number_factors.about + " Here it is a².")


@accident(*NUMBER)
def number_tariff(engine: Engine) -> None:
    """A hundred small steps against the gradient find the taxi's tariff."""
    rides = [(0.5, 4.1), (1.0, 4.9), (1.5, 6.1), (2.0, 6.9), (2.5, 8.0)]
    start, rise = 1.0, 1.0
    right_start, right_rise = 1.0, 1.0
    for _ in range(100):
        misses = [right_start + right_rise * km - price for km, price in rides]
        along = [miss * km for miss, (km, _) in zip(misses, rides, strict=True)]
        right_start -= 0.03 * 2 * sum(misses)
        right_rise -= 0.03 * 2 * sum(along)
        a, b, error = engine.leaf(start), engine.leaf(rise), engine.leaf(0.0)
        for km, price in rides:
            miss = a + b * engine.leaf(km) + engine.leaf(-price)
            error = error + miss * miss
        da, db = engine.slopes(error, [a, b])
        start, rise = start - 0.03 * float(da), rise - 0.03 * float(db)
    near([start, rise], [right_start, right_rise], number_tariff.about)


@accident(*NUMBER)
def order_late(engine: Engine) -> None:
    """A number has its turn after all that use it: what was made last is first."""
    for swapped in (False, True):
        a = engine.leaf(1.0)
        b = a * a
        s = b + a
        near(engine.slope(s * b if swapped else b * s, a), 7.0, order_late.about)


@accident(*NUMBER)
def order_nowhere(engine: Engine) -> None:
    """A use that does not lead to the result hands nothing back: do not wait for it."""
    a = engine.leaf(3.0)
    b = a * a
    aside = b + a
    near(engine.slope(b * a, a), 27.0, order_nowhere.about)
    near(aside, 12.0, "The sum that leads nowhere has its value.")


@accident(*NUMBER)
def order_doublings(engine: Engine) -> None:
    """Forty doublings have 2⁴⁰ paths: each number needs one turn, not one a path."""
    y = x = engine.leaf(1.0)
    for _ in range(40):
        y = y + y
    with at_most(20_000, order_doublings.about):
        near(engine.slope(y, x), 2.0**40, order_doublings.about)


@accident(*NUMBER)
def order_deep(engine: Engine) -> None:
    """A loop goes back through a deep graph, a function that calls itself does not."""
    x, zero = engine.leaf(1.0), engine.leaf(0.0)
    made = [x]
    for _ in range(sys.getrecursionlimit() + 200):
        made.append(made[-1] + x * zero)
    try:
        near(lambda: engine.slope(made[-1], x), 1.0, order_deep.about)
    finally:
        while made:  # the last first: Python in a browser does not free a deep chain
            made.pop()


@accident("walk")
def graph_second_pass(engine: Engine) -> None:
    """A pass begins with empty sums: keep them in a dictionary of the pass."""
    x, w = engine.leaf(3.0), engine.leaf(2.0)
    y = (x + w) * x
    for _ in range(2):
        if engine.of_arrays:
            found = engine.grad(y, [x], create_graph=True)[0]
        else:
            found = engine.walk(y)[x]
        near(found, 8.0, graph_second_pass.about)


@accident("backward", "Number.backward", "Number.__radd__")
def graph_leaves_keep(engine: Engine) -> None:
    """Leaves add up over passes; a result in between begins each pass anew."""
    a, b = engine.leaf(1.0), engine.leaf(2.0)
    s = a + b
    r = s * s * 2.0
    for right in (12.0, 24.0):
        if engine.of_arrays:
            r.backward(retain_graph=True)
        else:
            engine.backward(r)
        near(a.grad, right, graph_leaves_keep.about)
    for name, t in (("a + b", s), ("the result", r)):
        kept = 0.0 if t.grad is None else t.grad
        about = f"Only leaves keep a grad, and {name} was made from others."
        near(kept, 0.0, about)


OPERATORS: dict[str, tuple[Callable[[Any, Any], Any], float, float]] = {
    "−x": (lambda x, y: -x, -1.0, 0.0),
    "x − y": (lambda x, y: x - y, 1.0, -1.0),
    "x · y": (lambda x, y: x * y, 2.0, 3.0),
    "x / y": (lambda x, y: x / y, 0.5, -0.75),
    "x³": (lambda x, y: x**3, 27.0, 0.0),
    "5 − x": (lambda x, y: 5.0 - x, -1.0, 0.0),
    "x − 5": (lambda x, y: x - 5.0, 1.0, 0.0),
    "6 / x": (lambda x, y: 6.0 / x, -6 / 9, 0.0),
    "2 · x + 1": (lambda x, y: 1.0 + 2.0 * x + 1.0, 2.0, 0.0),
}


LATER = "x / y", "6 / x", "x³"  # for tensors, of the step `numpy`

OPERATOR = ("walk", "Number.__radd__", "Number.__sub__")


@accident(*OPERATOR, "Number.__truediv__", "Number.__pow__")
def graph_operators(engine: Engine) -> None:
    """Each operator has its slopes, with a float on either side too."""
    divides = not engine.of_arrays or engine.has("Tensor.__truediv__")
    for name, (function, dx, dy) in OPERATORS.items():
        if divides or name not in LATER:
            x, y = engine.leaf(3.0), engine.leaf(2.0)
            z = function(x, y) * 3.0 + 0.0 * x + 0.0 * y
            got = [float(g) for g in engine.slopes(z, [x, y])]
            near(got, [3 * dx, 3 * dy], f"Those are 3 times the slopes of {name}.")
    if not engine.of_arrays:  # for tensors, of the step `numpy`
        x = engine.leaf(0.0)
        zeroth = "x⁰ is 1 everywhere, so its slope is 0, and not 0 · 0⁻¹."
        near(lambda: engine.slope(x**0 + 0.0 * x, x), 0.0, zeroth)
    if divides:
        one = float(plain(engine.leaf(49.0) / engine.leaf(49.0)))
        holds(one == 1.0, f"Got {one!r}, right is 1.", "49 · 49⁻¹ is not 1: divide.")


def maximum_of_0(x: Any) -> Any:
    """Return relu of a tensor, by NumPy's name."""
    return np.maximum(x, 0.0)


@accident(*OPERATOR, "relu", "Number.relu")
def graph_relu(engine: Engine) -> None:
    """relu passes a number above 0 with the slope 1, and stops one below."""
    relus: dict[str, Callable[[Any], Any]] = {"np.maximum(x, 0.0)": maximum_of_0}
    points = [(2.0, 2.0, 3.0), (-2.0, 0.0, 0.0)]
    if not engine.of_arrays:
        relus = {"relu(x)": engine.relu, "x.relu()": lambda x: x.relu()}
        points.append((0.0, 0.0, 0.0))  # in a tie, a maximum gives half to each
    for name, relu in relus.items():
        for data, value, slope in points:
            x = engine.leaf(data)
            y = relu(x)
            got = [float(plain(y)), float(engine.slope(y * 3.0 + 0.0 * x, x))]
            at = f"This is {name} at {data:g}, and 3 times its slope."
            kink = "" if data else " At 0 it has none, and the book says 0."
            near(got, [value, slope], f"{graph_relu.about} {at}{kink}")
        x = engine.leaf(math.nan)
        y = relu(x)
        got = [float(plain(y)), float(engine.slope(y, x))]
        holds(
            math.isnan(got[0]) and got[1] != 0.0,
            f"Got {shown(got)} for relu of NaN and its slope, right is [nan, 1].",
            "NaN is not below 0: a slope of 0 hides a mistake. So ask whether x <= 0,"
            " and pass all else as it is: max(0.0, x) has lost the NaN.",
        )


def sums(engine: Engine, a: np.ndarray, shape: tuple[int, ...]) -> Any:
    """Return the sum over copies of an array, or of a tensor if that is asked for."""
    try:
        return engine.sum_to(a, shape)
    except (AttributeError, TypeError):
        if not engine.of_arrays:
            raise
        return engine.sum_to(engine.Tensor(a), shape)


@accident("sum_to")
def copies_sums(engine: Engine) -> None:
    """NumPy copied the array to fit: sum over the copies of each of its elements."""
    grid = np.arange(24.0).reshape(2, 3, 4)
    for shape, axes in (
        ((4,), (0, 1)),
        ((3, 1), (0, 2)),
        ((2, 1, 4), (1,)),
        ((1, 4), (0, 1)),
        ((), (0, 1, 2)),
        ((2, 3, 4), ()),
    ):
        right = grid.sum(axes).reshape(shape)
        got = partial(sums, engine, grid, shape)
        near(got, right, f"{copies_sums.about} This is for shape {shape}.")


@accident("sum_to", of_tensors=("grad",))
def copies_bias(engine: Engine) -> None:
    """A bias is added to each row, so its gradient is the sum of the rows."""
    rows = np.arange(6.0).reshape(3, 2)
    if engine.of_arrays:
        x, b = engine.leaf(np.ones((3, 1))), engine.leaf(np.ones(2))
        gx, gb = engine.slopes(x + b, [x, b], rows)
    else:
        gx, gb = sums(engine, rows, (3, 1)), sums(engine, rows, (2,))
    near(gb, [6.0, 9.0], copies_bias.about)
    near(gx, [[1.0], [5.0], [9.0]], "A column was copied along its axis of length 1.")


@accident("sum_to")
def copies_misfit(engine: Engine) -> None:
    """No copy of (2,) has shape (3, 4): a sum that hides this is wrong."""
    grid = np.ones((3, 4))
    words = "shape", "size", "axis"
    refused(lambda: sums(engine, grid, (2,)), words, copies_misfit.about)
