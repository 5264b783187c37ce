"""Cases of `ops/in_place.py`: each writes into a result, since leaves refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.library.operations.case import Case, normal, positive

A, B, ROW = normal(3, 4), normal(3, 4, seed=1), normal(4)


def after(write: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes into twice its argument, and returns that."""

    def f(x: Any, *others: Any) -> Any:
        y = x * 2.0
        kept = write(y, *others)
        return y if kept is None else kept

    return f


def add(y: Any, z: Any) -> None:
    y += z


def subtract(y: Any, z: Any) -> None:
    y -= z


def multiply(y: Any, z: Any) -> None:
    y *= z


def divide(y: Any, z: Any) -> None:
    y /= z


def power(y: Any) -> None:
    y **= 3


def remainder(y: Any, z: Any) -> None:
    y %= z


def product(y: Any, z: Any) -> Any:
    y @= z  # PyTorch makes a new tensor
    return y


def put_row(y: Any, z: Any) -> None:
    y[1] = z


def put_number(y: Any) -> None:
    y[:, 1:3] = 7.0


def add_to_part(y: Any, z: Any) -> None:
    y[0] += z


def multiply_view(y: Any, z: Any) -> None:
    view = y.T[1:]
    view *= z


def read_view(y: Any, z: Any) -> Any:
    view = y[0]
    y *= z
    return view * view


def fill_row(y: Any, z: Any) -> None:
    y[0].fill(z)


ROWS, PLACES = np.array([2, 0, 2]), np.array([[1], [3], [0]])


def add_rows(y: Any, z: Any) -> None:
    np.add.at(y, ROWS, z)


def subtract_rows(y: Any, z: Any) -> None:
    np.subtract.at(y, ROWS, z)


def put_in_lines(y: Any, z: Any) -> None:
    np.put_along_axis(y, PLACES, z, 1)


def index_add(y: Any, z: Any) -> Any:
    return y.index_add(0, y.new_tensor(ROWS).long(), z)


def index_subtract(y: Any, z: Any) -> Any:
    return y.index_add(0, y.new_tensor(ROWS).long(), z, alpha=-1)


def scatter(y: Any, z: Any) -> Any:
    return y.scatter(1, y.new_tensor(PLACES).long(), z)


def fill_row_of_pytorch(y: Any, z: Any) -> None:
    y[0].fill_(z)


def case(
    operator: str, name: str, write: Callable[..., Any], *others: Any, **more: Any
) -> Case:
    """Return a case that calls the same code on PyTorch's tensors."""
    f = after(write)
    return Case(f"Tensor.{operator}", name, f, (A, *others), f, **more)


CASES = [
    Case(
        "numpy.put_along_axis",
        "a number in each row",
        after(put_in_lines),
        (A, normal(3, 1)),
        after(scatter),
    ),
    Case(
        "Tensor.__iadd__",
        "np.add.at: a row twice",
        after(add_rows),
        (A, normal(3, 4, seed=2)),
        after(index_add),
    ),
    Case(
        "Tensor.__isub__",
        "np.subtract.at: a row twice",
        after(subtract_rows),
        (A, normal(3, 4, seed=2)),
        after(index_subtract),
    ),
    case("__iadd__", "equal shapes", add, B),
    case("__iadd__", "a row", add, ROW),
    case("__isub__", "a row", subtract, ROW),
    case("__imul__", "equal shapes", multiply, B),
    case("__imul__", "through a view of a view", multiply_view, normal(3, 3)),
    case("__imul__", "a view sees it", read_view, B),
    case("__itruediv__", "equal shapes", divide, positive(3, 4)),
    case("__ipow__", "a whole number", power),
    case("__imod__", "a row", remainder, positive(4), complex_step=False),
    case("__imatmul__", "a matrix", product, normal(4, 4)),
    Case(
        "Tensor.fill",
        "a row, which is a view",
        after(fill_row),
        (A, np.asarray(0.7)),
        after(fill_row_of_pytorch),
    ),
    case("__setitem__", "a row", put_row, ROW),
    case("__setitem__", "a number", put_number),
    case("__setitem__", "adding to a row", add_to_part, ROW),
    Case(
        "Tensor.__setitem__",
        "an index that repeats: the last one counts",
        after(lambda y, z: y.__setitem__(([0, 0, 2], [1, 1, 3]), z)),
        (A, normal(3)),
        why_no_torch="PyTorch leaves it open which of them counts",
    ),
]
