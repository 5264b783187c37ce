"""Types, masks and starts of reductions: what the cases cannot say."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import X, gradient, leaf

ALL = [np.sum, np.mean, np.var, np.std, np.prod, np.max, np.min, np.cumsum, np.cumprod]
WITH_OUT = {
    **{f.__name__: lambda x, f=f, **out: f(x, axis=0, **out) for f in ALL},
    "ptp": lambda x, **out: np.ptp(x, axis=0, **out),
    "median": lambda x, **out: np.median(x, axis=0, **out),
    "take": lambda x, **out: np.take(x, [0], axis=0, **out),
    "compress": lambda x, **out: np.compress([True], x, axis=0, **out),
    "concatenate": lambda x, **out: np.concatenate([x, x], **out),
    "stack": lambda x, **out: np.stack([x, x], **out),
    "add": lambda x, **out: np.add(x, x, **out),
    "exp": lambda x, **out: np.exp(x, **out),
}


@pytest.mark.parametrize("name", WITH_OUT)
def test_nothing_is_written_into_another_array(name: str) -> None:
    out = np.zeros((2, 3))
    with pytest.raises(TypeError, match=rf"numpy\.{name}: out= would write over an"):
        WITH_OUT[name](leaf(X), out=out)
    assert not out.any()


@pytest.mark.parametrize(
    "name", ["sum", "mean", "var", "std", "prod", "max", "min", "cumsum", "cumprod"]
)
def test_the_methods_refuse_out_too(name: str) -> None:
    with pytest.raises(TypeError, match=rf"numpy\.{name}: out= would write over"):
        getattr(leaf(X), name)(out=np.zeros(()))


@pytest.mark.parametrize("f", ALL[:7], ids=lambda f: f.__name__)
def test_masks_that_do_not_fit_are_refused(f: Any) -> None:
    more = {"initial": 0.0} if f in (np.max, np.min) else {}
    for mask in (np.ones(2, bool), np.ones((4, 2, 3), bool)):
        shapes = rf"where= of shape {re.escape(str(mask.shape))}.*\(2, 3\)"
        with pytest.raises(ValueError, match=f"{f.__name__}: {shapes}"):
            f(leaf(X), where=mask, **more)


@pytest.mark.parametrize("f", [np.max, np.min], ids=lambda f: f.__name__)
def test_the_largest_of_a_part_needs_a_start(f: Any) -> None:
    with pytest.raises(ValueError, match=rf"{f.__name__}: where= needs initial="):
        f(leaf(X), where=X > 2.0)


def test_what_a_mask_leaves_out_gets_no_gradient_though_it_is_nan() -> None:
    x = leaf([1.0, np.nan, 3.0])
    mask = np.array([True, False, True])
    np.testing.assert_array_equal(gradient(np.sum(x, where=mask), x), [1, 0, 1])
    np.testing.assert_array_equal(gradient(np.mean(x, where=mask), x), [0.5, 0, 0.5])
    np.testing.assert_array_equal(gradient(np.prod(x, where=mask), x), [3, 0, 1])
    np.testing.assert_array_equal(gradient(np.var(x, where=mask), x), [-1, 0, 1])
    np.testing.assert_array_equal(gradient(np.std(x, where=mask), x), [-0.5, 0, 0.5])


@pytest.mark.parametrize("dtype", [int, bool, np.uint8, np.float32])
@pytest.mark.parametrize("f", ALL[:7], ids=lambda f: f.__name__)
def test_values_and_types_of_a_part_are_those_of_numpy(f: Any, dtype: Any) -> None:
    x = np.array([[1, 0, 3], [0, 5, 2]]).astype(dtype)
    mask = np.array([[True, True, False], [False, True, True]])
    more = {"initial": x.dtype.type(1)} if f in (np.max, np.min) else {}
    for axis in (None, 0, 1, (0, 1)):
        right = f(x, axis=axis, where=mask, **more)
        got = f(Tensor(x), axis=axis, where=mask, **more)
        assert got.dtype == right.dtype
        np.testing.assert_allclose(got.numpy(), right, rtol=1e-7)  # float32 of 5


def test_the_same_thing_under_two_names() -> None:
    for f in (np.var, np.std):
        with pytest.raises(ValueError, match="ddof and correction are the same"):
            f(leaf(X), ddof=1, correction=1)


def test_an_elementwise_function_takes_no_options() -> None:
    x = leaf(X)
    with pytest.raises(TypeError, match=r"numpy\.add: .* where=.*np\.where\(mask"):
        np.add(x, 1.0, where=X > 2.0)
    with pytest.raises(TypeError, match=r"numpy\.exp: tensors do not take dtype=.*ast"):
        np.exp(x, dtype=np.float32)
    with pytest.raises(TypeError, match=r"numpy\.exp: tensors do not take casting="):
        np.exp(x, casting="no")


def test_types_of_what_is_joined() -> None:
    x, y = leaf(X), np.arange(3)
    joined = np.concatenate([x, [y]], dtype=np.float32)
    assert joined.dtype == np.float32
    assert gradient(joined.sum(), x).dtype == np.float64
    for f in (np.stack, np.vstack, np.hstack, np.concatenate):
        assert f([x, x], dtype=np.float32).dtype == np.float32
        with pytest.raises(
            TypeError, match=rf"{f.__name__}: float64 .* int64 .*unsafe"
        ):
            f([x, x], dtype=np.int64)
        assert not f([x, x], dtype=np.int64, casting="unsafe").requires_grad


@pytest.mark.parametrize("order", [">f8", "<f8", ">f4"])
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_bytes_in_another_order(f: Any, order: str) -> None:
    x = Tensor(X.astype(order), requires_grad=True)
    tolerance = 1e-6 if order == ">f4" else 1e-15  # some roundings of the type
    np.testing.assert_allclose(gradient(f(x), x), gradient_of(f), rtol=tolerance)


def gradient_of(f: Any) -> np.ndarray:
    """Return the gradient with the usual bytes."""
    x = leaf(X)
    return gradient(f(x), x)


def test_the_average_with_its_weights() -> None:
    x, w = leaf(X), leaf([1.0, 2.0, 3.0])
    y, total = np.average(x, axis=1, weights=w, returned=True)
    assert y.shape == total.shape == (2,)
    assert gradient(total, w).tolist() == [2.0, 2.0, 2.0]
    y, total = np.average(x, axis=1, returned=True)
    assert total.tolist() == [3.0, 3.0]
