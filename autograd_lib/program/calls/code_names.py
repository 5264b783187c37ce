"""What names a function's code uses, and by what it may find more (chapter 24)."""

from __future__ import annotations

import sys
from dis import get_instructions
from functools import lru_cache
from itertools import pairwise, takewhile
from types import CodeType, FunctionType

from autograd_lib.checkpointing.surroundings import names_in

DYNAMIC = frozenset(("globals", "eval", "exec", "__import__"))
"""Functions of Python by which code finds what it does not name."""
HIDDEN = frozenset(("__globals__", "f_globals", "f_locals"))
"""Attributes that lead to the same."""
BY_TEXT = frozenset(("getattr", "vars", "__dict__", "dir"))
"""What finds attributes by texts, which may be made on the way."""
SURROUNDINGS = {
    "os": frozenset(("environ", "environb", "getenv")),
    "sys": frozenset(("modules", "_getframe")),
    "importlib": frozenset(("import_module", "reload")),
}
OF_NAMES = frozenset(
    f"{what}_{where}"
    for what in ("LOAD", "STORE", "DELETE")
    for where in ("GLOBAL", "NAME")
)

BETWEEN = ("PUSH_NULL", "PRECALL", "CACHE")
"""What stands between the name of a function and the call, by version of Python."""


@lru_cache(None)
def global_names(code: CodeType) -> frozenset[str]:
    """Return the names that code looks up, or sets, outside of functions."""
    own = {i.argval for i in get_instructions(code) if i.opname in OF_NAMES}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return frozenset(own).union(*map(global_names, inner))


@lru_cache(None)
def imports_in(code: CodeType) -> frozenset[str]:
    """Return the names of what code imports, modules and what it takes from them."""
    own = {i.argval for i in get_instructions(code) if i.opname[:7] == "IMPORT_"}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return frozenset(own).union(*map(imports_in, inner))


def texts_in(code: CodeType) -> set[str]:
    """Return the texts in code that may be names, such as those given to `getattr`."""
    found = {c for c in code.co_consts if isinstance(c, str) and c.isidentifier()}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return found.union(*map(texts_in, inner))


def refuse_dynamic(f: FunctionType) -> None:
    """Raise ValueError if a function calls what finds things that it does not name."""
    named = global_names(f.__code__) & DYNAMIC - set(f.__globals__)
    hidden = sorted(named | HIDDEN.intersection(names_in(f.__code__)))
    if hidden:
        raise ValueError(
            f"{f.__name__} uses {hidden[0]}, by which it finds what it does not name; "
            "name it, or pass it as an argument"
        )
    names = frozenset(names_in(f.__code__))
    for name in names:
        module = getattr(f.__globals__.get(name, sys.modules.get(name)), "__name__", "")
        for key in names & SURROUNDINGS.get(module, frozenset()):
            raise ValueError(
                f"{f.__name__} uses {module}.{key}, by which it finds what it does not "
                "name; pass that as an argument"
            )
    method = "." in f.__qualname__.rpartition("<locals>.")[2]  # maybe not called
    if not method and draws_unseeded(f.__code__):
        raise ValueError(
            f"{f.__name__} makes a generator without a seed, whose numbers would be "
            "those of the recording at every call; draw outside, and pass them as an "
            "argument"
        )


def draws_unseeded(code: CodeType) -> bool:
    """Return whether ``default_rng()`` is called, before any condition or within."""
    certain = takewhile(lambda i: "_IF_" not in i.opname, get_instructions(code))
    steps = [i for i in certain if i.opname not in BETWEEN]
    calls = (a.argval for a, b in pairwise(steps) if (b.opname, b.arg) == ("CALL", 0))
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return "default_rng" in calls or any(map(draws_unseeded, inner))
