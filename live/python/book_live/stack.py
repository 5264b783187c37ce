"""Keep the stack of a browser from overflowing.

A browser gives a program less stack than Python counts on. Deallocating a long chain of
objects, or recursing in C, would end Python instead of raising an error. So the page
tells CPython, while a cell runs, that the stack is small. That is enough for everything
but imports, which nest deeply and are harmless: these get the whole stack.

The size follows from CPython's margins of 8 kB each on this system. CPython raises
errors when two margins are left, postpones deallocation when four are, and resumes it
when six are. So a cell needs six margins beside what it begins with. Each further kB is
room for nesting, of which the browser has some 20 kB: chains of objects with two tuples
between one and the next need most (a limit of 62 kB ended Python). A limit that is too
small raises errors too. NumPy takes 20 kB to hand an elementwise function to a class,
and 16 kB more for a matrix product inside it: 39 kB were in use (with 54 kB, errors
came at 38). The library never lets NumPy nest these calls.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Limit = Callable[[bool], object]
"""Takes whether the stack is limited from now on."""


@contextmanager
def guarded(limit: Limit) -> Iterator[None]:
    """Limit the stack, except during imports."""
    load = builtins.__import__
    depth = 0

    def load_with_room(*args: Any, **options: Any) -> Any:
        nonlocal depth
        if depth == 0:
            take_apart()
            limit(False)
        depth += 1
        try:
            return load(*args, **options)
        finally:
            depth -= 1
            if depth == 0:
                limit(True)

    builtins.__import__ = load_with_room
    limit(True)
    try:
        yield
    finally:
        take_apart()
        limit(False)
        builtins.__import__ = load


def take_apart() -> None:
    """Let CPython deallocate what it postponed, as at the end of a container."""
    containers: list[list[None]] = [[]]
    containers.clear()
