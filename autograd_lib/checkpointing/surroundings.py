"""Find what a function reads, where Python keeps it (chapter 21).

A function that is run again needs its random generators in their earlier states, and a
program of it (chapter 22) holds for what it was recorded with. Both ask `Walk`: it
begins at the function and goes through closure cells, defaults, `self` and the globals
that the code names; then through lists, dictionaries, tuples, the attributes of objects
and the data of their classes. Methods are opened for what they name in turn.
"""

from __future__ import annotations

import sys
import sysconfig
from array import array
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from logging import Logger
from threading import local
from types import (
    BuiltinFunctionType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any
from weakref import ReferenceType

import numpy as np

from autograd_lib.checkpointing.code_names import names_of
from autograd_lib.checkpointing.generators import GENERATORS, SHARED
from autograd_lib.engine.tape.tensor import Tensor

MAX_OBJECTS = 10_000  # that are visited
MISSING = object()
"""The value of a place that doesn't exist."""
MAKERS = ("__init__", "__post_init__", "__new__", "__setstate__")
"""Methods that run where an object is made, so not for one that is found."""
CONTAINERS = (dict, list, tuple, deque, set, frozenset)
EXACT = (int, bool, float, complex, str, bytes, range, type(None), type(...))
"""Types whose objects are interchangeable if they are equal."""
CLOSED: tuple[Any, ...] = (*EXACT, slice, np.generic, np.dtype, np.ufunc, Tensor)
CLOSED += (Enum, Logger, *GENERATORS)
"""Types of objects that hold no places: constants, and what keeps its own state."""
OPAQUE: tuple[Any, ...] = (
    *(np.void, np.random.SeedSequence, local, array, ContextVar, MappingProxyType),
    *(memoryview, bytearray, ReferenceType),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
"""Types whose objects can change unseen, such as views of other objects."""


@dataclass(eq=False)
class Way:
    """How an object is looked up, and in which types of holders it can be replaced."""

    look: Callable[[Any, Any], Any]
    holders: tuple[type, ...] = ()


def item_of(x: Any, key: Any) -> Any:
    """Return an item, bypassing a subclass's `__getitem__`."""
    if isinstance(x, dict):
        return dict.get(x, key, MISSING)
    return list.__getitem__(x, key) if isinstance(x, list) else x[key]


def outline(x: Any, _: None) -> Any:
    """Return what is compared of a container besides its items: keys, or its length."""
    if isinstance(x, dict):
        return tuple(x)
    if isinstance(x, type):  # `copy` caches an attribute there
        return len(vars(x)) - ("__slotnames__" in vars(x))
    return frozenset(x) if isinstance(x, set | frozenset) else len(x)


ITEM = Way(item_of, (dict, list, deque))
ATTRIBUTE = Way(getattr, (object,))  # a slot, a closure cell, or data of a class
BOUND = Way(getattr)  # of a method, which can't be replaced
OUTLINE = Way(outline)


@dataclass(eq=False, slots=True)
class Place:
    """Where an object is found: a key of a holder.

    Attributes:
        way: how it is looked up.
        name: its name in messages.
        holder: the object that holds it, and
        key: its name or index there.
        declared: whether the holder's class declares, in `changing`, that it changes
            from call to call, as optimisers do for their state.
    """

    way: Way
    name: str
    holder: Any
    key: Any = None
    declared: bool = False

    def now(self) -> Any:
        """Return the object there now, or MISSING."""
        try:
            return self.way.look(self.holder, self.key)
        except (KeyError, IndexError, AttributeError, ValueError):
            return MISSING


class Walk:
    """A breadth-first search of all places that functions and objects can read.

    Objects are opened whole, modules only for the names in the code found so far. Lists
    come last, when the code that appends to them is known.

    Args:
        roots: functions and objects.
        enter: told of each place with its object, and returns whether to open that.

    Attributes:
        functions: the functions found that don't belong to installed packages.
        names: the names in their code.
        opaque: the names and objects that can change unseen.
    """

    def __init__(
        self, roots: Iterable[Any], enter: Callable[[Place, Any], bool]
    ) -> None:
        self.enter = enter
        self.functions: list[FunctionType] = []
        self.names: set[str] = set()
        self.opaque: list[tuple[str, Any]] = []
        self.seen: dict[int, Any] = {}  # keeps the objects alive and their ids valid
        self.places: set[Any] = set()
        self.classes: set[type] = set()  # of objects
        self.modules: dict[int, tuple[str, ModuleType]] = {}
        self.todo: deque[tuple[str, Any, Any]] = deque()
        self.lists: deque[tuple[Place, Any, Any]] = deque()
        for root in roots:
            self.reach("", root)

    def run(self) -> None:
        """Visit everything, or the first `MAX_OBJECTS` objects."""
        before = -1
        while before < len(self.places):  # new names open more of known modules
            before = len(self.places)
            while (self.todo or self.lists) and len(self.seen) <= MAX_OBJECTS:
                if self.todo:
                    self.open(*self.todo.popleft())
                else:
                    self.enter_place(*self.lists.popleft())
            for name, module in list(self.modules.values()):
                self.open_module(name, module)

    def reach(self, name: str, x: Any, declared: Any = ()) -> None:
        """Queue an object that may hold places."""
        if isinstance(x, ModuleType):
            self.modules.setdefault(id(x), (name or x.__name__, x))
        elif id(x) not in self.seen and opens(x):
            self.seen[id(x)] = x
            self.todo.append((name, x, declared))

    def add(
        self, way: Way, name: str, holder: Any, key: Any = None, declared: Any = ()
    ) -> None:
        """Visit a place, and queue the object there."""
        exact = isinstance(key, int | str) or key is None  # others by identity
        known_by = way, id(holder), key if exact else id(key)
        if known_by in self.places:
            return
        self.places.add(known_by)
        place = Place(way, name, holder, key, exact and key in declared)
        x = place.now()
        if type(x) in (list, deque):
            self.lists.append((place, x, declared))
        elif x is not MISSING:
            self.enter_place(place, x, declared)

    def enter_place(self, place: Place, x: Any, declared: Any) -> None:
        """Tell of a place, and queue the object there if it is to be opened."""
        if self.enter(place, x) and place.way is not OUTLINE:
            plain = type(x) in (dict, list, tuple)  # the state of the same object
            self.reach(place.name, x, declared if plain else ())

    def open(self, name: str, x: Any, declared: Any) -> None:
        """Visit the places in an object."""
        if is_opaque(x):
            self.opaque.append((name, x))
        elif isinstance(x, FunctionType):
            self.open_function(name, x)
        elif isinstance(x, type):
            self.open_class(x, makers=True)
        elif isinstance(x, MethodType | BuiltinFunctionType):
            if not isinstance(x.__self__, ModuleType):
                self.add(BOUND, name or "self", x, "__self__")
            self.reach(name, getattr(x, "__func__", None))
        elif isinstance(x, partial):
            self.reach(name, x.func)
            for several in (x.args, x.keywords):
                self.open_items(name, several, ())
        else:
            if isinstance(x, CONTAINERS):
                self.open_items(name, x, declared)
            if type(x) not in CONTAINERS:
                self.open_object(name, x)

    def open_items(self, name: str, x: Any, declared: Any) -> None:
        """Visit the items of a container, and its keys or its length."""
        several = isinstance(x, list | tuple | deque)
        if type(x) is not tuple:
            of = f"len({name})" if several else f"what is in {name}"
            self.add(OUTLINE, of, x)
        keys: Any = range(len(x)) if several else x if isinstance(x, dict) else ()
        for key in keys:
            self.add(ITEM, f"{name}[{key!r}]", x, key, declared)

    def open_object(self, name: str, x: Any) -> None:
        """Visit the attributes of an object, and the data and methods of its class."""
        own, declared = attributes(x), getattr(type(x), "changing", ())
        hidden = own.get("_own", ())  # what a compiled function keeps for itself
        if not hidden and hasattr(x, "__dict__"):
            self.add(OUTLINE, f"the attributes of {name}", own)
        for key in own:
            if key not in hidden and (key[:2] != "__" or key == "__wrapped__"):
                self.add(ITEM, f"{name}.{key}", own, key, declared)
        for kind in type(x).__mro__:
            for key, y in vars(kind).items():
                if isinstance(y, MemberDescriptorType) and key[:2] != "__":
                    self.add(ATTRIBUTE, f"{name}.{key}", x, key, declared)
        if type(x) not in self.classes:
            self.classes.add(type(x))
            self.open_class(type(x), makers=False)

    def open_class(self, kind: type, makers: bool) -> None:
        """Visit the data of a class and its bases, and open its methods."""
        for base in kind.__mro__:
            if is_library(base.__module__):
                continue
            self.add(OUTLINE, f"the attributes of {base.__name__}", base)
            several = dict(vars(base))
            for key, x in several.items():
                functions = functions_of(x) if makers or key not in MAKERS else []
                for f in functions:
                    self.reach(f"{base.__name__}.{key}", f)
                if not functions and key[:2] != "__" and not hasattr(x, "__get__"):
                    self.add(ATTRIBUTE, f"{base.__name__}.{key}", base, key)

    def open_function(self, name: str, f: FunctionType) -> None:
        """Visit a function's cells, defaults, attributes and named globals."""
        code = f.__code__
        for key, cell in zip(code.co_freevars, f.__closure__ or (), strict=True):
            self.add(ATTRIBUTE, key, cell, "cell_contents")
        for key in vars(f):
            self.add(ITEM, f"{name or f.__name__}.{key}", vars(f), key)
        for key in ("__defaults__", "__kwdefaults__"):
            if getattr(f, key):
                self.add(ATTRIBUTE, f"a default of {f.__name__}", f, key)
        if is_library(str(f.__globals__.get("__name__"))):
            return
        self.functions.append(f)
        found = names_of(code)
        self.names |= found.all
        for key in sorted(found.globals):
            if key in f.__globals__:
                self.add(ITEM, key, f.__globals__, key)
        package = f.__globals__.get("__package__") or ""
        for imported in sorted(found.imports):
            for key in (imported, f"{package}.{imported}"):
                if key in sys.modules:
                    self.reach(imported, sys.modules[key])

    def open_module(self, name: str, x: ModuleType) -> None:
        """Visit the names that functions may read from a module."""
        if x.__name__ in SHARED:
            self.add(ITEM, name, SHARED, x.__name__)
        if x.__name__.startswith("numpy") and "random" in self.names:
            self.add(ITEM, f"{name}.random", SHARED, "numpy.random")
        if not is_library(x.__name__):
            for key in sorted(self.names & set(vars(x))):
                self.add(ITEM, f"{name}.{key}", vars(x), key)


def reached_from(*roots: Any) -> list[Any]:
    """Return the generators and tensors that functions and objects can read."""
    found: dict[int, Any] = {}

    def enter(place: Place, x: Any) -> bool:
        if isinstance(x, (Tensor, *GENERATORS)):
            found[id(x)] = x
        return True

    Walk([list(roots)], enter).run()
    return list(found.values())


def attributes(x: Any) -> dict[str, Any]:
    """Return the attributes of an object, bypassing any `__getattribute__`."""
    try:
        own: Any = object.__getattribute__(x, "__dict__")
    except AttributeError:
        return {}
    return own if isinstance(own, dict) else {}


def functions_of(x: Any) -> list[Any]:
    """Return the functions behind a function, method or property of a class."""
    if isinstance(x, property):
        return [f for f in (x.fget, x.fset, x.fdel) if f is not None]
    if isinstance(x, classmethod | staticmethod):
        return [x.__func__]
    inner = getattr(x, "__wrapped__", None) or getattr(x, "func", None)
    return [x] if isinstance(x, FunctionType) else [inner] if callable(inner) else []


@lru_cache(None)
def is_library(module: str | None) -> bool:
    """Return whether a module is installed code, which is assumed not to change."""
    top = str(module).partition(".")[0]
    if top in ("autograd_lib", "numpy", "builtins"):
        return True
    file = str(getattr(sys.modules.get(top), "__file__", ""))
    if top in sys.stdlib_module_names:  # unless a local file shadows it
        standard = sysconfig.get_path("stdlib")
        return top != "__main__" and (not file or file.startswith(standard))
    return "site-packages" in file or "dist-packages" in file


def is_opaque(x: Any) -> bool:
    """Return whether an object can change unseen."""
    if isinstance(x, set | frozenset):
        return not all(is_plain(item) or type(item) is Tensor for item in x)
    iterates = hasattr(type(x), "__next__") and not hasattr(x, "__dict__")
    return isinstance(x, (np.ndarray, *OPAQUE)) or iterates


def is_exact(x: Any) -> bool:
    """Return whether an equal object of the same type is interchangeable with it."""
    number = isinstance(x, np.generic) and not isinstance(x, np.void)
    return number or type(x) in EXACT


def is_plain(x: Any) -> bool:
    """Return whether equal objects are interchangeable as members of a set."""
    if isinstance(x, tuple | frozenset):
        return type(x) in (tuple, frozenset) and all(map(is_plain, x))
    return is_exact(x) or isinstance(x, type)


def opens(x: Any) -> bool:
    """Return whether an object may hold places, or is opaque."""
    if isinstance(x, np.ndarray):  # of objects
        return bool(x.dtype.hasobject)
    if isinstance(x, CLOSED) and not isinstance(x, OPAQUE):
        return False
    if isinstance(x, type):
        return not is_library(x.__module__)
    called = isinstance(x, FunctionType | MethodType | BuiltinFunctionType)
    if called or isinstance(x, (*CONTAINERS, *OPAQUE)):
        return True
    return hasattr(type(x), "__next__") or type(x).__module__ != "builtins"
