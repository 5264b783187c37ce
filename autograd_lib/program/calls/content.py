"""The content of arguments: as something to compare, and in words (chapter 24)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import EXACT, is_exact
from autograd_lib.engine.forward.levels import dual_of
from autograd_lib.engine.tape.node import LeafExtras, Node
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree


def content(x: Any, objects: list[Any]) -> Any:
    """Return a key that is equal for equal constants.

    Args:
        x: the constant.
        objects: collects the objects that are compared by identity.
    """
    array = x._array if type(x) is Tensor else x
    if isinstance(array, np.ndarray | np.generic):
        node = node_part(x.node) if type(x) is Tensor else None
        return type(x), array.shape, array.dtype, array.tobytes(), node
    if is_exact(x):
        return type(x), repr(x)  # distinguishes 0.0 from -0.0
    opened = None if tree.is_model(type(x)) else tree.taken_apart(x)
    if opened is None:
        objects.append(x)
        return type(x), id(x)
    parts = [(key, content(part, objects)) for key, part in opened.items]
    if type(x) in (list, tuple, dict):
        return type(x), parts
    objects.append(type(x))  # the function may call its methods
    return type(x), parts, content(beside(x), objects)


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


def node_part(node: Node | None) -> Any:
    """Return the properties of a tensor's node that a program depends on."""
    if node is None:
        return None
    return isinstance(node.extra, LeafExtras), dual_of(node) is None, hooks_of(node)


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
