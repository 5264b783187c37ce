"""Places whose numbers a program is given at each call (chapter 24).

A tensor that a function finds by itself is given like an argument, and so is a
generator. Anything else is a constant of the program until it turns out that it
changes: then the numbers and arrays there, also those in lists and dictionaries, are
given too. What an optimiser remembers is so from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.places import Capture
from autograd_lib.program.calls.signature import tensor_part

NUMBERS = (int, float)


def leaves_of(x: Any) -> Iterator[Any]:
    """Yield what is given of a tree."""
    if type(x) in (list, tuple, dict):
        for item in x.values() if type(x) is dict else x:
            yield from leaves_of(item)
    elif is_given(x):
        yield x


def is_given(x: Any) -> bool:
    """Return whether it is something that a program can be given."""
    if type(x) in (Tensor, np.ndarray, np.random.Generator, *NUMBERS):
        return True
    return isinstance(x, np.generic) and x.dtype.kind in "fiubc"


def part(x: Any, first: dict[int, int]) -> Any:
    """Return what a program depends on, of what it is given."""
    kind = type(x)
    if kind is Tensor:
        return tensor_part(x, first)
    if kind is np.ndarray or kind is np.random.Generator:
        place = first.setdefault(id(x), len(first))
        lies = (x.shape, x.dtype, x.strides) if kind is np.ndarray else ()
        return kind, place, lies
    if kind is list or kind is tuple:
        return kind, tuple([part(item, first) for item in x])
    if kind is dict:
        return kind, tuple(x), tuple([part(item, first) for item in x.values()])
    return (kind,) if is_given(x) else (kind, repr(x))


def given_now(captures: list[Capture]) -> list[Any]:
    """Return what places give to a program now."""
    return [x for k in captures if k.given for x in leaves_of(k.now())]


def apart(arrays: list[np.ndarray], into: int) -> bool:
    """Return whether the first arrays, so many, show no memory of any other."""
    views = [i for i, a in enumerate(arrays) if a.base is not None]
    if not views and len(set(map(id, arrays))) == len(arrays):
        return True
    for i, a in enumerate(arrays[:into]):
        if any(b is a for b in arrays[i + 1 :]):
            return False
        for j in views if a.base is None else range(len(arrays)):
            if j != i and np.may_share_memory(a, arrays[j]):
                return False
    return True
