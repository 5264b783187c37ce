"""Cases of `ops/joining.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

A, B, C = normal(2, 3), normal(2, 3, seed=1), normal(1, 3)
V, W, ONE = normal(3), normal(3, seed=1), normal()
PLAIN = np.ones((2, 3))


def torch_of(name: str) -> Any:
    return lambda *xs: getattr(torch, name)(xs)


def two_parts(parts: Any) -> Any:
    """Return something that each part goes into with another weight."""
    return sum((i + 1.0) * (part * part).sum() for i, part in enumerate(parts))


CASES: list[Case] = [
    *(
        case
        for name, f, xs, theirs in [
            (
                "concatenate: a list",
                lambda x, y: np.concatenate([x, y]),
                (A, C),
                lambda x, y: torch.cat([x, y]),
            ),
            (
                "concatenate: a tuple, axis 1",
                lambda x, y: np.concatenate((x, y), axis=1),
                (A, B),
                lambda x, y: torch.cat([x, y], 1),
            ),
            (
                "concatenate: axis -2",
                lambda x, y: np.concatenate((x, y), axis=-2),
                (A, B),
                lambda x, y: torch.cat([x, y], -2),
            ),
            (
                "concatenate: all elements",
                lambda x, y: np.concatenate((x, y), axis=None),
                (A, V),
                lambda x, y: torch.cat([x.flatten(), y]),
            ),
            (
                "concatenate: one tensor twice",
                lambda x: np.concatenate([x, x * 2.0, x]),
                (A,),
                lambda x: torch.cat([x, x * 2.0, x]),
            ),
            (
                "concatenate: the rows of one",
                lambda x: np.concatenate(x),
                (A,),
                lambda x: x.flatten(),
            ),
            (
                "concatenate: an empty one",
                lambda x, y: np.concatenate([x, y]),
                (A, normal(0, 3)),
                lambda x, y: torch.cat([x, y]),
            ),
            (
                "stack: a list",
                lambda x, y: np.stack([x, y]),
                (A, B),
                lambda x, y: torch.stack([x, y]),
            ),
            (
                "stack: a tuple, axis -1",
                lambda x, y: np.stack((x, y), axis=-1),
                (A, B),
                lambda x, y: torch.stack([x, y], -1),
            ),
            (
                "stack: numbers",
                lambda x: np.stack([x, x * x]),
                (ONE,),
                lambda x: torch.stack([x, x * x]),
            ),
            ("vstack: rows", lambda *xs: np.vstack(xs), (V, W), torch_of("vstack")),
            ("vstack: a row", lambda *xs: np.vstack(xs), (A, V), torch_of("vstack")),
            ("hstack: rows", lambda *xs: np.hstack(xs), (V, W), torch_of("hstack")),
            ("hstack: matrices", lambda *xs: np.hstack(xs), (A, B), torch_of("hstack")),
            ("dstack: rows", lambda *xs: np.dstack(xs), (V, W), torch_of("dstack")),
            ("dstack: matrices", lambda *xs: np.dstack(xs), (A, B), torch_of("dstack")),
            (
                "column_stack: rows",
                lambda *xs: np.column_stack(xs),
                (V, W),
                torch_of("column_stack"),
            ),
            (
                "column_stack: mixed",
                lambda *xs: np.column_stack(xs),
                (A, normal(2)),
                torch_of("column_stack"),
            ),
        ]
        for case in linear(
            f"numpy.{name.split(': ')[0]}", name.split(": ")[1], f, *xs, torch=theirs
        )
    ),
    *(
        case
        for name in ("concatenate", "stack", "vstack", "hstack", "dstack")
        for case in linear(
            f"numpy.{name}",
            "with a plain array",
            lambda x, name=name: getattr(np, name)([PLAIN.astype(x.dtype), x]),
            A,
            torch=lambda x, name=name: getattr(torch, name)(
                [torch.tensor(PLAIN).to(x), x]
            ),
        )
    ),
    *(
        Case(f"numpy.{name}", about, f, (normal(4, 5),), torch=theirs)
        for name, about, f, theirs in [
            (
                "split",
                "equal parts",
                lambda x: two_parts(np.split(x, 2)),
                lambda x: two_parts(x.split(2)),
            ),
            (
                "split",
                "at indices, axis -1",
                lambda x: two_parts(np.split(x, [1, 3], axis=-1)),
                lambda x: two_parts(torch.tensor_split(x, (1, 3), -1)),
            ),
            (
                "split",
                "at indices out of order",
                lambda x: two_parts(np.split(x, [3, 1, 9])),
                lambda x: two_parts(torch.tensor_split(x, (3, 1, 9))),
            ),
            (
                "array_split",
                "unequal parts",
                lambda x: two_parts(np.array_split(x, 3, axis=1)),
                lambda x: two_parts(torch.tensor_split(x, 3, 1)),
            ),
            (
                "array_split",
                "more parts than rows",
                lambda x: two_parts(np.array_split(x, 6)),
                lambda x: two_parts(torch.tensor_split(x, 6)),
            ),
        ]
    ),
    *(
        Case(
            "numpy.meshgrid",
            f"{indexing}, {len(xs)} inputs",
            lambda *xs, indexing=indexing: two_parts(
                np.meshgrid(*xs, indexing=indexing)
            ),
            xs,
            torch=lambda *xs, indexing=indexing: two_parts(
                torch.meshgrid(*xs, indexing=indexing)
            ),
        )
        for indexing in ("xy", "ij")
        for xs in [(V,), (V, normal(2)), (V, normal(2), normal(4))]
    ),
    Case(
        "numpy.meshgrid",
        "in order",
        lambda x, y: np.stack(np.meshgrid(x, y)) ** 2,
        (V, normal(2)),
        torch=lambda x, y: torch.stack(torch.meshgrid(x, y, indexing="xy")) ** 2,
    ),
]
