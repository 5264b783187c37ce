"""Find out whether an error came from the reader's code or from the check (chapter 00).

A check calls the reader's function, and then uses its result. An error in that use
isn't in one of the reader's lines, and its text alone would make them look for it
there. The traceback says where it was raised.
"""

from __future__ import annotations

import dis
import linecache
import traceback
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

RAISES = dis.opmap["RAISE_VARARGS"]


def told(error: BaseException, attempt: Any, via: Callable[..., Any] | None) -> str:
    """Return the text of a verdict about an error.

    Args:
        error: the error.
        attempt: the reader's function.
        via: the check's function that uses it, if it has one.

    Returns:
        The error, if the reader's code, or code called by it, raised it; only its
        message, if the check raised it on purpose; otherwise the check's line, and why
        it could not use the result.
    """
    plain = f"{type(error).__name__}: {error}"
    frames = list(traceback.walk_tb(error.__traceback__))
    typed, checks = codes(attempt), codes(via)
    if not checks or not typed or any(f.f_code in typed for f, _ in frames):
        return plain
    own = [i for i, (f, _) in enumerate(frames) if f.f_code in checks]
    if not own:
        return plain
    frame, number = frames[own[-1]]
    is_own = own[-1] == len(frames) - 1
    if is_own and isinstance(error, NameError):
        return f"the check needs the cells above it: {error}; run them"
    if is_own and raised_here(error, own[-1], frame.f_code):
        return str(error)
    line = linecache.getline(frame.f_code.co_filename, number).strip()
    where = f"in its line `{line}`" if line else "with its own code"
    return f"the check cannot use what came back, {where}: {plain}"


def raised_here(error: BaseException, depth: int, code: CodeType) -> bool:
    """Return whether a `raise` or an `assert` of this code raised the error."""
    place = error.__traceback__
    for _ in range(depth):
        place = place and place.tb_next
    return place is not None and code.co_code[place.tb_lasti] == RAISES


def codes(thing: Any) -> set[CodeType]:
    """Return the code of a function, and of all that it uses from the same cell.

    These are its inner functions, the functions and classes that it names, and so on.
    """
    found: set[CodeType] = set()
    waiting = [thing]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, FunctionType):
            new = set(nested(thing.__code__)) - found
            found |= new
            names = {name for code in new for name in code.co_names}
            named = (thing.__globals__.get(name) for name in names)
            waiting += [v for v in named if file_of(v) == thing.__code__.co_filename]
        elif isinstance(thing, type):
            waiting += [v for v in vars(thing).values() if not isinstance(v, type)]
        else:
            waiting += [
                getattr(thing, name)
                for name in ("__func__", "__wrapped__", "func")
                if hasattr(thing, name)
            ]
    return found


def nested(code: CodeType) -> Iterator[CodeType]:
    """Yield code, and the code of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def file_of(thing: Any) -> str:
    """Return the file in which a function, or a class's first function, is written."""
    if isinstance(thing, type):
        inside = map(file_of, vars(thing).values())
        return next(filter(None, inside), "")
    function = getattr(thing, "__func__", thing)
    code = getattr(function, "__code__", None)
    return str(code.co_filename) if isinstance(code, CodeType) else ""
