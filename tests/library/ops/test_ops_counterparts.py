"""Functions of NumPy beside their counterparts: what the cases cannot say."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import X, gradient, leaf

RNG = np.random.default_rng(0)
M, V = RNG.normal(size=(3, 4)), RNG.normal(size=5)
HOLES = np.where(M > 0.3, np.nan, M)


def alike(f: Any, *arrays: np.ndarray) -> None:
    """Check that values and types of tensors are those of arrays."""
    rights = f(*arrays)
    gots = f(*(Tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays))
    if not isinstance(rights, tuple | list):
        rights, gots = [rights], [gots]
    for got, right in zip(gots, rights, strict=True):
        plain = got.data if isinstance(got, Tensor) else np.asarray(got)
        assert plain.shape == np.shape(right)
        assert plain.dtype == np.asarray(right).dtype
        np.testing.assert_allclose(plain, right, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_rows_of_all_lengths_are_convolved_and_correlated(mode: Any) -> None:
    for n, m in itertools.product(range(1, 6), repeat=2):
        a, v = V[:n], M.ravel()[:m]
        alike(lambda a, v: np.convolve(a, v, mode), a, v)
        alike(lambda a, v: np.correlate(a, v, mode), a, v)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_the_second_of_two_complex_rows_is_conjugated(mode: Any) -> None:
    z = np.array([1 + 1j, 2.0, 3j]), np.array([1j, 2.0])
    for a, v in (z, z[::-1]):
        got = np.correlate(Tensor(a), Tensor(v), mode).data
        np.testing.assert_array_equal(got, np.correlate(a, v, mode))


def test_what_cannot_be_convolved() -> None:
    for f in (np.convolve, np.correlate):
        with pytest.raises(ValueError, match=rf"{f.__name__}: needs rows.*\(2, 3\)"):
            f(leaf(X), leaf(V))
        with pytest.raises(ValueError, match=rf"{f.__name__}: needs rows.*\(0,\)"):
            f(leaf(V), leaf([]))
    with pytest.raises(ValueError, match=r"convolve: mode must be 'full'"):
        np.convolve(leaf(V), V, "half")  # type: ignore[call-overload]


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize(
    "places",
    [0, -1, [0, 2], [1, 1], [], slice(None, None, 2), np.array([True, False, True])],
    ids=str,
)
def test_rows_are_put_in_and_left_out_as_numpy_does(places: Any, axis: Any) -> None:
    if isinstance(places, np.ndarray) and axis != 0:
        pytest.skip("three truth values for another number of rows")
    if isinstance(places, np.ndarray) and not hasattr(np, "unstack"):
        pytest.skip("NumPy takes them as places before 2.1")
    alike(lambda x: np.delete(x, places, axis), M)
    alike(lambda x, v: np.insert(x, places, v, axis), M, np.array(2.0))


def test_what_does_not_fit_in() -> None:
    with pytest.raises(IndexError, match="out of bounds"):
        np.delete(leaf(X), 5, 0)
    with pytest.raises(TypeError, match="insert: a tensor of int64 would lose"):
        np.insert(np.arange(3), 1, leaf(2.0))
    with pytest.raises(ValueError, match="block: lists must be nested alike"):
        np.block([[leaf(X)], leaf(X)])
    with pytest.raises(ValueError, match=r"select: .*1 conditions and 2 choices"):
        np.select([X > 0], [leaf(X), leaf(X)])
    with pytest.raises(ValueError, match=r"extract: .*2 truth values for 6"):
        np.extract([True, False], leaf(X))
    for f, axes in ((np.vsplit, 2), (np.dsplit, 3)):
        with pytest.raises(ValueError, match=rf"{f.__name__}: needs {axes} axes"):
            f(leaf([1.0, 2.0]), 1)


VIEWS = {
    "vsplit": lambda y: np.vsplit(y, 2)[1],
    "rollaxis": lambda y: np.rollaxis(y, 2),
    "broadcast_arrays": lambda y: np.broadcast_arrays(y, np.ones((2, 1, 1, 1)))[0],
    "transpose": lambda y: np.transpose(y[0, 0], 0),
    "reshape": lambda y: y.T.reshape((2, 4), order="F"),
}
if hasattr(np, "unstack"):  # since NumPy 2.1
    VIEWS["unstack"] = lambda y: np.unstack(y, axis=1)[0]


@pytest.mark.parametrize("name", VIEWS)
def test_parts_and_copies_are_views_that_see_a_write(name: str) -> None:
    x = leaf(np.ones((2, 2, 2)))
    y = x * 2.0
    part = VIEWS[name](y)
    alone = gradient(VIEWS[name](x).sum(), x)
    y *= 10.0
    shown = np.shares_memory(part.data, y.data)
    assert shown or name == "reshape"
    assert set(part.data.ravel()) == {20.0 if shown else 2.0}
    np.testing.assert_array_equal(
        gradient(part.sum(), x), alone * (20.0 if shown else 2.0)
    )


@pytest.mark.parametrize("x", [M, HOLES, (M * 10).astype(int), M[:, :0]], ids=str)
@pytest.mark.parametrize(
    "name", ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin"]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of nothing there is no mean
def test_what_is_no_number_is_left_out(name: str, x: np.ndarray) -> None:
    f = getattr(np, name)
    for axis, keepdims in itertools.product((None, 0, 1, (0, 1)), (False, True)):
        if name in ("nanmax", "nanmin") and not x.size and axis != 0:
            with pytest.raises(ValueError, match=r"no elements|zero-size"):
                f(Tensor(x), axis=axis)
            continue
        alike(lambda x, a=axis, k=keepdims: f(x, axis=a, keepdims=k), x)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_where_nothing_is_a_number_there_is_none_and_no_gradient() -> None:
    x = leaf([[np.nan, np.nan], [1.0, np.nan]])
    for f in (np.nanmax, np.nanmin, np.nanmedian):
        y = f(x, axis=1)
        np.testing.assert_array_equal(y.data, [np.nan, 1.0])
        np.testing.assert_array_equal(gradient(y[1], x), [[0, 0], [1, 0]])


@pytest.mark.parametrize("q", [0.0, 0.3, 0.5, 1.0, np.array([[0.1, 0.9]])], ids=str)
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_quantiles_are_those_of_numpy(q: Any, axis: Any) -> None:
    for x in (M, (M * 10).astype(int), HOLES[1:]):
        alike(lambda x: np.quantile(x, q, axis=axis), x)
        alike(lambda x: np.quantile(x, q, axis=axis, keepdims=True), x)
    alike(lambda x: np.nanquantile(x, q, axis=axis), HOLES[:, [0, 3]])


def test_quantiles_that_are_not_there() -> None:
    with pytest.raises(ValueError, match=r"quantile: q must be from 0 to 1, got 1\.5"):
        np.quantile(leaf(X), 1.5)
    with pytest.raises(ValueError, match="percentile: q must be from 0 to 100"):
        np.percentile(leaf(X), -1.0)
    with pytest.raises(NotImplementedError, match="quantile: method='lower' has no"):
        np.quantile(leaf(X), 0.5, method="lower")
    with pytest.raises(TypeError, match="quantile: q has no gradient"):
        np.quantile(leaf(X), leaf(0.5))
    with pytest.raises(ValueError, match=r"quantile: shape \(0,\) has no elements"):
        np.quantile(leaf([]), 0.5)


@pytest.mark.parametrize("axis", [0, 1, -1, (0, 1), None])
@pytest.mark.parametrize("edge_order", [1, 2])
def test_slopes_are_those_of_numpy(axis: Any, edge_order: Any) -> None:
    alike(lambda x: np.gradient(x, axis=axis, edge_order=edge_order), M)
    alike(lambda x: np.gradient(x, 0.5, axis=axis, edge_order=edge_order), M)
    places = np.array([0.0, 1.0, 1.5, 4.0])
    alike(lambda y: np.gradient(y, places, axis=1, edge_order=edge_order), M)


def test_too_few_points_or_too_many_distances() -> None:
    with pytest.raises(ValueError, match=r"gradient: axis 0 of shape \(1,\) needs 2"):
        np.gradient(leaf([1.0]))
    small = np.array([0, 10, 3, 200], np.uint8)
    np.testing.assert_array_equal(np.gradient(Tensor(small)).data, np.gradient(small))
    with pytest.raises(ValueError, match=r"gradient: 3 distances for 2 axes"):
        np.gradient(leaf(X), 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match=r"gradient: 4 places do not fit axis 1"):
        np.gradient(leaf(X), np.arange(4.0), axis=1)
    with pytest.raises(ValueError, match=r"interp: xp of shape \(2,\) and fp of"):
        np.interp(leaf(0.5), [0.0, 1.0], [1.0])
    with pytest.raises(ValueError, match="geomspace: both ends must be positive"):
        np.geomspace(leaf(-1.0), leaf(2.0))
    with pytest.raises(ValueError, match=r"cov: needs one axis or two, got"):
        np.cov(leaf(np.ones((1, 2, 3))))


def test_values_between_points_and_around() -> None:
    at = np.linspace(-1.0, 6.0, 29)
    xp, fp = np.array([0.0, 1.0, 2.5, 5.0]), np.array([1.0, 3.0, -1.0, 2.0])
    for options in ({}, {"left": 9.0}, {"right": 9.0}, {"period": 3.5}):
        alike(lambda x, a, b, o=options: np.interp(x, a, b, **o), at, xp, fp)
    alike(np.interp, at, xp[:1], fp[:1])
    x = leaf([1.0, -2.0, 7.0])
    np.testing.assert_allclose(gradient(np.interp(x, xp, fp), x), [-8.0 / 3.0, 0, 0])


@pytest.mark.parametrize("num", [0, 1, 2, 5])
@pytest.mark.parametrize("endpoint", [True, False])
def test_ranges_are_those_of_numpy(num: int, endpoint: bool) -> None:
    for a, b in ((np.array(1.0), np.array(3.0)), (M**2 + 1.0, M[0] ** 2 + 2.0)):
        for f, axis in itertools.product(
            (np.linspace, np.logspace, np.geomspace), (0, -1)
        ):
            alike(lambda a, b, f=f, x=axis: f(a, b, num, endpoint, axis=x), a, b)
    alike(lambda a, b: np.linspace(a, b, 4, dtype=int), np.array(-1.0), np.array(-8.0))


def test_covariances_are_those_of_numpy() -> None:
    for x, rowvar, bias in itertools.product((M, V), (True, False), (True, False)):
        alike(lambda x, r=rowvar, b=bias: np.cov(x, rowvar=r, bias=b), x)
        alike(lambda x, r=rowvar: np.corrcoef(x, rowvar=r), x)
    alike(lambda x, w: np.cov(x, fweights=[1, 2, 1, 1], aweights=w * w), M, M[0])
