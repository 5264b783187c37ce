"""What a function uses besides its arguments, and whether it is still so (chapter 24).

A program is right as long as what the function closes over, the globals that it names
and the attributes of objects among these are what they were. So they are looked at
before each run: tensors are inputs, read anew each time, and all else must be as
before, or the function is recorded again.
"""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict, deque
from collections.abc import Container, Iterator
from contextvars import ContextVar
from functools import lru_cache, partial
from types import (
    BuiltinFunctionType,
    FunctionType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any
from weakref import ReferenceType

import numpy as np

from autograd_lib.checkpointing.surroundings import GENERATORS, SHARED, names_in
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.code_names import (
    global_names,
    refuse_dynamic,
    refuse_surroundings,
    texts_in,
)
from autograd_lib.program.calls.places import (
    LARGE,
    Capture,
    attribute,
    attributes,
    can_be_given,
    contents,
    in_cell,
    in_class_itself,
    in_container,
    in_slot,
    keys_of,
    length,
)
from autograd_lib.program.calls.same import is_exact, is_plain, kept

MOST = 10_000
REMEMBERED = {"memory", "moves", "steps"}
"""What an optimiser changes at each step, by which it is known."""
CONTAINERS = (dict, list, tuple, deque, set, frozenset, bytearray)
OPAQUE: tuple[Any, ...] = (
    *(MappingProxyType, memoryview, array, ContextVar, ReferenceType),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
"""Types whose objects change unseen: they show what others hold."""


def captures_of(
    function: Any, given: Container[Any] = (), pinned: Container[Any] = ()
) -> list[Capture]:
    """Return the places that a function reads, the nearest first.

    Args:
        function: the function, or an object that it is given.
        given: the places whose numbers a program is given at each call.
        pinned: those whose numbers are constants in any case.

    Raises:
        ValueError: if there are more than some thousands, or something in them cannot
            be looked at.
    """
    search = Search(given, pinned)
    search.follow(function)
    for capture in search.found:
        if isinstance(capture.value, np.ndarray) and not capture.given:
            capture.value, capture.held = kept(capture.value)
    return search.found


class Search:
    """Follows what a function reads: objects with all that is in them, modules by name.

    Attributes:
        found: the places.
        names: those that code has, as far as it was met, and
        texts: those of them that it may give to `getattr`.
        modules: the modules met, with what they are called, by their own names.
    """

    def __init__(self, given: Container[Any], pinned: Container[Any]) -> None:
        self.given, self.pinned = given, pinned
        self.found: list[Capture] = []
        self.names: set[str] = set()
        self.texts: set[str] = set()
        self.modules: dict[str, tuple[str, ModuleType]] = {}
        self.places: set[Any] = set()
        self.seen: set[int] = set()
        self.todo: deque[tuple[str, Any]] = deque()

    def follow(self, function: Any) -> None:
        """Find all places.

        Raises:
            ValueError: if there are more than some thousands.
        """
        self.todo.append(("", function))
        before = -1
        while before < len(self.found):  # names and modules lead to more of both
            before = len(self.found)
            while self.todo:
                self.open(*self.todo.popleft())
            for name, module in list(self.modules.values()):
                refuse_surroundings(module, self.names)
                for capture in in_module(name, module, self.names, self.texts):
                    self.add(capture)
        if len(self.seen) > MOST:
            raise ValueError(
                f"it reaches more than {MOST} objects through what it closes over; "
                "pass what it needs as arguments"
            )

    def open(self, name: str, x: Any) -> None:
        """Add the places in an object."""
        if id(x) in self.seen or len(self.seen) > MOST:
            return
        self.seen.add(id(x))
        if isinstance(x, FunctionType) and not is_library(x.__module__):
            self.texts |= texts_in(x.__code__)
            self.names |= set(names_in(x.__code__)) | self.texts
        if is_opaque(x):
            raise ValueError(
                f"it uses {name or 'something'}, of the type {type(x).__name__}, which "
                "may change unseen; let it use what this shows, or pass that as an "
                "argument"
            )
        for capture in inside(name, x):
            self.add(capture)

    def add(self, capture: Capture) -> None:
        """Add a place that was not known, and open what is there, now or later."""
        place = capture.place
        if place in self.places:
            return
        self.places.add(place)
        large = isinstance(capture.value, np.ndarray) and capture.value.nbytes > LARGE
        given = capture.given or place in self.given or large
        free = place not in self.pinned and can_be_given(capture, capture.value)
        capture.given = given and free
        changes = isinstance(capture.value, np.ndarray | Tensor)
        if (
            changes or type(capture.holder) is not tuple
        ):  # an item of one stays what it is
            self.found.append(capture)
        x = inner(capture.value)
        if capture.given:
            return
        if isinstance(x, ModuleType):
            self.modules.setdefault(x.__name__, (capture.name, x))
        elif opens(x):
            self.todo.append((capture.name, x))


def inner(x: Any) -> Any:
    """Return the function in a property or a method of a class."""
    if isinstance(x, property):
        return x.fget
    return x.__func__ if isinstance(x, classmethod | staticmethod) else x


@lru_cache(None)
def is_library(module: str | None) -> bool:
    """Return whether a module is installed, and so is no part of what may change."""
    top = str(module).partition(".")[0]
    if top in ("autograd_lib", "numpy") or top in sys.stdlib_module_names:
        return top != "__main__"
    file = str(getattr(sys.modules.get(top), "__file__", ""))
    return "site-packages" in file or "dist-packages" in file


def is_opaque(x: Any) -> bool:
    """Return whether an object hides what it holds, or that it has changed."""
    if isinstance(x, set | frozenset):
        return not all(map(is_plain, x))
    return isinstance(x, OPAQUE) or (
        isinstance(x, Iterator) and not hasattr(x, "__dict__")
    )


def opens(x: Any) -> bool:
    """Return whether there may be something inside."""
    if isinstance(x, np.ndarray):
        return bool(x.dtype.hasobject)
    if is_exact(x) or isinstance(x, (Tensor, *GENERATORS)):
        return False
    if isinstance(x, (*CALLED, *CONTAINERS, *OPAQUE, Iterator)):
        return True
    kind = x if isinstance(x, type) else type(x)
    if kind.__module__ == "builtins":
        return False
    return not (isinstance(x, type) and is_library(kind.__module__))


CALLED = (FunctionType, MethodType, partial, BuiltinFunctionType, MethodWrapperType)


def inside(name: str, x: Any) -> Iterator[Capture]:
    """Yield the places in an object."""
    if isinstance(x, FunctionType):
        yield from in_function(name, x)
    elif isinstance(x, MethodType):
        yield Capture(name or "self", attribute, x, "__self__")
        yield Capture(name, attribute, x, "__func__")
    elif isinstance(x, BuiltinFunctionType | MethodWrapperType):
        if not isinstance(x.__self__, ModuleType):
            yield Capture(name, attribute, x, "__self__")
    elif isinstance(x, partial):
        for key in ("func", "args", "keywords"):
            yield Capture(name, attribute, x, key)
    elif isinstance(x, np.ndarray):
        items = tuple(x.flat)
        yield from (Capture(name, in_container, items, i) for i in range(len(items)))
    elif isinstance(x, type):
        yield from in_class(name, x, {})
    elif is_library(type(x).__module__) and hasattr(x, "__wrapped__"):
        yield Capture(name, attribute, x, "__wrapped__")  # a compiled one, say
    else:
        yield from in_contents(name, x)
        if type(x) not in CONTAINERS:
            yield from in_object(name, x)


def in_object(name: str, x: Any) -> Iterator[Capture]:
    """Yield the attributes of an object, and what it has of its class."""
    own = getattr(x, "__dict__", {})
    yield Capture(f"the attributes of {name}", keys_of, own, None)
    for key in own:
        capture = Capture(f"{name}.{key}", in_container, own, key)
        capture.given |= key in REMEMBERED <= own.keys()
        yield capture
    slots = [s for c in type(x).__mro__ for s in slots_of(c)]
    yield from (Capture(f"{name}.{s}", in_slot, x, s) for s in slots)
    if isinstance(x, defaultdict):
        yield Capture(f"{name}.default_factory", attribute, x, "default_factory")
    if not is_library(type(x).__module__):
        yield Capture(f"the class of {name}", attribute, x, "__class__")
    yield from in_class(name, type(x), own)


def in_contents(name: str, x: Any) -> Iterator[Capture]:
    """Yield what a container holds."""
    if isinstance(x, set | frozenset | bytearray):
        yield Capture(f"what is in {name}", contents, x, None)
    elif isinstance(x, dict):
        yield Capture(f"the keys of {name}", keys_of, x, None)
        yield from (Capture(f"{name}[{key!r}]", in_container, x, key) for key in x)
    elif isinstance(x, CONTAINERS):
        yield Capture(f"len({name})", length, x, None)
        yield from (Capture(f"{name}[{i}]", in_container, x, i) for i in range(len(x)))


def in_class(name: str, kind: type, own: Any) -> Iterator[Capture]:
    """Yield what an object has of its class: numbers, methods."""
    if not is_library(type(kind).__module__):
        yield Capture(f"the class of {kind.__name__}", attribute, kind, "__class__")
    for base in kind.__mro__:
        if not is_library(base.__module__):
            of = f"the attributes of {base.__name__}"
            yield Capture(f"the number of {of}", attributes, base, None)
            for key, x in vars(base).items():
                hidden = key.startswith("__") and not isinstance(x, FunctionType)
                if not hidden and key not in own:
                    yield Capture(f"{name}.{key}", in_class_itself, kind, key)


def slots_of(kind: type) -> list[str]:
    """Return the names of a class's slots."""
    slots: Any = getattr(kind, "__slots__", ())
    several = [slots] if isinstance(slots, str) else list(slots)
    own = kind.__name__.lstrip("_")  # in a class, ``__s`` is ``_Class__s``
    named = [s for s in several if not s.endswith("__")]
    return [f"_{own}{s}" if s.startswith("__") else s for s in named]


def in_function(name: str, f: FunctionType) -> Iterator[Capture]:
    """Yield what a function closes over, its defaults, and the globals it names."""
    for key, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        yield Capture(key, in_cell, cell, None)
    for key in vars(f):
        yield Capture(f"{name}.{key}", in_container, vars(f), key)
    if is_library(f.__module__):
        return
    yield Capture(f"the code of {f.__name__}", attribute, f, "__code__")
    for key in ("__defaults__", "__kwdefaults__"):
        yield Capture(f"the defaults of {f.__name__}", attribute, f, key)
    refuse_dynamic(f)
    for key in sorted(global_names(f.__code__)):
        yield Capture(key, in_container, f.__globals__, key)  # or nothing is there, yet
    names = set(names_in(f.__code__))
    for key in sorted(names & set(sys.modules)):
        if not is_library(key):
            yield Capture(key, in_container, sys.modules, key)


def in_module(
    name: str, x: ModuleType, names: set[str], texts: set[str]
) -> Iterator[Capture]:
    """Yield what functions may take from a module."""
    if x.__name__ in SHARED:
        yield Capture(name, in_container, SHARED, x.__name__)
    if x.__name__.startswith("numpy") and "random" in names:
        yield Capture(f"{name}.random", in_container, SHARED, "numpy.random")
    if not is_library(x.__name__):
        for key in sorted(names & set(vars(x)) | texts):  # or later
            yield Capture(f"{name}.{key}", in_container, vars(x), key)
