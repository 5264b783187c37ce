"""The hash that ties a notebook's outputs to the code that made them.

It covers every code cell and the library modules that the cells import, directly or
through others. nbval does not compare images, so this is what catches a stale figure.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from nbformat import NotebookNode

from tools.imports import imported_modules, module_files, module_imports, needed_modules
from tools.notebooks import ROOT, code_cells, python_source, tagged
from tools.setup_cell import setup_cell

# Of files that belong to the module of their name.
KINDS = (".css", ".js", ".toml", ".txt")


def fingerprint(notebook: NotebookNode, root: Path = ROOT) -> str:
    """Return the hash of all that the notebook's outputs follow from.

    The address in the setup cell is left out: stamping it makes nothing stale.
    """
    setup = tagged(notebook, "setup")
    digest = hashlib.sha256()
    for cell in code_cells(notebook):
        source = setup_cell() if cell in setup else cell.source.rstrip()
        digest.update(source.encode() + b"\0")
    for path in library_files(notebook, root):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_text(encoding="utf-8").encode() + b"\0")
    return digest.hexdigest()[:16]


def stored_fingerprint(notebook: NotebookNode) -> str:
    """Return the hash that was stored with the outputs, empty if there is none."""
    return str(notebook.metadata.get("autograd", {}).get("source_hash", ""))


def library_files(notebook: NotebookNode, root: Path = ROOT) -> list[Path]:
    """Return the files of the library that the notebook's outputs follow from.

    Styles count with the modules that they lie beside, and the style sheet, script or
    text of a module with that module.
    """
    files = module_files(root)
    direct: set[str] = set()
    for cell in code_cells(notebook):
        direct |= imported_modules(python_source(cell), files)
    needed = {files[name] for name in needed_modules(direct, module_imports(root))}
    styles = {style for path in needed for style in path.parent.glob("*.mplstyle")}
    own = {path.with_suffix(kind) for path in needed for kind in KINDS}
    return sorted(needed | styles | {path for path in own if path.is_file()})
