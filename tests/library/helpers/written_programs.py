"""Programs of writes, views and reads, to run in several ways.

A program is a list of steps of small whole numbers, which `hypothesis` draws. What a
number means depends on the shapes at hand, so every list is a program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

X = np.cos(np.arange(12.0)).reshape(3, 4)
P = np.array(0.7)

VIEWS: list[tuple[str, Callable[[Any], Any]]] = [
    ("[1:]", lambda t: t[1:]),
    ("[..., ::2]", lambda t: t[..., ::2]),
    ("[..., -1:]", lambda t: t[..., -1:]),
    ("[:, None]", lambda t: t[:, None]),
    ("reshape(-1)", lambda t: t.reshape(-1)),
    ("T", lambda t: t.T if t.ndim == 2 else t[None]),
    ("swapaxes", lambda t: t.swapaxes(0, -1)),
    ("[0]", lambda t: t[0]),
]
WHOLE = 0  # the index that stands for the tensor itself: `t += v`, not `t[...] += v`
OPERATORS = ["=", "+=", "-=", "*=", "/="]
STEPS = st.lists(st.tuples(*[st.integers(0, 99)] * 5), min_size=2, max_size=12)
VALUES = ["number", "row", "leaf", "sum of another", "another", "itself", "shifted"]
CHANGING = VALUES[4:]
"""Values that may change before they are used: products take them near one."""


def index_for(shape: tuple[int, ...], number: int, repeated: bool) -> Any:
    """Return an index for a tensor of this shape, of the kind with this number."""
    last = shape[0] - 1
    kinds = [
        ...,
        slice(1, None) if last else slice(None),
        (..., 0),
        (slice(None, None, 2), ...),
        np.arange(int(np.prod(shape))).reshape(shape) % 3 == 0,
        np.array([last, 0][: 1 + (last > 0)]),
        (..., np.array([0, shape[-1] - 1][: 1 + (shape[-1] > 1)])),
    ]
    if repeated:
        kinds.append(np.array([[0, last], [last, 0]]))
    return kinds[number % len(kinds)]


@dataclass
class Way:
    """One way to run programs: how to make a start, and how to write.

    Attributes:
        start: returns the tensors to begin with, of two leaves.
        view: returns a view of tensor k, a function applied to it.
        read: returns the values of tensor k.
        write: writes: tensor k, an index, an operator, a value.
    """

    start: Callable[[Any, Any], list[Any]]
    view: Callable[[list[Any], int, Callable[[Any], Any]], Any]
    read: Callable[[list[Any], int], Any]
    write: Callable[[list[Any], int, Any, str, Any], None]


def start(x: Any, p: Any) -> list[Any]:
    """Return two results, one laid out by rows and one by columns."""
    return [x * 1.5, x.transpose(1, 0) * p]


def write(tensors: list[Any], k: int, index: Any, operator: str, value: Any) -> None:
    """Write as the language does."""
    t = tensors[k]
    if index is WHOLE:
        change(t, operator, value)
    elif operator == "=":
        t[index] = value
    else:
        t[index] = change(t[index], operator, value)


def change(t: Any, operator: str, value: Any) -> Any:
    """Do `t += value` or another such statement; return what t then stands for."""
    if operator == "=":
        t[...] = value
    elif operator == "+=":
        t += value
    elif operator == "-=":
        t -= value
    elif operator == "*=":
        t *= value
    elif operator == "/=":
        t /= value
    else:
        t **= value
    return t


IN_PLACE = Way(start, lambda ts, k, f: f(ts[k]), lambda ts, k: ts[k], write)


def run(
    program: list[tuple[int, int, int, int, int]],
    way: Way,
    x: Any,
    p: Any,
    repeated: bool = True,
) -> list[Any]:
    """Run a program; return what its tensors hold at the end."""
    tensors = way.start(x, p)
    for what, which, a, b, c in program:
        k = which % len(tensors)
        shape = tuple(way.read(tensors, k).shape)
        if what % 2 and len(tensors) < 6:
            f = VIEWS[a % len(VIEWS)][1]
            if np.size(f(np.empty(shape))) and np.ndim(f(np.empty(shape))):
                tensors.append(way.view(tensors, k, f))
            continue
        index = WHOLE if a % 8 == 0 else index_for(shape, a, repeated)
        operator = OPERATORS[b % len(OPERATORS)]
        kind = VALUES[c % len(VALUES)]
        value = value_for(way, tensors, k, index, kind, p)
        if operator in ("*=", "/=") and kind in CHANGING:
            value = value * 0.1 + 1.5
        way.write(tensors, k, index, operator, value)
    return [way.read(tensors, k) for k in range(len(tensors))]


def value_for(
    way: Way, tensors: list[Any], k: int, index: Any, kind: str, p: Any
) -> Any:
    """Return a value that fits what is at `index` of tensor `k`; `p` is the leaf."""
    t = way.read(tensors, k)
    part = t if index is WHOLE else t[index]
    shape = tuple(part.shape)
    found: Any = 1.25
    if kind == "row" and shape:
        found = like(p, np.linspace(0.5, 1.5, shape[-1]))
    elif kind == "leaf":
        found = p
    elif kind == "sum of another":
        found = way.read(tensors, (k + 1) % len(tensors)).sum() * 0.1 + 2.0
    elif kind == "another":
        others = [way.read(tensors, j) for j in range(len(tensors)) if j != k]
        same = [u for u in others if tuple(u.shape) == shape]
        found = same[-1] if same else 0.5
    elif kind == "itself":
        found = part
    elif kind == "shifted" and isinstance(index, slice) and index.start == 1:
        found = t[:-1]
    return found


def like(p: Any, array: np.ndarray) -> Any:
    """Return an array as a constant of the kind that p is."""
    return array if not hasattr(p, "new_tensor") else p.new_tensor(array)
