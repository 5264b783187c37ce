"""Find the generators and tensors that a function can reach (chapter 23).

A function that is run again needs its random generators in their earlier states. They
are found by searching where Python keeps what a function can use: closures, defaults,
named globals, attributes of objects, containers.
"""

from __future__ import annotations

import pickle
import random
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor

MAX_OBJECTS = 10_000  # objects that are visited at most
GENERATORS = (
    np.random.Generator,
    np.random.RandomState,
    np.random.BitGenerator,
    random.Random,
)
_states: dict[str, Any] = {
    "numpy.random": np.random.get_state,
    "random": random.getstate,
}
SHARED = {name: state.__self__ for name, state in _states.items()}  # by all programs
CLOSED = (type, np.ndarray, np.generic, str, bytes, int, float, complex)
OF_NO_INTEREST = ("autograd_lib.", "numpy.")  # their functions' globals


def reached_from(*roots: Any) -> list[Any]:
    """Return the generators and tensors that can be reached from functions and objects.

    It is a breadth-first search, which ends after `MAX_OBJECTS` objects.
    """
    found: list[Any] = []
    seen: set[int] = set()
    todo = deque(roots)
    while todo and len(seen) < MAX_OBJECTS:
        x = todo.popleft()
        if isinstance(x, ModuleType):
            x = SHARED.get(x.__name__)
        if x is None or isinstance(x, CLOSED) or id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, (Tensor, *GENERATORS)):
            found.append(x)
        else:
            todo.extend(islice(referents(x), MAX_OBJECTS))
    return found


def referents(x: Any) -> Iterable[Any]:
    """Return the objects that an object refers to directly."""
    if isinstance(x, FunctionType):
        return referents_of_function(x)
    if isinstance(x, MethodType):
        return x.__self__, x.__func__
    if isinstance(x, BuiltinFunctionType):
        return (x.__self__,)
    if isinstance(x, partial):
        return x.func, *x.args, *x.keywords.values()
    if isinstance(x, dict):
        return x.values()
    if isinstance(x, list | tuple | set | frozenset | deque):
        return x
    methods = (getattr(type(x), name, None) for name in ("forward", "__call__"))
    own = getattr(x, "__dict__", {}).values()
    return *own, *(m for m in methods if isinstance(m, FunctionType))


def referents_of_function(f: FunctionType) -> Iterator[Any]:
    """Yield the objects that a function closes over, its defaults and named globals.

    Of a module that it names, such as ``np``, it also yields the members that it names,
    such as ``random``.
    """
    for cell in f.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is empty: the name has no value yet
            continue
    yield from f.__defaults__ or ()
    yield from (f.__kwdefaults__ or {}).values()
    yield getattr(f, "__wrapped__", None)
    if not str(f.__module__).startswith(OF_NO_INTEREST):
        names = set(names_in(f.__code__))
        for named in [f.__globals__.get(name) for name in names]:
            yield named
            if isinstance(named, ModuleType):
                yield from (vars(named).get(name) for name in names)


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the names that code uses, including that of functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def state_of(generator: Any) -> bytes:
    """Return the state of a generator."""
    if isinstance(generator, np.random.Generator):
        return pickle.dumps(generator.bit_generator.state)
    if isinstance(generator, np.random.BitGenerator):
        return pickle.dumps(generator.state)
    if isinstance(generator, np.random.RandomState):
        return pickle.dumps(generator.get_state(legacy=False))
    try:
        return pickle.dumps(generator.getstate())
    except NotImplementedError:  # the system's generator has no state
        return b""


def set_state(generator: Any, state: bytes) -> None:
    """Restore an earlier state of a generator."""
    if not state:
        return
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = pickle.loads(state)
    elif isinstance(generator, np.random.BitGenerator):
        generator.state = pickle.loads(state)
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(pickle.loads(state))
    else:
        generator.setstate(pickle.loads(state))
