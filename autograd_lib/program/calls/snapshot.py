"""What lies around a function while it is recorded, to see and undo changes (24)."""

from __future__ import annotations

from collections import deque
from itertools import chain
from operator import is_not
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.captured import is_library
from autograd_lib.program.calls.places import (
    MISSING,
    Capture,
    attribute,
    attributes,
    can_be_given,
    contents,
    gradient,
    in_cell,
    in_class_itself,
    in_container,
    in_slot,
    keys_of,
    length,
)
from autograd_lib.program.calls.same import is_exact, same_number
from autograd_lib.program.calls.signature import hooks_of

WHOLE = (dict, list, deque, set, bytearray)


def is_namespace(holder: Any) -> bool:
    """Return whether it is what a module's names stand in, which is not put back."""
    return isinstance(holder, dict) and "__builtins__" in holder


class Snapshot:
    """What the places that a function reads held, and the tensors there.

    Args:
        captures: the places.
        tensors: what it is given or finds.
    """

    def __init__(self, captures: list[Capture], tensors: list[Tensor]) -> None:
        self.captures = [(k, k.now()) for k in captures if k.get is not gradient]
        self.can_be_given = {id(k) for k, x in self.captures if can_be_given(k, x)}
        self.tensors = [
            (t, t._array, t.node, t.grad, hooks_of(t.node)) for t in tensors
        ]
        self.storages = [(t, t._storage) for t in tensors]
        self.wholes: dict[int, tuple[Any, Any]] = {}
        for k in captures:
            if k.get is in_class_itself:
                for base in k.holder.__mro__:
                    if not is_library(base.__module__):
                        self.wholes[id(base)] = base, dict(vars(base))
            elif isinstance(k.holder, WHOLE) and not is_namespace(k.holder):
                self.wholes[id(k.holder)] = k.holder, k.holder.copy()

    def changed(self) -> str:
        """Return in words what of the tensors' nodes is not as it was, or ""."""
        for t, _, node, _, hooks in self.tensors:
            if t.node is not node or hooks_of(node) != hooks:
                return f"it changes whether a tensor of shape {t.shape} has gradients"
        return ""

    def restore(self) -> None:
        """Put all back as it was."""
        for holder, before in self.wholes.values():
            fill(holder, before)
        for k, before in self.captures:
            if differ(k, before) and k.get is not in_class_itself:
                put(k, before)
        for t, storage in self.storages:
            t._storage = storage
        for t, array, node, grad, hooks in self.tensors:
            t._array, t.node = array, node
            if t.grad is not grad:
                t.grad = grad
            for key in set(hooks_of(node)) - set(hooks):
                e: Any = node.extra  # type: ignore[union-attr]
                for several in (e.tensor_hooks, e.prehooks, e.posthooks):
                    several.pop(key, None)


def differ(capture: Capture, before: Any) -> bool:
    """Return whether there is something else at a place."""
    now = capture.now()
    if is_exact(before) and same_number(now, before):
        return False
    if capture.get in (length, contents, attributes):
        return bool(now != before)
    if capture.get is keys_of:
        same = len(now) == len(before)
        return not same or any(a is not b for a, b in zip(now, before, strict=True))
    return now is not before or (isinstance(now, np.ndarray) and not capture.holds())


def put(capture: Capture, before: Any) -> None:
    """Put something back at its place."""
    holder, key = capture.holder, capture.key
    if isinstance(before, np.ndarray) and capture.now() is before:
        np.copyto(before, capture.value)
    elif capture.get is in_cell and before is MISSING:
        del holder.cell_contents
    elif capture.get is in_cell:
        holder.cell_contents = before
    elif capture.get is in_container and before is MISSING:
        del holder[key]
    elif capture.get is in_container:
        holder[key] = before
    elif capture.get in (attribute, in_slot) and before is MISSING:
        delattr(holder, key)
    elif capture.get in (attribute, in_slot, in_class_itself):
        setattr(holder, key, before)


def fill(holder: Any, before: Any) -> None:
    """Give a container or a class what it held, in the order that this had."""
    if isinstance(holder, type):
        for key in set(vars(holder)) - set(before):
            delattr(holder, key)
        for key, x in before.items():
            if vars(holder).get(key, MISSING) is not x:
                setattr(holder, key, x)
    elif isinstance(holder, dict):
        if any(map(is_not, chain(*holder.items()), chain(*before.items()))) or (
            len(holder) != len(before)
        ):
            holder.clear()
            holder.update(before)
    elif isinstance(holder, set):
        holder ^= holder ^ before
    elif isinstance(holder, deque):
        holder.clear()
        holder.extend(before)
    else:
        holder[:] = before
