"""Find the packages that chapters need in a browser, and write their lock file."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from live.tools.assets import CODE, File
from notebooks.imports import PACKAGE, module_files
from notebooks.notebook import code_cells, notebook_paths, python_source, read

Entry = dict[str, Any]

STAND_INS = {"IPython", "pygraphviz"}
"""What `live/python` has a stand-in for."""

ABSENT = {"mpi4py", "numba"}
"""What no browser has, and the library does without: there is one rank there, and a
program stays with NumPy."""


def imported(root: Path) -> set[str]:
    """Return the top-level names of others that chapters and library import."""
    names: set[str] = set()
    for path in module_files(root).values():
        names |= top_level(path.read_text("utf-8"))
    for path in notebook_paths(root):
        for cell in code_cells(read(path)):
            names |= top_level(python_source(cell))
    return names - STAND_INS - ABSENT - set(sys.stdlib_module_names) - {PACKAGE}


def top_level(source: str) -> set[str]:
    """Return the top-level names that a source imports anywhere."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def compiled(names: Iterable[str], lock: Entry) -> dict[str, Entry]:
    """Return all packages of Pyodide's lock that the names need.

    Those that are pure Python there too come from `requirements.lock`, so that a page
    has the release that made its outputs; but not what a compiled package needs.
    """
    pending = [
        key
        for key, entry in lock["packages"].items()
        if set(entry["imports"]) & set(names) and "-none-any" not in entry["file_name"]
    ]
    found: dict[str, Entry] = {}
    while pending:
        key = pending.pop()
        if key not in found:
            found[key] = lock["packages"][key]
            pending += found[key]["depends"]
    return found


def pure(name: str, requirements: str) -> tuple[str, File]:
    """Return the version and the wheel of the distribution that provides a name.

    Args:
        name: the top-level name that is imported.
        requirements: the text of `requirements.lock`.

    Raises:
        LookupError: if the lock does not list it.
    """
    for distribution in packages_distributions().get(name, [name]):
        pin = re.search(
            rf"(?m)^{re.escape(distribution)}==([^\s;\\]+)[^\n]*\n((?: +--hash=.*\n)+)",
            requirements,
        )
        if pin:
            hashes = frozenset(re.findall(r"sha256:([0-9a-f]{64})", pin[2]))
            version = pin[1]
            wheel = f"{name}-{version}-py3-none-any.whl"
            return version, File(
                f"{CODE}/{wheel}", f"{distribution}=={version}", hashes
            )
    raise LookupError(f"{name} is imported, but requirements.lock does not have it")


def entry(name: str, version: str, file_name: str, content: bytes) -> Entry:
    """Return a package's entry in the lock file; `name` is what is imported."""
    return {
        "name": key_of(name),
        "version": version,
        "file_name": file_name,
        "install_dir": "site",
        "sha256": hashlib.sha256(content).hexdigest(),
        "package_type": "package",
        "imports": [name],
        "depends": [],
        "unvendored_tests": False,
    }


def key_of(name: str) -> str:
    """Return a package's key in the lock file, where Pyodide looks it up."""
    return name.replace("_", "-").lower()
