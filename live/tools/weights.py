"""Calculate the bytes that each page loads once all of its cells have run."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from posixpath import normpath
from typing import Any

from live.tools.assets import CODE, Assets
from notebooks.imports import PACKAGE
from notebooks.notebook import code_cells, notebook_paths, read, tags

PAGES = "_build/live.json"
"""What each page loads, without plots and with them, in bytes."""
PACKED = (".whl", ".zip")
LARGE = "matplotlib"
DRAWS = "graphviz"
DRAWING = f"{CODE}/lib/viz.mjs"
ABSENT = "remove-input"  # the tag of a cell that a page does not have
NEEDED = """
import json, sys
from book_live import packages
found = {}
for page, cells in json.load(sys.stdin).items():
    packages.drawing = packages.Drawing()
    found[page] = sorted({name for cell in cells for name in packages.needed(cell)})
print(json.dumps(found))
"""


class Weights:
    """The bytes that are sent: text is compressed, as by most hosts.

    Args:
        assets: the files of Pyodide.
        packages: those of the lock file, by key.
        tree: all files.
    """

    def __init__(
        self, assets: Assets, packages: dict[str, Any], tree: dict[str, bytes]
    ) -> None:
        self.packages = packages
        self.tree = tree
        self.core = [file.target for file in assets.core if file.target in tree]
        self.keys = {one: key for key, e in packages.items() for one in e["imports"]}
        self.known: dict[str, int] = {}

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Return for Python and each package its bytes, and the bytes that are sent."""
        files = {key: [self.file(key)] for key in self.packages} | {"python": self.core}
        if DRAWS in self.packages:
            files[DRAWS].append(DRAWING)
        return {
            key: (sum(len(self.tree[one]) for one in some), self.sent(some))
            for key, some in files.items()
        }

    def file(self, key: str) -> str:
        """Return the file of a package."""
        return normpath(f"{CODE}/{self.packages[key]['file_name']}")

    def sent(self, names: Iterable[str]) -> int:
        """Return the bytes that are sent for files; each file is compressed once."""
        names = list(names)
        for name in names:
            if name not in self.known:
                self.known[name] = sent(name, self.tree[name])
        return sum(self.known[name] for name in names)

    def loaded(self, imports: Iterable[str]) -> int:
        """Return the bytes that are sent to a page whose cells import these names."""
        own = {
            n for n in self.tree if n.startswith(f"{CODE}/") and not n.endswith("whl")
        }
        if DRAWS not in imports:
            own.discard(DRAWING)
        pending = [self.keys[n] for n in (PACKAGE, *imports) if n in self.keys]
        found: set[str] = set()
        while pending:
            key = pending.pop()
            if key in self.packages and key not in found:
                found.add(key)
                pending += self.packages[key]["depends"]
        return self.sent([*own, *self.core, *map(self.file, found)])

    def pages(self, root: Path) -> dict[str, tuple[int, int]]:
        """Return the bytes that each page loads, without plots and with them."""
        found = {}
        for page, names in needed(root).items():
            notebook = f"{page}.ipynb"
            own = sent(notebook, (root / notebook).read_bytes())
            still = self.loaded(set(names) - {LARGE})
            found[page] = (own + still, own + self.loaded(names))
        return found


def sent(name: str, content: bytes) -> int:
    """Return the number of bytes that are sent for a file."""
    return len(content if name.endswith(PACKED) else zlib.compress(content))


def needed(root: Path) -> dict[str, list[str]]:
    """Return the top-level names that the cells of each page need.

    The code that finds them in a browser runs in another process, since stand-ins lie
    beside it for packages that are needed here.
    """
    pages = {
        path.relative_to(root).with_suffix("").as_posix(): [
            cell.source for cell in code_cells(read(path)) if ABSENT not in tags(cell)
        ]
        for path in notebook_paths(root)
    }
    path = [str(root / "live/python"), str(root)]
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {path}\n{NEEDED}"],
        input=json.dumps(pages),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found
