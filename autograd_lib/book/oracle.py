"""What gives a check its answers, and is no answer itself (chapter 00).

An exercise asks for another way than the one its check has. That one stands on the
page, so an attempt can call it by its name; but what is called can be seen.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from autograd_lib.book.blame import codes, file_of, nested
from autograd_lib.book.limit import INSTALLED

UNNAMED = "<lambda>"


def own_code(
    expected: Callable[..., Any], via: Callable[..., Any] | None
) -> set[CodeType]:
    """Return the code that an attempt must not call.

    It is that of `expected`, and, where this is a lambda, of the page's functions that
    it names: they do its work. Not what `via` uses too, which calls the attempt; nor a
    function of the library's, which may be part of another way.
    """
    found = [expected]
    if getattr(expected, "__name__", "") == UNNAMED:
        found += [f for f in named(expected) if not file_of(f).startswith(INSTALLED)]
    own = {f.__code__ for f in found if isinstance(f, FunctionType)}
    return own - codes(via) - {f.__code__ for f in named(via)}


def own_way(code: CodeType) -> str:
    """Say that an attempt calls what gives the check its answers."""
    name = "this" if code.co_name == UNNAMED else code.co_name
    return f"{name} is the check's own way to the answer; find another"


def named(function: Any) -> Iterator[FunctionType]:
    """Yield the functions that a function calls, or passes on, by a global name."""
    if isinstance(function, FunctionType):
        for code in nested(function.__code__):
            for step in dis.get_instructions(code):
                if step.opname == "LOAD_GLOBAL":
                    value = function.__globals__.get(step.argval)
                    if isinstance(value, FunctionType):
                        yield value
