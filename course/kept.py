"""Which arrays an object keeps alive.

A design may keep arrays in attributes, lists, contexts or closures. The garbage
collector of Python knows what each object refers to, so one walk finds them all.
"""

from __future__ import annotations

import gc
from types import FunctionType, ModuleType
from typing import Any

import numpy as np


def arrays_behind(root: Any) -> list[np.ndarray]:
    """Return the arrays that are alive as long as `root` is, each once.

    Of a view it is the array that owns the numbers. What belongs to the program, such
    as classes, modules and the names that a function may look up, does not count.
    """
    found: dict[int, np.ndarray] = {}
    met: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) in met or isinstance(thing, type | ModuleType):
            continue
        met[id(thing)] = thing
        if isinstance(thing, np.ndarray):
            while isinstance(thing.base, np.ndarray):
                thing = thing.base
            found[id(thing)] = thing
        elif isinstance(thing, FunctionType):
            waiting += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__]
        else:
            waiting += gc.get_referents(thing)
    return list(found.values())
