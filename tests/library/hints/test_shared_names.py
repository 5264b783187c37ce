"""A name that NumPy and PyTorch share leads to NumPy's; so both must mean the same."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.spelling import sentences

A = np.array(
    [[-100.0, -2.5, 0.0, 0.25], [0.75, 1.5, 100.0, 3.0], [-0.5, 0.0, -7.0, 20.5]]
)
B = np.abs(A) / 7 + 0.3
ROW, SQUARE = A[0] + 0.5, A[:, :3]
CALLS: list[tuple[Any, ...]] = [
    *((A,), (A, 1), (A, 0, 1), (A, B), (A, B, 1), (A, 2), (A, (1, 0)), (A, (3, 4))),
    *((ROW,), (ROW, 2), (ROW, ROW + 1), (SQUARE,), (SQUARE, SQUARE + 1)),
    *(([A, B],), ([A, B], 1), ((2, 3),), (3,), (A > 0, B > 1)),
    (np.array([5, 2]), np.array([3, 4])),
]
OTHERWISE = {
    "arctan2": "of truth values, which NumPy takes to float16",
    "atan2": "likewise",
    "atleast_1d": "a number is no second tensor there",
    "atleast_2d": "likewise",
    "atleast_3d": "likewise",
    "empty_like": "what stands in the memory by chance",
    "reciprocal": "of a whole number, which is a float there",
    "sinc": "likewise",
}


def numbers(found: Any) -> list[np.ndarray]:
    if isinstance(found, tuple | list):
        return [a for part in found for a in numbers(part)]
    return [np.asarray(found.detach() if hasattr(found, "detach") else found)]


def agree(found: list[np.ndarray], expected: list[np.ndarray]) -> bool:
    return [a.shape for a in found] == [a.shape for a in expected] and all(
        np.allclose(a, b, equal_nan=True)
        for a, b in zip(found, expected, strict=True)
        if a.dtype.kind in "fiub"
    )


def test_a_name_of_both_that_no_hint_explains_gives_the_same() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    def theirs(x: Any) -> Any:
        x = list(map(theirs, x)) if isinstance(x, list) else x
        return torch.tensor(x) if isinstance(x, np.ndarray) else x

    explained = {*sentences()["autograd_lib"], *ag.__all__, *OTHERWISE}
    compared, different = 0, []
    for name in sorted({*dir(torch)} & {*dir(np)} - explained):
        ours, other = getattr(np, name), getattr(torch, name)
        if name.startswith("_") or isinstance(ours, type) or not callable(ours):
            continue
        for arguments in CALLS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:  # what either refuses is no other meaning
                    found = numbers(ours(*arguments))
                    expected = numbers(other(*map(theirs, arguments)))
                except Exception:
                    continue
            compared += 1
            if not agree(found, expected):
                different.append((name, [np.shape(x) for x in arguments]))
    assert different == []
    assert compared > 400
