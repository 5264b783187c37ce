"""The files that live pages are made of, each with its hash and its source."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class File:
    """A file that is fetched.

    Attributes:
        target: where it goes, below the site's `live`.
        path: its name at the source.
        sha256: the hashes that are accepted; one, unless a lock lists several.
        package: the npm package that holds it, as `name@version`, or empty.
        distributed: whether Pyodide's distribution has it.
    """

    target: str
    path: str
    sha256: frozenset[str]
    package: str = ""
    distributed: bool = False


@dataclass(frozen=True)
class Assets:
    """The contents of `assets.toml`.

    Attributes:
        pyodide: the folder of Pyodide's own files, named after its version.
        official: the address of Pyodide's distribution.
        carrier: a distribution on PyPI that holds the same files, as `name==version`.
        carrier_folder: the folder in it with these files.
        core: Pyodide's own files.
        modules: the other files from npm.
    """

    pyodide: str
    official: str
    carrier: str
    carrier_folder: str
    core: tuple[File, ...]
    modules: tuple[File, ...]

    def wheel(self, entry: dict[str, Any]) -> File:
        """Return the file of a package in Pyodide's lock file."""
        name = entry["file_name"]
        return File(
            f"{self.pyodide}/{name}",
            name,
            frozenset([entry["sha256"]]),
            distributed=True,
        )


CODE = "code"
"""The folder of what belongs to this book; its final name holds a hash."""
LOCK = "pyodide-lock.json"


def load(path: Path) -> Assets:
    """Read `assets.toml`."""
    table = tomllib.loads(path.read_text("utf-8"))
    own = table["pyodide"]
    package = f"{own['package']}@{own['version']}"
    folder = f"pyodide-{own['version']}"
    core = tuple(
        File(f"{folder}/{name}", name, frozenset([digest]), package, distributed=True)
        for name, digest in own["files"].items()
    )
    modules = tuple(
        File(
            place(entry["to"]),
            path,
            frozenset([entry["sha256"]]),
            f"{one['package']}@{one['version']}",
        )
        for one in table["npm"]
        for path, entry in one["files"].items()
    )
    return Assets(
        folder, own["official"], own["carrier"], own["carrier_folder"], core, modules
    )


def place(to: str) -> str:
    """Return a target in the folder of our code, or in that of licences beside it."""
    return to.removeprefix("../") if to.startswith("../") else f"{CODE}/{to}"
