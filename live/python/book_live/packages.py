"""Find the packages that a cell needs, so that the page loads them before it runs.

The imports of a cell stand in its code. The imports of the library are read from its
source, module by module.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Container, Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from book_live.later import LARGE, Drawing, Later, put_in_place
from book_live.timing import what_is_timed

LIBRARY = "autograd_lib"
drawing = Drawing()


def needed(source: str) -> list[str]:
    """Return the top-level names that a cell imports, directly or through the library.

    Matplotlib is among them where the cell draws, not where it is imported. Code
    that cannot be parsed needs nothing: it will raise its error when it runs.
    """
    try:
        tree = ast.parse(what_is_timed(source))
    except SyntaxError:
        return []
    pending = list(imports(ast.walk(tree)))
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.partition(".")[0] == LIBRARY:
            pending.extend(behind(name))
    found = {name.partition(".")[0] for name in seen} - {LARGE}
    drawing.names |= {*that_draw(tree)}
    return sorted(found | {LARGE} if drawing.needs(tree) else found)


def that_draw(tree: ast.AST) -> Iterator[str]:
    """Yield the names from the library whose module has Matplotlib draw, as `Plot`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            for alias in node.names:
                name = alias.name
                places = module, f"{module}.{name}", f"{module}.{name.lower()}"
                if any(LARGE in one.split(".") for p in places for one in wanted_by(p)):
                    yield alias.asname or name


def imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the dotted names that import statements among the nodes may mean."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def behind(name: str) -> list[str]:
    """Return the imports of a module of the library, and its parent package.

    Its file is found without `find_spec`, which would import that package. Matplotlib
    is left out: the library imports it to show a figure, which needs it anyway.
    """
    above = name.rpartition(".")[0]
    needs = [one for one in wanted_by(name) if one.partition(".")[0] != LARGE]
    return [*needs, above] if above else needs


def wanted_by(name: str) -> list[str]:
    """Return all that a module of the library imports, and nothing for others."""
    library = find_spec(LIBRARY)
    if library is None or not library.submodule_search_locations:
        return []
    first, *rest = name.split(".")
    if first != LIBRARY:
        return []
    base = Path(library.submodule_search_locations[0], *rest)
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return of_file(path)
    return []


@cache
def of_file(path: Path) -> list[str]:
    """Return the imports of a file of the library, which is read once for all cells."""
    return list(imports(ast.walk(ast.parse(path.read_text("utf-8")))))


class Available:
    """Lets `find_spec` find packages that the page can load but has not loaded.

    Args:
        names: the top-level names.
    """

    def __init__(self, names: Container[str]) -> None:
        self.names = names
        self.failed: dict[str, str] = {}

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        """Return a spec for a package of this page, or a module of a stand-in."""
        part = name.startswith(f"{LARGE}.")
        if name in self.names or (part and isinstance(sys.modules.get(LARGE), Later)):
            # The loader has what a loader needs; mypy asks for more.
            return ModuleSpec(name, self)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Make a stand-in for Matplotlib; leave the others to Python."""
        large = spec.name.partition(".")[0] == LARGE
        return Later(spec.name) if large else None

    def exec_module(self, module: ModuleType) -> None:
        """Refuse: the page loads a package before the cell that names it.

        Raises:
            ImportError: for all packages but Matplotlib, with the way out.
        """
        name = module.__name__
        if name in self.failed:
            raise ImportError(f"{name}: {self.failed[name]}", name=name)
        if isinstance(module, Later):
            return
        raise ImportError(
            f"{name} is not loaded yet: write `import {name}` in a cell", name=name
        )


def offer(names: Container[str]) -> Available:
    """Let `find_spec` find packages that are not loaded yet."""
    found = Available(names)
    sys.meta_path.append(found)
    return found


def settle(name: str) -> None:
    """Adapt a package that was just loaded to the browser."""
    if name == LARGE:
        put_in_place(vars(sys.modules["__main__"]))
    elif name == "tqdm":
        # Its monitor is a thread, which Pyodide cannot start.
        from tqdm import tqdm

        tqdm.monitor_interval = 0
