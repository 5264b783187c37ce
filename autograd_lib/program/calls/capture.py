"""Places where a function finds an object, and when another one is equivalent (24)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from inspect import getattr_static
from itertools import zip_longest
from operator import getitem, is_
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.number import is_long

EXACT = (int, bool, float, complex, str, bytes, range, type(None), type(...))
"""Types whose objects are interchangeable if they are equal."""
MAX_ITEMS = 1000  # items in a list or dictionary that is an input
REMEMBERING = type(lru_cache(bool))
MISSING = object()
"""The value of a place that doesn't exist."""


def outline(x: Any, _: None) -> Any:
    """Return what is compared of a container besides its items: keys, or its length.

    For a set or bytearray it is the contents; for a class, the number of attributes.
    """
    if isinstance(x, dict):
        return tuple(x)
    if isinstance(x, type):  # `copy` caches an attribute there
        return len(vars(x)) - ("__slotnames__" in vars(x))
    if isinstance(x, set | frozenset):
        return frozenset(x)
    return bytes(x) if isinstance(x, bytearray) else len(x)


def item_of(x: Any, key: Any) -> Any:
    """Return an item, bypassing a subclass's `__getitem__`."""
    if isinstance(x, dict):
        return dict.get(x, key, MISSING)
    return (list.__getitem__ if isinstance(x, list) else getitem)(x, key)


@dataclass(eq=False)
class Way:
    """How an object is looked up, and in which types of holders it can be replaced."""

    look: Callable[[Any, Any], Any]
    holders: tuple[type, ...] = ()


ATTRIBUTE = Way(getattr)
SLOT = Way(getattr, (object,))  # or a closure cell
ITEM = Way(item_of, (dict, list, deque))
OF_CLASS = Way(getattr_static)  # unbound, so that it is the same object each time
OUTLINE = Way(outline)
GRADIENT = Way(lambda capture, _: capture.now().grad)  # of a captured tensor


class Capture:
    """A place that a function reads: a key of a holder.

    Attributes:
        way: how it is looked up.
        name: its name in messages.
        holder: the object that holds it, and
        key: its name or index there.
        found: the object found there, or MISSING.
        value: the same, or a copy of an array that is a constant.
        given: whether it is an input of the program: a tensor, or numbers that change.
            Everything else is a constant.
        free: whether it can be an input.
    """

    __slots__ = ("found", "free", "given", "holder", "key", "name", "value", "way")

    def __init__(self, way: Way, name: str, holder: Any, key: Any = None) -> None:
        self.way, self.name, self.holder, self.key = way, name, holder, key
        self.found = self.value = x = self.now()
        self.given = self.free = self.is_bound
        if not self.free and self.may_be_put:
            plain = type(x) in (str, bool, type(None)) or not is_tree(x)
            self.free = not plain and sum(1 for _ in parts_of(x)) <= MAX_ITEMS

    @property
    def place(self) -> Any:
        """A key that identifies this place."""
        exact = is_exact(self.key)  # other keys, such as tensors, by identity
        return self.way, id(self.holder), repr(self.key) if exact else id(self.key)

    @property
    def may_be_put(self) -> bool:
        """Whether a program can replace the object here."""
        return isinstance(self.holder, self.way.holders)

    @property
    def is_bound(self) -> bool:
        """Whether a tensor is here, or a generator that can be replaced."""
        kind = type(self.found)
        return kind is Tensor or (kind is np.random.Generator and self.may_be_put)

    def text(self, holder: str) -> str:
        """Return a Python expression for the lookup, or "" if only `now` can do it."""
        x, key = self.holder, self.key
        if self.way in (ATTRIBUTE, SLOT):
            return f"{holder}.{key}"
        known = type(x) in (dict, list, tuple, deque)
        if self.way is ITEM and known and type(key) in (int, str, bool, type(None)):
            return f"{holder}[{key!r}]"
        if self.way is OF_CLASS and getattr(x, key, None) is self.found:
            return f"{holder}.{key}" if key.isidentifier() else ""
        if self.way is OUTLINE and isinstance(x, dict):
            return f"tuple({holder})" if all(type(k) is str for k in self.found) else ""
        listed = self.way is OUTLINE and type(x) in (list, tuple, deque)
        return f"len({holder})" if listed else ""

    def now(self) -> Any:
        """Return the object there now, or MISSING."""
        try:
            return self.way.look(self.holder, self.key)
        except (KeyError, IndexError, AttributeError, ValueError):
            return MISSING

    def holds(self) -> bool:
        """Return whether the object there now is equivalent to the recorded one."""
        now, value = self.now(), self.value
        if self.given:
            return type(now) is type(value)
        if self.way is not OUTLINE:
            return same(now, value)
        return same_keys(now, value) if type(now) is tuple else bool(now == value)

    def changed(self) -> bool:
        """Return whether the place was assigned, or the array there written to."""
        if self.way is OUTLINE:
            return not self.holds()
        if isinstance(self.found, np.ndarray):
            return self.now() is not self.found or not self.holds()
        return not same(self.now(), self.found)

    def put(self, x: Any) -> None:
        """Assign the place, or delete it for MISSING; an outline can't be assigned."""
        if self.way is OUTLINE:
            return
        holder, key = self.holder, self.key
        kind: Any  # the builtin type, to bypass overridden methods
        if self.way is ITEM:
            kind = dict if isinstance(holder, dict) else list
            kind = kind if isinstance(holder, kind) else deque
            if x is MISSING:
                kind.__delitem__(holder, key)
            else:
                kind.__setitem__(holder, key, x)
        else:
            kind = type if isinstance(holder, type) else object
            if x is MISSING:
                kind.__delattr__(holder, key)
            else:
                kind.__setattr__(holder, key, x)

    def restore(self) -> None:
        """Restore the object that was found."""
        if isinstance(self.found, np.ndarray) and self.now() is self.found:
            np.copyto(self.found, self.value)
        else:
            self.put(self.found)


