"""Where no gradient is needed, a tensor goes wherever an array goes."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor, no_grad

X = np.array([[3.0, 1.0], [2.0, 2.5]])
CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    (np.unique, (X,)),
    (np.unwrap, (X,)),
    (np.lexsort, ([X[0], X[1]],)),
    (np.linalg.eigvals, (X,)),
    (np.add.reduce, (X,)),
    (np.multiply.outer, (X, X)),
    (partial(np.quantile, method="nearest"), (X, 0.3)),
    (partial(np.percentile, method="inverted_cdf", weights=[[1, 2], [3, 4]]), (X, 30)),
    (partial(np.pad, mode="mean"), (X, 1)),
    (np.linalg.norm, (X - 1.0, 0, 1)),
    (np.piecewise, (X, [X < 2, X >= 2], [0.0, 1.0])),
]


def tensors(x: Any, needed: bool) -> Any:
    """Return arguments with tensors for arrays of floats."""
    if isinstance(x, list | tuple):
        return type(x)(tensors(item, needed) for item in x)
    is_float = isinstance(x, np.ndarray) and x.dtype.kind == "f"
    return Tensor(x, requires_grad=needed) if is_float else x


@pytest.mark.parametrize(("f", "args"), CALLS)
def test_a_function_without_a_rule_runs_on_the_arrays(f: Any, args: Any) -> None:
    right = f(*args)
    for got in (f(*tensors(args, False)), under_no_grad(f, tensors(args, True))):
        assert type(got) is type(right)
        np.testing.assert_array_equal(got, right)


def under_no_grad(f: Any, args: Any) -> Any:
    with no_grad():
        return f(*args)


@pytest.mark.parametrize("f", [np.unwrap, np.unique, np.poly1d])
def test_with_a_gradient_at_stake_it_is_an_error(f: Any) -> None:
    with pytest.raises(NotImplementedError, match="no rule yet, so its gradient"):
        f(Tensor(X[0], requires_grad=True))


def test_an_option_without_a_rule_is_an_error_where_a_gradient_is_at_stake() -> None:
    t = Tensor(X, requires_grad=True)
    for f in (
        lambda: np.quantile(t, 0.3, method="nearest"),
        lambda: np.pad(t, 1, mode="mean"),
        lambda: np.linalg.norm(t, 0, axis=1),
    ):
        with pytest.raises(NotImplementedError, match=r"no rule|no slope"):
            f()


def test_who_called_what_has_no_rule_is_named() -> None:
    t = Tensor(X, requires_grad=True)
    with pytest.raises(TypeError, match=r"^numpy\.full_like: would write"):
        np.full_like(np.ones(2), t[0, 0])
    with pytest.raises(NotImplementedError, match=r"^numpy\.linalg\.eigvals has no"):
        np.linalg.eigvals(t)


def test_numpys_clip_of_an_array_takes_bounds_that_need_a_gradient() -> None:
    low = Tensor([0.0, 2.0], requires_grad=True)
    y = np.ones(2).clip(low, 3.0)
    assert y.tolist() == [1.0, 2.0]
    y.sum().backward()
    assert low.grad.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("needed", [False, True])
def test_what_returns_nothing_loses_nothing(needed: bool) -> None:
    t = Tensor(X, requires_grad=needed)
    file, files = io.BytesIO(), io.BytesIO()
    np.save(file, t)
    np.savez(files, t, named=t)
    file.seek(0)
    files.seek(0)
    assert np.load(file).tolist() == X.tolist()
    loaded = np.load(files)
    assert loaded["arr_0"].tolist() == loaded["named"].tolist() == X.tolist()
    assert np.array2string(t, precision=1) == np.array2string(X, precision=1)


WRITES: list[Any] = [
    lambda t: np.put(t, 0, 5.0),
    lambda t: np.copyto(t, 5.0),
    lambda t: np.place(t, X > 0, 5.0),
    lambda t: np.putmask(t, X > 0, 5.0),
    lambda t: np.fill_diagonal(t, 5.0),
    lambda t: np.multiply.at(t, 0, 5.0),
    lambda t: np.add(X, X, out=t),
    lambda t: np.sum(Tensor(X), axis=0, out=t[0]),
    lambda t: np.add.reduce(X, out=t[0]),
    lambda t: np.fft.fft(X, out=t),
]


@pytest.mark.parametrize("write", WRITES)
def test_nothing_writes_into_a_tensor_past_the_engine(write: Any) -> None:
    t = Tensor(X)
    with pytest.raises((TypeError, ValueError), match=r"out=|a record|read-only"):
        write(t)
    assert t.tolist() == X.tolist()


def test_what_ours_does_not_take_numpys_does_for_constants() -> None:
    c = Tensor(X)
    out = np.zeros(2)
    assert np.sum(c, axis=0, out=out) is out
    assert out.tolist() == [5.0, 3.5]
    assert np.ravel(c, order="F").tolist() == [3.0, 2.0, 1.0, 2.5]
    assert np.add(c, 1.0, dtype=np.float32).dtype == np.float32
    a = np.ones(2)
    a += Tensor([1.0, 2.0])
    assert a.tolist() == [2.0, 3.0]
    with pytest.raises(TypeError, match=r"numpy\.add: array \+= t, or its like, would"):
        a += Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(TypeError, match=r"numpy\.add: out= would write"):
        np.add(1.0, Tensor([1.0, 2.0], requires_grad=True), out=a)


def test_a_tensor_in_a_container_of_another_kind_is_no_endless_loop() -> None:
    class Mine(tuple):
        __slots__ = ()

    with pytest.raises(TypeError, match="as they are, or in lists, tuples and dicts"):
        np.lexsort(Mine([Tensor(X[0]), Tensor(X[1])]))
