"""`python -m tools.transcripts`: keep what the pages' lines print in other libraries.

A page shows lines of PyTorch, JAX and others with `autograd_lib.book.elsewhere`, also
where these are not installed. This runs those lines wherever their library is, and
writes what they print; of a library that is missing, what was kept stays.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograd_lib.book import elsewhere
from autograd_lib.book.elsewhere import Transcript
from notebooks.notebook import ROOT, chapter_paths, code_cells, python_source, read

DECORATOR = "elsewhere"


def main() -> int:
    """Write the transcripts of all chapters."""
    found, missing = [], []
    for function in functions(ROOT):
        transcript = current(function)
        if transcript is None:
            missing.append(function.__name__)
        else:
            found.append(transcript)
    elsewhere.FILE.write_text(elsewhere.as_text(found), encoding="utf-8")
    print(f"{len(found)} transcripts")
    if missing:
        print("not kept, their libraries are missing:", ", ".join(missing))
    return 1 if missing else 0


def current(function: Any) -> Transcript | None:
    """Return what a function prints, or printed when it had the same lines."""
    module = elsewhere.imported(elsewhere.library_of(function))
    if module is not None:
        return elsewhere.run(function, module)
    entry = elsewhere.kept().get(function.__name__)
    same = entry is not None and entry.source == elsewhere.source_of(function)
    return entry if same else None


def functions(root: Path) -> Iterator[Any]:
    """Yield the functions of all chapters that run elsewhere, undecorated."""
    for path in chapter_paths(root):
        for source in sources(read(path)):
            yield made(source, path.stem)


def sources(notebook: NotebookNode) -> Iterator[str]:
    """Yield the source of each function of a notebook that is decorated so."""
    for cell in code_cells(notebook):
        source = python_source(cell)
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(d, ast.Name) and d.id == DECORATOR
                for d in node.decorator_list
            ):
                node_source = ast.get_source_segment(source, node)
                yield f"{node_source}\n"


def made(source: str, where: str) -> Any:
    """Return the function that a source defines, with its lines at hand."""
    name = source.split("(")[0].split()[-1]
    file = f"<{where}: {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names: dict[str, Any] = {}
    exec(compile(source, file, "exec"), names)
    return names[name]


if __name__ == "__main__":
    sys.exit(main())
