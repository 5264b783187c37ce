"""What a function reads besides its arguments, as captures (chapter 24).

A program holds only as long as that is unchanged, so each place is an input or compared
before each run. Inputs from the start are tensors, generators and large arrays; the
state that optimisers and schedules declare; and numbers that the code assigns. All
others are constants, until a second value is found there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from autograd_lib.checkpointing.code_names import CodeNames, names_of
from autograd_lib.checkpointing.generators import GENERATORS
from autograd_lib.checkpointing.surroundings import (
    MAKERS,
    MAX_OBJECTS,
    OUTLINE,
    Place,
    Walk,
)
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.capture import GRADIENT, Capture, parts_of
from autograd_lib.program.calls.number import NUMBERS

LARGE = 2**16  # bytes; larger arrays are inputs at once, as comparing them is slow
DYNAMIC = frozenset(("globals", "eval", "exec", "__import__"))
"""Builtins that look up names computed at run time."""
ENVIRONMENT = frozenset(("environ", "getenv"))
"""Names of `os` that allow the same."""


def captures_of(
    roots: Iterable[Any], given: Container[Any], lists: dict[int, tuple[Any, bool]]
) -> list[Capture]:
    """Return the places that functions and objects read, nearest first.

    Args:
        roots: the functions and objects.
        given: what is known to change, by `known_by`, and becomes an input.
        lists: by id, lists, and whether the function only appends to them.

    Raises:
        ValueError: if there are too many, or one can change unseen.
    """
    found: list[Capture] = []

    def enter(place: Place, x: Any) -> bool:
        k = Capture(place)
        large = isinstance(x, np.ndarray) and x.nbytes > LARGE
        if not k.given and (place.declared or large or k.known_by in given):
            k.given = k.may_be_given
        if type(x) in (list, deque) and k.may_be_put and not k.given:
            named = any(place.key in c.appended for c in codes(walk.functions))
            k.appended = lists.get(id(x), (x, named))[1]
        if not k.given and isinstance(x, np.ndarray):
            k.value = x.copy()
        changes = isinstance(x, (np.ndarray, Tensor, *GENERATORS))
        if changes or type(place.holder) is not tuple:  # other items are immutable
            found.append(k)
        return not (k.given or k.appended)

    walk = Walk(roots, enter)
    walk.run()
    if len(walk.seen) > MAX_OBJECTS:
        raise ValueError(
            f"it reaches more than {MAX_OBJECTS} objects through what it closes over; "
            "pass what it needs as arguments"
        )
    refuse_unseen(walk)
    later = [f for f in walk.functions if f.__name__ not in MAKERS]
    assigned = frozenset[str]().union(*(c.stored for c in codes(later)))
    for k in found:
        if k.key in assigned and type(k.found) in NUMBERS and k.may_be_given:
            k.given = True
    for k in reached_twice(found):
        k.given = False
    gradients = [
        Capture(Place(GRADIENT, f"{k.name}.grad", k))
        for k in found
        if type(k.found) is Tensor and k.found.node is not None
    ]
    return found + gradients


def codes(functions: Iterable[FunctionType]) -> Iterator[CodeNames]:
    """Yield the names in the code of each function."""
    return (names_of(f.__code__) for f in functions)


def refuse_unseen(walk: Walk) -> None:
    """Raise ValueError if something that was found can change unseen."""
    for f in walk.functions:
        refuse_dynamic(f)
    for name, x in walk.opaque:
        attribute = name.rpartition(".")[2]
        if attribute == name or attribute in walk.names:  # else never read
            raise ValueError(
                f"it uses {name or 'something'}, of the type {type(x).__name__}, which "
                "may change unseen; let it use what this shows, or pass that as an "
                "argument"
            )


def reached_twice(captures: list[Capture]) -> Iterator[Capture]:
    """Yield inputs that hold a list or dictionary which is also found elsewhere.

    A stand-in for the container would break that aliasing.
    """
    own: dict[int, Capture] = {}
    for k in captures:
        parts = parts_of(k.found) if k.given else ()
        for x in [part for part in parts if type(part) in (list, dict)]:
            if id(x) in own:
                yield from (k, own[id(x)])
            own[id(x)] = k
    for k in captures:
        if not k.given and k.way is not OUTLINE:
            yield from (own[id(x)] for x in (k.found, k.holder) if id(x) in own)


def refuse_dynamic(f: FunctionType) -> None:
    """Raise ValueError if a function looks up names that aren't in its code."""
    found = names_of(f.__code__)
    named = found.globals & DYNAMIC - set(f.__globals__)
    hidden = sorted(named | ENVIRONMENT & found.all)
    if hidden:
        raise ValueError(
            f"{f.__name__} uses {hidden[0]}, by which it finds what it does not name; "
            "name it, or pass it as an argument"
        )
    method = "." in f.__qualname__.rpartition("<locals>.")[2]  # it may never run
    if found.unseeded and not method:
        raise ValueError(
            f"{f.__name__} makes a generator without a seed, whose numbers would be "
            "those of the recording at every call; draw outside, and pass them as an "
            "argument"
        )
