"""Cases of `ops/editing.py`, `ops/splitting.py`, and what is left of joining."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.cases_joining import two_parts
from tests.library.operations.forms import linear

X, V, W = normal(3, 4), normal(3), normal(2)
CUBE = normal(2, 4, 6)


def by_number(places: Any) -> Any:
    """Return PyTorch's way to take elements of all inputs, in a row, by number."""

    def take(*xs: Any) -> Any:
        return torch.cat([x.flatten() for x in xs])[torch.tensor(places)]

    return take


def inserted(places: Any, values: np.ndarray, axis: int | None) -> Any:
    """Return where NumPy puts the elements of a matrix and of values, by number."""
    numbers = np.arange(X.size).reshape(X.shape)
    added = X.size + np.arange(values.size).reshape(values.shape)
    return np.insert(numbers, places, added, axis)


CASES: list[Case] = [
    case
    for name, about, f, xs, theirs in [
        (
            "append",
            "in one row",
            np.append,
            (X, V),
            lambda x, v: torch.cat([x.flatten(), v]),
        ),
        (
            "append",
            "axis=1",
            lambda x, y: np.append(x, y, axis=1),
            (X, normal(3, 1)),
            lambda x, y: torch.cat([x, y], 1),
        ),
        (
            "delete",
            "a row",
            lambda x: np.delete(x, 1, 0),
            (X,),
            lambda x: x[[0, 2]],
        ),
        (
            "delete",
            "columns, some twice",
            lambda x: np.delete(x, [0, -1, 0], axis=-1),
            (X,),
            lambda x: x[:, 1:3],
        ),
        (
            "delete",
            "a slice of all",
            lambda x: np.delete(x, slice(None, None, 2)),
            (X,),
            lambda x: x.flatten()[1::2],
        ),
        (
            "delete",
            "by truth",
            lambda x: np.delete(x, [True, False, True], 0),
            (X,),
            lambda x: x[1:2],
        ),
        (
            "block",
            "a matrix of matrices",
            lambda x, y: np.block([[x, y], [y, x]]),
            (X, normal(3, 4, seed=1)),
            lambda x, y: torch.cat([torch.cat([x, y], 1), torch.cat([y, x], 1)]),
        ),
        (
            "block",
            "rows and a number",
            lambda x, y: np.block([x, 2.0, y]).astype(x.dtype),
            (V, W),
            lambda x, y: torch.cat([x, x.new_tensor([2.0]), y]),
        ),
        (
            "block",
            "a row below a matrix",
            lambda x, y: np.block([[x], [y]]),
            (X, normal(4)),
            lambda x, y: torch.cat([x, y[None]]),
        ),
        (
            "vsplit",
            "at indices",
            lambda x: np.vsplit(x, [1])[1],
            (X,),
            lambda x: torch.vsplit(x, (1,))[1],
        ),
        (
            "hsplit",
            "equal parts",
            lambda x: np.hsplit(x, 2)[0],
            (X,),
            lambda x: torch.hsplit(x, 2)[0],
        ),
        (
            "hsplit",
            "a row",
            lambda x: np.hsplit(x, [1])[1],
            (V,),
            lambda x: torch.hsplit(x, (1,))[1],
        ),
        (
            "dsplit",
            "equal parts",
            lambda x: np.dsplit(x, 3)[1],
            (CUBE,),
            lambda x: torch.dsplit(x, 3)[1],
        ),
        (
            "rollaxis",
            "the last to the front",
            lambda x: np.rollaxis(x, -1),
            (CUBE,),
            lambda x: x.permute(2, 0, 1),
        ),
        (
            "rollaxis",
            "the first before the last",
            lambda x: np.rollaxis(x, 0, -1),
            (CUBE,),
            lambda x: x.permute(1, 0, 2),
        ),
        (
            "extract",
            "where a mask holds",
            lambda x: np.extract(X > 0.0, x),
            (X,),
            lambda x: x[torch.tensor(X > 0.0)],
        ),
        (
            "choose",
            "of two and a row",
            lambda x, y: np.choose([[0, 1, 2, 0]] * 3, [x, y, x * 2.0]),
            (X, normal(4)),
            lambda x, y: torch.stack(
                [x[:, 0], y[1].expand(3), 2 * x[:, 2], x[:, 3]], 1
            ),
        ),
        (
            "select",
            "the first that holds",
            lambda x, y: np.select([X > 0.5, X > 0.0], [x, y], 0.0),
            (X, normal(4)),
            lambda x, y: torch.where(
                torch.tensor(X > 0.5), x, torch.where(torch.tensor(X > 0.0), y, 0.0)
            ),
        ),
        (
            "ravel",
            "by columns",
            lambda x: np.ravel(x, order="F"),
            (X,),
            lambda x: x.T.flatten(),
        ),
        (
            "reshape",
            "by columns",
            lambda x: x.reshape(2, -1, order="F"),
            (X,),
            lambda x: x.T.reshape(6, 2).T,
        ),
        (
            "take_along_axis",
            "of what is repeated",
            lambda x: np.take_along_axis(x, np.array([[1, 0], [2, 2], [0, 1]]), 1),
            (normal(1, 3),),
            lambda x: x[0][torch.tensor([[1, 0], [2, 2], [0, 1]])],
        ),
    ]
    for case in linear(f"numpy.{name}", about, f, *xs, torch=theirs)
]
for name, places, new, axis in (
    ("one element", 3, np.array(0.5), None),
    ("a row, a number for all of it", 1, np.array(0.5), 0),
    ("rows at several places", [0, 2, 2], normal(3, 4, seed=2), 0),
    ("a column", -1, V, 1),
    ("columns", [1, 1], normal(3, 2), 1),
):
    CASES += linear(
        "numpy.insert",
        name,
        lambda x, v, places=places, axis=axis: np.insert(x, places, v, axis),
        X,
        new,
        torch=by_number(inserted(places, new, axis)),
    )
if hasattr(np, "unstack"):  # since NumPy 2.1
    CASES.append(
        Case(
            "numpy.unstack",
            "columns",
            lambda x: two_parts(np.unstack(x, axis=-1)),
            (X,),
            torch=lambda x: two_parts(torch.unbind(x, -1)),
        )
    )
CASES += [
    Case(f"numpy.{name}", about, f, xs, torch=theirs)
    for name, about, f, xs, theirs in [
        (
            "broadcast_arrays",
            "a row and a column",
            lambda x, y: two_parts(np.broadcast_arrays(x, y)),
            (V, normal(2, 1)),
            lambda x, y: two_parts(torch.broadcast_tensors(x, y)),
        ),
    ]
]
for mode in ("edge", "reflect", "symmetric", "wrap"):
    for about, width in (("one", 1), ("wide", ((0, 3), (7, 2)))):
        places = np.pad(np.arange(X.size).reshape(X.shape), width, mode)  # type: ignore[arg-type]
        CASES += linear(
            "numpy.pad",
            f"{mode}, {about}",
            lambda x, width=width, mode=mode: np.pad(x, width, mode),
            X,
            torch=by_number(places),
        )
