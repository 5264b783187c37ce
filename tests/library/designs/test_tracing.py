"""Traces, levels and gradients: who is recorded, by whom, and what is said if not."""

from __future__ import annotations

import gc
import math
from threading import Thread
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.designs import tracing_numpy as np
from autograd_lib.designs.tracing import getval, grad, make_vjp
from autograd_lib.designs.tracing_boxes import new_trace, open_traces


@pytest.fixture(autouse=True)
def every_test_leaves_no_trace_open() -> Any:
    yield
    assert open_traces == []


number = st.floats(-3, 3)


@given(number, number)
def test_a_gradient_inside_a_gradient_takes_nothing_for_a_constant(
    x: float, y: float
) -> None:
    inner_of_product = grad(lambda x: x * grad(lambda y: x * y)(y))
    assert inner_of_product(x) == pytest.approx(2 * x)
    assert grad(lambda x: x * grad(lambda y: x + y)(y))(x) == 1.0
    # d/dx of x d/dy (x y²) is 4 x y, and of its derivative in y once more 4 x
    twice = grad(lambda y: grad(lambda x: x * grad(lambda y: x * y * y)(y))(x))
    assert twice(y) == pytest.approx(4 * x)


@given(st.integers(1, 4), number)
def test_any_number_of_gradients(n: int, x: float) -> None:
    f: Any = np.sin
    for _ in range(n):
        f = grad(f)
    # Products of numbers of at most 1 hundreds of times: 1e-12 is their rounding.
    assert f(x) == pytest.approx(math.sin(x + n * math.pi / 2), abs=1e-12)


def test_a_function_that_returns_what_is_outside_does_not_move() -> None:
    assert grad(lambda x: x * grad(lambda y: x)(4.0) + x)(3.0) == 1.0


def test_third_derivatives_through_copies_and_their_sums() -> None:
    def f(x: Any) -> Any:
        return np.sum((x * x * numpy.array([1.0, 2.0, 3.0])) ** 4)  # 98 x⁸

    third = grad(grad(grad(f)))
    assert third(0.5) == 98 * 336 * 0.5**5
    column = numpy.array([[0.5], [1.5]])
    assert third(column).tolist() == (98 * 336 * column**5).tolist()


def test_boxes_can_be_told_apart_in_a_set() -> None:
    assert grad(lambda x: x * len({x, x, x + 0.0}))(3.0) == 2.0


def test_boxes_of_three_levels_in_one_product() -> None:
    f = lambda x, y, z: x * x * y * y * y * z  # noqa: E731
    inner = lambda x, y: grad(f, 2)(x, y, 5.0) * y  # noqa: E731
    assert grad(lambda x: grad(inner, 1)(x, 2.0) * x)(3.0) == 3 * 9 * 4 * 8.0
    assert repr(make_vjp(lambda x: print_inside(x), 3.0)[1]) == repr(9.0)


def print_inside(x: Any) -> Any:
    with new_trace() as trace:
        inner = type(x)(x, trace, x.node)
        assert repr(inner) == "Box(Box(3.0, level 1), level 2)"
        assert (getval(inner), inner.shape, inner.dtype) == (3.0, (), float)
    return 9.0


def test_argnum_and_keywords() -> None:
    def f(x: Any, y: Any, *, power: int = 1) -> Any:
        return x * y**power

    assert grad(f, 1)(2.0, 3.0, power=2) == 12.0
    assert grad(f, -1)(2.0, 3.0) == 2.0
    assert grad(f)(2.0, y=3.0) == 3.0
    assert grad(f, argnum=0)(2.0, 3) == 3.0


def test_a_gradient_has_the_shape_and_type_of_its_argument() -> None:
    for x in (2.0, numpy.float32(2.0), numpy.array(2.0), numpy.ones((0, 3))):
        for f in (lambda x: x, lambda x: x**2.0 * numpy.float64(3.0), np.sum, len):
            if f is len:
                f = lambda x: 3  # noqa: E731
            g = grad(f)(x)
            assert (numpy.shape(g), g.dtype) == (numpy.shape(x), np.sum(x).dtype)
    half = numpy.ones(3, numpy.float32)
    assert grad(lambda x: np.sum(x * numpy.arange(3.0)))(half).dtype == numpy.float32


def test_an_array_result_is_taken_as_its_sum_and_vjp_takes_any_weights() -> None:
    x = numpy.array([1.0, 2.0])
    assert grad(lambda x: x**3)(x).tolist() == [3.0, 12.0]
    vjp, y = make_vjp(lambda x: x**3, x)
    assert y.tolist() == [1.0, 8.0]
    assert vjp([1, 10]).tolist() == [3.0, 120.0]
    assert grad(lambda g: np.sum(vjp(g)))(x).tolist() == [3.0, 12.0]


