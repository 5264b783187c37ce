"""Finds what a function reads besides its arguments (chapter 24).

A program holds only as long as the function's closure, its globals and the attributes
of objects in them are unchanged. So all of these are compared before each run: tensors
are inputs and read anew; if anything else differs, the function is recorded again.
"""

from __future__ import annotations

import sys
import sysconfig
from array import array
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from enum import Enum
from functools import lru_cache, partial
from gc import get_referents
from logging import Logger
from operator import attrgetter, methodcaller
from threading import local
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
from autograd_lib.program.calls.capture import (
    ATTRIBUTE,
    ITEM,
    OF_CLASS,
    OUTLINE,
    REMEMBERING,
    SLOT,
    Capture,
    Way,
    is_exact,
    is_plain,
    kept,
)
from autograd_lib.program.calls.code_names import (
    BY_TEXT,
    global_names,
    imports_in,
    refuse_dynamic,
    texts_in,
)

Place = tuple[Way, str, Any, Any]
"""How to look something up, its name for messages, its holder and its key."""
STANDARD = sysconfig.get_path("stdlib")
MAX_OBJECTS = 10_000
LARGE = 2**16  # bytes; larger arrays are inputs at once, as comparing them is slow
REMEMBERED = {"memory", "moves", "steps"}
"""Attributes that identify an optimizer; they change at every step."""
CONTAINERS = (dict, list, tuple, deque, set, frozenset, bytearray)
OPAQUE: tuple[Any, ...] = (
    *(np.void, np.random.SeedSequence, local, attrgetter, methodcaller),
    *(MappingProxyType, memoryview, array, ContextVar, ReferenceType),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
"""Types whose objects can change undetected, such as views of other objects."""
MAKERS = ("__class__", "__init__", "__new__", "__init_subclass__")
"""Methods that only construct objects, and so aren't looked up on existing ones."""
CALLED: dict[type, tuple[str, ...]] = {
    FunctionType: (),
    MethodType: ("__self__", "__func__"),
    partial: ("func", "args", "keywords"),
    BuiltinFunctionType: ("__self__",),
    MethodWrapperType: ("__self__",),
}
"""Types of callables, and their attributes to follow."""


class Search:
    """Searches breadth-first for all places that a function can read.

    Objects are searched completely, modules only for the names in the code found so
    far. Places in `given` become inputs, those in `pinned` never do.

    Attributes:
        found: the places, nearest first.
        names: the names in all code found so far.
        texts: string constants in that code, which `getattr` may use.
        modules: the modules found, with their names, by id.
    """

    def __init__(
        self, roots: Iterable[Any], given: Container[Any], pinned: Container[Any]
    ) -> None:
        self.given, self.pinned = given, pinned
        self.found: list[Capture] = []
        self.names: set[str] = set()
        self.texts: set[str] = set()
        self.modules: dict[int, tuple[str, ModuleType]] = {}
        self.places: dict[Any, Any] = {}
        self.seen: set[int] = set()
        self.opaque: list[tuple[str, Any]] = []
        self.whole: set[int] = set()  # modules, by id, of which all may be asked
        self.todo: deque[tuple[str, Any]] = deque()
        for root in roots:
            self.reach("", root)

    def captures(self) -> list[Capture]:
        """Find all places.

        Raises:
            ValueError: if there are too many, or changes in one can't be detected.
        """
        before = -1
        while before < len(self.found):  # new names open more of known modules
            before = len(self.found)
            while self.todo:
                self.open(*self.todo.popleft())
            for name, module in list(self.modules.values()):
                whole = id(module) in self.whole
                for place in in_module(name, module, self.names, self.texts, whole):
                    self.add(*place)
        for name, x in self.opaque:
            attribute = name.rpartition(".")[2]
            if attribute == name or attribute in self.names:  # else never read
                raise ValueError(
                    f"it uses {name or 'something'}, of the type {type(x).__name__}, "
                    "which may change unseen; let it use what this shows, or pass that "
                    "as an argument"
                )
        return self.found

    def open(self, name: str, x: Any) -> None:
        """Add the places in an object."""
        if id(x) in self.seen:
            return
        self.seen.add(id(x))
        if len(self.seen) > MAX_OBJECTS:
            raise ValueError(
                f"it reaches more than {MAX_OBJECTS} objects through what it closes "
                "over; pass what it needs as arguments"
            )
        if isinstance(x, FunctionType) and not is_library(module_of(x)):
            self.texts |= texts_in(x.__code__)
            self.names |= set(names_in(x.__code__)) | self.texts
            if BY_TEXT.intersection(names_in(x.__code__)):
                self.whole |= {id(m) for m in reached(x) if isinstance(m, ModuleType)}
            for key in sorted(self.texts - set(vars(x))):  # may be set later
                self.add(ITEM, f"{name}.{key}", vars(x), key)
        if is_opaque(x):
            self.opaque.append((name, x))
            return
        for place in inside(name, x):
            self.add(*place)

    def add(self, way: Way, name: str, holder: Any, key: Any) -> None:
        """Add a new place, and queue the object there for searching."""
        capture = Capture(way, name, holder, key)
        known_by = capture.place
        if known_by in self.places:
            return
        self.places[known_by] = holder  # keeps the holder alive and its id valid
        x = capture.found
        large = isinstance(x, np.ndarray) and x.nbytes > LARGE
        given = capture.given or large or known_by in self.given
        if type(holder) is dict and holder.keys() >= REMEMBERED:
            given |= key in REMEMBERED
        capture.given = given and capture.free and known_by not in self.pinned
        changes = isinstance(x, (np.ndarray, Tensor, *GENERATORS))
        if changes or type(holder) is not tuple:  # other items are immutable
            self.found.append(capture)
        known = key == "__class__" and not isinstance(holder, type)  # `in_object`
        if capture.given or known:
            return
        if isinstance(x, np.ndarray):
            capture.value = kept(x)
        for part in inner(x):
            self.reach(name, part)

    def reach(self, name: str, x: Any) -> None:
        """Queue an object that may contain places."""
        if isinstance(x, ModuleType):
            self.modules.setdefault(id(x), (name or x.__name__, x))
        elif opens(x):
            self.todo.append((name, x))


def inner(x: Any) -> tuple[Any, ...]:
    """Return the functions wrapped by a descriptor, or the object itself."""
    if isinstance(x, property):
        return x.fget, x.fset, x.fdel
    return (x.__func__ if isinstance(x, classmethod | staticmethod) else x,)


def module_of(f: FunctionType) -> str:
    """Return the module that a function was defined in, whatever `wraps` has set."""
    return str(f.__globals__.get("__name__"))


@lru_cache(None)
def is_library(module: str | None) -> bool:
    """Return whether a module is installed code, which is assumed not to change."""
    top = str(module).partition(".")[0]
    if top in ("autograd_lib", "numpy", "builtins"):
        return True
    file = str(getattr(sys.modules.get(top), "__file__", ""))
    if top in sys.stdlib_module_names:  # unless a local file shadows it
        return top != "__main__" and (not file or file.startswith(STANDARD))
    return "site-packages" in file or "dist-packages" in file


def is_opaque(x: Any) -> bool:
    """Return whether changes inside an object can't be detected."""
    if isinstance(x, set | frozenset):
        return not all(is_plain(item) or type(item) is Tensor for item in x)
    kind = x if isinstance(x, type) else type(x)
    if is_nameless(kind) or type(x).__mro__[-2:][0].__name__ == "_CData":
        return True
    return isinstance(x, OPAQUE) or (
        hasattr(type(x), "__next__") and not hasattr(x, "__dict__")
    )


def is_nameless(kind: type) -> bool:
    """Return whether a class was defined outside any module, as by `exec`."""
    return kind.__module__ == "builtins" and bool(
        kind.__flags__ & 1 << 9
    )  # on the heap


def opens(x: Any) -> bool:
    """Return whether an object may contain places."""
    if isinstance(x, np.ndarray):
        return bool(x.dtype.hasobject)
    if is_exact(x) or isinstance(x, (Tensor, np.ufunc, *GENERATORS)):
        return False
    if isinstance(x, (*CALLED, *CONTAINERS, *OPAQUE)) or hasattr(type(x), "__next__"):
        return True
    kind = x if isinstance(x, type) else type(x)
    if issubclass(kind, (Logger, Enum)):  # these cache lookups
        return False
    if kind.__module__ == "builtins":
        return is_nameless(kind)
    return not (isinstance(x, type) and is_library(kind.__module__))


def inside(name: str, x: Any) -> Iterator[Place]:
    """Yield the places in an object."""
    if isinstance(x, FunctionType):
        yield from in_function(name, x)
    elif isinstance(x, tuple(CALLED)):
        for key in next(keys for kind, keys in CALLED.items() if isinstance(x, kind)):
            if not isinstance(getattr(x, key), ModuleType):
                yield ATTRIBUTE, name or "self", x, key
        yield from attributes(name, x)
    elif isinstance(x, np.ndarray):
        items = tuple(x.flat)
        yield from ((ITEM, name, items, i) for i in range(len(items)))
    elif isinstance(x, type):
        yield from in_class(name, x, {})
        yield from ((OF_CLASS, name, x, key) for key in MAKERS[1:3])
    elif type(x) is REMEMBERING:
        results = tuple(remembered(x))
        yield from ((ITEM, name, results, i) for i in range(len(results)))
        yield ATTRIBUTE, name, x, "__wrapped__"
        yield from attributes(name, x)
    elif is_library(type(x).__module__) and "__wrapped__" in dir_of(x):
        yield ATTRIBUTE, name, x, "__wrapped__"  # such as a compiled function
        yield from attributes(name, x)
    else:
        several = isinstance(x, list | tuple | deque)
        if isinstance(x, CONTAINERS):
            of = f"len({name})" if several else f"what is in {name}"
            yield OUTLINE, of, x, None
        keys: Any = range(len(x)) if several else x if isinstance(x, dict) else ()
        yield from ((ITEM, f"{name}[{key!r}]", x, key) for key in keys)
        if type(x) not in CONTAINERS:
            yield from in_object(name, x)


def dir_of(x: Any) -> dict[str, Any]:
    """Return the attributes of an object, bypassing any `__getattribute__`."""
    try:
        own: Any = object.__getattribute__(x, "__dict__")
    except AttributeError:
        return {}
    return own if isinstance(own, dict) else {}


def remembered(f: Any) -> Iterator[Any]:
    """Yield what the cache of a `functools.lru_cache` function refers to."""
    for held in get_referents(f):
        for x in held.values() if isinstance(held, dict) else ():
            yield from (
                get_referents(x) if type(x).__name__ == "_lru_list_elem" else (x,)
            )


def attributes(name: str, x: Any) -> Iterator[Place]:
    """Yield the attributes that were set on a callable."""
    own = dir_of(x)
    for key in set(own) - getattr(x, "_own", set()):
        if not key.startswith("__"):
            yield ITEM, f"{name}.{key}", own, key


def in_object(name: str, x: Any) -> Iterator[Place]:
    """Yield the attributes of an object and of its class."""
    own = getattr(x, "__dict__", None)
    if own is not None:
        yield OUTLINE, f"the attributes of {name}", own, None
        yield from ((ITEM, f"{name}.{key}", own, key) for key in own)
    slots = [s for c in type(x).__mro__ for s in slots_of(c)]
    yield from ((SLOT, f"{name}.{s}", x, s) for s in slots)
    if isinstance(x, defaultdict):
        yield ATTRIBUTE, f"{name}.default_factory", x, "default_factory"
    if not is_library(type(x).__module__):
        yield ATTRIBUTE, f"the class of {name}", x, "__class__"
    yield from in_class(name, type(x), own or {})


def in_class(name: str, kind: type, own: Container[str]) -> Iterator[Place]:
    """Yield the class attributes and methods of an object."""
    if not is_library(type(kind).__module__):
        yield ATTRIBUTE, f"the class of {kind.__name__}", kind, "__class__"
    for base in kind.__mro__:
        if not is_library(base.__module__):
            yield OUTLINE, f"the attributes of {base.__name__}", base, None
            for key, x in vars(base).items():
                called = callable(x) or isinstance(x, classmethod | staticmethod)
                hidden = key.startswith("__") and not (called and key not in MAKERS)
                if not hidden and key not in own:
                    yield OF_CLASS, f"{name}.{key}", base, key


def slots_of(kind: type) -> list[str]:
    """Return the attribute names of a class's `__slots__`."""
    slots: Any = getattr(kind, "__slots__", ())
    several = [slots] if isinstance(slots, str) else list(slots)
    own = kind.__name__.lstrip("_")  # private names are mangled
    named = [s for s in several if not s.endswith("__")]
    return [f"_{own}{s}" if s.startswith("__") else s for s in named]


def in_function(name: str, f: FunctionType) -> Iterator[Place]:
    """Yield a function's closure cells, its defaults and the globals that it names."""
    for key, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        yield SLOT, key, cell, "cell_contents"
    for key in vars(f):
        yield ITEM, f"{name}.{key}", vars(f), key
    if is_library(module_of(f)):
        return
    for key in ("code", "defaults", "kwdefaults"):
        yield ATTRIBUTE, f"the {key} of {f.__name__}", f, f"__{key}__"
    refuse_dynamic(f)
    for key in sorted(global_names(f.__code__)):
        yield ITEM, key, f.__globals__, key  # may not exist yet
    package = f.__globals__.get("__package__") or ""
    for name in sorted(imports_in(f.__code__)):
        for key in (name, f"{package}.{name}"):
            if key in sys.modules and not is_library(key):
                yield ITEM, key, sys.modules, key


def reached(f: FunctionType) -> Iterator[Any]:
    """Yield the values of a function's globals and closure cells."""
    yield from (f.__globals__.get(key) for key in names_in(f.__code__))
    for cell in f.__closure__ or ():
        with suppress(ValueError):  # the cell is empty
            yield cell.cell_contents


def in_module(
    name: str, x: ModuleType, names: set[str], texts: set[str], whole: bool
) -> Iterator[Place]:
    """Yield the names that functions may read from a module."""
    if x.__name__ in SHARED:
        yield ITEM, name, SHARED, x.__name__
    if x.__name__.startswith("numpy") and "random" in names:
        yield ITEM, f"{name}.random", SHARED, "numpy.random"
    if not is_library(x.__name__):
        there = {key for key in vars(x) if whole and key[:2] != "__"}
        for key in sorted(there | names & set(vars(x)) | texts):  # may be set later
            yield ITEM, f"{name}.{key}", vars(x), key
