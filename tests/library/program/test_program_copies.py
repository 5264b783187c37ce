"""Copies that a program spares, and sums that it takes as products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.program import compile
from autograd_lib.program.rewrites import dead_code, no_copies, products
from autograd_lib.program.rewrites.reuse_memory import in_slots
from tests.library.program.test_program import numbers

SPARING = (no_copies, dead_code, in_slots(0))


def names(f: Any, *arrays: Any, passes: Any = SPARING) -> list[str]:
    """Return what a program of f calls, after comparing it with f twice."""
    compiled = compile(f, passes=passes)
    for factor in (1.0, -0.5):
        given = [factor * a for a in arrays]
        got, want = compiled(*given), f(*given)
        several = isinstance(want, tuple)
        for a, b in zip(*[r if several else (r,) for r in (got, want)], strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(a, b, rtol=1e-6)
    assert len(compiled.programs) == len(compiled.reasons) == 1
    return [call.name for call in compiled.programs[0].calls]


def test_a_product_reads_columns_without_a_copy() -> None:
    def f(x: Any, e: Any) -> Any:
        return x.T.copy() @ e

    assert names(f, numbers(5, 3), numbers(5, 2)) == ["transpose", "matmul"]
    # a write before the copy does not matter, one after it does
    assert "copy" not in names(lambda x: before(x * 2.0), numbers(5, 3))
    assert "copy" in names(lambda x: after(x * 2.0), numbers(5, 3))
    # every other row is no matrix for a product: that copy stays
    assert "copy" in names(lambda x, e: x[:, ::2].copy() @ e, numbers(3, 4), numbers(2))
    # nor is a copy spared that is returned, or that is not only for products
    both = lambda x: ((c := x.T.copy()) @ x, c)  # noqa: E731
    assert "copy" in names(both, numbers(5, 3))
    added = lambda x: (c := x.T.copy()) @ x + c.sum()  # noqa: E731
    assert "copy" in names(added, numbers(5, 3))


def test_a_copy_of_what_is_read_no_more_is_none() -> None:
    def f(x: Any) -> Any:
        y = (x * 2.0).copy()
        y[1] = 7.0
        return y.sum(), y

    def still_read(x: Any) -> Any:
        t = x * 2.0
        y = t.copy()
        y[1] = 7.0
        return y + t

    assert "copy" not in names(f, numbers(4))
    assert "copy" in names(still_read, numbers(4))
    assert "copy" in names(lambda x: writing(x.copy()), numbers(4))  # an input


def test_a_copy_that_is_spared_is_read_as_long_as_its_readers_live() -> None:
    def f(x: Any, e: Any) -> Any:
        t = x * 2.0
        turned = t.T.copy()  # for a product, so that t serves
        y = t.copy()  # the last to read t itself
        y[0] = 7.0
        return turned @ e, y

    assert names(f, numbers(4, 3), numbers(4, 2)).count("copy") == 1


def before(y: Any) -> Any:
    y[0] = 1.0
    return y.T.copy() @ y


def after(y: Any) -> Any:
    turned = y.T.copy()
    y[0] = 1.0
    return turned @ y


def writing(y: Any) -> Any:
    y[0] = 1.0
    return y


def test_writes_are_seen_by_what_is_read_after_them_alone() -> None:
    def overwritten_between(x: Any) -> Any:
        y, z = x * 1.5, np.zeros_like(x)
        t = y * 2.0
        y[0] = 5.0  # t was made of what was there before
        z[...] = t
        return z, y

    def shifted(x: Any) -> Any:
        y = x * 2.0
        y[1:] = y[:-1] + 1.0
        y[:-1] = y[1:] * y[:1]
        return y

    def turned(x: Any) -> Any:
        y = x * 2.0
        y[...] = y.T + y
        y[...] = np.matmul(y, y)
        return y

    for f, x in (
        *((overwritten_between, numbers(4)), (shifted, numbers(6))),
        (turned, numbers(3, 3)),
    ):
        assert names(f, x).count("setitem") == 2


def test_arrays_lie_in_slots_as_they_lay_when_recorded() -> None:
    def f(x: Any) -> Any:
        y = np.tanh(x.transpose(2, 0, 1))  # lies as x does
        z = y.transpose(1, 2, 0).reshape(-1)  # and so this is a view
        c = y.copy().reshape(y.shape[0], -1)
        return z * 2.0, c @ c.T, x[:, ::2].reshape(-1) + np.ones_like(z)[:16]

    compiled = compile(f, passes=SPARING)
    names(f, numbers(2, 3, 4))
    made = compiled.program(numbers(2, 3, 4))
    assert ".transpose(2, 0, 1)" in made.source[: made.source.index("def ")]
    tanh = next(c.out for c in made.calls if c.name == "tanh")
    assert tanh in [life.value for life in made.plan]
    assert not any(c.is_view and c.name == "copy" for c in made.calls)


ALONG: dict[str, Any] = {
    "sum of rows": lambda x: x.sum(axis=-1),
    "sum of columns": lambda x: x.sum(axis=0),
    "sum that keeps its axis": lambda x: x / x.sum(axis=-1, keepdims=True),
    "mean": lambda x: x.mean(axis=-1),
    "mean that keeps its axis": lambda x: x - x.mean(axis=(-1,), keepdims=True),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("f", ALONG.values(), ids=ALONG)
def test_sums_are_products_with_ones(f: Any, dtype: Any) -> None:
    called = names(f, numbers(4, 6, dtype=dtype), passes=(products,))
    assert "matmul" in called
    assert not {"add.reduce", "mean"} & set(called)
    x = numbers(4, 6, dtype=dtype)
    x[1, 2], x[2, 3], x[3, 0] = np.inf, np.nan, -np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(compile(f, passes=(products,))(x), f(x), rtol=1e-6)


def test_sums_that_are_left_to_numpy() -> None:
    for f, x in (
        (lambda x: x.sum(axis=-1), numbers(2, 2000)),  # added in pairs
        (lambda x: x.sum(axis=0), numbers(2, 3, 4)),
        (lambda x: x.sum(axis=0), numbers(5)),
        (lambda x: x[:, ::2].sum(axis=-1), numbers(3, 8)),
        (lambda x: (x > 0).sum(axis=-1), numbers(3, 4)),
        (lambda x: x.sum(axis=-1, dtype=np.float64), numbers(3, 4, dtype=np.float32)),
        (lambda x: x.sum(axis=(0, 1)), numbers(3, 4)),
    ):
        assert "matmul" not in names(f, x, passes=(products,))


def test_the_largest_of_a_reversed_array_goes_into_memory_that_is_there() -> None:
    """Before NumPy 2.2 it may not, since NumPy writes a wrong one there."""
    x = numbers(3, 4, 5)[:, ::-1, ::-1]
    compiled = compile(lambda x: x - x.max(axis=1, keepdims=True), passes=SPARING)
    np.testing.assert_array_equal(compiled(x), x - x.max(axis=1, keepdims=True))
