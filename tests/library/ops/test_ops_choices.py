"""Choices where cases end: ties, NaN, infinite gradients, masks, large arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.ops.choices import LARGE, keep_where
from autograd_lib.engine.tape.tensor import Tensor

NAN = np.nan


def slopes(f: Any, *xs: Any) -> list[list[float]]:
    ts = [Tensor(x, requires_grad=True) for x in xs]
    f(*ts).sum().backward()
    return [t.grad.tolist() for t in ts]


@pytest.mark.parametrize("f", [np.maximum, np.minimum, np.fmax, np.fmin])
def test_ties_are_split_evenly(f: Any) -> None:
    assert slopes(f, [1.0, 0.0], [1.0, -0.0]) == [[0.5, 0.5], [0.5, 0.5]]
    t = Tensor([1.0, 2.0], requires_grad=True)
    f(t, t).sum().backward()  # two halves are a whole
    assert t.grad.tolist() == [1.0, 1.0]


def test_a_maximum_of_three_is_split_in_pairs() -> None:
    got = slopes(lambda x, y, z: np.maximum(np.maximum(x, y), z), *[[1.0]] * 3)
    assert got == [[0.25], [0.25], [0.5]]


def test_nan_wins_where_numpy_lets_it() -> None:
    x, y = [NAN, 1.0, NAN], [1.0, NAN, NAN]
    assert slopes(np.maximum, x, y) == [[1.0, 1.0, 1.0]] * 2  # as in PyTorch
    assert slopes(np.fmax, x, y) == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    assert slopes(np.fmin, x, y) == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]


def test_what_was_not_chosen_has_slope_0_where_the_gradient_is_infinite() -> None:
    def root(x: Any) -> Any:
        return np.sqrt(np.maximum(x, 0.0))

    x = Tensor([-1.0, 4.0], requires_grad=True)
    with np.errstate(divide="ignore"):
        root(x).sum().backward()
    assert x.grad.tolist() == [0.0, 0.25]  # ∞·0 would be NaN


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize("layout", ["C", "reversed", "transposed", "one number"])
def test_masks_of_bits_do_what_where_does(dtype: Any, layout: str) -> None:
    rows = LARGE // 100 + 1
    g = np.random.default_rng(0).normal(size=(rows, 100)).astype(dtype)
    g[0, :4] = np.inf, -np.inf, NAN, -0.0
    g = {
        "C": g,
        "reversed": g[::-1, ::-1],
        "transposed": np.ascontiguousarray(g.T).T,
        "one number": np.broadcast_to(dtype(2.5), g.shape),
    }[layout]
    mask = np.random.default_rng(1).random(g.shape) < 0.5
    for m in (mask, mask[0], mask[:, :1], np.True_, np.False_):
        got = keep_where(g, m)
        right = np.where(m, g, dtype(0))
        assert got.dtype == dtype
        assert got.base is None
        np.testing.assert_array_equal(got, right)


def test_a_condition_that_the_caller_changes_later() -> None:
    condition = np.array([True, False])
    x = Tensor([1.0, 2.0], requires_grad=True)
    y, z = np.where(condition, x, 0.0), np.where(condition, 0.0, x * 3.0)
    condition[:] = False
    (y + z).sum().backward()
    assert x.grad.tolist() == [1.0, 3.0]


def test_conditions_of_every_kind() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    for condition in ([1, 0], np.array([0.5, 0.0]), Tensor([2.0, 0.0]), x < 1.5):
        x.grad = None
        np.where(condition, x, 5.0).sum().backward()
        assert x.grad.tolist() == [1.0, 0.0]
    assert np.where(True, x, 0.0).tolist() == [1.0, 2.0]


def test_a_condition_alone_says_where_it_holds() -> None:
    (places,) = np.where(Tensor([0.0, 3.0, 1.0]))
    assert type(places) is np.ndarray
    assert places.tolist() == [1, 2]


def test_a_condition_and_one_choice_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"where: takes a condition alone, or with x"):
        np.where(Tensor([1.0]), 1.0)


def test_constants_give_constants() -> None:
    y = np.where(Tensor([1.0, 0.0]), np.ones(2), 2.0)
    assert isinstance(y, Tensor)
    assert not y.requires_grad
    assert np.maximum(Tensor([1, 5]), 3).tolist() == [3, 5]
    assert np.maximum(Tensor([1, 5]), 3).dtype == int
    assert np.maximum(np.array([1.0, 5.0]), Tensor(3.0)).tolist() == [3.0, 5.0]
    assert abs(Tensor([-2, 2])).tolist() == [2, 2]
    assert abs(Tensor([3.0 + 4.0j])).tolist() == [5.0]


@pytest.mark.parametrize("f", [np.maximum, np.minimum, np.fmax, np.fmin])
def test_an_array_first_comes_to_the_operation_too(f: Any) -> None:
    t = Tensor([1.0, 4.0], requires_grad=True)
    y = f(np.array([[2.0], [3.0]]), t)
    assert isinstance(y, Tensor)
    y.sum().backward()
    largest = f(2.0, 1.0) == 2.0
    assert t.grad.tolist() == ([0.0, 2.0] if largest else [2.0, 0.0])


def test_the_method_and_the_function_clip_alike() -> None:
    x = np.array([-2.0, 0.5, 3.0])
    t = Tensor(x)
    for call in (
        np.clip(t, -1.0, 1.0),
        t.clip(-1.0, 1.0),
        np.clip(t, a_min=-1.0, a_max=1.0),
        t.clip(min=-1.0, max=1.0),
    ):
        assert call.tolist() == [-1.0, 0.5, 1.0]
    assert t.clip(None, 1.0).tolist() == t.clip(max=1.0).tolist() == [-2.0, 0.5, 1.0]


def test_a_bound_shares_with_the_number_that_equals_it() -> None:
    def f(x: Any, low: Any, high: Any) -> Any:
        return x.clip(low, high)

    assert slopes(f, [0.0, 1.0, 2.0], 0.0, 2.0) == [[0.5, 1.0, 0.5], 0.5, 0.5]


def test_clip_by_nothing_is_a_copy() -> None:
    t = Tensor([1.0, 2.0])
    y = t.clip(None, None)
    assert not np.shares_memory(y, t)


def test_a_bound_under_two_names_is_an_error() -> None:
    with pytest.raises(ValueError, match="clip: a_min and min are the same; give one"):
        Tensor([1.0]).clip(0.0, 1.0, min=0.5)


def test_bounds_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"^clip: shapes \(2,\) and \(3,\) do"):
        Tensor([1.0, 2.0]).clip(np.zeros(3), 1.0)


def test_lists_of_tensors_are_named() -> None:
    t = Tensor(1.0, requires_grad=True)
    with pytest.raises(TypeError, match=r"np\.stack"):
        np.maximum(t, [t, t])
    with pytest.raises(TypeError, match="tensor, an array or a number"):
        np.where(True, t, "none")


def test_absolute_values_at_0_and_beyond_numbers() -> None:
    got = slopes(abs, [0.0, -0.0, np.inf, -np.inf])
    assert got == [[0.0, 0.0, 1.0, -1.0]]
    assert np.isnan(slopes(np.abs, [NAN])[0][0])


def test_replaced_numbers_get_no_gradient() -> None:
    x = [NAN, np.inf, -np.inf, 2.0]
    t = Tensor(x, requires_grad=True)
    y = np.nan_to_num(t)
    assert y.tolist() == [0.0, np.finfo(float).max, np.finfo(float).min, 2.0]
    y[3:].sum().backward()
    assert t.grad.tolist() == [0.0, 0.0, 0.0, 1.0]
    y = np.nan_to_num(t, nan=7.0, posinf=8.0, neginf=9.0)
    assert y.tolist() == [7.0, 8.0, 9.0, 2.0]
    t.grad = None
    y.backward([np.inf] * 4)  # and no product of it and 0, which is NaN
    assert t.grad.tolist() == [0.0, 0.0, 0.0, np.inf]


def test_replacing_in_place_is_refused() -> None:
    t = Tensor([NAN])
    with pytest.raises(ValueError, match="nan_to_num: copy=False would write over"):
        np.nan_to_num(t, copy=False)
    assert np.isnan(t.item())
