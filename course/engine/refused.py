"""What the file of an engine has no use for, and a way around the judge has.

An engine calculates: it opens nothing, looks into no frame, closure or module, and
makes no code. `refusals` finds what does by reading the file; `builtins_left` are the
functions of Python's that are there while it runs.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

MODULES = {
    *("__future__", "abc", "collections", "collections.abc", "contextlib", "copy"),
    *("dataclasses", "enum", "functools", "heapq", "itertools", "math", "numpy"),
    *("numpy.typing", "operator", "typing", "weakref"),
}
PACKAGE = "autograd_lib.small"
GONE = {
    *("__import__", "__builtins__", "__loader__", "__spec__", "breakpoint", "compile"),
    *("eval", "exec", "globals", "input", "locals", "open"),
}
"""Names that mean something to Python, and nothing in an engine."""
INSIDE = re.compile(
    r"__(globals|closure|code|defaults|builtins|self|func|subclasses|bases?|mro|traceback"
    r"|context|cause|getattribute|reduce\w*|loader|spec|dict|wrapped|kwdefaults)__"
    r"|mro|(tb|f|gi|cr|ag|co)_\w+|attrgetter|methodcaller|with_traceback"
    r"|_*(sys|os|builtins|gc|inspect|types|importlib|imp|linecache|traceback|io|ctypes"
    r"|warnings|pickle|subprocess|shutil|pathlib|tempfile|core|lib|testing|f2py)"
    r"|ctypeslib|DataSource|memmap|(load|save|from|gen)(s|txt|z\w*|file|fromtxt|regex)?"
    r"|tofile|dumps?|get_type_hints|ForwardRef|\w*eval\w*|singledispatch\w*|register"
)
"""Attributes that lead out of an engine: to code, frames, modules and files."""


PARSING = Lock()
"""Two threads that parse at once disturb each other's count of depth in Python 3.11."""


def refusals(source: str, base: Iterable[str] = ()) -> Iterator[str]:
    """Yield a sentence for each line that no engine needs.

    Args:
        source: the file.
        base: the steps of the book's engine that it may import and build on.

    Raises:
        SyntaxError: if it is not Python, as `ValueError` or `RecursionError` may be.
    """
    given = {f"{PACKAGE}.{step}" for step in base}
    with PARSING:
        tree = ast.parse(source)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for name in asked_of(node):
            module, _, of = name.partition(":")
            if of and module not in MODULES | given:
                yield f"line {line} imports {module}, which is not there"
            elif not of and (name in GONE or INSIDE.fullmatch(name)):
                yield f"line {line} says {name}, which an engine has no use for"


def asked_of(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node asks Python for; of imports, ``module:name``."""
    if isinstance(node, ast.Import):
        yield from (f"{alias.name}:it" for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        home = "." * node.level + (node.module or "")
        if home == PACKAGE:  # from autograd_lib.small import graph
            yield from (f"{home}.{alias.name}:it" for alias in node.names)
        else:
            yield f"{home}:it"
            yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Name):
        if node.id in GONE:
            yield node.id
    elif isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs


def builtins_left(importer: Callable[..., Any]) -> dict[str, Any]:
    """Return Python's functions without those that are gone, for a module's globals.

    Args:
        importer: what an ``import`` calls.
    """

    def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
        def guard(thing: Any, name: str, *value: Any) -> Any:
            if INSIDE.fullmatch(str(name)):
                raise PermissionError(f"an engine has no use for {name}")
            return function(thing, str(name), *value)

        return guard

    def of_an_object(thing: Any) -> dict[str, Any]:
        closed = ModuleType, type, FunctionType, BuiltinFunctionType
        if isinstance(thing, closed):
            raise PermissionError("vars() is for objects of your own")
        found: dict[str, Any] = vars(thing)
        return found

    left = {k: v for k, v in vars(builtins).items() if k not in GONE}
    left |= {f.__name__: guarded(f) for f in (getattr, setattr, delattr, hasattr)}
    return left | {"vars": of_an_object, "__import__": importer}
