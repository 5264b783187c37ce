"""Cases of `ops/windows.py`."""

from __future__ import annotations

from typing import Any

from numpy.lib.stride_tricks import sliding_window_view

from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

V, M, T = normal(6), normal(4, 5), normal(2, 4, 3)

# The last list has for each window length its axis, for PyTorch's unfold.
WINDOWS = [
    ("of a vector", 3, None, V, [(0, 3)]),
    ("as long as the vector", 6, None, V, [(0, 6)]),
    ("of one element", 1, None, V, [(0, 1)]),
    ("of a matrix", (2, 3), None, M, [(0, 2), (1, 3)]),
    ("along axis 0", 3, 0, M, [(0, 3)]),
    ("along axis -1", 2, -1, M, [(-1, 2)]),
    ("along two axes", (2, 3), (2, 1), T, [(2, 2), (1, 3)]),
    ("of windows of one axis", (2, 3), (1, 1), M, [(1, 2), (1, 3)]),
    ("along no axis", (), (), M, []),
    ("of no rows", 1, 1, normal(0, 2), [(1, 1)]),
]


def unfolded(sides: list[tuple[int, int]]) -> Any:
    def f(x: Any) -> Any:
        for axis, length in sides:
            axis = axis if axis >= 0 else axis + x.ndim
            x = x.unfold(axis, length, 1)
        return x

    return f


CASES: list[Case] = [
    case
    for name, lengths, axis, x, sides in WINDOWS
    for case in linear(
        "numpy.lib.stride_tricks.sliding_window_view",
        name,
        lambda x, lengths=lengths, axis=axis: sliding_window_view(x, lengths, axis),
        x,
        torch=unfolded(sides),
    )
]
