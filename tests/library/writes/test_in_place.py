"""Writes into tensors, against the same calculation without any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.witness_of_writes import (
    OUT_OF_PLACE,
    OUT_OF_PLACE_OPERATORS,
    assert_same,
    first_and_second,
    leaf,
    setitem_by_choice,
    weights,
)
from tests.library.helpers.written_programs import (
    IN_PLACE,
    OPERATORS,
    STEPS,
    WHOLE,
    P,
    X,
    change,
    run,
)

INDICES: dict[str, Any] = {
    "row": 1,
    "row from the end": -1,
    "element": (1, 2),
    "all": ...,
    "slice": slice(0, 2),
    "step": (slice(None), slice(None, None, 2)),
    "backwards": slice(None, None, -1),
    "new axis": (None, 1),
    "column, with dots": (..., 0),
    "mask": X > 0.2,
    "mask of rows": np.array([True, False, True]),
    "list": [2, 0],
    "list of nothing": [],
    "two lists": ([0, 1], [3, 2]),
    "outer": (np.array([[0], [2]]), np.array([1, 3])),
    "list and slice": (slice(None), [0, 3]),
    "repeated": [1, 1],
    "repeated, by columns": np.asfortranarray([[0, 1], [1, 2]]),
    "tensor": Tensor([2, 1]),
}


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
@pytest.mark.parametrize("layout", ["by rows", "by columns"])
@pytest.mark.parametrize("value", ["of its shape", "one number"])
def test_setitem_is_a_choice_of_old_and_new(
    index: Any, layout: str, value: str
) -> None:
    part = np.empty((3, 4))[getattr(index, "data", index)]
    v = leaf(0.3 + weights(part.shape) if value == "of its shape" else 0.8)
    x = leaf(X if layout == "by rows" else X.T.copy())

    def start(x: Any) -> Any:
        return x * x if layout == "by rows" else (x * x).T

    def in_place(x: Any, v: Any) -> list[Any]:
        y = start(x)
        y[index] = np.sin(v)
        return [y]

    got = first_and_second(in_place, x, v)
    right = first_and_second(
        lambda x, v: [setitem_by_choice(start(x), index, np.sin(v))], x, v
    )
    assert_same(got, right)


@pytest.mark.parametrize("index", [WHOLE, *INDICES.values()], ids=["whole", *INDICES])
@pytest.mark.parametrize("symbol", OUT_OF_PLACE_OPERATORS)
def test_operators_are_those_that_make_new_tensors(symbol: str, index: Any) -> None:
    v = leaf(1.7)

    def in_place(x: Any, v: Any) -> list[Any]:
        y = x * x + 0.3
        z = y[1:]
        if index is WHOLE:
            y = change(y, symbol, v)
        else:
            y[index] = change(y[index], symbol, v)
        return [y, z]

    def out_of_place(x: Any, v: Any) -> list[Any]:
        y = x * x + 0.3
        whole = index is WHOLE
        new = OUT_OF_PLACE_OPERATORS[symbol](y if whole else y[index], v)
        y = new if whole else setitem_by_choice(y, index, new)
        return [y, y[1:]]

    x = leaf(X)
    assert_same(first_and_second(in_place, x, v), first_and_second(out_of_place, x, v))


def test_a_write_through_a_view_of_a_view_reaches_all() -> None:
    def in_place(x: Any) -> list[Any]:
        y = x * 2.0
        rows, columns = y[1:], y.T
        inner = columns.reshape(2, 2, 3)[1:, :, ::2]
        inner *= x[0, 0]
        rows[0] += 1.0
        return [y, rows, columns, inner]

    def out_of_place(x: Any) -> list[Any]:
        y = x * 2.0
        factors = np.zeros((3, 4))
        factors[::2, 2:] = 1.0
        y = y * (factors * x[0, 0] + (1.0 - factors)) + np.array([[0.0], [1], [0]])
        return [y, y[1:], y.T, y.T.reshape(2, 2, 3)[1:, :, ::2]]

    assert_same(*(first_and_second(f, leaf(X)) for f in (in_place, out_of_place)))


LAYOUTS: list[Callable[[Any], Any]] = [
    lambda y: y,
    lambda y: y.T,
    lambda y: y[::-1],
    lambda y: y[:, :1],
    lambda y: y[0, ::2],
    lambda y: y[1],
    lambda y: y[:1, 1:],
]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("part", LAYOUTS)
def test_ravel_is_a_view_where_numpys_is(part: Any, order: Any) -> None:
    x = Tensor(np.arange(1.0, 7.0).reshape(2, 3), True)
    y, right = x * 1, x.data * 1
    row, right_row = np.ravel(part(y), order), np.ravel(part(right), order)
    y *= 2
    right *= 2
    np.testing.assert_array_equal(row.data, right_row)
    row.sum().backward()
    factor = 1 + np.may_share_memory(right, right_row)
    expected = np.where(np.isin(x.data * factor, right_row), factor, 0)
    np.testing.assert_array_equal(x.grad.data, expected)


def test_a_reshape_that_copies_is_no_view() -> None:
    x = leaf(X)
    y = x * 1.0
    flat = y.T.reshape(-1)
    flat[0] = 9.0
    assert y.data[0, 0] == X[0, 0]
    y.sum().backward()
    assert x.grad is not None and (x.grad.data == 1).all()


def test_memory_in_another_order_makes_no_difference() -> None:
    x = leaf(X)
    y = (
        x.T * 2.0
    )  # in memory by columns, so y.T.reshape is a view; not so in a gradient
    y.T.reshape(-1)[:5] = 0.0
    y.sum().backward()
    expected = [[0.0, 0, 0, 0], [0, 2, 2, 2], [2, 2, 2, 2]]
    assert x.grad is not None and x.grad.tolist() == expected


def test_what_was_written_over_has_gradient_zero_even_where_it_was_infinite() -> None:
    x, v = leaf([1.0, 2.0]), leaf([0.0, 0.0])
    y = x * 1.0
    y[:1] = 0.0
    y[[1, 1]] = v
    with np.errstate(divide="ignore"):
        (1.0 / y).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0, 0]
    assert v.grad is not None and v.grad.tolist() == [0, -np.inf]


def test_a_value_may_have_more_axes_than_its_place() -> None:
    x, v = leaf(X), leaf(np.ones((1, 1, 4)))
    y = x * 1.0
    y[0] = v * 2.0
    y.sum().backward()
    assert v.grad is not None and v.grad.tolist() == [[[2.0] * 4]]


def test_of_values_laid_out_by_columns_the_last_by_rows_counts() -> None:
    index = np.asfortranarray([[0, 1], [1, 2]])
    v = leaf(np.array([[1.0, 2.0], [3.0, 4.0]]))
    y = leaf(np.zeros(3)) * 1.0
    y[index] = v.T.copy(order="C").T * 1.0
    assert y.data.tolist() == [1.0, 3.0, 4.0]
    y.sum().backward()
    assert v.grad is not None and v.grad.tolist() == [[1.0, 0.0], [1.0, 1.0]]


def test_a_tensor_that_got_another_array_shows_no_write_into_the_old() -> None:
    x = leaf(X)
    y = x * 1.0
    view = y[1:]
    y.data = X + 1.0
    view[...] = 0.0
    y.sum().backward()
    assert x.grad is not None and (x.grad.data == 1.0).all()


def test_a_write_under_no_grad_is_not_recorded() -> None:
    x = leaf(X)
    with no_grad():
        x -= 1.0
        x[0] = 5.0
    assert x.is_leaf and x.requires_grad
    np.testing.assert_array_equal(x.data[1:], X[1:] - 1.0)
    assert (x.data[0] == 5.0).all()


@pytest.mark.filterwarnings("ignore:.*met one of float32")
def test_values_that_need_gradients_make_a_constant_a_result() -> None:
    v = leaf([1.0, 2.0])
    t = Tensor(np.zeros((2, 2), np.float32))
    t[1] = v
    t *= v
    (t * [[1.0, 10.0], [100.0, 1000.0]]).sum().backward()
    assert t.dtype == np.float32 and not t.is_leaf
    assert v.grad is not None and v.grad.tolist() == [200.0, 4000.0]
    shared = np.zeros(2)
    with pytest.raises(RuntimeError, match="other tensors or arrays show the same"):
        from_numpy(shared)[:] = v
    assert shared.tolist() == [0.0, 0.0]


def test_change_without_gradients_is_that_of_numpy() -> None:
    for symbol in OPERATORS:
        t, a = Tensor(X), X.copy()
        assert change(t, symbol, [1.0, 2.0, 3.0, 4.0]) is t
        change(a, symbol, np.array([1.0, 2.0, 3.0, 4.0]))
        np.testing.assert_array_equal(t.data, a)


@settings(max_examples=300)
@given(STEPS)
def test_programs_of_writes_are_those_without(program: Any) -> None:
    x, p = leaf(X), leaf(P)
    got = first_and_second(lambda x, p: run(program, IN_PLACE, x, p), x, p)
    right = first_and_second(lambda x, p: run(program, OUT_OF_PLACE, x, p), x, p)
    assert_same(got, right)


OTHERS: dict[str, Any] = {
    "itself": lambda y: y,
    "turned": lambda y: y.T,
    "its row": lambda y: y[:1],
    "detached": lambda y: y.detach(),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("symbol", OUT_OF_PLACE_OPERATORS)
def test_a_tensor_changed_by_what_shows_it(symbol: str, other: Any) -> None:
    def in_place(x: Any) -> list[Any]:
        return [change(y := x * x + 0.5, symbol, other(y))]

    def out_of_place(x: Any) -> list[Any]:
        return [OUT_OF_PLACE_OPERATORS[symbol](y := x * x + 0.5, other(y))]

    x = leaf(X[:, :3])
    assert_same(first_and_second(in_place, x), first_and_second(out_of_place, x))
