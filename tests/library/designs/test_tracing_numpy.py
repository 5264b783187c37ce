"""The wrapped functions of NumPy: every rule, and the rules of the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograd_lib.designs import tracing_numpy as np
from autograd_lib.designs.tracing import grad, make_vjp

# A complex step has no error but rounding: 1e-10 leaves room for sums of a few terms.
BY_COMPLEX_STEP = 1e-10
# A central difference with steps of 1e-5 is off by about 1e-10 times a third
# derivative, which is below 1,000 in the ranges here.
BY_DIFFERENCES = 1e-6

Case = tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]
S, V, M = (), (3,), (2, 3)

# Toward the first argument; the others are constants, unless they are swapped in.
ANALYTIC: dict[str, Case] = {
    "add": (np.add, (M, V)),
    "add, reversed": (lambda x, y: y + x, (V, M)),
    "subtract": (np.subtract, (V, M)),
    "subtract, reversed": (lambda x, y: y - x, ((2, 1), M)),
    "multiply": (np.multiply, ((2, 1), V)),
    "divide": (np.divide, (S, M)),
    "divide, reversed": (lambda x, y: y / x, (V, M)),
    "power": (np.power, ((1, 3), M)),
    "power, reversed": (lambda x, y: y**x, (V, (2, 1))),
    "power, a number": (lambda x: x**3 + x**-2 + x**0, (M,)),
    "number to a power": (lambda x: 2**x + 2.0**x, (M,)),
    "logaddexp": (lambda x, y: np.log(np.exp(x) + np.exp(y)), (V, M)),
    "negative": (lambda x: -x, (M,)),
    "exp": (np.exp, (M,)),
    "log": (np.log, (M,)),
    "sqrt": (np.sqrt, (M,)),
    "sin": (np.sin, (M,)),
    "cos": (np.cos, (M,)),
    "tanh": (np.tanh, (M,)),
    "sinh": (np.sinh, (M,)),
    "cosh": (np.cosh, (M,)),
    "where": (lambda x, y: np.where(y > 1, x, x * x), (V, M)),
    "broadcast_to": (lambda x: np.broadcast_to(x, (4, 2, 3)), ((2, 1),)),
    "unbroadcast": (lambda x: np.unbroadcast(x * x, (2, 1)), (M,)),
    "reshape": (lambda x: np.reshape(x, (3, 2)) ** 2, (M,)),
    "reshape, the method": (lambda x: x.reshape(-1) + x.reshape((6,)), (M,)),
    "transpose": (lambda x: np.transpose(x) @ x, (M,)),
    "transpose, axes": (lambda x: np.transpose(x, (1, 2, 0)) ** 2, ((2, 3, 4),)),
    "transpose, from the end": (lambda x: x.transpose((-1, 0, -2)), ((2, 3, 4),)),
    "T": (lambda x: x.T * 2.0, (M,)),
    "swapaxes": (lambda x: np.swapaxes(x, 0, -1) ** 2, ((2, 3, 4),)),
    "sum": (np.sum, (M,)),
    "sum, of a number": (np.sum, (S,)),
    "sum, axis": (lambda x: np.sum(x * x, axis=0), (M,)),
    "sum, last axis": (lambda x: x.sum(-1), (M,)),
    "sum, axes": (lambda x: x.sum((0, -1), keepdims=True), ((2, 3, 4),)),
    "sum, keepdims": (lambda x: x / x.sum(axis=1, keepdims=True), (M,)),
    "mean": (lambda x: np.mean(x * x), (M,)),
    "mean, axis": (lambda x: x.mean(axis=0), (M,)),
    "matmul, vectors": (np.matmul, (V, V)),
    "matmul, matrix and vector": (np.matmul, (M, V)),
    "matmul, vector and matrix": (np.matmul, (V, (3, 2))),
    "matmul, matrices": (np.matmul, (M, (3, 4))),
    "matmul, many": (np.matmul, ((2, 3), (5, 3, 2))),
    "matmul, many and a vector": (np.matmul, ((5, 2, 3), V)),
    "matmul, right": (lambda x, y: y @ x, ((3, 4), M)),
    "matmul, right vector": (lambda x, y: y @ x, (V, (4, 2, 3))),
    "matmul, with itself": (lambda x: x @ x.T, (M,)),
    "dot": (np.dot, (M, (3, 4))),
    "dot, vectors": (lambda x, y: x.dot(y), (V, V)),
    "dot, a number": (np.dot, (S, M)),
    "[1]": (lambda x: x[1] ** 2, (M,)),
    "[1, 2]": (lambda x: x[1, 2] * x, (M,)),
    "[:, None]": (lambda x: x[:, None] * x, (V,)),
    "[..., ::-1]": (lambda x: x[..., ::-1] * x, (M,)),
    "[list]": (lambda x: x[[0, 0, 1]] ** 2, (M,)),
    "[lists]": (lambda x: x[[0, 1, 1], [2, 2, 2]] ** 2, (M,)),
    "[mask]": (lambda x: x[numpy.eye(2, 3) > 0] ** 2, (M,)),
    "[()]": (lambda x: x[()] ** 2, (S,)),
    "unpacked": (lambda x: (lambda a, b: a * b)(*x), (M,)),
}
# Where complex numbers have no order.
WITH_KINKS: dict[str, Case] = {
    "absolute": (lambda x: np.abs(x - 1.3) + abs(x), (M,)),
    "maximum": (np.maximum, (V, M)),
    "maximum, reversed": (lambda x, y: np.maximum(y, x), (V, M)),
    "minimum": (np.minimum, ((2, 1), M)),
    "minimum, reversed": (lambda x, y: np.minimum(y, x), (S, M)),
    "logaddexp, itself": (np.logaddexp, (V, M)),
    "logaddexp, reversed": (lambda x, y: np.logaddexp(y, x), ((2, 1), M)),
}
ALL = ANALYTIC | WITH_KINKS


def drawn(shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    rng = numpy.random.default_rng(0)
    return [rng.uniform(0.5, 2.0, shape) for shape in shapes]


def each(array: Any) -> list[Any]:
    """Return arrays that are 1 at one element and 0 elsewhere."""
    return list(numpy.eye(numpy.size(array)).reshape(-1, *numpy.shape(array)))


def weights(shape: tuple[int, ...]) -> Any:
    """Return different weights, so that no element stands for another."""
    return 1.0 + numpy.arange(numpy.prod(shape)).reshape(shape)


@pytest.mark.parametrize("name", ANALYTIC)
def test_rules_agree_with_the_complex_step(name: str) -> None:
    f, shapes = ANALYTIC[name]
    x, *rest = drawn(shapes)
    vjp, value = make_vjp(lambda x: f(x, *rest), x)
    w = weights(numpy.shape(value))
    assert numpy.array_equal(value, f(x, *rest))
    witness = [(w * f(x + 1e-20j * e, *rest)).sum().imag / 1e-20 for e in each(x)]
    gradient = vjp(w)
    assert gradient.shape == x.shape
    error = numpy.abs(gradient.ravel() - witness)
    assert (error <= BY_COMPLEX_STEP * (1 + numpy.abs(witness))).all()


@pytest.mark.parametrize("name", ALL)
def test_rules_and_their_rules_agree_with_differences(name: str) -> None:
    f, shapes = ALL[name]
    x, *rest = drawn(shapes)

    def weighed(x: Any) -> Any:
        y = f(x, *rest)
        return np.sum(weights(np.shape(y)) * y)

    def slope_of_slopes(x: Any) -> Any:
        g = grad(weighed)(x)
        return np.sum(weights(np.shape(x)) * g * g)

    for function in (weighed, slope_of_slopes):
        h = 1e-5
        witness = [
            (function(x + h * e) - function(x - h * e)) / (2 * h) for e in each(x)
        ]
        gradient = grad(function)(x)
        assert gradient.shape == x.shape
        error = numpy.abs(gradient.ravel() - witness)
        assert (error <= BY_DIFFERENCES * (1 + numpy.abs(witness))).all()


@settings(max_examples=200)
@given(arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0))
def test_every_pair_of_shapes_is_summed_to_its_own(shapes: Any) -> None:
    x, y = map(numpy.full, shapes.input_shapes, (2.0, 3.0))
    vjp, value = make_vjp(lambda x: x * y, x)
    slope_x, slope_y = grad(np.multiply, 0)(x, y), grad(np.multiply, 1)(x, y)
    assert (slope_x.shape, slope_y.shape) == (x.shape, y.shape)
    assert slope_x.sum() == 3.0 * value.size
    assert slope_y.sum() == 2.0 * value.size
    assert numpy.array_equal(vjp(numpy.ones(value.shape)), slope_x)


def test_at_the_edges() -> None:
    zero = numpy.array([0.0, -2.0])
    assert grad(lambda x: x**0)(zero).tolist() == [0.0, 0.0]
    assert grad(lambda x: x**1)(zero).tolist() == [1.0, 1.0]
    assert grad(grad(lambda x: x**2))(zero).tolist() == [2.0, 2.0]
    assert grad(lambda y: 0.0**y)(2.0) == 0.0
    assert grad(np.abs)(zero).tolist() == [0.0, -1.0]
    for tie in (np.maximum, np.minimum):
        assert [grad(tie, i)(1.0, 1.0) for i in (0, 1)] == [0.5, 0.5]
        assert grad(lambda x, tie=tie: tie(x, x))(3.0) == 1.0
    assert grad(np.logaddexp)(1000.0, 0.0) == 1.0
    assert grad(np.tanh)(numpy.array([-1000.0, 1000.0])).tolist() == [0.0, 0.0]


FLAT = [np.sign, np.floor, np.ceil, np.zeros_like, np.ones_like, np.isnan, np.argmax]
FLAT += [lambda x: x > 1.0, lambda x: x != 1.0, lambda x: x == x, lambda x: x <= 2]


@pytest.mark.parametrize("f", FLAT)
def test_what_does_not_move_has_the_slope_zero(f: Callable[..., Any]) -> None:
    x = numpy.array([0.5, 1.5])
    assert numpy.array_equal(f(x), make_vjp(f, x)[1])
    assert grad(f)(x).tolist() == [0.0, 0.0]
    assert grad(lambda x: x * f(x))(x).tolist() == numpy.asarray(f(x) + 0 * x).tolist()


def test_on_plain_arrays_they_are_numpys() -> None:
    x = numpy.linspace(0.5, 1.5, 6).reshape(2, 3)
    for name in ("exp", "log", "sin", "sum", "mean", "transpose", "abs", "sqrt"):
        assert numpy.array_equal(getattr(np, name)(x), getattr(numpy, name)(x))
    assert np.where(x > 1)[0].tolist() == numpy.where(x > 1)[0].tolist()
    assert (np.dot(x, x.T) == x @ x.T).all()
    assert np.broadcast_to(1.0, (2,)).flags.writeable


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: np.add(numpy.ones(2), numpy.ones(3)), r"add: .* \(2,\) and \(3,\) do"),
        (lambda: np.where(True, numpy.ones(2), numpy.ones(3)), "where: .* do not fit"),
        (lambda: np.matmul(numpy.ones(2), numpy.ones(3)), "a row of the first must be"),
        (lambda: np.matmul(2.0, numpy.ones(3)), r"matmul: .* \(\) and \(3,\) do not"),
        (lambda: np.matmul(numpy.ones(3), 2.0), r"matmul: .* \(3,\) and \(\) do not"),
        (
            lambda: np.dot(numpy.ones((2, 2, 2)), numpy.ones(2)),
            "than two axes; use mat",
        ),
        (lambda: np.power(2, -1), "Integers to negative"),
    ],
)
def test_shapes_that_do_not_fit_are_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_function_that_is_not_here_is_named() -> None:
    with pytest.raises(
        AttributeError, match=r"NumPy's cumsum is not wrapped; .* by def"
    ):
        np.cumsum(numpy.ones(2))
    with pytest.raises(AttributeError, match="there is no cumsam, nor has NumPy one"):
        np.cumsam(numpy.ones(2))
    assert not hasattr(np, "_globals")


@given(st.integers(1, 3), st.integers(0, 3))
def test_an_index_gives_back_what_it_took(times: int, at: int) -> None:
    x = numpy.arange(4.0)
    assert grad(lambda x: x[[at] * times])(x).sum() == times
    assert grad(lambda x: x[at])(x)[at] == 1.0
