"""What is in an argument: keys and leaves, what lies beside, and in words (24)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import EXACT
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree


def held(x: Any) -> Iterator[Any]:
    """Yield the keys and leaves of a tree in order, to detect changes in it."""
    opened = None if tree.is_model(type(x)) else tree.taken_apart(x)
    if opened is None:
        yield x
        return
    for key, part in opened.items:
        yield key
        yield from held(part)
    if type(x) not in (list, tuple, dict):
        yield from beside(x).values()


def hooks_of(node: Node | None) -> list[int]:
    """Return the handles of a node's hooks."""
    e: Any = None if node is None else node.extra
    return [] if e is None else [*e.tensor_hooks, *e.prehooks, *e.posthooks]


def beside(x: Any) -> dict[str, Any]:
    """Return a container's metadata by name: what it holds besides its parts."""
    for kind in type(x).__mro__:
        if kind in tree.REGISTERED:
            return {"": tree.REGISTERED[kind][0](x)[1]}
    held = dict(getattr(x, "__dict__", {}))
    if dataclasses.is_dataclass(x):
        for f in dataclasses.fields(x):
            if not f.metadata.get("static", False):
                held.pop(f.name, None)
            elif hasattr(x, f.name):  # it may be in a slot
                held[f.name] = getattr(x, f.name)
    return held


def described(x: Any) -> str:
    """Describe the properties of a leaf that a program depends on."""
    if type(x) is Tensor or isinstance(x, np.ndarray):
        a = x._array if type(x) is Tensor else x
        kind = "a tensor" if type(x) is Tensor else "an array"
        more = "" if a.flags.c_contiguous else ", not row by row in memory"
        more += ", which needs a gradient" if type(x) is Tensor and x.node else ""
        return f"{kind} of shape {a.shape} and {a.dtype}{more}"
    if isinstance(x, np.generic):
        return f"a number of {x.dtype}"
    return f"{x!r:.60}" if type(x) in EXACT else f"the object {x!r:.40}"
