"""The modules that source code needs, found without running it.

The fingerprint of notebooks and the rule of growth use it for `autograd_lib`; the test
for circular imports uses it for `live/` as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from notebooks.source import statements

PACKAGE = "autograd_lib"


def module_files(root: Path, package: str = PACKAGE) -> dict[str, Path]:
    """Return the file of each module of a package below `root`, by dotted name."""
    files = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        files[".".join(parts)] = path
    return files


def imported_modules(source: str, modules: Iterable[str], inside: str = "") -> set[str]:
    """Return those of `modules` that `source` imports anywhere in it.

    Args:
        source: Python source, without cell magics.
        modules: the dotted names of all modules of the package.
        inside: the package that holds the source, to resolve relative imports.
    """
    return set(imported_names(source, inside).intersection(modules))


@cache
def imported_names(source: str, inside: str) -> frozenset[str]:
    """Return all dotted names that a source may import; results are cached."""
    found: set[str] = set()
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = inside.split(".")
                above = above[: len(above) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(found)


def module_imports(root: Path, package: str = PACKAGE) -> dict[str, set[str]]:
    """Return, for each module of a package, the modules that it imports of it."""
    files = module_files(root, package)
    imports = {}
    for name, path in files.items():
        inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
        source = path.read_text(encoding="utf-8")
        imports[name] = imported_modules(source, files, inside) - {name}
    return imports


def needed_modules(direct: Iterable[str], imports: Mapping[str, set[str]]) -> set[str]:
    """Return `direct` and all modules that these import, directly or through others.

    Importing a module imports the packages that contain it, so these count too.
    """
    pending = set(direct)
    needed: set[str] = set()
    while pending:
        name = pending.pop()
        if name and name not in needed:
            needed.add(name)
            pending |= imports[name] | {name.rpartition(".")[0]}
    return needed
