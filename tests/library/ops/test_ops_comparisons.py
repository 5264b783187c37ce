"""What has no gradient: the results are NumPy's, plain, and nothing is lost."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.ops.comparisons import ELEMENTWISE, OF_ARRAYS, WITH_OUT
from autograd_lib.engine.tape.tensor import Tensor

X = np.array([[1.5, -2.5, 0.0], [np.nan, np.inf, 2.0]])
Y = np.array([1.5, 0.0, np.nan])
OPERATORS = (
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
    operator.floordiv,
)
UFUNCS = (
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    np.floor_divide,
)


def assert_same(got: Any, right: Any) -> None:
    """Check that two results are plain and the same."""
    assert type(got) is type(right)
    if isinstance(right, tuple):
        for one, other in zip(got, right, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_array_equal(got, right)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize("f", [*OPERATORS, *UFUNCS])
def test_two_operands_of_every_kind(f: Any) -> None:
    t, u = Tensor(X, requires_grad=True), Tensor(Y, requires_grad=True)
    right = f(X, Y)
    assert_same(f(t, u), right)
    assert_same(f(t, Y), right)
    assert_same(f(X, u), right)
    assert_same(f(t, list(Y)), right)
    assert_same(f(t, 1.5), f(X, 1.5))
    assert_same(f(1.5, t), f(1.5, X))
    assert_same(f(np.float64(1.5), t), f(np.float64(1.5), X))
    assert_same(f(t, True), f(X, True))
    assert_same(f(t[0, 0], 2), f(X[0, 0], 2))
    assert_same(f(t[:0], u), f(X[:0], Y))


@pytest.mark.parametrize("f", OPERATORS)
def test_shapes_that_do_not_fit(f: Any) -> None:
    with pytest.raises(ValueError, match=r": shapes \(2, 3\) and \(2,\) do not"):
        f(Tensor(X), np.ones(2))


def test_anything_else_is_not_equal_and_has_no_order() -> None:
    t = Tensor([1.0, 2.0])
    for other in (None, "text", object(), {}, np):
        assert (t == other) is False
        assert (t != other) is True
        with pytest.raises(TypeError, match="tensor, an array or a number"):
            operator.lt(t, other)
    with pytest.raises(TypeError, match=r"np\.stack"):
        operator.eq(t, [Tensor(1.0, requires_grad=True), 1.0])


def test_tensors_stay_keys_and_members() -> None:
    t, u = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
    assert {t: 1, u: 2}[t] == 1
    assert len({t, u}) == 2
    assert any(x is u for x in [t, u])


def test_functions_of_one_array() -> None:
    two = (np.logical_and, np.logical_or, np.logical_xor)
    for f in ELEMENTWISE:
        inputs = (X, Y) if f in two else (X,)
        tensors = [Tensor(x, requires_grad=True) for x in inputs]
        assert_same(f(*tensors), f(*inputs))
        assert_same(f(*(t[..., :0] for t in tensors)), f(*(x[..., :0] for x in inputs)))
        assert_same(f(*(t[..., 0] for t in tensors)), f(*(x[..., 0] for x in inputs)))


CALLS: dict[Any, tuple[Any, ...]] = {
    np.allclose: (X, X),
    np.isclose: (X, Y),
    np.array_equal: (X, X),
    np.array_equiv: (X, X),
    np.argpartition: (X, 1),
    np.digitize: (X, np.array([0.0, 1.0])),
    np.isin: (X, Y),
    np.searchsorted: (np.array([0.0, 1.0, 2.0]), Y[:2]),
    np.shares_memory: (X, X),
    np.may_share_memory: (X, Y),
    np.result_type: (X, np.float32),
}


@pytest.mark.parametrize("f", [*OF_ARRAYS, *WITH_OUT], ids=lambda f: f.__name__)
def test_functions_of_arrays(f: Any) -> None:
    inputs = CALLS.get(f, (X,))
    kept: dict[int, Tensor] = {}  # the same tensor for the same array
    tensors = [
        kept.setdefault(id(x), Tensor(x, True)) if isinstance(x, np.ndarray) else x
        for x in inputs
    ]
    got, right = f(*tensors), f(*inputs)
    if f is np.empty_like:
        got, right = got.shape, right.shape
    assert_same(got, right)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, -2])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions_along_axes(axis: Any, keepdims: bool) -> None:
    t = Tensor(X, requires_grad=True)
    for name in ("argmax", "argmin", "all", "any"):
        f = getattr(np, name)
        right = f(X, axis=axis, keepdims=keepdims)
        assert_same(f(t, axis=axis, keepdims=keepdims), right)
        assert_same(getattr(t, name)(axis=axis, keepdims=keepdims), right)
        assert_same(getattr(t, name)(axis), f(X, axis))
    right = np.count_nonzero(X, axis=axis, keepdims=keepdims)
    assert_same(np.count_nonzero(t, axis=axis, keepdims=keepdims), right)
    if axis is not None:
        assert_same(t.argsort(axis), np.argsort(X, axis))
        assert_same(np.argsort(t, axis=axis), np.argsort(X, axis))
    for name in ("all", "any"):
        assert_same(getattr(t, name)(axis=(0, 1)), getattr(X, name)(axis=(0, 1)))


def test_rounding_to_digits() -> None:
    t = Tensor([1.256, -2.345], requires_grad=True)
    for got in (np.round(t, 1), np.around(t, decimals=1), t.round(1)):
        assert_same(got, np.array([1.3, -2.3]))
    assert_same(t.round(), np.array([1.0, -2.0]))


def test_arrays_like_a_tensor() -> None:
    t = Tensor(np.ones((2, 3)), requires_grad=True, dtype=np.float32)
    for f in (np.zeros_like, np.ones_like, np.empty_like):
        assert f(t).dtype == np.float32
        assert f(t, dtype=int).dtype == int
        assert f(t, shape=(4,)).shape == (4,)
    assert_same(np.full_like(t, 7.0), np.full((2, 3), 7.0, np.float32))
    assert_same(np.full_like(t, Tensor(2.0), dtype=float), np.full((2, 3), 2.0))


def test_a_fill_that_needs_a_gradient_would_lose_it() -> None:
    t = Tensor(2.0, requires_grad=True)
    with pytest.raises(TypeError, match=r"full_like: .*fill_value.*np\.broadcast_to"):
        np.full_like(Tensor(X), t)
    with pytest.raises(TypeError, match=r"full_like: would write .*broadcast"):
        np.full_like(X, t)  # NumPy asks the first argument only


@pytest.mark.parametrize("f", [np.argmax, np.argmin, np.all, np.any, np.round])
def test_nothing_is_written_into_a_tensor(f: Any) -> None:
    t, out = Tensor([1.0, 2.0]), Tensor(0.0)
    name = f.__name__
    with pytest.raises(TypeError, match=rf"numpy\.{name}: out= would write over"):
        f(t, out=out)
    with pytest.raises(TypeError, match=rf"numpy\.{name}: out= would write over"):
        f(t, 0, out)
    assert out.item() == 0.0


def test_an_axis_that_is_not_there() -> None:
    for call in (np.argmax, np.all, np.argsort):
        with pytest.raises(IndexError, match=r"axis=2 does not fit .*axes are -2 to 1"):
            call(Tensor(X), axis=2)


def test_remainders_of_constants_and_by_0() -> None:
    assert (Tensor([7, -7]) % 3).tolist() == [1, 2]
    assert (7 % Tensor([3, 4])).tolist() == [1, 3]
    assert (np.array([7.0]) % Tensor([4.0])).tolist() == [3.0]
    t = Tensor(0.0, requires_grad=True)
    with np.errstate(all="ignore"):
        y = 1.0 % t
    assert np.isnan(y.item())


def test_a_remainder_keeps_the_slope_that_rounding_takes() -> None:
    x, y = Tensor([7.5, -7.5], True), Tensor(2.0, True)
    z = x % y
    assert z.tolist() == [1.5, 0.5]
    z.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    assert y.grad.item() == -3.0 + 4.0


def test_steps_and_roundings_are_factors_with_no_slope() -> None:
    t = Tensor(X, requires_grad=True)
    assert_same(np.fix(t), np.fix(X))
    assert_same(np.heaviside(t, 0.5), np.heaviside(X, 0.5))
    assert_same(np.heaviside(t, Tensor(Y[:2].sum())), np.heaviside(X, Y[:2].sum()))
    u = Tensor(X[0], requires_grad=True)
    (np.fix(u) * np.heaviside(u, 0.5) * u).sum().backward()
    assert u.grad.tolist() == [1.0, 0.0, 0.0]


def test_the_value_of_a_step_at_0_has_a_gradient() -> None:
    value = Tensor(0.5, requires_grad=True)
    with pytest.raises(TypeError, match=r"^heaviside: .* np\.where\(x == 0, value"):
        np.heaviside(X, value)
    with pytest.raises(
        ValueError, match=r"^heaviside: shapes \(2, 3\) and \(2,\) do not"
    ):
        np.heaviside(Tensor(X), np.ones(2))
    x = Tensor([-1.0, 0.0, 2.0])
    np.where(x == 0, value, x > 0).sum().backward()
    assert value.grad.item() == 1.0
