"""What multi_var does when something is wrong: it says so, and changes nothing."""

import cmath
import math
import operator

import pytest

from autograd_lib.scalar.float_var import float_var
from autograd_lib.scalar.multivariate import (
    div,
    mul,
    multi_chainer,
    multi_var,
    sin,
    sqrt,
    square,
    sub,
)


def broken(reply):
    def bw_func(vals_in, val_out, grad_out):
        if isinstance(reply, BaseException):
            raise reply
        return reply

    return multi_chainer(operator.add, bw_func)


WRONG = [None, 1.0, (1.0,), (1.0, 2.0, 3.0), ("1", 2.0), (1.0, 1j), "12", (1.0, [2.0])]


@pytest.mark.parametrize(
    "reply", [RuntimeError("broken"), KeyboardInterrupt(), (1.0, math.nan), *WRONG]
)
def test_a_failing_pass_changes_no_gradient(reply):
    x = multi_var(0.5)
    inner = sin(x)
    out = square(broken(reply)(inner, x))
    for expected in ([None] * 3, [1.0, 2.0, 3.0]):
        x.grad, inner.grad, out.grad = expected
        with pytest.raises((RuntimeError, KeyboardInterrupt, TypeError, ValueError)):
            out.backprop()
        assert [x.grad, inner.grad, out.grad] == expected


@pytest.mark.parametrize("reply", WRONG, ids=repr)
def test_bw_func_must_return_a_real_number_for_each_input(reply):
    with pytest.raises(TypeError, match=r"add: (bw_func must return|gradient \d from)"):
        broken(reply)(1.0, 2.0).backprop()


def test_gradients_that_add_up_to_nan_are_an_error():
    opposite = multi_chainer(
        operator.add, lambda vals_in, val_out, grad_out: (math.inf, -math.inf)
    )
    x = square(multi_var(1.0))
    with pytest.raises(ValueError, match="backprop: a sum of gradients is nan"):
        opposite(x, x).backprop()


@pytest.mark.parametrize("value", [None, "1", 1j, [1.0]])
def test_a_value_that_is_no_real_number_is_refused(value):
    with pytest.raises(TypeError, match="multi_var: value must be one real number"):
        multi_var(value)
    with pytest.raises(TypeError, match="mul: input 1 must be one real number"):
        mul(1.0, value)


@pytest.mark.parametrize("inputs", [(), (1.0,), (1.0, 2.0, 3.0)])
def test_the_number_of_inputs_is_checked(inputs):
    with pytest.raises(TypeError, match="sub"):
        sub(*inputs)


def test_an_infinite_value_or_derivative_is_an_error_with_the_place():
    with pytest.raises(ValueError, match=r"div\(1, 0\) has no real value"):
        div(1.0, 0.0)
    with pytest.raises(ValueError, match=r"sqrt: bw_func raised ZeroDiv\w+ at \(0"):
        sqrt(multi_var(0.0)).backprop()


def test_halves_that_take_other_arguments_are_refused():
    with pytest.raises(TypeError, match="multi_chainer: fw_func must be a function"):
        multi_chainer(3.0, lambda vals_in, val_out, grad_out: ())
    with pytest.raises(TypeError, match="multi_chainer: bw_func is called as"):
        multi_chainer(cmath.phase, lambda grad_out: ())


def test_a_number_that_remembers_in_another_way_is_not_taken_for_a_constant():
    with pytest.raises(TypeError, match=r"mul: input 1 is a float_var, .* multi_var"):
        mul(multi_var(1.0), float_var(2.0))
