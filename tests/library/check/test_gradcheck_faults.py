"""Rules that are right in an ordinary pass and wrong otherwise: which check notices."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pytest

from autograd_lib.check.checks import WrongGradient, dotcheck, gradcheck, gradgradcheck
from autograd_lib.check.faults import Fault
from autograd_lib.engine.function import Function
from autograd_lib.engine.tape.record import binary, unary
from autograd_lib.engine.tape.tensor import Tensor
from tests.faults.more_faults import MORE_FAULTS

ROW = np.array([0.3, -0.8, 1.7])
SQUARE = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7], [-0.4, 1.1, 0.9]])
CHECKS = (gradcheck, dotcheck, gradgradcheck)


@dataclass(frozen=True)
class Wrong:
    """A wrong function, what a message about it says, and which check notices.

    Attributes:
        name: what is wrong.
        f: the function.
        message: a part of the message.
        inputs: where it is checked.
        by: the checks that notice.
    """

    name: str
    f: Callable[..., Any]
    message: str
    inputs: tuple[Any, ...] = (ROW,)
    by: tuple[Callable[..., Any], ...] = CHECKS


def with_rule(rule: Callable[[Any, Any], Any], function: Any = np.square) -> Any:
    """Return a function of one tensor with a rule, which gets the tensor."""
    return lambda x: unary(function, x, rule, x)


def doubled(g: Any, x: Any) -> Any:
    return g * (2.0 * x)


def lost(x: Any) -> Tensor:
    """Return the absolute value, which no complex step sees, without its slope."""
    return unary(np.absolute, x, lambda g, x: g * 0.0, None)


def one_buffer(buffer: np.ndarray) -> Any:
    def rule(g: Any, x: Any) -> Any:
        return doubled(g, x) if isinstance(g, Tensor) else np.multiply(g, 2 * x, buffer)

    return with_rule(rule)


def beside_a_constant(x: Any, y: Any) -> Tensor:
    """Return x·y, with a wrong slope with respect to x where y needs no gradient."""
    slope = y if y.requires_grad else 2.0 * y
    return binary(np.multiply, x, doubled_no_more, slope, y, doubled_no_more, x)


def doubled_no_more(g: Any, other: Any) -> Any:
    return g * other


class InTheClass(Function):
    """Keeps what it saves where the next call writes over it."""

    saved: Any = None

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        InTheClass.saved = x
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 2.0 * g * InTheClass.saved


def writes_into_its_gradient(g: Any, x: Any) -> Any:
    d = doubled(g, x)
    if isinstance(g, np.ndarray):
        g *= 0.0
    return d


def by_rows_only(g: Any, x: Any) -> Any:
    d = doubled(g, x)
    return d if getattr(x, "flags", d.flags).c_contiguous else 0.0 * d


def writes_into_what_it_saved(g: Any, x: Any) -> Any:
    d = doubled(g, x)
    if isinstance(x, np.ndarray):
        x *= 1.5
    return d


def hidden_view(x: Any) -> Any:
    return unary(lambda a: a[::2], x, lambda g, n: spread(g, n), x.size)


def spread(g: Any, n: int) -> Any:
    return np.stack([g, 0.0 * g], 1).ravel()[:n]


CALLS = count()


def drifting(g: Any, x: Any) -> Any:
    """Return another number at each call: too little for a slope, too much for a sum.

    Drawn numbers would come so close, once in some hundred times, that nobody notices.
    """
    return doubled(g, x) * (1 + 1e-11 * next(CALLS))


def half_at_zero(x: Any) -> Any:
    return unary(
        lambda a: np.maximum(a, 0.0),
        x,
        lambda g, x: g * ((x > 0) + 0.5 * (x == 0)),
        getattr(x, "data", x),
    )


TABLE = (
    Wrong("lost beside 1e7", lambda x: lost(x) + 1e7, "0 by the rules, and "),
    Wrong("lost beside 1e9", lambda x: lost(x) + 1e9, "0 by the rules, and "),
    Wrong(
        "three times as large where it is recorded",
        with_rule(lambda g, x: doubled(g, x) * (3.0 if isinstance(g, Tensor) else 1.0)),
        r"the gradient of input 0\[0\] is \S+ where it is recorded, and",
        by=(gradgradcheck,),
    ),
    Wrong("one buffer", one_buffer(np.zeros(3)), "called several times in one graph"),
    Wrong("saved in the class", InTheClass.apply, "called several times in one graph"),
    Wrong(
        "right in one order",
        with_rule(lambda g, x: doubled(np.ravel(g, "K").reshape(g.shape), x)),
        "lies in Fortran's order in memory",
        (SQUARE,),
    ),
    Wrong(
        "wrong where the gradient is 0",
        with_rule(lambda g, x: doubled(g, x) + (g == 0)),
        "must be linear",
    ),
    Wrong(
        "wrong where the gradient is large",
        with_rule(lambda g, x: doubled(np.clip(g, -2, 2), x)),
        "is 1024 times as large.* must be linear",
    ),
    Wrong(
        "wrong beside a constant",
        beside_a_constant,
        "if the other inputs are constants, the gradient with respect to input 0",
        (ROW, ROW + 1.0),
    ),
    Wrong(
        "other numbers where it is recorded",
        lambda x: x * x + 1e6 * x.requires_grad,
        r"output\[0\] is \S+ where it is recorded, and 0.09 for constants",
    ),
    Wrong(
        "writes into its gradient",
        with_rule(writes_into_its_gradient),
        "the backward pass wrote into the gradient that it got",
    ),
    Wrong(
        "writes into what it saved",
        with_rule(writes_into_what_it_saved),
        "the backward pass wrote into input 0",
    ),
    Wrong(
        "writes into what it saved, in the middle",
        lambda x: with_rule(writes_into_what_it_saved)(x + 1.0),
        "in a second pass through the same graph",
    ),
    Wrong(
        "right for an input that lies by rows only",
        with_rule(by_rows_only),
        "if the inputs lie in Fortran's order in memory, the gradient",
        (np.outer(ROW, ROW),),
    ),
    Wrong("a view without a rule of views", hidden_view, "shows the memory of input 0"),
    Wrong("another number at each call", with_rule(drifting), "in a second pass"),
)


@pytest.mark.parametrize("wrong", TABLE, ids=lambda wrong: wrong.name)
@pytest.mark.parametrize("check", CHECKS)
def test_each_fault_is_noticed_and_named(check: Any, wrong: Wrong) -> None:
    if check in wrong.by:
        with pytest.raises(WrongGradient, match=wrong.message):
            check(wrong.f, *wrong.inputs)
    else:
        check(wrong.f, *wrong.inputs)


SECOND_ORDER = {"a factor only where the pass is recorded"}


@pytest.mark.parametrize("fault", MORE_FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("check", CHECKS)
def test_planted_faults_are_noticed_by_each_check(check: Any, fault: Fault) -> None:
    with fault.planted():
        if fault.name in SECOND_ORDER and check is not gradgradcheck:
            check(fault.program, *fault.inputs)
            return
        with pytest.raises(WrongGradient):
            check(fault.program, *fault.inputs)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (lambda x: np.abs(x) + 1e7, ROW),
        (lambda x: np.abs(x) + 1e9, ROW),
        (lambda x: np.abs(x - 1e8).sum(), ROW),
        (lambda x: np.abs(x - 1e8), ROW + 1e8),
        (lambda x: 1e-5 * np.abs(x) + x * x, ROW),
        (lambda x: np.exp(x) * 1e12, ROW),
        (lambda x: np.abs(x).sum() + 1e8 * (x * x).sum(), ROW),
        (lambda x: np.sin(1e5 * x) + np.abs(x), ROW),
    ],
)
def test_large_numbers_raise_no_false_alarm(check: Any, f: Any, inputs: Any) -> None:
    check(f, inputs)


@pytest.mark.parametrize("check", [gradcheck, dotcheck])
def test_a_kink_of_the_second_derivative_is_a_place_to_check(check: Any) -> None:
    check(lambda x: x * np.abs(x), [0.0, 1.0])


@pytest.mark.parametrize("check", CHECKS)
def test_results_that_hide_their_slopes_are_refused(check: Any) -> None:
    message = r"no reference value for output\[0\].*is rounded too roughly"
    with pytest.raises(ValueError, match=message):
        check(lambda x: lost(x) + 1e14, ROW)


@pytest.mark.parametrize("check", CHECKS)
def test_a_rule_cannot_choose_its_slope_at_a_kink(check: Any) -> None:
    with pytest.raises(ValueError, match="a kink is no place for a check"):
        check(half_at_zero, [0.0, 1.0])


class Polar(Function):
    """Saves one of its two outputs."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        radius = np.hypot(x, y)
        ctx.save_for_backward(x, y, radius)
        return radius, np.arctan2(y, x)

    @staticmethod
    def backward(ctx: Any, by_radius: Any, by_angle: Any) -> Any:
        x, y, r = ctx.saved_tensors
        return (
            (by_radius * x - by_angle * y / r) / r,
            (by_radius * y + by_angle * x / r) / r,
        )


