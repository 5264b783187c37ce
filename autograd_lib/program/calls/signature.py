"""What a call is given, and what of it a program depends on (chapter 24).

A program depends on the structure of the arguments, on shapes, types and layout of
arrays, on which tensors are one and need a gradient, and on everything else: that
is a constant of it.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lib.engine.forward.levels import dual_of
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import LeafExtras, Node
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree

NUMBERS = (int, bool, str, bytes, type(None), type(...))
PLAIN = (list, tuple, dict)


class Signature:
    """The arguments of one call.

    Args:
        args: those by position.
        kwargs: those by keyword.
        static: the positions and keywords of those that are constants of a program.

    Attributes:
        leaves: the tensors and arrays in them, but for those that are static.
        objects: what is known by its identity only.
        key: what a program depends on.
    """

    def __init__(self, args: Any, kwargs: Any, static: Any = ()) -> None:
        self.args, self.kwargs, self.static = args, kwargs, static
        self.leaves: list[Any] = []
        self.objects: list[Any] = []
        self.first: dict[int, int] = {}
        parts: list[Any] = [is_recording()]
        for place, x in (*enumerate(args), *kwargs.items()):
            parts.append((place, self.fixed(x) if place in static else self.part(x)))
        self.key = tuple(parts)

    def part(self, x: Any) -> Any:
        """Return what of a part a program depends on; note its leaves."""
        kind = type(x)
        if kind is Tensor:
            self.leaves.append(x)
            return tensor_part(x, self.first)
        if kind is np.ndarray:
            return self.place(x), x.shape, x.dtype, x.strides
        if kind is list or kind is tuple:
            return kind, tuple(map(self.part, x))
        if kind is dict:
            return kind, tuple(x), tuple(map(self.part, x.values()))
        if kind in NUMBERS:
            return kind, x
        if kind is np.random.Generator:
            return kind, self.place(x)
        if isinstance(x, np.ndarray | np.generic):  # which a np.float64 is, and a float
            return kind, self.place(x), x.shape, x.dtype, x.strides
        if kind is float or kind is complex:
            return kind, repr(x)  # which tells 0.0 from -0.0
        opened = None if tree.is_model(type(x)) else tree.taken_apart(x)
        if opened is None:
            self.objects.append(x)
            return kind, id(x)
        self.objects.append(kind)  # whose methods the function may call
        keys, parts = zip(*opened.items, strict=True) if opened.items else ((), ())
        return kind, keys, tuple(map(self.part, parts)), self.fixed(beside(x))

    def fixed(self, x: Any) -> Any:
        """Return a static argument by its numbers."""
        array = x._array if type(x) is Tensor else x
        if isinstance(array, np.ndarray | np.generic):
            node = node_part(x.node) if type(x) is Tensor else None
            return type(x), array.shape, array.dtype, array.tobytes(), node
        if type(x) is np.random.Generator:
            self.objects.append(x)
            return type(x), id(x)
        opened = None if tree.is_model(type(x)) else tree.taken_apart(x)
        if opened is None or not opened.items:
            return self.part(x)
        parts = tuple([(key, self.fixed(part)) for key, part in opened.items])
        more = () if type(x) in PLAIN else self.fixed(beside(x))
        return type(x), parts, more

    def place(self, x: Any) -> int:
        """Note an array as a leaf, and return the first place that has the same one."""
        self.leaves.append(x)
        return self.first.setdefault(id(x), len(self.first))

    def named(self, called: list[str]) -> Iterator[tuple[str, Any]]:
        """Yield each leaf, in the order of `leaves`, and all constants, with names."""
        names, several = (*called, *self.kwargs), (*self.args, *self.kwargs.values())
        places = (*range(len(self.args)), *self.kwargs)
        for place, name, x in zip(places, names, several, strict=True):
            if place not in self.static:
                yield from parts_of(name, x)


def tensor_part(t: Tensor, first: dict[int, int]) -> Any:
    """Return what of a tensor a program depends on, and the first that is the same."""
    a = t._array
    place = first.setdefault(id(t), len(first))
    return place, a.shape, a.dtype, a.strides, node_part(t.node)


def node_part(node: Node | None) -> Any:
    """Return what of a tensor's node a program depends on."""
    if node is None:
        return None
    e = node.extra
    return isinstance(e, LeafExtras), dual_of(node) is None, tuple(hooks_of(node))


def hooks_of(node: Node | None) -> list[int]:
    """Return by which numbers the hooks of a node are known."""
    e: Any = None if node is None else node.extra
    return [] if e is None else [*e.tensor_hooks, *e.prehooks, *e.posthooks]


def static_key(x: Any) -> Any:
    """Return what of a static argument a program depends on."""
    return Signature((x,), {}, (0,)).key


def beside(x: Any) -> dict[str, Any]:
    """Return what a container holds besides its parts, by name."""
    for kind in type(x).__mro__:
        if kind in tree.REGISTERED:
            return {"": tree.REGISTERED[kind][0](x)[1]}
    held = dict(getattr(x, "__dict__", {}))
    if dataclasses.is_dataclass(x):
        for f in dataclasses.fields(x):
            if not f.metadata.get("static", False):
                held.pop(f.name, None)
            elif hasattr(x, f.name):  # it may lie in a slot
                held[f.name] = getattr(x, f.name)
    if isinstance(x, defaultdict):
        held["default_factory"] = x.default_factory
    return held


def parts_of(name: str, x: Any) -> Iterator[tuple[str, Any]]:
    """Yield the leaves of an argument, with the way to each."""
    opened = None if tree.is_model(type(x)) or x is None else tree.taken_apart(x)
    if opened is None:
        yield name, x
        return
    for key, part in opened.items:
        yield from parts_of(name + key, part)


def said(x: Any) -> str:
    """Return in words what of a leaf a program depends on."""
    if type(x) is Tensor or isinstance(x, np.ndarray):
        a = x._array if type(x) is Tensor else x
        kind = "a tensor" if type(x) is Tensor else "an array"
        more = "" if a.flags.c_contiguous else ", not row by row in memory"
        more += ", which needs a gradient" if type(x) is Tensor and x.node else ""
        return f"{kind} of shape {a.shape} and {a.dtype}{more}"
    if isinstance(x, np.generic):
        return f"a number of {x.dtype}"
    if type(x) in (*NUMBERS, float, complex):
        return f"{x!r:.60}"
    return f"the object {x!r:.40}"
