"""What float_var does when something is wrong: it says so, and changes nothing."""

import math

import pytest

from autograd_lib.scalar.float_var import (
    autograd_chainer,
    chained,
    exp,
    float_var,
    log,
    reciprocal,
    sin,
    sqrt,
    square,
)
from autograd_lib.scalar.multivariate import multi_var


def broken(reply):
    def bw_func(val_in, val_out, grad_out):
        if isinstance(reply, BaseException):
            raise reply
        return reply

    return autograd_chainer(math.sin, bw_func)


@pytest.mark.parametrize(
    "reply",
    [RuntimeError("broken"), KeyboardInterrupt(), None, "1", 1j, [1.0], math.nan],
    ids=repr,
)
def test_a_failure_in_the_middle_of_a_chain_changes_no_gradient(reply):
    x = float_var(0.3)
    inner = exp(x)
    middle = broken(reply)(inner)
    outer = square(middle)
    chain = [x, inner, middle, outer]
    for expected in ([0.0] * 4, [1.0, 2.0, 3.0, 4.0]):
        for node, grad in zip(chain, expected, strict=True):
            node.grad = grad
        with pytest.raises((RuntimeError, KeyboardInterrupt, TypeError, ValueError)):
            outer.backprop()
        assert [node.grad for node in chain] == expected


def test_a_chain_too_deep_for_python_changes_no_gradient():
    nodes = [float_var(0.3)]
    for _ in range(5_000):
        nodes.append(sin(nodes[-1]))
    with pytest.raises(RecursionError):
        nodes[-1].backprop()
    assert {node.grad for node in nodes} == {0.0}


@pytest.mark.parametrize("value", [None, "1", 1j, [1.0]])
def test_a_value_that_is_no_real_number_is_refused(value):
    with pytest.raises(TypeError, match="float_var: value must be one real number"):
        float_var(value)
    with pytest.raises(TypeError, match="sin: val_in must be one real number"):
        sin(value)
    with pytest.raises(TypeError, match="sin: what bw_func returned must be one real"):
        broken(value)(1.0).backprop()
    with pytest.raises(TypeError, match=r"<lambda>\(1\): what fw_func returned must"):
        autograd_chainer(lambda v: value, exp.bw_func)(1.0)


def test_a_seed_that_is_no_real_number_is_refused():
    y = sin(float_var(1.0))
    y.grad = "1"
    with pytest.raises(TypeError, match="backprop: grad must be one real number"):
        y.backprop()


@pytest.mark.parametrize(
    "call", [lambda: log(0.0), lambda: sqrt(-1.0), lambda: reciprocal(0.0)]
)
def test_outside_its_domain_a_primitive_says_which_call_has_no_value(call):
    with pytest.raises(ValueError, match=r"\w+\(-?[01]\) has no real value; keep"):
        call()


def test_a_value_beyond_floats_is_an_error_with_the_call():
    with pytest.raises(OverflowError, match=r"exp\(1000\) is larger than any float"):
        exp(1000.0)


def test_an_infinite_derivative_is_an_error_with_the_place():
    with pytest.raises(ValueError, match=r"sqrt: bw_func raised ZeroDiv\w+ at 0\.0"):
        sqrt(float_var(0.0)).backprop()


@pytest.mark.parametrize("function", [None, "sin", lambda: 0, lambda a, b: 0])
def test_halves_that_take_other_arguments_are_refused(function):
    with pytest.raises(TypeError, match="autograd_chainer: fw_func"):
        autograd_chainer(function, exp.bw_func)
    with pytest.raises(TypeError, match="autograd_chainer: bw_func"):
        autograd_chainer(math.exp, function)
    with pytest.raises(TypeError, match="chained: bw_func"):
        chained(function)


def test_a_value_that_overflows_in_a_product_is_refused_as_one_in_exp_is():
    with pytest.raises(OverflowError, match=r"square\(1e\+200\) is larger than any"):
        square(1e200)
    assert square(math.inf) == math.inf


def test_a_number_that_remembers_in_another_way_is_not_taken_for_a_constant():
    with pytest.raises(TypeError, match=r"sin: val_in is a multi_var, .* float_var"):
        sin(multi_var(1.0))


def test_an_error_from_a_backward_half_says_where_it_came_from():
    with pytest.raises(RuntimeError, match="broken") as caught:
        broken(RuntimeError("broken"))(float_var(0.5)).backprop()
    assert caught.value.__notes__ == ["This came from the bw_func of sin, at 0.5."]