def test_a_lost_path_to_a_saved_output_shows_with_something_after_it() -> None:
    """The engine once made a second node for it, and kept one of two gradients."""
    where = "autograd_lib.engine"
    two_nodes = Fault(
        "two nodes",
        f"{where}.function.Context._restored",
        "node is None and joint is not None",
        "joint is not None",
        Polar.apply,
        (),
    )
    one_kept = Fault(
        "one kept",
        f"{where}.joint.JointEdge.add",
        "d if slots[i] is None else slots[i] + d",
        "d",
        Polar.apply,
        (),
    )
    gradgradcheck(Polar.apply, 3.0, 4.0)
    with ExitStack() as stack:
        stack.enter_context(two_nodes.planted())
        gradgradcheck(Polar.apply, 3.0, 4.0)  # two nodes do no harm
        stack.enter_context(one_kept.planted())
        gradcheck(Polar.apply, 3.0, 4.0)
        with pytest.raises(WrongGradient, match="with a curve after the outputs"):
            gradgradcheck(Polar.apply, 3.0, 4.0)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("tolerance", [np.inf, -np.inf, np.nan, 0, 0.0, -1e-6])
def test_a_tolerance_is_finite_and_positive(check: Any, tolerance: float) -> None:
    message = (
        f"^{check.__name__}: tolerance must be finite and above 0, got {tolerance}"
    )
    with pytest.raises(ValueError, match=message):
        check(np.sin, ROW, tolerance=tolerance)
    with pytest.raises(TypeError, match="tolerance must be a number, got '1e-3'"):
        check(np.sin, ROW, tolerance="1e-3")


def test_numbers_in_messages_differ() -> None:
    f = with_rule(lambda g, x: doubled(g, x) * (1 + 3e-9))
    message = r"is 3\.40000001 by the rules, and 3\.4 by.* They differ by 1\.0e-08\."
    with pytest.raises(WrongGradient, match=message):
        gradcheck(f, np.array([1.7]))


LIMITS = {
    "in float32 only": lambda g, x: doubled(g, x) * (1 + (g.dtype == np.float32)),
    "at a value elsewhere": lambda g, x: doubled(g, x) * (1 + (x == 0.5)),
    "beyond a limit": lambda g, x: doubled(g, x) * (1 + (x > 100.0)),
    "less than the tolerance": lambda g, x: doubled(g, x) * (1 + 1e-11),
}


@pytest.mark.parametrize("name", LIMITS)
def test_what_the_words_of_the_checks_exclude_passes(name: str) -> None:
    gradgradcheck(with_rule(LIMITS[name]), ROW)
