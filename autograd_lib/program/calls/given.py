"""Places whose numbers a program is given at each call (chapter 24).

A tensor that a function finds by itself is given like an argument, and so is a
generator. Anything else is a constant of the program until it turns out that it
changes: then the numbers and arrays there, also those in lists and dictionaries, are
given too. What an optimiser remembers is so from the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.places import Capture
from autograd_lib.program.calls.signature import Signature

NUMBERS = (int, float)


def is_given(x: Any) -> bool:
    """Return whether it is something that a program can be given."""
    if type(x) in (Tensor, np.ndarray, np.random.Generator, *NUMBERS):
        return True
    return isinstance(x, np.generic) and x.dtype.kind in "fiubc"


class Given(Signature):
    """What places give to a program: numbers of Python, too.

    Args:
        captures: the places; those that are not given do not count.
        first: the first place of each argument, by its id.
    """

    def __init__(self, captures: list[Capture], first: Any = ()) -> None:
        super().__init__((), {})
        self.first = dict(first)
        self.key = tuple([self.part(k.now()) for k in captures if k.given])

    def part(self, x: Any) -> Any:
        """Return what of a part a program depends on; note its leaves."""
        if type(x) in (list, dict):
            return self.first.setdefault(id(x), len(self.first)), super().part(x)
        if type(x) not in NUMBERS and not isinstance(x, np.generic):
            return super().part(x)
        if not is_given(x):
            return type(x), repr(x)
        self.leaves.append(x)
        return type(x)


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