def parts_of(x: Any) -> Iterator[Any]:
    """Yield an object and everything in it in nested lists, tuples and dicts."""
    yield x
    if type(x) in (list, tuple, dict):
        for item in x.values() if type(x) is dict else x:
            yield from parts_of(item)


def is_tree(x: Any) -> bool:
    """Return whether an object is nested lists, tuples and dicts of numbers and arrays.

    Tensors are allowed if they don't require gradients.
    """
    return all(
        type(part) in (list, tuple, dict)
        or (is_exact(part) and not is_long(part))
        or (type(part) is np.ndarray and not part.dtype.hasobject)
        or (type(part) is Tensor and part.node is None)
        for part in parts_of(x)
    )


def is_exact(x: Any) -> bool:
    """Return whether an equal object of the same type is interchangeable with it."""
    number = isinstance(x, np.generic) and not isinstance(x, np.void)
    return number or type(x) in EXACT


def is_plain(x: Any) -> bool:
    """Return whether equal objects are interchangeable as members of a set."""
    if isinstance(x, tuple | frozenset):
        return type(x) in (tuple, frozenset) and all(map(is_plain, x))
    return is_exact(x) or isinstance(x, type)


def same_keys(now: Any, value: Any) -> bool:
    """Return whether two sequences of keys are equal."""
    pairs = list(zip_longest(now, value, fillvalue=MISSING))
    return all(
        a is b or (is_plain(a) and type(a) is type(b) and a == b) for a, b in pairs
    )


def same(now: Any, value: Any) -> bool:
    """Return whether two objects are identical or equal to the last bit.

    0.0 differs from -0.0, and NaN equals NaN.
    """
    if now is value:
        return True
    if type(now) is not type(value):
        return False
    if isinstance(now, np.ndarray):
        return same_array(now, value)
    if isinstance(now, float | complex | np.generic):
        return is_exact(now) and repr(now) == repr(value)
    return is_exact(now) and bool(now == value)


def same_array(now: np.ndarray, value: np.ndarray) -> bool:
    """Return whether two arrays are equal to the last bit.

    `bytearray` is the only type in Python that compares with an array in C without a
    copy, so `kept` stores one.
    """
    if (now.shape, now.dtype) != (value.shape, value.dtype):
        return False
    if now.dtype.hasobject:
        return all(map(is_, now.flat, value.flat))
    held: Any = value.base
    if type(held) is bytearray and now.flags.c_contiguous:
        return bool(held == now.reshape(-1).view(np.uint8))
    return now.tobytes() == value.tobytes()


def kept(a: np.ndarray) -> np.ndarray:
    """Return a copy of an array, backed by a `bytearray` if that can be compared."""
    if type(a) is not np.ndarray or not a.flags.c_contiguous or a.dtype.hasobject:
        return a.copy()
    return np.ndarray(a.shape, a.dtype, bytearray(a.tobytes()))
