"""Refuses what can change unseen (chapter 22)."""

from __future__ import annotations

from types import FunctionType

from autograd_lib.checkpointing.code_names import names_of
from autograd_lib.checkpointing.surroundings import Walk

DYNAMIC = frozenset(("globals", "eval", "exec", "__import__"))
"""Builtins that look up names computed at run time."""
ENVIRONMENT = frozenset(("environ", "getenv"))
"""Names of `os` that allow the same."""


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
