"""Running sums and products, and differences: what their cases cannot say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import gradient, leaf

FUNCTIONS = [np.cumsum, np.cumprod, np.diff]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_an_axis_that_is_not_there(f: Any) -> None:
    message = rf"^{f.__name__}: axis=2 does not fit shape \(2, 3\)"
    with pytest.raises(AxisError, match=message):
        f(leaf(np.ones((2, 3))), axis=2)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_empty_arrays_and_integers(f: Any) -> None:
    for shape in ((0,), (0, 3), (3, 0)):
        x = leaf(np.empty(shape))
        for axis in range(len(shape)):
            assert f(x, axis=axis).shape == f(np.empty(shape), axis=axis).shape
            assert gradient(f(x, axis=axis), x).shape == shape
    for values in ([3, 1, 2], [True, False, True]):
        y = f(Tensor(values), axis=0)
        assert not y.requires_grad
        np.testing.assert_array_equal(y.numpy(), f(np.array(values), axis=0))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("zeros", [0, 1, 2, 13])
def test_running_products_against_their_definition(n: int, zeros: int) -> None:
    x = np.random.default_rng([n, zeros]).uniform(0.5, 2.0, n)
    x[np.random.default_rng(n).permutation(n)[:zeros]] = 0.0
    g = np.cos(np.arange(n))
    right = [
        sum(g[i] * np.prod(np.delete(x[: i + 1], k)) for i in range(k, n))
        for k in range(n)
    ]
    t = leaf(x)
    np.testing.assert_allclose(gradient(np.cumprod(t), t, g), right, atol=1e-15)


def test_running_products_too_small_for_their_type_have_gradients() -> None:
    x = leaf([1e-200, 1e-150, 1.0])
    got = gradient(np.cumprod(x), x, np.array([0.0, 0.0, 1.0]))
    np.testing.assert_array_equal(got, [1e-150, 1e-200, 0.0])


def test_a_third_derivative_of_a_running_product_with_zeros() -> None:
    x = leaf([0.0, 0.0, 3.0, 5.0])
    (g,) = grad(np.cumprod(x)[3], x, create_graph=True)
    (h,) = grad(g[0], x, create_graph=True)
    (third,) = grad(h[1], x)
    np.testing.assert_array_equal(third.data, [0.0, 0.0, 5.0, 3.0])


def test_differences_of_what_is_partly_constant() -> None:
    x = leaf([1.0, 4.0, 9.0])
    y = np.diff(np.array([2.0, 5.0]), append=x)
    np.testing.assert_array_equal(y.data, [3.0, -4.0, 3.0, 5.0])
    np.testing.assert_array_equal(gradient(y, x, np.exp2(range(4))), [-2, -4, 8])
    with pytest.raises(ValueError, match="diff: n=-1"):
        np.diff(x, n=-1)
    with pytest.raises(ValueError, match=r"concatenate: .*\(2, 2\), \(3,\)"):
        np.diff(x, prepend=np.ones((2, 2)))
