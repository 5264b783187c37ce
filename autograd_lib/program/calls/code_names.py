"""Which names a function's code uses, and which dynamic lookups (chapter 24)."""

from __future__ import annotations

import sys
from dis import get_instructions
from functools import lru_cache
from itertools import pairwise, takewhile
from types import CodeType, FunctionType

from autograd_lib.checkpointing.surroundings import names_in

DYNAMIC = frozenset(("globals", "eval", "exec", "__import__"))
"""Builtins that look up names computed at run time."""
HIDDEN = frozenset(("__globals__", "f_globals", "f_locals"))
"""Attributes that allow the same."""
BY_TEXT = frozenset(("getattr", "vars", "__dict__", "dir"))
"""Names by which attributes are looked up from strings."""
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
"""Instructions between loading a function and its call, by version of Python."""


@lru_cache(None)
def global_names(code: CodeType) -> frozenset[str]:
    """Return the global names that code reads or sets."""
    own = {i.argval for i in get_instructions(code) if i.opname in OF_NAMES}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return frozenset(own).union(*map(global_names, inner))


@lru_cache(None)
def imports_in(code: CodeType) -> frozenset[str]:
    """Return the names that code imports: modules, and names from modules."""
    own = {i.argval for i in get_instructions(code) if i.opname[:7] == "IMPORT_"}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return frozenset(own).union(*map(imports_in, inner))


def texts_in(code: CodeType) -> set[str]:
    """Return string constants in code that may be names, as for `getattr`."""
    found = {c for c in code.co_consts if isinstance(c, str) and c.isidentifier()}
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return found.union(*map(texts_in, inner))


def refuse_dynamic(f: FunctionType) -> None:
    """Raise ValueError if a function looks up names that aren't in its code."""
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
    method = "." in f.__qualname__.rpartition("<locals>.")[2]  # it may never run
    if not method and draws_unseeded(f.__code__):
        raise ValueError(
            f"{f.__name__} makes a generator without a seed, whose numbers would be "
            "those of the recording at every call; draw outside, and pass them as an "
            "argument"
        )


def draws_unseeded(code: CodeType) -> bool:
    """Return whether code, or a function in it, surely calls ``default_rng()``."""
    certain = takewhile(lambda i: "_IF_" not in i.opname, get_instructions(code))
    steps = [i for i in certain if i.opname not in BETWEEN]
    calls = (a.argval for a, b in pairwise(steps) if (b.opname, b.arg) == ("CALL", 0))
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    return "default_rng" in calls or any(map(draws_unseeded, inner))
