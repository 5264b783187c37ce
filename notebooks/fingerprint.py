"""The hash that ties a notebook's outputs to the code that made them.

It covers the syntax trees, without docstrings and comments, of the code cells and of
the library modules that they import, directly or through others. Source that an output
shows counts as text (`notebooks.shown`), and so do files that are not Python. nbval
does not compare images; this hash is how a stale figure is noticed.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from notebooks.imports import (
    imported_modules,
    module_files,
    module_imports,
    needed_modules,
)
from notebooks.notebook import (
    ROOT,
    RUN_BY,
    code_cells,
    notebook_paths,
    python_source,
    read,
    tagged,
)
from notebooks.setup_cell import setup_cell
from notebooks.shown import Shown, shown_by
from notebooks.source import definitions, running, without_docstrings

# Suffixes of files that belong to the module of the same name.
KINDS = (".css", ".js", ".toml", ".txt")
# Modules whose docstrings are texts for readers.
SAID = "autograd_lib/small/accidents/"
# Modules whose source another one reads and runs.
READS = {"autograd_lib.small.cut": {"autograd_lib.small.whole"}}
# Files with an entry for each exercise, for each cell that runs another library, and
# for each name of another library.
HINTS = "autograd_lib/book/hints.toml"
TRANSCRIPTS = "autograd_lib/book/elsewhere.txt"
SPELLINGS = "autograd_lib/spelling.toml"


def fingerprint(
    notebook: NotebookNode, root: Path = ROOT, package: Package | None = None
) -> str:
    """Return the hash of everything that determines the notebook's outputs.

    The address in the setup cell is left out, so that stamping it makes nothing stale.
    """
    shown, package = shown_by(notebook), package or Package(root)
    digest = hashlib.sha256()
    for part in [*of_cells(notebook, shown), *of_library(notebook, shown, package)]:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


def stored_fingerprint(notebook: NotebookNode) -> str:
    """Return the hash stored with the outputs, or "" if there is none."""
    return str(notebook.metadata.get("autograd", {}).get("source_hash", ""))


def stale_notebooks(root: Path = ROOT) -> list[Path]:
    """Return the notebooks whose outputs were made by other code than the present."""
    read_all = ((path, read(path)) for path in notebook_paths(root))
    package = Package(root)
    return [
        path
        for path, notebook in read_all
        if stored_fingerprint(notebook) != fingerprint(notebook, root, package)
    ]


def of_cells(notebook: NotebookNode, shown: Shown) -> Iterator[str]:
    """Yield the part of each code cell that is hashed."""
    setup = tagged(notebook, "setup")
    for i, cell in enumerate(code_cells(notebook)):
        if cell in setup:
            yield running(setup_cell())
            continue
        source = python_source(cell)
        # A semicolon suppresses an output; a cell with a syntax error has no tree.
        as_text = shown.everything or i in shown.cells or ";" in source or not source
        if as_text:
            yield cell.source.rstrip()
        else:
            magic = RUN_BY.match(cell.source)
            yield f"{magic[0] if magic else ''}{running(source, cell=True)}"


class Package:
    """The library's modules below a root, and what each imports, looked up once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = module_files(root)
        self.imports = module_imports(root)
        for name, read_by_it in READS.items():
            if name in self.imports:
                self.imports[name] |= read_by_it


def of_library(notebook: NotebookNode, shown: Shown, package: Package) -> Iterator[str]:
    """Yield the path and the hashed part of each library file."""
    files = library_files(notebook, package=package)
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    python = {path: text for path, text in sources.items() if path.suffix == ".py"}
    known = {path.stem for path in python}.union(*map(definitions, python.values()))
    everything = shown.everything or not shown.names.keys() <= known
    for path, source in sources.items():
        name = path.relative_to(package.root).as_posix()
        yield name
        as_text = everything or name in shown.files or name.startswith(SAID)
        if path not in python or as_text:
            yield entries(name, source, notebook)
            continue
        yield running(source)
        for word, docstring in sorted(shown.names.items()):
            if word == path.stem:
                yield source if docstring else without_docstrings(source)
            for text in definitions(source).get(word, []):
                yield text if docstring else without_docstrings(text)


def entries(name: str, text: str, notebook: NotebookNode) -> str:
    """Return the hashed part of a file: all, or the entries that a notebook uses."""
    cells = code_cells(notebook)
    if name == HINTS:
        shown = any(
            "Hint: " in str(output) for cell in cells for output in cell.outputs
        )
        return text if shown else ""
    words = {word for cell in cells for word in re.findall(r"\w+", cell.source)}
    if name == SPELLINGS:
        tables = tomllib.loads(text).items()
        return str([(k, w, s[w]) for k, s in tables for w in s if w in words])
    if name == TRANSCRIPTS:
        kept = re.split(r"(?m)^(?==== )", text)
        return "".join(one for one in kept if words & set(one.split()[1:2]))
    return text


def library_files(
    notebook: NotebookNode, root: Path = ROOT, package: Package | None = None
) -> list[Path]:
    """Return the library files that the notebook's outputs depend on.

    They include style files beside the modules, and the style sheet, script or text
    that has the name of a module.
    """
    package = package or Package(root)
    files, direct = package.files, set[str]()
    for cell in code_cells(notebook):
        direct |= imported_modules(python_source(cell), files)
    needed = {files[name] for name in needed_modules(direct, package.imports)}
    styles = {style for path in needed for style in path.parent.glob("*.mplstyle")}
    own = {path.with_suffix(kind) for path in needed for kind in KINDS}
    return sorted(needed | styles | {path for path in own if path.is_file()})
