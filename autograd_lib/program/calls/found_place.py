"""Places that a function reads, and when another object is equivalent (chapter 22)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import (
    ATTRIBUTE,
    BOUND,
    ITEM,
    MISSING,
    OUTLINE,
    Place,
    Way,
    is_exact,
    is_plain,
)
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.traced_number import NUMBERS, is_long

MAX_ITEMS = 1000  # in a list or dictionary that is an input
GRADIENT = Way(lambda capture, _: capture.now().grad)  # of a captured tensor


class Capture(Place):
    """A place that a function reads.

    Attributes:
        found: the object found there, or MISSING.
        value: the same, or a copy of an array that is a constant.
        given: whether it is an input of the program: a tensor, or numbers that change.
            Everything else is a constant.
        appended: whether it is a list that the function appends to and doesn't read.
    """

    __slots__ = ("appended", "found", "given", "value")

    def __init__(self, place: Place) -> None:
        super().__init__(place.way, place.name, place.holder, place.key, place.declared)
        self.found = self.value = self.now()
        self.given, self.appended = self.is_bound, False

    @property
    def known_by(self) -> Any:
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

    @property
    def may_be_given(self) -> bool:
        """Whether it is a constant so far, and could be an input."""
        x = self.found
        if self.given or not self.may_be_put or type(x) in (str, bool, type(None)):
            return False
        number = type(x) in NUMBERS and not is_long(x)
        return number or (is_tree(x) and sum(1 for _ in parts_of(x)) <= MAX_ITEMS)

    def text(self, holder: str) -> str:
        """Return a Python expression for the lookup, or "" if only `now` can do it."""
        x, key = self.holder, self.key
        if self.way in (ATTRIBUTE, BOUND):
            return f"{holder}.{key}"
        known = type(x) in (dict, list, tuple, deque)
        if self.way is ITEM and known and type(key) in (int, str, bool, type(None)):
            return f"{holder}[{key!r}]"
        if self.way is OUTLINE and isinstance(x, dict):
            return f"tuple({holder})" if all(type(k) is str for k in self.found) else ""
        listed = self.way is OUTLINE and type(x) in (list, tuple, deque)
        return f"len({holder})" if listed else ""

    def holds(self) -> bool:
        """Return whether the object there now is equivalent to the recorded one."""
        now, value = self.now(), self.value
        if self.given or self.appended:
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
        or type(part) is np.ndarray
        or (type(part) is Tensor and part.node is None)
        for part in parts_of(x)
    )


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
    """Return whether two arrays are equal to the last bit."""
    alike = (now.shape, now.dtype) == (value.shape, value.dtype)
    return alike and now.tobytes() == value.tobytes()
