"""The tests that belong to a file: those that import it, directly or through others.

A file that is not Python belongs to the modules that name it. Sources are read, not
run, as in `notebooks.imports`. Imports by computed names cannot be seen that way, so
they are listed here; a test checks that the lists are complete.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from notebooks.imports import imported_modules, module_files

# The packages, each with the folder from which it is imported.
PACKAGES = (
    ("", "autograd_lib"),
    ("", "benchmarks"),
    ("", "course"),
    ("", "live/tools"),
    ("", "notebooks"),
    ("", "press"),
    ("", "tests"),
    ("", "tools"),
    ("live/python", "book_live"),
)

# Modules that import every module of a folder.
WALKERS = {
    "autograd_lib.engine.ops": "autograd_lib.engine.ops.",
    "tests.library.operations.case": "tests.library.operations.cases_",
}

# Packages that import a name when it is first used, from the module in `WHERE`.
FACES = ("autograd_lib", "autograd_lib.nn")

# Runs with every test.
CONFTEST = "tests.conftest"


def modules(root: Path) -> dict[str, Path]:
    """Return the file of each module that a test can import, by dotted name."""
    found: dict[str, Path] = {}
    for above, package in PACKAGES:
        found |= module_files(root / above, package)
    return found


def module_of(path: str) -> str:
    """Return the dotted name of the module at a path, or "" if it is not a module."""
    pure = PurePosixPath(path)
    for above, package in PACKAGES:
        folder = PurePosixPath(above) / package
        if pure.suffix == ".py" and pure.is_relative_to(folder):
            parts = pure.relative_to(above).with_suffix("").parts
            return ".".join(parts).removesuffix(".__init__")
    return ""


def all_imports(
    files: Mapping[str, Path], gone: Iterable[str] = ()
) -> dict[str, set[str]]:
    """Return, for each module, the modules that it imports directly.

    Args:
        files: all modules.
        gone: deleted modules, which others may still import.
    """
    known = {*files, *gone}
    offered = offers(files)
    imports: dict[str, set[str]] = {}
    for name, path in files.items():
        source = path.read_text(encoding="utf-8")
        inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
        direct = imported_modules(source, known, inside)
        if direct.intersection(FACES):
            direct |= {offered[word] for word in asked(source, offered)} & known
        if name in WALKERS:
            direct |= {other for other in known if other.startswith(WALKERS[name])}
        if name.startswith("tests."):
            direct |= {CONFTEST} & known
        above = {name.rpartition(".")[0]} & known
        imports[name] = (direct | above) - {name}
    return imports


def offers(files: Mapping[str, Path]) -> dict[str, str]:
    """Return the names that `FACES` export, each with the module that defines it."""
    found: dict[str, str] = {}
    for face in FACES:
        tree = ast.parse(files[face].read_text("utf-8") if face in files else "")
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WHERE":
                where: dict[str, str] = ast.literal_eval(node.value)
                found |= {name: f"{face}.{module}" for name, module in where.items()}
    return found


def asked(source: str, offered: Iterable[str]) -> set[str]:
    """Return the names that a source uses of `FACES`: all, if it passes one on."""
    nodes = list(ast.walk(ast.parse(source)))
    taken: set[str] = set()
    handles: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module in FACES:
            taken.update(alias.name for alias in node.names)
        if isinstance(node, ast.Import | ast.ImportFrom):
            above = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [(above + one.name, one.asname or one.name) for one in node.names]
            handles.update(handle for name, handle in names if name in FACES)
    dotted = [node for node in nodes if isinstance(node, ast.Attribute)]
    taken.update(node.attr for node in dotted)
    inside = {id(node.value) for node in dotted}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in handles and id(node) not in inside:
            return set(offered)
    return taken & set(offered)


def distances(
    changed: Iterable[str], imports: Mapping[str, set[str]]
) -> dict[str, int]:
    """Return the modules that import a changed one, and through how many imports."""
    importers = defaultdict(set)
    for name, wanted in imports.items():
        for module in wanted:
            importers[module].add(name)
    far = dict.fromkeys(changed, 0)
    pending = list(far)
    for name in pending:  # grows during the loop
        for importer in sorted(importers[name] - set(far)):
            far[importer] = far[name] + 1
            pending.append(importer)
    return far


def naming(path: str, files: Mapping[str, Path]) -> set[str]:
    """Return the modules that name a file that is not a module.

    If there are none, return those that go through the files of its kind in its folder.
    """
    pure = PurePosixPath(path)
    named = _with_strings(files, pure.name)
    if named:
        return named
    folder = pure.parent.name
    if not (folder and pure.suffix):
        return set()
    beside = {name for name, file in files.items() if file.parent.name == folder}
    near = beside | _with_strings(files, folder)
    return near & _with_strings(files, f"*{pure.suffix}")


def _with_strings(files: Mapping[str, Path], word: str) -> set[str]:
    whole = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w-])")
    found = set()
    for name, path in files.items():
        source = path.read_text(encoding="utf-8")
        if word in source and any(whole.search(text) for text in strings(source)):
            found.add(name)
    return found


def strings(source: str) -> Iterator[str]:
    """Yield the strings of a source, without docstrings."""
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr):  # reached before its value
            docstrings.add(id(node.value))
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in docstrings:
            yield text
