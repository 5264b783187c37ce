"""Compares a program's results with the function's (chapter 22)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import is_plain
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.program.core.ir import Graph


def rounding(graph: Graph) -> float:
    """Return the machine epsilon of the coarsest dtype in a program."""
    values = [v for call in graph.calls for v in (*call.operands(), *call.outs)]
    kinds = {v.dtype for v in values if v.dtype.kind in "fc"}
    return max((float(np.finfo(kind).eps) for kind in kinds), default=0.0)


def difference(got: Any, want: Any, coarsest: float = 0.0) -> str:
    """Describe how two results differ by more than rounding, or return "".

    The tolerance is half the digits of the largest number in all results: sums may be
    taken in another order, and terms that cancel may be of any size.
    """
    leaves, structure = tree.flatten(got)
    others, expected = tree.flatten(want)
    if structure != expected:
        return f"a tree of {len(leaves)} leaves for one of {len(others)}"
    pairs = [(arrays_of(a), arrays_of(b)) for a, b in zip(leaves, others, strict=True)]
    largest: float | None = None
    for path, x, y, (a, b) in zip(structure.paths, leaves, others, pairs, strict=True):
        if a is None or b is None:
            if x is y or (is_plain(x) and type(x) is type(y) and x == y):
                continue
            return f"{x!r:.60} for {y!r:.60}{at(path)}"
        if (a.shape, a.dtype) != (b.shape, b.dtype):
            return f"{a.dtype} {a.shape} for {b.dtype} {b.shape}{at(path)}"
        far = a != b
        if not far.any():
            continue
        if a.dtype.kind in "fc":
            if largest is None:
                numbers = [
                    n for _, n in pairs if n is not None and n.dtype.kind in "fc"
                ]
                largest = max(map(size_of, numbers), default=0.0)
            eps = max(coarsest, float(np.finfo(a.dtype).eps))
            with np.errstate(all="ignore"):
                far &= ~(np.abs(a - b) <= eps**0.5 * largest + eps)
        far &= (a == a) | (b == b)  # NaN is NaN
        if far.any():
            first = tuple(map(int, np.argwhere(far)[0]))
            return f"{a[first]} for {b[first]}{at(path)}{at(first)}"
    return ""


def size_of(a: np.ndarray) -> float:
    """Return the largest magnitude of finite numbers."""
    sizes = np.abs(a)
    largest = float(np.max(sizes, initial=0))
    if math.isfinite(largest):
        return largest
    return float(np.max(sizes, initial=0, where=np.isfinite(sizes)))


def at(place: Any) -> str:
    """Return the words for a place in a result, "" for the whole."""
    return f" at {place}" if place else ""


def arrays_of(x: Any) -> np.ndarray | None:
    """Return a numeric leaf as an array, or None for another leaf."""
    a = x._array if type(x) is Tensor else x
    known = isinstance(a, np.ndarray | np.generic) or type(a) in (
        int,
        float,
        bool,
        complex,
    )
    return np.asarray(a) if known else None