def test_walks_do_not_change_each_other_nor_the_arguments() -> None:
    x = numpy.array([1.0, 2.0])
    vjp, _ = make_vjp(lambda x: np.sum(x * x), x)
    first = vjp(1.0)
    first *= 100.0
    x[...] = 7.0
    assert vjp(1.0).tolist() == [2.0, 4.0]
    total = grad(np.sum)(x)
    total += 1.0
    assert total.tolist() == [2.0, 2.0]


def test_the_code_that_ran_is_the_code_that_is_recorded() -> None:
    def root(a: Any) -> Any:
        x = a
        while abs(x * x - a) > 1e-12:
            x = (x + a / x) / 2.0
        return x if x > 0 else -x

    for a in (0.5, 2.0, 9.0):
        # The loop stops at an error of 1e-12, and its slope's is of that size.
        assert grad(root)(a) == pytest.approx(0.5 / math.sqrt(a), abs=1e-9)
    flat: list[Any] = []
    assert grad(lambda x: flat.append(bool(x < 1)) or x)(0.5) == 1.0
    assert flat == [True]


def test_operators_with_numpys_numbers_and_arrays_on_the_left() -> None:
    a = numpy.array([1.0, 2.0])
    f = lambda x: numpy.float64(2.0) * x + a * x - a / x + a**x + a @ x  # noqa: E731
    x = numpy.array([3.0, 4.0])
    expected = 2 + a + a / x**2 + a**x * numpy.log(a) + a * 2
    assert grad(f)(x) == pytest.approx(expected, rel=1e-14)  # a few roundings


def test_a_trace_in_another_thread_is_above_those_that_are_open() -> None:
    found = []

    def outer(x: Any) -> Any:
        inner = grad(lambda y: x * y)
        thread = Thread(target=lambda: found.append(x * inner(4.0)))
        thread.start()
        thread.join()
        return found[0]

    assert grad(outer)(3.0) == 6.0


def test_an_array_plus_a_box_is_a_new_box() -> None:
    a = numpy.ones(2)
    for f in (lambda x: a + x, lambda x: a - x + 2.0 * x, lambda x: (a @ x) * a / 2.0):
        assert grad(f)(numpy.ones(2)).tolist() == [1.0, 1.0]
    assert grad(lambda x: x * (a < x))(2.0 * a).tolist() == [1.0, 1.0]
    assert a.tolist() == [1.0, 1.0]


def test_a_graph_is_freed_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        vjp, _ = make_vjp(lambda x: np.sum(x * x), numpy.ones(3))
        vjp(1.0)
        before = len(gc.get_objects())
        del vjp
        assert len(gc.get_objects()) < before
        assert gc.collect() == 0
    finally:
        gc.enable()


# Code as the documentation of autodidact and of HIPS autograd shows it to be written.


def test_tanh_as_in_the_readme() -> None:
    def tanh(x: Any) -> Any:
        y = np.exp(-2.0 * x)
        return (1.0 - y) / (1.0 + y)

    assert grad(tanh)(1.0) == pytest.approx(0.41997434161402603, rel=1e-14)
    x = np.linspace(-7, 7, 200)
    derivative = tanh
    polynomial = numpy.polynomial.Polynomial([0.0, 1.0])  # of tanh x
    for _ in range(6):
        derivative = grad(derivative)
        polynomial = polynomial.deriv() * numpy.polynomial.Polynomial([1.0, 0.0, -1.0])
        # The sixth has coefficients of a thousand: 1e-10 is a few hundred roundings.
        assert derivative(x) == pytest.approx(polynomial(numpy.tanh(x)), abs=1e-10)


def test_a_sine_by_its_series_as_in_the_tutorial() -> None:
    def sine(x: Any) -> Any:
        ans = term = x
        i = 0
        while np.abs(term) > 0.001:
            term = -term * x**2 / ((2 * i + 3) * (2 * i + 2))
            ans = ans + term
            i += 1
        return ans

    # What is left out is below 0.001, and so is its slope, nearly.
    assert grad(sine)(np.pi) == pytest.approx(-1.0, abs=2e-3)


def test_logistic_regression_as_in_the_tutorial() -> None:
    inputs = np.array([[1.0, 0.5, -1.0], [-0.5, 1.0, 0.3], [0.7, -0.8, 2.0]])
    targets = np.array([True, False, True])

    def predictions(weights: Any) -> Any:
        return 0.5 * (np.tanh(np.dot(inputs, weights)) + 1)

    def loss(weights: Any) -> Any:
        likely = predictions(weights)
        likely = likely * targets + (1 - likely) * (1 - targets)
        return -np.sum(np.log(likely))

    weights = np.zeros(3)
    before = loss(weights)
    for _ in range(100):
        weights -= grad(loss)(weights) * 0.1
    assert loss(weights) < 0.05 < before
    assert (np.greater(predictions(weights), 0.5) == targets).all()
