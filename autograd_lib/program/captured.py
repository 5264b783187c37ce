"""What a function uses besides its arguments, and whether it is still so (chapter 24).

A program is right as long as what the function closes over, the globals that it names
and the attributes of objects among these are what they were. So they are looked at
before each run: tensors are inputs, read anew each time, and all else must be as
before, or the function is recorded again.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import GENERATORS, SHARED, names_in
from autograd_lib.engine.tensor import Tensor

MOST = 10_000
NUMBERS = (int, float, complex, str, bytes, np.generic, type(None), type(...))


class Link:
    """A place where a function finds something: what it is in, under which key.

    Attributes:
        name: how it reads for messages.
        value: what was found.
    """

    __slots__ = ("get", "holder", "key", "name", "value")

    def __init__(
        self, name: str, get: Callable[[Any, Any], Any], holder: Any, key: Any
    ) -> None:
        self.name, self.get, self.holder, self.key = name, get, holder, key
        self.value = self.now()

    def now(self) -> Any:
        """Return what is there now, an object like no other if nothing is."""
        try:
            return self.get(self.holder, self.key)
        except (KeyError, IndexError, AttributeError, ValueError):
            return MISSING

    def holds(self) -> bool:
        """Return whether what is there now serves as well as what was found."""
        now, value = self.now(), self.value
        if now is value and type(now) is not np.ndarray:
            return True
        if type(now) is not type(value):
            return False
        if type(now) is Tensor:
            return True  # an input, whose signature is compared elsewhere
        if isinstance(now, np.ndarray):
            return self.same_array(now)
        return isinstance(now, NUMBERS) and bool(now == value or now != now)

    def same_array(self, now: np.ndarray) -> bool:
        """Return whether an array holds the numbers that were found."""
        kept: np.ndarray = self.value
        if (now.shape, now.dtype) != (kept.shape, kept.dtype):
            return False
        return bool(((now == kept) | ((now != now) & (kept != kept))).all())

    def said(self) -> str:
        """Return what has changed, in words."""
        return f"{self.name} is not what it was"


MISSING = object()


def in_cell(cell: CellType, _: None) -> Any:
    """Return what a variable that a function closes over holds."""
    return cell.cell_contents


def in_container(holder: Any, key: Any) -> Any:
    """Return an item."""
    return holder[key]


def length(holder: Any, _: None) -> int:
    """Return how many items there are."""
    return len(holder)


def links_from(function: Any) -> list[Link]:
    """Return the places that a function reads, the nearest first.

    Raises:
        ValueError: if there are more than some thousands.
    """
    found: list[Link] = []
    seen: set[int] = set()
    todo: deque[tuple[str, Any]] = deque([("", function)])
    while todo:
        name, x = todo.popleft()
        if id(x) in seen or len(seen) > MOST:
            continue
        seen.add(id(x))
        for link in inside(name, x):
            found.append(link)
            x = link.value.fget if isinstance(link.value, property) else link.value
            if opens(x):
                todo.append((link.name, x))
    if len(seen) > MOST:
        raise ValueError(
            f"it reaches more than {MOST} objects through what it closes over; pass "
            "what it needs as arguments"
        )
    for link in found:
        if isinstance(link.value, np.ndarray) and link.value.flags.writeable:
            link.value = link.value.copy()
    return found


@lru_cache(None)
def is_library(module: str | None) -> bool:
    """Return whether a module is installed, and so is no part of what may change."""
    top = str(module).partition(".")[0]
    if top in ("autograd_lib", "numpy") or top in sys.stdlib_module_names:
        return top != "__main__"
    file = str(getattr(sys.modules.get(top), "__file__", ""))
    return "site-packages" in file or "dist-packages" in file


def opens(x: Any) -> bool:
    """Return whether there may be something inside."""
    if isinstance(x, (*NUMBERS, np.ndarray, Tensor, *GENERATORS)):
        return False
    if isinstance(x, FunctionType | MethodType | partial | dict | list | tuple):
        return True
    kind = x if isinstance(x, type) else type(x)
    if isinstance(x, ModuleType) or kind.__module__ == "builtins":
        return False
    return not (isinstance(x, type) and is_library(kind.__module__))


def inside(name: str, x: Any) -> Iterator[Link]:
    """Yield the places in an object."""
    if isinstance(x, FunctionType):
        yield from in_function(name, x)
    elif isinstance(x, MethodType):
        yield Link(name or "self", attribute, x, "__self__")
        yield Link(name, attribute, x, "__func__")
    elif isinstance(x, partial):
        for key in ("func", "args", "keywords"):
            yield Link(name, attribute, x, key)
    elif isinstance(x, dict):
        yield Link(f"len({name})", length, x, None)
        yield from (Link(f"{name}[{key!r}]", in_container, x, key) for key in x)
    elif isinstance(x, list | tuple):
        yield Link(f"len({name})", length, x, None)
        yield from (Link(f"{name}[{i}]", in_container, x, i) for i in range(len(x)))
    elif not isinstance(x, type):
        own = getattr(x, "__dict__", {})
        yield Link(f"the number of attributes of {name}", length, own, None)
        yield from (Link(f"{name}.{key}", in_container, own, key) for key in own)
        slots = [s for c in type(x).__mro__ for s in slots_of(c)]
        yield from (Link(f"{name}.{s}", attribute, x, s) for s in slots)
        yield from in_class(name, type(x), own)


def in_class(name: str, kind: type, own: Any) -> Iterator[Link]:
    """Yield what an object has of its class: numbers, methods."""
    for base in kind.__mro__:
        if not is_library(base.__module__):
            for key in vars(base):
                hidden = key.startswith("__") and key != "__call__"
                if not hidden and key not in own:
                    yield Link(f"{name}.{key}", attribute, kind, key)


def slots_of(kind: type) -> list[str]:
    """Return the names of a class's slots."""
    slots: Any = getattr(kind, "__slots__", ())
    several = [slots] if isinstance(slots, str) else list(slots)
    return [s for s in several if not s.startswith("__")]


def attribute(holder: Any, key: str) -> Any:
    """Return an attribute."""
    return getattr(holder, key)


def in_function(name: str, f: FunctionType) -> Iterator[Link]:
    """Yield what a function closes over, its defaults, and the globals it names."""
    for key, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        yield Link(key, in_cell, cell, None)
    for i, _ in enumerate(f.__defaults__ or ()):
        yield Link(f"a default of {f.__name__}", in_container, f.__defaults__, i)
    for key in f.__kwdefaults__ or {}:
        yield Link(key, in_container, f.__kwdefaults__, key)
    if hasattr(f, "__wrapped__"):
        yield Link(name, attribute, f, "__wrapped__")
    if is_library(f.__module__):
        return
    names = set(names_in(f.__code__))
    for key in sorted(names & set(f.__globals__)):
        named = Link(key, in_container, f.__globals__, key)
        yield named
        if isinstance(named.value, ModuleType | type):
            yield from in_module(named, names)


def in_module(named: Link, names: set[str]) -> Iterator[Link]:
    """Yield what a function may take from a module, or a class, that it names."""
    x = named.value
    if x.__name__ in SHARED:
        yield Link(f"{named.name}", in_container, SHARED, x.__name__)
    module = x.__name__ if isinstance(x, ModuleType) else x.__module__
    if str(module).startswith("numpy") and "random" in names:
        yield Link(
            f"{named.name}.random", lambda _, key: SHARED[key], None, "numpy.random"
        )
    if not is_library(module):
        for key in sorted(names & set(vars(x))):
            yield Link(f"{named.name}.{key}", attribute, x, key)
