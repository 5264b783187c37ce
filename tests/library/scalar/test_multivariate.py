"""Many inputs, each used many times: random graphs, depth, failures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.scalar import multivariate as library
from autograd_lib.scalar.multivariate import (
    add,
    div,
    mul,
    multi_chained,
    multi_var,
    sin,
    square,
)
from autograd_lib.scalar.numerical import complex_step, partial_derivatives
from tests.library.helpers.derivatives import (
    BINARY,
    COMPLEX,
    EPSILON,
    PRECISE,
    RANGES,
    precise_derivative,
)

OPERATIONS = {name: getattr(library, name) for name in [*BINARY, *RANGES]}

# A program lists (operation, place, place); a place counts from the newest value.
NAMES = ["add", "sub", "mul", "sin", "cos", "tanh"]
steps = st.tuples(st.sampled_from(NAMES), st.integers(0, 5), st.integers(0, 5))
programs = st.lists(steps, min_size=1, max_size=8)
points = st.lists(st.floats(-1.5, 1.5), min_size=2, max_size=3)


def run(program, operations, inputs):
    values = list(inputs)
    for name, *places in program:
        a, b = (values[-1 - place % len(values)] for place in places)
        two = name in BINARY
        # The sine keeps products of products small enough to compare digits.
        value = operations[name](a, b) if two else operations[name](a)
        values.append(operations["sin"](value) if two else value)
    return values[-1]


def gradients(program, point):
    inputs = [multi_var(v) for v in point]
    run(program, OPERATIONS, inputs).backprop()
    return [0.0 if x.grad is None else x.grad for x in inputs]


@given(programs, points)
def test_any_program_agrees_with_function_values(program, point):
    def f(*inputs):
        return run(program, COMPLEX, [z + 0j for z in inputs])

    found = partial_derivatives(f, point, complex_step)
    # Eight steps, each of slope below 3 and used at most twice, round 6**8 ulp apart.
    assert gradients(program, point) == pytest.approx(found, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", BINARY)
@given(x=st.floats(-20, 20), y=st.floats(0.2, 20))
def test_an_operation_of_two_inputs_is_right_to_a_few_ulp(name, x, y):
    a, b = multi_var(x), multi_var(y)
    out = OPERATIONS[name](a, b)
    out.backprop()
    exact = [precise_derivative(PRECISE[name], x, y, toward=i) for i in (0, 1)]
    # Two roundings; mpmath's 25 right digits of 0 are not quite 0.
    assert [a.grad, b.grad] == pytest.approx(exact, rel=4 * EPSILON, abs=1e-20)
    assert out == pytest.approx(float(PRECISE[name](x, y)), rel=EPSILON)


@pytest.mark.parametrize("name", sorted(RANGES))
def test_a_primitive_of_one_input_has_the_derivative_it_had_in_chapter_2(name):
    here, there = multi_var(0.5), library.univariate.float_var(0.5)
    OPERATIONS[name](here).backprop()
    getattr(library.univariate, name)(there).backprop()
    assert here.grad == there.grad


def test_a_number_used_twice_hears_from_both():
    x = multi_var(3.0)
    mul(x, x).backprop()
    assert x.grad == 6.0
    add(square(x), square(x)).backprop()
    assert x.grad == 12.0


def test_equal_numbers_are_still_two_numbers():
    a, b = multi_var(2.0), multi_var(2.0)
    mul(square(a), b).backprop()
    assert (a.grad, b.grad) == (8.0, 4.0)


def test_what_the_output_was_not_made_from_keeps_its_gradient():
    x = multi_var(2.0)
    aside = square(x)
    aside.grad = 7.0
    square(x).backprop()
    assert (x.grad, aside.grad) == (4.0, 7.0)


@given(st.integers(-1000, 1000))
def test_the_gradient_is_proportional_to_the_seed(seed):
    x, y = multi_var(3.0), multi_var(4.0)
    out = mul(x, y)
    out.backprop(seed)
    assert (x.grad, y.grad, out.grad) == (4.0 * seed, 3.0 * seed, seed)


def test_a_second_pass_gives_the_same():
    x = multi_var(0.3)
    y = mul(sin(x), x)
    y.backprop()
    first = x.grad
    y.backprop()
    assert x.grad == first


def test_plain_numbers_are_constants():
    x = multi_var(3.0)
    div(mul(x, 4), 2.0).backprop()
    assert x.grad == 2.0
    assert type(x + x) is float


def test_a_chain_of_a_hundred_thousand_links_is_no_deeper_than_one():
    x = multi_var(1.0)
    y = x
    for _ in range(100_000):
        y = add(y, 1.0)
    y.backprop()
    assert (y, x.grad) == (100_001.0, 1.0)


def test_a_thousand_doublings_take_a_thousand_steps():
    x = multi_var(1.0)
    y = x
    for _ in range(1_000):
        y = add(y, y)
    y.backprop()
    assert x.grad == 2.0**1000


def test_a_primitive_can_be_made_with_a_decorator():
    @multi_chained(lambda vals_in, val_out, grad_out: [grad_out * v for v in (1, 2, 3)])
    def weighted(a, b, c):
        """Return a + 2b + 3c."""
        return a + 2 * b + 3 * c

    x = multi_var(1.0, label="x")
    y = weighted(x, 0.0, x)
    y.backprop()
    assert x.grad == 4.0
    assert (weighted.__name__, weighted.__doc__) == ("weighted", "Return a + 2b + 3c.")
    assert (y.label, y.parents[0].label, len(y.parents)) == ("weighted", "x", 3)
