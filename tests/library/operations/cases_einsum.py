"""Cases of `ops/einsum.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

# Subscripts and shapes; PyTorch's own subscripts where it has others.
TABLE: dict[str, tuple[Any, ...]] = {
    "two matrices": ("ij,jk->ik", (2, 3), (3, 4)),
    "two matrices, implicit": ("ij,jk", (2, 3), (3, 4)),
    "implicit, in alphabetical order": ("bc,ca", (2, 3), (3, 2)),
    "implicit transpose": ("ba", (2, 3)),
    "with spaces": (" ij , jk -> ik ", (2, 3), (3, 4)),
    "transpose": ("ij->ji", (2, 3)),
    "the same": ("ij->ij", (2, 3)),
    "sum of all": ("ij->", (2, 3)),
    "sum of rows": ("ij->i", (2, 3)),
    "trace": ("ii->", (3, 3)),
    "trace, implicit": ("ii", (3, 3)),
    "diagonal": ("ii->i", (3, 3)),
    "diagonal of a batch": ("bii->bi", (2, 3, 3)),
    "diagonal of three axes": ("iii->i", (2, 2, 2)),
    "two diagonals, turned": ("ijij->ji", (2, 3, 2, 3)),
    "diagonal and sum": ("iij->i", (2, 2, 3)),
    "diagonal times a vector": ("ii,i->i", (3, 3), (3,)),
    "both diagonals": ("ii,jj->ij", (2, 2), (3, 3)),
    "a letter that one operand has alone": ("ij,k->k", (2, 3), (2,)),
    "outer product": ("i,j->ij", (2,), (3,)),
    "inner product": ("i,i->", (3,), (3,)),
    "product by element": ("ij,ij->ij", (2, 3), (2, 3)),
    "three operands": ("ij,jk,kl->il", (2, 3), (3, 2), (2, 2)),
    "bilinear form": ("i,ij,j->", (2,), (2, 3), (3,)),
    "four operands, one letter": ("i,i,i,i->i", (3,), (3,), (3,), (3,)),
    "heads of attention": ("bqhd,bkhd->bhqk", (2, 2, 2, 3), (2, 3, 2, 3)),
    "capital letters": ("Ij,jK->KI", (2, 3), (3, 2)),
    "a number": (",i->i", (), (3,)),
    "ellipsis": ("...ij,...jk->...ik", (2, 2, 3), (2, 3, 2)),
    "ellipsis, implicit": ("...ij,...jk", (2, 2, 3), (2, 3, 2)),
    "ellipsis that is broadcast": ("...i,...i->...", (2, 1, 3), (4, 3)),
    "ellipsis in one operand": ("...ij,jk->...ik", (2, 2, 3), (3, 2)),
    "ellipsis in the middle": ("i...j,j->...i", (2, 3, 4), (4,)),
    "ellipsis that stands for nothing": ("...i,i->...", (3,), (3,)),
    "ellipsis and diagonal": ("...ii->...i", (2, 3, 3)),
    "ellipsis moved to the end": ("...i->i...", (2, 3, 2)),
    "broadcast axis of length 1": ("ij,ij->ij", (1, 3), (2, 3)),
    "broadcast and summed": ("ij,ij->", (2, 1), (2, 3)),
    "broadcast both ways": ("ij,ij->j", (1, 3), (2, 1)),
    "axis of length 0": ("ij,jk->ik", (2, 0), (0, 3)),
    "no elements": ("ij->j", (0, 3)),
}

# Axes of each operand, those of the result if they are given, and shapes.
LISTS: dict[str, tuple[Any, Any, Any]] = {
    "two matrices": (([0, 1], [1, 2]), [[0, 2]], ((2, 3), (3, 4))),
    "implicit": (([5, 2], [2, 1]), [], ((2, 3), (3, 4))),
    "implicit, numbers above 25": (([27, 3],), [], ((2, 3),)),
    "a diagonal": (((1, 1),), [(1,)], ((3, 3),)),
    "ellipsis": (([..., 0], [0, ...]), [[...]], ((2, 3), (3, 2))),
    "a number": (([], [0]), [[0]], ((), (3,))),
}


def joined(operands: Any, axes: Any) -> list[Any]:
    """Return each operand with its axes after it."""
    return [item for pair in zip(operands, axes, strict=True) for item in pair]


def case(name: str, subscripts: str, *shapes: Any, **options: Any) -> Case:
    """Return a case of these shapes, with options of NumPy alone."""
    return Case(
        "numpy.einsum",
        name,
        lambda *x: np.einsum(subscripts, *x, **options),
        tuple(normal(*shape, seed=i) for i, shape in enumerate(shapes)),
        lambda *x: torch.einsum(subscripts, *x),
    )


CASES = [
    *(case(name, *row) for name, row in TABLE.items()),
    *(
        Case(
            "numpy.einsum",
            f"lists of axes, {name}",
            lambda *x, axes=axes, more=more: np.einsum(*joined(x, axes), *more),
            tuple(normal(*shape, seed=i) for i, shape in enumerate(shapes)),
            lambda *x, axes=axes, more=more: torch.einsum(*joined(x, axes), *more),
        )
        for name, (axes, more, shapes) in LISTS.items()
    ),
    case(
        "optimize=True",
        "ij,jk,kl->il",
        *((2, 3), (3, 2), (2, 2)),
        optimize=True,
    ),
    case("optimize=True, ellipsis", "...ij,jk", (2, 2, 3), (3, 2), optimize=True),
    Case(
        "numpy.einsum",
        "one tensor twice",
        lambda x: np.einsum("ij,ji->i", x, x),
        (normal(3, 3),),
        lambda x: torch.einsum("ij,ji->i", x, x),
    ),
    Case(
        "numpy.einsum",
        "an array among the operands",
        lambda x: np.einsum("i,ij->j", np.arange(3).astype(x.dtype), x),
        (normal(3, 2),),
        lambda x: torch.einsum("i,ij->j", torch.arange(3, dtype=x.dtype), x),
    ),
]
