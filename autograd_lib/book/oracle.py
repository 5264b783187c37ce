"""Find attempts that call the check's own computation (chapter 00).

An exercise asks for another computation than the check's. The check's is defined on the
page, so an attempt can call it by its name; this module finds the code that it must not
call.
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

    It is that of `expected` and, if this is a lambda, of the page's functions that it
    names, since they do its work. Functions that `via` uses too are allowed, since it
    calls the attempt, and so are the library's, which may be part of another solution.
    """
    found = [expected]
    if getattr(expected, "__name__", "") == UNNAMED:
        found += [f for f in named(expected) if not file_of(f).startswith(INSTALLED)]
    own = {f.__code__ for f in found if isinstance(f, FunctionType)}
    return own - codes(via) - {f.__code__ for f in named(via)}


def own_way(code: CodeType) -> str:
    """Return the message that an attempt calls the check's own computation."""
    name = "this" if code.co_name == UNNAMED else code.co_name
    return f"{name} is the check's own way to the answer; find another"


def named(function: Any) -> Iterator[FunctionType]:
    """Yield the functions that a function refers to by a global name."""
    if isinstance(function, FunctionType):
        for code in nested(function.__code__):
            for step in dis.get_instructions(code):
                if step.opname == "LOAD_GLOBAL":
                    value = function.__globals__.get(step.argval)
                    if isinstance(value, FunctionType):
                        yield value
