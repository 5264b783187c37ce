"""`python -m tools.transcripts`: keep the output of code that runs in other libraries.

With `autograd_lib.book.elsewhere` and `beside`, pages show code of PyTorch, JAX and
others, even where these are not installed. This command runs that code in the installed
libraries and writes its output to a file. Kept output of a missing library stays as it
is.
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

RUN = [[name] for name in elsewhere.LIBRARIES]


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
    """Return the output of a function, or the kept output of the same source."""
    module = elsewhere.imported(elsewhere.library_of(function))
    if module is not None:
        return elsewhere.run(function, module)
    entry = elsewhere.kept().get(function.__name__)
    same = entry is not None and entry.source == elsewhere.source_of(function)
    return entry if same else None


def functions(root: Path) -> Iterator[Any]:
    """Yield the functions of all chapters whose parameter is another library."""
    for path in chapter_paths(root):
        for source in sources(read(path)):
            yield made(source, path.stem)


def sources(notebook: NotebookNode) -> Iterator[str]:
    """Yield the source of each function of a notebook that runs in another library."""
    for cell in code_cells(notebook):
        source = python_source(cell)
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and parameters(node) in RUN:
                yield f"{ast.get_source_segment(source, node)}\n"


def parameters(function: ast.FunctionDef) -> list[str]:
    """Return the names of a function's parameters without defaults."""
    return [one.arg for one in function.args.args]


def made(source: str, where: str) -> Any:
    """Return the function that a source defines, so that `inspect` finds the source."""
    name = source.split("(")[0].split()[-1]
    file = f"<{where}: {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names: dict[str, Any] = {}
    exec(compile(source, file, "exec"), names)
    return names[name]


if __name__ == "__main__":
    sys.exit(main())
