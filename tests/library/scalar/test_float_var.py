"""A float that remembers its last call: names, gradients, failures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.scalar import float_var as library
from autograd_lib.scalar.float_var import (
    autograd_chainer,
    chained,
    exp,
    float_var,
    relu,
    sigmoid,
    sin,
    square,
)
from autograd_lib.scalar.numerical import complex_step
from tests.library.helpers.derivatives import (
    ANALYTIC,
    COMPLEX,
    EPSILON,
    PRECISE,
    RANGES,
    composed,
    precise_derivative,
    within_ranges,
)

PRIMITIVES = {name: getattr(library, name) for name in RANGES}


def slope(f, x):
    x = float_var(x)
    f(x).backprop()
    return x.grad


def test_it_is_a_float_with_an_empty_gradient():
    x = float_var(3)
    assert isinstance(x, float)
    assert x == 3.0
    assert (x.grad, x.label, x.parents) == (0.0, "", ())


def test_arithmetic_gives_a_plain_float_without_history():
    assert type(float_var(1.0) + float_var(2.0)) is float


def test_the_original_way_of_seeding_works():
    x = float_var(0.5)
    y = sin(exp(square(x)))
    y.grad = 1.0
    y.backprop()
    assert x.grad == math.cos(math.exp(0.25)) * math.exp(0.25) * 2 * 0.5


def test_a_forgotten_seed_is_one():
    x = float_var(3.0)
    y = square(x)
    y.backprop()
    assert (y.grad, x.grad) == (1.0, 6.0)


def test_a_leaf_seeds_itself_and_tells_nobody():
    x = float_var(3.0)
    x.backprop()
    assert x.grad == 1.0


@given(st.integers(-1000, 1000))
def test_the_gradient_is_proportional_to_the_seed(seed):
    x = float_var(3.0)
    y = square(x)
    y.grad = seed
    y.backprop()
    assert x.grad == 6.0 * seed


def test_a_second_pass_gives_the_same():
    x = float_var(0.3)
    y = exp(sin(x))
    y.backprop()
    first = x.grad
    y.backprop()
    assert x.grad == first


def test_bw_func_is_given_input_output_and_gradient():
    seen = []
    triple = autograd_chainer(lambda v: 3 * v, lambda *args: seen.append(args) or 3.0)
    y = triple(float_var(2.0))
    y.grad = 5.0
    y.backprop()
    assert seen == [(2.0, 6.0, 5.0)]


def test_a_result_knows_its_primitive_and_its_input():
    x = float_var(1.0, label="x")
    y = exp(x)
    assert type(y) is float_var
    assert y.label == "exp"
    assert y.parents[0] is x


@pytest.mark.parametrize("name", sorted(RANGES))
@given(st.data())
def test_a_primitive_and_its_derivative_are_right_to_a_few_ulp(name, data):
    x = data.draw(st.floats(*RANGES[name]))
    # Three roundings, and the libm's; tanh's and sigmoid's flat ends subtract from 1.
    close = {"rel": 4 * EPSILON, "abs": 2 * EPSILON}
    assert PRIMITIVES[name](x) == pytest.approx(float(PRECISE[name](x)), **close)
    exact = precise_derivative(PRECISE[name], x)
    assert slope(PRIMITIVES[name], x) == pytest.approx(exact, **close)


@given(st.lists(st.sampled_from(ANALYTIC), max_size=6), st.floats(-3, 3))
def test_a_chain_of_primitives_has_the_derivative_of_the_composition(names, x):
    names = within_ranges(names, x)
    # Each link rounds, and the next magnifies it: slopes reach 25 a link.
    close = {"rel": 1e-8, "abs": 1e-8}
    found = slope(lambda v: composed(names, PRIMITIVES, v), x)
    assert found == pytest.approx(
        precise_derivative(lambda v: composed(names, PRECISE, v), x), **close
    )
    assert found == pytest.approx(
        complex_step(lambda z: composed(names, COMPLEX, z), x), **close
    )


@pytest.mark.parametrize(("x", "gradient"), [(-2.0, 0.0), (0.0, 0.0), (2.0, 1.0)])
def test_relu_passes_gradient_on_only_above_zero(x, gradient):
    assert relu(x) == max(x, 0.0)
    assert slope(relu, x) == gradient


def test_sigmoid_does_not_overflow():
    assert [sigmoid(-1e4), sigmoid(0.0), sigmoid(1e4)] == [0.0, 0.5, 1.0]
    assert slope(sigmoid, -1e4) == slope(sigmoid, 1e4) == 0.0


@pytest.mark.parametrize("constant", [2, 2.0, np.float32(2), np.int64(2), np.array(2)])
def test_a_plain_number_is_a_constant(constant):
    y = square(constant)
    y.backprop()
    assert (y, y.grad) == (4.0, 1.0)


def test_a_primitive_can_be_made_with_a_decorator():
    @chained(lambda val_in, val_out, grad_out: grad_out * 3 * val_in**2)
    def cube(val_in):
        """Return the cube."""
        return val_in**3

    assert slope(cube, 2.0) == 12.0
    assert (cube.__name__, cube.__doc__) == ("cube", "Return the cube.")


def test_a_primitive_keeps_name_text_and_halves_of_what_it_was_made_from():
    half = autograd_chainer(math.exp, exp.bw_func)
    assert (half.__name__, half.__doc__) == ("exp", math.exp.__doc__)
    assert (half.fw_func, half.bw_func) == (math.exp, exp.bw_func)
