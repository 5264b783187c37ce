"""Derivatives from function values: their errors, and their errors' messages."""

import cmath
import itertools
import math
import statistics

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.scalar.numerical import (
    CENTRAL_STEP,
    FORWARD_STEP,
    central_difference,
    complex_step,
    forward_difference,
    partial_derivatives,
)
from tests.library.helpers.derivatives import (
    ANALYTIC,
    COMPLEX,
    EPSILON,
    PRECISE,
    RANGES,
    precise_derivative,
)

DIFFERENCES = [forward_difference, central_difference]
METHODS = [*DIFFERENCES, complex_step]
points = st.floats(-3, 3)


def error(method, x, h=None):
    return abs(method(math.exp, x, h) - float(mpmath.exp(x)))


@pytest.mark.parametrize(
    ("method", "order"), [(forward_difference, 1), (central_difference, 2)]
)
def test_halving_the_step_divides_the_error_by_two_to_the_order(method, order):
    errors = [error(method, 1.0, 2.0**-k) for k in range(5, 12)]
    ratios = [a / b for a, b in itertools.pairwise(errors)]
    assert ratios == pytest.approx([2.0**order] * 6, rel=0.05)


@pytest.mark.parametrize(
    ("method", "default"),
    [(forward_difference, FORWARD_STEP), (central_difference, CENTRAL_STEP)],
)
def test_no_other_step_is_much_better_than_the_default(method, default):
    at = np.linspace(-1, 1, 41)

    def typical(h):
        return statistics.fmean(error(method, x, h) for x in at)

    chosen = statistics.fmean(error(method, x) for x in at)
    assert chosen == typical(default)
    assert chosen < 3 * min(typical(default * 10.0**k) for k in range(-4, 5))


@pytest.mark.parametrize("method", DIFFERENCES)
@given(scale=st.floats(1.0, 1e12))
def test_the_default_step_grows_with_x(method, scale):
    # d log x / dx = 1 / x; the relative error of a forward difference is near √ε.
    assert method(math.log, scale) == pytest.approx(1 / scale, rel=1e-5)


@pytest.mark.parametrize("name", ANALYTIC)
@given(st.data())
def test_complex_step_is_exact_to_rounding(name, data):
    x = data.draw(st.floats(*RANGES[name]))
    exact = precise_derivative(PRECISE[name], x)
    # Some ulp of cmath's own; tanh's and sigmoid's flat ends subtract from 1.
    assert complex_step(COMPLEX[name], x) == pytest.approx(
        exact, rel=16 * EPSILON, abs=4 * EPSILON
    )


@given(points)
def test_the_three_methods_agree(x):
    def f(z):
        return z * z * z - 2 * z

    exact = complex_step(f, x)
    assert central_difference(f, x) == pytest.approx(exact, rel=1e-8, abs=1e-8)
    assert forward_difference(f, x) == pytest.approx(exact, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("x", [3, np.float32(3), np.int64(3), np.array(3.0)])
def test_any_real_scalar_will_do_for_a_point(method, x):
    slope = method(lambda v: v * v, x)
    assert type(slope) is float
    assert slope == pytest.approx(6, rel=1e-6)


def test_a_value_may_be_an_array_of_shape_nothing():
    assert central_difference(lambda v: np.array(2 * v), 1.0) == pytest.approx(2)
    assert complex_step(lambda z: np.array(2 * z), 1.0) == pytest.approx(2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("x", ["1", None, [1.0], np.ones(2), 1j])
def test_a_point_must_be_a_real_number(method, x):
    with pytest.raises(TypeError, match=f"{method.__name__}: x must be one real"):
        method(abs, x)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_a_point_must_be_finite(method, x):
    with pytest.raises(ValueError, match=f"{method.__name__}: x is"):
        method(lambda v: v, x)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("h", [0, -1e-3, math.inf])
def test_a_step_must_be_positive_and_finite(method, h):
    with pytest.raises(ValueError, match=f"{method.__name__}: h must be a finite step"):
        method(lambda v: v, 1.0, h)


@pytest.mark.parametrize("method", DIFFERENCES)
@given(st.floats(1.0, 1e300))
def test_a_step_too_small_to_change_x_is_refused_with_one_that_does(method, x):
    with pytest.raises(ValueError, match="does not change x") as caught:
        method(lambda v: v, x, x * EPSILON / 8)
    enough = float(str(caught.value).rsplit(" ", 1)[1])
    assert method(lambda v: v, x, 2 * enough) == 1.0


def test_a_step_must_change_x_on_both_sides():
    # Floats are twice as far apart below -1 as above it.
    assert -1 + 1e-16 != -1 == -1 - 1e-16
    with pytest.raises(ValueError, match="does not change x"):
        central_difference(lambda v: v, -1.0, 1e-16)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("f", [None, "sin", lambda: 0.0, lambda a, b: 0.0])
def test_f_must_be_a_function_of_one_number(method, f):
    with pytest.raises(TypeError, match=rf"{method.__name__}: f .*called as f\(x\)"):
        method(f, 1.0)


@pytest.mark.parametrize("method", DIFFERENCES)
@pytest.mark.parametrize("value", [None, "1", 1j, [1.0]])
def test_the_value_of_f_must_be_a_real_number(method, value):
    with pytest.raises(TypeError, match=f"{method.__name__}: the value of <lambda> at"):
        method(lambda v: value, 1.0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_value_must_be_finite(method, bad):
    with pytest.raises(ValueError, match=f"{method.__name__}: the .* of <lambda> at"):
        method(lambda v: v * bad, 1.0)


@pytest.mark.parametrize(
    "f",
    [
        abs,
        lambda z: np.float32(abs(z)),
        lambda z: np.asarray(abs(z)),
        lambda z: [z],
        lambda z: np.array([z]),
        lambda z: None,
        lambda z: "z",
    ],
)
def test_complex_step_refuses_what_lost_the_imaginary_part(f):
    with pytest.raises(TypeError, match=r"complex_step: .*use central_difference"):
        complex_step(f, 1.0)


@pytest.mark.parametrize("f", [math.sin, float, lambda z: max(z, 0)])
def test_complex_step_says_when_a_function_takes_no_complex_number(f):
    with pytest.raises(TypeError, match="does not take a complex number"):
        complex_step(f, 1.0)


@given(points, points)
def test_partial_derivatives_move_one_argument_at_a_time(x, y):
    found = partial_derivatives(lambda a, b: a * cmath.sin(b), (x, y), complex_step)
    assert found == pytest.approx((math.sin(y), x * math.cos(y)), rel=1e-14, abs=1e-15)


def test_a_point_may_be_an_array():
    found = partial_derivatives(lambda a, b: a * b, np.array([2, 5]))
    assert found == pytest.approx((5, 2))


@pytest.mark.parametrize(
    ("point", "complaint"),
    [
        (3.0, "point must be a sequence"),
        (None, "point must be a sequence"),
        (np.array(3.0), "point must be a sequence"),
        ("12", r"point\[0\] must be one real number"),
        ([1.0, None], r"point\[1\] must be one real number"),
        ([1.0], "takes"),
    ],
)
def test_a_wrong_point_is_named(point, complaint):
    with pytest.raises(TypeError, match=rf"partial_derivatives: .*{complaint}"):
        partial_derivatives(lambda a, b: a * b, point)
