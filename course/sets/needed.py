"""Which cells of a notebook make what a piece of code names.

An exercise needs a few of the definitions above it, and none of the trainings and plots
in between. Names lead from its code to the cells that bind them last, and on to what
those cells name themselves.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from course.sets.pieces import NO_PYTHON
from notebooks.notebook import bound


def needed(sources: Sequence[str], asked: Mapping[int, str]) -> list[int]:
    """Return the numbers of the cells that the asked ones need, and of these.

    A cell that assigns to an attribute or an item of a name makes a part of it. What a
    call changes in its arguments is not seen.

    Args:
        sources: those of all cells, in order.
        asked: by their numbers, code that may stand in the place of these.
    """
    late: set[str] = set()  # what functions name: they may be called below its cell
    while True:
        names, found = set(late), []
        for i in reversed(range(len(sources))):
            whole, parts = bound(sources[i]), changed(sources[i])
            if i in asked or (whole | parts) & names:
                found.append(i)
                names = (names - whole) | wanted(sources[i]) | wanted(asked.get(i, ""))
        more = late.union(*(named_inside(sources[i]) for i in found))
        if more == late:
            return found[::-1]
        late = more


def wanted(source: str) -> set[str]:
    """Return the names that a source takes from before it."""
    names: set[str] = set()
    so_far: set[str] = set()
    for statement in ast.parse(source).body:
        own = ast.unparse(statement)
        table = symtable.symtable(own, "cell", "exec")
        names |= {
            s.get_name() for s in table.get_symbols() if s.is_referenced()
        } - so_far
        so_far |= bound(own)
    names |= named_inside(source) - bound(source)
    return names - set(dir(builtins))


def named_inside(source: str) -> set[str]:
    """Return the global names of the functions and classes in a source."""
    found: set[str] = set()
    tables = [symtable.symtable(source, "cell", "exec")]
    while tables:
        inner = tables.pop().get_children()
        tables += inner
        for table in inner:
            found |= {s.get_name() for s in table.get_symbols() if s.is_global()}
    return found - set(dir(builtins))


def changed(source: str) -> set[str]:
    """Return the names of which a source sets an attribute or an item."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        part: ast.AST = node
        while isinstance(part, ast.Attribute | ast.Subscript):
            part = part.value
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if stored and part is not node and isinstance(part, ast.Name):
            names.add(part.id)
    return names


def free_names(sources: Iterable[str]) -> str:
    """Return code that mentions each name that answers take from the page above."""
    names: set[str] = set()
    for source in sources:
        with suppress(*NO_PYTHON):
            names |= wanted(source)
    return "\n".join(sorted(names))
