"""Where a function finds something, and when what is there serves as well (24)."""

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
"""Types whose objects serve as well as others that are equal."""
MOST = 1000  # things in a list or a dictionary that is given
REMEMBERING = type(lru_cache(bool))
MISSING = object()
"""Stands for what is not there."""


def outline(x: Any, _: None) -> Any:
    """Return what there is of a container besides its items: keys, or how many.

    Of a set or the like it is what it holds; of a class, how many attributes.
    """
    if isinstance(x, dict):
        return tuple(x)
    if isinstance(x, type):  # copying notes something there
        return len(vars(x)) - ("__slotnames__" in vars(x))
    if isinstance(x, set | frozenset):
        return frozenset(x)
    return bytes(x) if isinstance(x, bytearray) else len(x)


def item_of(x: Any, key: Any) -> Any:
    """Return an item, without what a class does when it is asked for one."""
    if isinstance(x, dict):
        return dict.get(x, key, MISSING)
    return (list.__getitem__ if isinstance(x, list) else getitem)(x, key)


@dataclass(eq=False)
class Way:
    """How something is found, and in which holders something else can be put there."""

    look: Callable[[Any, Any], Any]
    holders: tuple[type, ...] = ()


ATTRIBUTE = Way(getattr)
SLOT = Way(getattr, (object,))  # or a variable that a function closes over
ITEM = Way(item_of, (dict, list, deque))
OF_CLASS = Way(getattr_static)  # a method as it stands there: each time the same
OUTLINE = Way(outline)
GRADIENT = Way(lambda capture, _: capture.now().grad)  # of the tensor at a place


class Capture:
    """A place where a function finds something.

    Attributes:
        way: how it is found.
        name: how it reads for messages.
        holder: what it is in, and
        key: under which name or number.
        found: what was there, MISSING if nothing was, and
        value: the same, or a copy of an array that is a constant.
        given: whether a program is given what is there at each call: a tensor, or
            numbers that change. Everything else is a constant of it.
        free: whether that can be given, and is not always the same.
    """

    __slots__ = ("found", "free", "given", "holder", "key", "name", "value", "way")

    def __init__(self, way: Way, name: str, holder: Any, key: Any = None) -> None:
        self.way, self.name, self.holder, self.key = way, name, holder, key
        self.found = self.value = x = self.now()
        self.given = self.free = self.is_bound
        if not self.free and self.may_be_put:
            plain = type(x) in (str, bool, type(None)) or not is_tree(x)
            self.free = not plain and sum(1 for _ in parts_of(x)) <= MOST

    @property
    def place(self) -> Any:
        """What tells this place from others."""
        exact = is_exact(self.key)  # a tensor as a key is not what it looks like
        return self.way, id(self.holder), repr(self.key) if exact else id(self.key)

    @property
    def may_be_put(self) -> bool:
        """Whether a program can put something else here."""
        return isinstance(self.holder, self.way.holders)

    @property
    def is_bound(self) -> bool:
        """Whether a tensor is here, or a generator that another can stand for."""
        kind = type(self.found)
        return kind is Tensor or (kind is np.random.Generator and self.may_be_put)

    def text(self, holder: str) -> str:
        """Return Python that looks there, or "" if only `now` can."""
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
        """Return what is there now, MISSING if nothing is."""
        try:
            return self.way.look(self.holder, self.key)
        except (KeyError, IndexError, AttributeError, ValueError):
            return MISSING

    def holds(self) -> bool:
        """Return whether what is there now serves as well as what was found."""
        now, value = self.now(), self.value
        if self.given:
            return type(now) is type(value)
        if self.way is not OUTLINE:
            return same(now, value)
        return same_keys(now, value) if type(now) is tuple else bool(now == value)

    def changed(self) -> bool:
        """Return whether something else was put there, or into the array there."""
        if self.way is OUTLINE:
            return not self.holds()
        if isinstance(self.found, np.ndarray):
            return self.now() is not self.found or not self.holds()
        return not same(self.now(), self.found)

    def put(self, x: Any) -> None:
        """Put something there, or nothing; what is in a container, only as a whole."""
        if self.way is OUTLINE:
            return
        holder, key = self.holder, self.key
        kind: Any  # whose methods do not do what a class of the reader's adds
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
        """Put back what was found."""
        if isinstance(self.found, np.ndarray) and self.now() is self.found:
            np.copyto(self.found, self.value)
        else:
            self.put(self.found)


def parts_of(x: Any) -> Iterator[Any]:
    """Yield a thing, and all that is in it in lists, tuples and dictionaries."""
    yield x
    if type(x) in (list, tuple, dict):
        for item in x.values() if type(x) is dict else x:
            yield from parts_of(item)


def is_tree(x: Any) -> bool:
    """Return whether there are numbers and arrays only, in lists, tuples and dicts.

    A tensor in these has to be a constant, which has no `grad`.
    """
    return all(
        type(part) in (list, tuple, dict)
        or (is_exact(part) and not is_long(part))
        or (type(part) is np.ndarray and not part.dtype.hasobject)
        or (type(part) is Tensor and part.node is None)
        for part in parts_of(x)
    )


def is_exact(x: Any) -> bool:
    """Return whether an equal object of the same type serves as well."""
    number = isinstance(x, np.generic) and not isinstance(x, np.void)  # a record
    return number or type(x) in EXACT


def is_plain(x: Any) -> bool:
    """Return whether what is equal, in a set, is the same all through."""
    if isinstance(x, tuple | frozenset):
        return type(x) in (tuple, frozenset) and all(map(is_plain, x))
    return is_exact(x) or isinstance(x, type)


def same_keys(now: Any, value: Any) -> bool:
    """Return whether two dictionaries have the same keys, in one order."""
    pairs = list(zip_longest(now, value, fillvalue=MISSING))
    return all(
        a is b or (is_plain(a) and type(a) is type(b) and a == b) for a, b in pairs
    )


def same(now: Any, value: Any) -> bool:
    """Return whether something is one with what was found, to the last bit of numbers.

    0.0 is not -0.0 here, and NaN is NaN.
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
    """Return whether two arrays are the same to the last bit.

    Of all that Python has, `bytearray` alone compares with an array without a loop and
    without a copy; so `kept` keeps one.
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
    """Return a copy of an array, in a `bytearray` if that can be compared with it."""
    if type(a) is not np.ndarray or not a.flags.c_contiguous or a.dtype.hasobject:
        return a.copy()
    return np.ndarray(a.shape, a.dtype, bytearray(a.tobytes()))
