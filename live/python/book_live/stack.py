"""Keeps the stack of a browser from running over.

A browser gives a program less stack than Python counts on. To take a long chain of
objects apart, or to recurse in C, would end Python instead of raising an error. So the
page tells CPython, while a cell runs, that there is little: it is enough for all but
imports, which nest deeply and are harmless, and which get the whole.

How little is a matter of CPython's margins, of 8 kB each on this system. It raises
errors when two of them are left, puts off taking apart when four are, and goes back to
it where six are. So a cell needs six and what it begins with. Each kB more is room for
nesting, of which the browser has room for some 20 kB: chains of objects, in which
two tuples lie between one and the next, need most (a limit of 62 kB ended Python). Too
little is an error too. To hand an elementwise function to a class, NumPy takes 20 kB,
and for a matrix product in there 16 kB more: so 39 kB were in use (with 54 kB, errors
came at 38). The library never has NumPy do that within itself.
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
    """Limit the stack, except within imports."""
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
    """Let CPython take apart what it has put off, as it does where a container ends."""
    containers: list[list[None]] = [[]]
    containers.clear()
