"""A snapshot of a function's surroundings, to undo a recording's side effects (24)."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import chain
from typing import Any

from autograd_lib.checkpointing.surroundings import MISSING, is_library
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.argument_content import hooks_of
from autograd_lib.program.calls.found_place import GRADIENT, Capture

REMEMBERING = type(lru_cache(bool))
WHOLE = (dict, list, deque, set)


class Snapshot:
    """The values at all places that a function reads, and the state of tensors there.

    Attributes:
        reached: whether a backward pass went on into the graphs of these tensors.
    """

    def __init__(
        self, captures: list[Capture], tensors: list[Tensor], behind: list[Any]
    ) -> None:
        extras = [node.extra for node in behind if node.extra is not None]
        self.totals = [(e, e.total) for e in extras]
        self.edges = [(node, node.edges) for node in behind]
        caches = [k.found for k in captures if type(k.found) is REMEMBERING]
        self.caches = [(f, f.cache_info().misses) for f in caches]
        self.reached = False
        self.captures = [k for k in captures if k.way is not GRADIENT]
        self.tensors = [
            (t, t._array, t._storage, t.node, t.grad, hooks_of(t.node)) for t in tensors
        ]
        self.wholes: dict[int, tuple[Any, Any]] = {}
        lists = [k.found for k in captures if k.appended]
        for x in [*lists, *[k.holder for k in captures]]:
            if isinstance(x, type):
                bases = [base for base in x.__mro__ if not is_library(base.__module__)]
                self.wholes |= {id(base): (base, dict(vars(base))) for base in bases}
            elif isinstance(x, WHOLE) and not is_namespace(x):
                kind: Any = next(kind for kind in WHOLE if isinstance(x, kind))
                self.wholes[id(x)] = x, kind(x)

    def changed(self) -> str:
        """Describe the first change of a tensor's node, or return ""."""
        for t, _, _, node, _, hooks in self.tensors:
            if t.node is not node or hooks_of(node) != hooks:
                return f"it changes whether a tensor of shape {t.shape} has gradients"
        return ""

    def restore(self) -> None:
        """Restore everything."""
        for f, misses in self.caches:
            if f.cache_info().misses != misses:
                f.cache_clear()  # it may hold traced arrays
        for node, edges in self.edges:
            node.edges = edges
        for extra, total in self.totals:
            self.reached |= extra.total is not total
            extra.total = total
        for holder, before in self.wholes.values():
            fill(holder, before)
        for k in self.captures:
            if k.changed():
                k.restore()
        for t, array, storage, node, grad, hooks in self.tensors:
            t._array, t._storage, t.node = array, storage, node
            if t.grad is not grad:
                t.grad = grad
            for key in set(hooks_of(node)) - set(hooks):
                e: Any = node.extra  # type: ignore[union-attr]
                for several in (e.tensor_hooks, e.prehooks, e.posthooks):
                    several.pop(key, None)


def is_namespace(holder: Any) -> bool:
    """Return whether it is a module's namespace, which isn't restored as a whole."""
    return isinstance(holder, dict) and "__builtins__" in holder


def fill(holder: Any, before: Any) -> None:
    """Give a container or a class its former contents, in the former order."""
    if isinstance(holder, type):
        for key in set(vars(holder)) - set(before):
            delattr(holder, key)
        for key, x in before.items():
            if vars(holder).get(key, MISSING) is not x:
                setattr(holder, key, x)
    elif ids(holder) != ids(before):
        holder.clear()
        (holder.update if isinstance(holder, dict | set) else holder.extend)(before)


def ids(container: Any) -> list[int]:
    """Return the ids of a container's items, in order."""
    items = chain(*container.items()) if isinstance(container, dict) else container
    return list(map(id, items))
