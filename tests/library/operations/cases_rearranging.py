"""Cases of `ops/rearranging.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X, V, ONE = normal(2, 3, 4), normal(3), normal()

CALLS = [
    ("flip", "all axes", np.flip, lambda x: x.flip(0, 1, 2)),
    ("flip", "axis 1", lambda x: np.flip(x, 1), lambda x: x.flip(1)),
    ("flip", "axes (0, -1)", lambda x: np.flip(x, (0, -1)), lambda x: x.flip(0, -1)),
    ("fliplr", "columns", np.fliplr, lambda x: x.flip(1)),
    ("flipud", "rows", np.flipud, lambda x: x.flip(0)),
    ("roll", "all in one row", lambda x: np.roll(x, 5), lambda x: x.roll(5)),
    ("roll", "axis 1", lambda x: np.roll(x, 1, axis=1), lambda x: x.roll(1, 1)),
    ("roll", "back", lambda x: np.roll(x, -2, axis=-1), lambda x: x.roll(-2, -1)),
    (
        "roll",
        "two axes",
        lambda x: np.roll(x, (1, -3), axis=(0, 2)),
        lambda x: x.roll((1, -3), (0, 2)),
    ),
    (
        "roll",
        "two axes, one shift",
        lambda x: np.roll(x, 1, axis=(0, 2)),
        lambda x: x.roll((1, 1), (0, 2)),
    ),
    *(
        (
            "rot90",
            f"k={k}, axes={axes}",
            lambda x, k=k, axes=axes: np.rot90(x, k, axes),
            lambda x, k=k, axes=axes: torch.rot90(x, k, axes),
        )
        for k, axes in [
            (0, (0, 1)),
            (1, (0, 1)),
            (2, (1, 2)),
            (3, (2, 0)),
            (-1, (1, 2)),
        ]
    ),
]

CASES: list[Case] = [
    *(
        case
        for name, about, f, theirs in CALLS
        for case in linear(f"numpy.{name}", about, f, X, torch=theirs)
    ),
    *(
        case
        for n in (1, 2, 3)
        for x in (ONE, V, normal(2, 3), X)
        for case in linear(
            f"numpy.atleast_{n}d",
            f"of shape {x.shape}",
            getattr(np, f"atleast_{n}d"),
            x,
            torch=lambda x, n=n: getattr(torch, f"atleast_{n}d")(x),
        )
    ),
    *linear(
        "Tensor.flatten",
        "a copy",
        lambda x: x.flatten(),
        X,
        torch=lambda x: x.flatten(),
    ),
]
