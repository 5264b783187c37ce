"""Checks of gradients name what is wrong, and refuse what cannot be checked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autograd_lib.check.checks import WrongGradient, dotcheck, gradcheck, gradgradcheck
from autograd_lib.check.faults import FAULTS
from autograd_lib.engine.function import Function
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import OUTPUT, binary, record, unary
from autograd_lib.engine.tape.tensor import Tensor

ROW = np.array([0.3, -0.8, 1.7])
CHECKS = pytest.mark.parametrize("check", [gradcheck, dotcheck, gradgradcheck])
FIRST = pytest.mark.parametrize("check", [gradcheck, dotcheck])


@CHECKS
def test_inputs_are_given_one_by_one(check: Any) -> None:
    for together in (ROW, ROW), [Tensor(ROW), Tensor(ROW)]:
        with pytest.raises(TypeError, match=rf"as in {check.__name__}\(f, x, y\)"):
            check(lambda x, y: x * y, together)


@FIRST
@pytest.mark.parametrize("factor", [-1.0, 0.0, 1 + 1e-7, 2.0])
def test_a_wrong_slope_is_noticed(check: Any, factor: float) -> None:
    def wrong(x: Tensor) -> Tensor:
        return unary(np.sin, x, lambda g, x: g * np.cos(x) * factor, x)

    with pytest.raises(WrongGradient):
        check(wrong, ROW)


def test_both_numbers_and_their_places_are_named() -> None:
    def wrong(x: Tensor, y: Tensor) -> Tensor:
        return binary(np.multiply, x, spoilt, y, y, spoilt, x)

    @rule(broadcasts=True)
    def spoilt(g: Any, other: Any) -> Any:
        factors = np.ones((3, 4))
        factors[1, 2] = 3.5
        return g * other * factors

    x, y = np.outer(ROW, [1.0, 2.0, 3.0, 4.0]), np.full((3, 4), 2.0)
    message = (
        r"^gradcheck: the slope of output\[1, 2\] with respect to input "
        r"0\[1, 2\] is 7 by the rules, and 2 by complex step. With respect to input 0, "
        r"1 of 12 slopes are wrong."
    )
    with pytest.raises(WrongGradient, match=message):
        gradcheck(wrong, x, y)
    with pytest.raises(WrongGradient, match=r"⟨v, Jᵀu⟩ is \S+ by the rules, and ⟨Jv"):
        dotcheck(wrong, x, y)
    with pytest.raises(
        WrongGradient, match="of output 1 with respect to input 1 is 2 "
    ):
        gradcheck(lambda x, y: (x, unary(np.exp, y, lambda g, y: g * y, y)), ROW, 2.0)


def test_a_kink_is_refused_and_no_wrong_rule() -> None:
    message = r"To the left the slope is 0, to the right 1: a kink is no place"
    for check in (gradcheck, gradgradcheck):
        with pytest.raises(ValueError, match=message):
            check(lambda x: np.where(x > 0, x, 0.0), [1.0, 0.0])
    with pytest.raises(
        ValueError, match=r"\[1\] with respect to all inputs.* a kink is"
    ):
        dotcheck(np.abs, [1.0, 0.0])  # also where the rule agrees with the mean


def test_a_lost_gradient_is_suspected() -> None:
    with pytest.raises(WrongGradient, match=r"0 by the rules.*Look for detach"):
        gradcheck(lambda x: np.sin(x.detach()), ROW)
    with pytest.raises(WrongGradient, match=r"0 by the rules.*Look for detach"):
        gradcheck(lambda x, y: x.detach() * y, 2.0, 3.0)


def test_the_edge_of_the_domain_is_refused() -> None:
    with (
        np.errstate(all="ignore"),
        pytest.raises(ValueError, match="edge of what the function"),
    ):
        gradcheck(np.sqrt, 0.0)


def test_what_the_complex_step_gave_is_named_where_it_is_not_used() -> None:
    def wrong(x: Tensor) -> Any:
        return unary(lambda a: a * np.abs(a), x, lambda g, x: g * np.abs(x), x)

    with pytest.raises(WrongGradient, match=r"\(The complex step gives 0.3: the funct"):
        gradcheck(wrong, ROW)


def test_a_second_derivative_that_is_lost_is_noticed() -> None:
    def once(x: Tensor) -> Tensor:
        return unary(np.sin, x, lambda g, x: g * np.cos(getattr(x, "_array", x)), x)

    gradcheck(once, ROW)
    message = r"input 0\[0\] with respect to input 0\[0\] is 0 by the rules, and -0.29"
    with pytest.raises(WrongGradient, match=message):
        gradgradcheck(lambda x: once(x)[0] * 1.0, ROW, tolerance=1e-5)


def test_a_rule_that_forgets_what_its_gradient_was_made_from_is_noticed() -> None:
    def total(x: Tensor) -> Tensor:
        def forgets(g: Any, shape: Any) -> Any:
            return np.broadcast_to(getattr(g, "_array", g), shape)

        return unary(np.sum, x, forgets, x.shape)

    gradcheck(total, ROW)
    with pytest.raises(
        WrongGradient, match=r"respect to the gradient of output is 0 by"
    ):
        gradgradcheck(total, ROW)


def test_no_rule_is_asked_for_what_the_rules_are_compared_with() -> None:
    def sine(x: Any) -> Tensor:
        return unary(np.sin, x, by_sine, x)

    def by_sine(g: Any, x: Any) -> Any:
        return g * np.sin(x)

    leaf, u, v = Tensor(ROW, True), Tensor(ROW + 1.0, True), np.cos(ROW)
    (back,) = grad(sine(leaf), leaf, u, create_graph=True)
    (moves,) = grad((back * v).sum(), u, retain_graph=True)
    assert math.isclose((moves * u).sum().item(), (back * v).sum().item())  # fooled
    with pytest.raises(WrongGradient):
        dotcheck(sine, ROW)


def test_joint_results_and_saved_results() -> None:
    def both(x: Any, y: Any) -> Tensor:
        z = np.exp(getattr(x, "_array", x) * getattr(y, "_array", y))
        return record(
            z, (x, lambda g, s: g * s, OUTPUT), (y, lambda g, s: g * s, OUTPUT)
        )

    gradcheck(both, 1.0, 1.0)
    with pytest.raises(WrongGradient, match=r"input 0 is 2\.1"):
        gradcheck(both, 1.0, 0.75)


@CHECKS
@pytest.mark.parametrize(
    ("f", "inputs", "error", "message"),
    [
        (np.sin, [np.float32(1)], TypeError, "input 0 is of float32, and must be"),
        (np.sin, [1.0, 2], TypeError, r"input 1 is of int64.*x.astype\(float\)"),
        (np.sin, [1j], TypeError, "input 0 is of complex128"),
        (np.sin, ["one"], TypeError, "input 0 is of <U3"),
        (np.sin, [[1.0, None]], TypeError, "input 0 is of object"),
        (np.sin, [[1.0, np.nan]], ValueError, r"input 0\[1\] is nan; check where"),
        (np.sin, [-np.inf], ValueError, "input 0 is -inf; check where"),
        (np.sin, [], TypeError, "give inputs after the function"),
        (ROW, [1.0], TypeError, "the first argument is a function, got array"),
        (lambda x: x / 0.0, [ROW], ValueError, r"output 0\[0\] is inf; check where"),
        (lambda x: (x, x.argmax()), [ROW], TypeError, "returned int64, which carries"),
        (lambda x: x.numpy(), [ROW], TypeError, "returned ndarray, which carries no"),
        (lambda x: None, [ROW], TypeError, "returned NoneType, which carries no"),
        (lambda x: Tensor(x.data > 0), [ROW], TypeError, "output 0 is of bool, and"),
        (
            lambda x: Tensor(x.data, dtype=np.float32),
            [ROW],
            TypeError,
            "output 0 is of float32.*leaves float64 on the way",
        ),
        (lambda x: x * np.random.rand(), [ROW], ValueError, "two calls with the same"),
    ],
)
def test_questions_that_cannot_be_asked(
    check: Any, f: Any, inputs: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        check(f, *inputs)
    name = check.__name__
    assert str(raised.value).startswith((f"{name}: ", "check: "))


@CHECKS
def test_what_the_function_raises_is_raised(check: Any) -> None:
    with pytest.raises(ValueError, match="matmul: the last axis"):
        check(lambda x: x @ np.ones((4, 2)), np.ones((3, 3)))


def test_a_function_that_counts_its_calls_is_refused() -> None:
    calls: list[int] = []

    def f(x: Tensor) -> Tensor:
        calls.append(1)
        return x * float(len(calls))

    with pytest.raises(ValueError, match="let it change nothing"):
        gradcheck(f, ROW)


@CHECKS
def test_a_gradient_of_another_shape_is_named(check: Any, monkeypatch: Any) -> None:
    import autograd_lib.engine.tape.gradient as gradient

    monkeypatch.setattr(gradient, "sum_to", lambda g, shape: g)
    with pytest.raises(WrongGradient, match=r"input 1 has shape \(3,\), and its"):
        check(lambda x, y: x + y, np.outer(ROW, ROW), ROW)


def test_a_grad_that_does_not_add_up_is_named() -> None:
    (fault,) = (f for f in FAULTS if f.name == "grad replaced, not added to")
    message = (
        r"after backward was called 2 times, grad of input 0\[0\] is \S+, and 2 times "
        r"what the function grad gives is \S+; passes must add up"
    )
    with fault.planted(), pytest.raises(WrongGradient, match=message):
        gradcheck(lambda x: (x * x).sum(), ROW)


@CHECKS
def test_a_jvp_is_compared_with_the_backward_pass(check: Any) -> None:
    class Parts(Function):
        @staticmethod
        def forward(ctx: Any, n: float, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return n * x * y, (x * x).sum()

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            x, y = ctx.saved_tensors
            return None, 3 * g * y + 2 * h * x, 3 * g * x

        @staticmethod
        def jvp(ctx: Any, _: None, t: Any, u: Any) -> Any:
            x, y = ctx.saved_tensors
            return 3 * (t * y + part * u * x), 2 * (t * x).sum()

    def f(x: Any, y: Any) -> Any:
        product, total = Parts.apply(3.0, np.sin(x), y)
        return product * total

    part = 1.0
    assert check(f, ROW, 2.0 + ROW).compared
    part = 0.5
    with pytest.raises(WrongGradient, match=r"Parts.jvp is not the transpose of Parts"):
        check(f, ROW, 2.0 + ROW)
