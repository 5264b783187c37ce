"""Where a function finds something, and how it is looked at again (chapter 24)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from inspect import getattr_static
from types import CellType
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.same import (
    is_exact,
    same_array,
    same_bytes,
    same_key,
    same_number,
)

MOST = 1000  # things in a list or a dictionary that is given
LARGE = 2**16  # bytes of an array that is given from the start: it is not compared


class Capture:
    """A place where a function finds something: what it is in, under which key.

    Attributes:
        name: how it reads for messages.
        value: what was found.
        held: the bytes of that, of an array.
        given: whether a program is given what is there at each call: a tensor, or
            numbers that change. Everything else is a constant of it.
    """

    __slots__ = ("get", "given", "held", "holder", "key", "name", "value")

    def __init__(
        self, name: str, get: Callable[[Any, Any], Any], holder: Any, key: Any
    ) -> None:
        self.name, self.get, self.holder, self.key = name, get, holder, key
        self.value = self.now()
        self.held: bytearray | None = None
        self.given = type(self.value) is Tensor or self.is_generator

    @property
    def place(self) -> Any:
        """What tells this place from others."""
        return self.get, id(self.holder), repr(self.key)

    @property
    def is_generator(self) -> bool:
        """Whether a generator is here that another can stand for."""
        return type(self.value) is np.random.Generator and self.may_be_put

    @property
    def may_be_put(self) -> bool:
        """Whether something else can be put here."""
        if self.get is in_container:
            return isinstance(self.holder, dict | list | deque)
        return self.get in (in_cell, in_slot)

    def now(self) -> Any:
        """Return what is there now, an object like no other if nothing is."""
        try:
            return self.get(self.holder, self.key)
        except (KeyError, IndexError, AttributeError, ValueError):
            return MISSING

    def holds(self) -> bool:
        """Return whether what is there now serves as well as what was found."""
        now, value = self.now(), self.value
        if self.given:
            return type(now) is type(value)
        if isinstance(value, np.ndarray):
            if type(now) is not type(value):
                return False
            held = self.held
            return same_bytes(now, value, held) if held else same_array(now, value)
        if now is value:
            return True
        if self.get is keys_of:
            return len(now) == len(value) and all(map(same_key, now, value))
        return (is_exact(now) or self.get is contents) and same_number(now, value)


MISSING = object()


def in_cell(cell: CellType, _: None) -> Any:
    """Return what a variable that a function closes over holds."""
    return cell.cell_contents


def in_container(holder: Any, key: Any) -> Any:
    """Return an item."""
    return holder[key]


def contents(holder: Any, _: None) -> Any:
    """Return what a set or the like holds, as something that does not change."""
    return bytes(holder) if isinstance(holder, bytearray) else frozenset(holder)


def keys_of(holder: Any, _: None) -> tuple[Any, ...]:
    """Return the keys of a dictionary, in their order."""
    return tuple(holder)


def attributes(kind: type, _: None) -> int:
    """Return how many attributes a class has, but for what copying notes there."""
    return len(vars(kind)) - ("__slotnames__" in vars(kind))


def gradient(capture: Capture, _: None) -> Any:
    """Return what backward passes have added up in the tensor at a place."""
    return capture.now().grad


def length(holder: Any, _: None) -> int:
    """Return how many items there are."""
    return len(holder)


def in_slot(holder: Any, key: str) -> Any:
    """Return what is in one of a class's slots."""
    return getattr(holder, key)


def attribute(holder: Any, key: str) -> Any:
    """Return an attribute."""
    return getattr(holder, key)


def in_class_itself(kind: type, key: str) -> Any:
    """Return what a class has, a method as it stands there: each time the same."""
    return getattr_static(kind, key)


def is_tree(x: Any) -> bool:
    """Return whether there are numbers and arrays only, in lists, tuples and dicts.

    A tensor in these has to be a constant, which has no `grad`.
    """
    if type(x) in (list, tuple):
        return all(map(is_tree, x))
    if type(x) is dict:
        return all(map(is_tree, x.values()))
    if type(x) is np.ndarray:
        return not x.dtype.hasobject
    return is_exact(x) or (type(x) is Tensor and x.node is None)


def can_be_given(capture: Capture, x: Any) -> bool:
    """Return whether what is at a place can be given, and is not always the same."""
    if type(x) is Tensor or capture.is_generator:
        return True
    if type(x) in (list, tuple, dict) and size_of(x) > MOST:
        return False
    return capture.may_be_put and is_tree(x) and type(x) not in (str, bool, type(None))


def size_of(x: Any) -> int:
    """Return how many things there are in lists, tuples and dictionaries."""
    if type(x) is dict:
        return sum(map(size_of, x.values()))
    return sum(map(size_of, x)) if type(x) in (list, tuple) else 1
