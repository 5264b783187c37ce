"""Load Matplotlib when a cell is about to draw: it is most of a page's weight.

`import matplotlib.pyplot as plt` gives a stand-in. A cell draws if its code names
`plt`, or a function of an earlier cell that does. Other uses meet the stand-in, whose
error explains what to write.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import Any

LARGE = "matplotlib"
SETTING = "style.use"
"""What is noted and done later: every chapter's first cell chooses a style."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Later(ModuleType):
    """Stands for a module of Matplotlib until it is loaded."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self.noted: list[tuple[Any, ...]] = []

    @property
    def style(self) -> Any:
        """An object that notes each call that sets the style."""
        name = f"{self.__name__}.{SETTING.partition('.')[0]}"
        taken = ModuleType(name)
        taken.use = lambda *args: self.noted.append(args)  # type: ignore[attr-defined]
        return taken

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(
            f"{LARGE} is not loaded yet: write `plt` in the cell that needs it",
            name=LARGE,
        )


class Drawing:
    """Knows which cells draw.

    Attributes:
        names: those of Matplotlib's modules, and of functions that use them.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()

    def needs(self, tree: ast.Module) -> bool:
        """Return whether a cell needs Matplotlib, and note the names it defines."""
        aliases = {n.asname or LARGE for n in plain_imports(tree)}
        self.names |= aliases
        whole = any(
            isinstance(node, ast.ImportFrom)
            and (node.module or "").partition(".")[0] == LARGE
            for node in ast.walk(tree)
        )
        draws = False
        for statement in tree.body:
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                if self.names & named(statement):
                    self.names.add(statement.name)
                draws |= bool(self.names & named(*run_at_once(statement)))
            elif not is_setting(statement):
                draws |= bool(self.names & named(statement))
        return whole or draws


def plain_imports(tree: ast.AST) -> Iterator[ast.alias]:
    """Yield the names in `import matplotlib...` statements."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a for a in node.names if a.name.partition(".")[0] == LARGE)


def run_at_once(definition: Definition) -> list[ast.AST]:
    """Return the parts of a definition that run when the definition does."""
    if isinstance(definition, ast.ClassDef):
        body = [one for one in definition.body if not isinstance(one, FUNCTIONS)]
        return [*definition.decorator_list, *definition.bases, *body]
    given = definition.args
    defaults = [*given.defaults, *filter(None, given.kw_defaults)]
    return [*definition.decorator_list, *defaults]


def named(*nodes: ast.AST) -> set[str]:
    """Return the names that some code reads."""
    return {
        node.id
        for start in nodes
        for node in ast.walk(start)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def is_setting(statement: ast.stmt) -> bool:
    """Return whether a statement only sets Matplotlib's style."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and ast.unparse(statement.value.func).endswith(f".{SETTING}")
    )


def put_in_place(namespace: MutableMapping[str, Any]) -> None:
    """Replace the stand-ins by Matplotlib, and repeat the calls that they noted."""
    stand_ins = [m for m in list(sys.modules.values()) if isinstance(m, Later)]
    for one in stand_ins:
        del sys.modules[one.__name__]
    for one in stand_ins:
        real = import_module(one.__name__)
        for args in one.noted:
            real.style.use(*args)
        for name, value in list(namespace.items()):
            if value is one:
                namespace[name] = real
