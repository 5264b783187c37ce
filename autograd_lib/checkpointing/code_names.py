"""The names that a function's code uses (chapter 21)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from dis import Instruction, get_instructions
from functools import lru_cache
from itertools import pairwise
from types import CodeType

OF_NAMES = frozenset(
    f"{what}_{where}"
    for what in ("LOAD", "STORE", "DELETE")
    for where in ("GLOBAL", "NAME")
)
STORES = ("STORE_GLOBAL", "STORE_NAME", "STORE_DEREF", "STORE_ATTR")
NOT_BETWEEN = ("PUSH_NULL", "PRECALL", "CACHE", "BINARY_SUBSCR", "NOT_TAKEN")
"""Instructions to skip, by version of Python."""


@dataclass(frozen=True)
class CodeNames:
    """The names in code, including that of functions inside it.

    Attributes:
        all: every name.
        globals: global names that it reads or sets.
        imports: modules, and names from modules.
        stored: variables and attributes that it assigns, and keys that it may.
        appended: names and keys of what it appends to: ``losses.append(…)``.
        unseeded: whether it surely calls ``default_rng()`` without a seed.
    """

    all: frozenset[str]
    globals: frozenset[str]
    imports: frozenset[str]
    stored: frozenset[str]
    appended: frozenset[str]
    unseeded: bool


@lru_cache(None)
def names_of(code: CodeType) -> CodeNames:
    """Return the names that code uses."""
    steps = [i for i in get_instructions(code) if i.opname not in NOT_BETWEEN]
    steps = [i for i in steps if i.argrepr != "[]"]  # an index, from Python 3.14 on
    inner = [names_of(c) for c in code.co_consts if isinstance(c, CodeType)]

    def union(own: Iterable[str], key: str) -> frozenset[str]:
        return frozenset(own).union(*(getattr(c, key) for c in inner))

    return CodeNames(
        union(code.co_names, "all"),
        union((i.argval for i in steps if i.opname in OF_NAMES), "globals"),
        union((i.argval for i in steps if i.opname[:7] == "IMPORT_"), "imports"),
        union(stored_in(steps), "stored"),
        union(appended_in(steps), "appended"),
        draws_unseeded(steps) or any(c.unseeded for c in inner),
    )


def stored_in(steps: list[Instruction]) -> Iterator[str]:
    """Yield the names that code assigns; its strings, if it assigns any item."""
    items = any(i.opname == "STORE_SUBSCR" for i in steps)
    for i in steps:
        if i.opname in STORES or (items and isinstance(i.argval, str)):
            yield i.argval


def appended_in(steps: list[Instruction]) -> list[str]:
    """Return the name or key that stands before each ``.append`` or ``.extend``."""
    return [
        before.argval
        for before, step in pairwise(steps)
        if step.argval in ("append", "extend") and isinstance(before.argval, str)
    ]


def draws_unseeded(steps: list[Instruction]) -> bool:
    """Return whether code calls ``default_rng()`` before any branch."""
    for before, step in pairwise(steps):
        if "_IF_" in step.opname:
            return False
        if before.argval == "default_rng" and (step.opname, step.arg) == ("CALL", 0):
            return True
    return False
