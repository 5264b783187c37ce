"""Read and write notebooks so that a diff shows only what the author changed.

A cell keeps its id for life. The id of an exercise is its number, by which readers'
answers are kept and handed in. Execution counts run from 1 to n. Only the metadata that
the book uses is kept: kernel, language, tags, and the hash that `tools.refresh` stores.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import re
import symtable
from functools import cache
from pathlib import Path

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from notebooks.order import in_order
from notebooks.setup_cell import setup_cell

ROOT = Path(__file__).resolve().parent.parent
CELL_METADATA = ("tags", "mystnb")
EXERCISE = re.compile(r"^\*\*Exercise (\d+)\.(\d+)\.\*\*", re.MULTILINE)
RUN_BY = re.compile(r"\A%%(?:engine|time|capture)\b.*\n")
PREDICTED = "predicted"  # tag of a cell that answers a question to the reader
BEHIND_AN_ICON = {"figure", "imports"}  # tags of code that is no line of a page
FOLDED = {"hide-input", "hide-cell", *BEHIND_AN_ICON}
DECIDED = "I have decided"
PROMPTS = ("code_prompt_show", "code_prompt_hide")

# Environment in which notebooks are executed: without progress bars, which pages do not
# show, and with one thread for matrix products. Notebooks and tests run side by side,
# one on each core; with more threads they would mostly wait for each other.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
ENVIRONMENT = {"TQDM_DISABLE": "1", "AUTOGRAD_MINE": "0"} | ONE_THREAD


def chapter_paths(root: Path = ROOT) -> list[Path]:
    """Return the paths of the chapters, in the order of the table of contents."""
    return in_order((root / "chapters").glob("[0-9][0-9]_*.ipynb"), root)


def exercise_paths(root: Path = ROOT) -> list[Path]:
    """Return the paths of the pages of further exercises, in order."""
    return in_order((root / "chapters").glob("exercises_*.ipynb"), root)


def notebook_paths(root: Path = ROOT) -> list[Path]:
    """Return the paths of all notebooks: first page, chapters, further exercises."""
    return [*root.glob("index.ipynb"), *chapter_paths(root), *exercise_paths(root)]


def read(path: Path) -> NotebookNode:
    """Return the notebook at `path`."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def write(notebook: NotebookNode, path: Path) -> bool:
    """Write the notebook in its normal form; return whether the file changed."""
    data = normal_form(notebook)
    if path.is_file() and path.read_bytes() == data:
        return False
    path.write_bytes(data)
    return True


def normal_form(notebook: NotebookNode) -> bytes:
    """Normalise a notebook, and return the contents of its file."""
    normalise(notebook)
    nbformat.validate(notebook)
    text: str = nbformat.writes(notebook, version=4) + "\n"
    return text.encode("utf-8")


def tags(cell: NotebookNode) -> list[str]:
    """Return the tags of a cell."""
    return list(cell.metadata.get("tags", []))


def tagged(notebook: NotebookNode, tag: str) -> list[NotebookNode]:
    """Return the cells that carry a tag."""
    return [cell for cell in notebook.cells if tag in tags(cell)]


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def python_source(cell: NotebookNode) -> str:
    """Return the Python code of a cell, with IPython's magics translated.

    Of a cell that a magic such as `%%engine` runs, it is the code below that line.

    A cell that has a syntax error on purpose (`raises-exception`) gives "".

    Raises:
        SyntaxError: if any other cell is not Python.
    """
    source, is_python = translated(cell.source)
    if is_python:
        return source
    if "raises-exception" in tags(cell):
        return ""
    ast.parse(source)  # raises
    return source


@cache
def translated(source: str) -> tuple[str, bool]:
    """Return a cell's source with magics translated, and whether it is Python."""
    source = TransformerManager().transform_cell(RUN_BY.sub("\n", source))
    try:
        ast.parse(source)
    except SyntaxError:
        return source, False
    return source, True


def bound(source: str) -> set[str]:
    """Return the names that a source binds."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    return {
        symbol.get_name()
        for symbol in symbols
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def place_setup_cell(notebook: NotebookNode, address: str) -> None:
    """Update the setup cell, or add it below the title."""
    found = tagged(notebook, "setup")
    if not found:
        found = [nbformat.v4.new_code_cell()]
        notebook.cells.insert(min(1, len(notebook.cells)), found[0])
    found[0].source = setup_cell(address)
    found[0].metadata.tags = ["hide-cell", "setup"]


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with adjacent streams joined; a busy kernel sends several."""
    kept: list[NotebookNode] = []
    for output in outputs:
        last = kept[-1] if kept else NotebookNode()
        if output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            kept.append(output)
    return kept


def fold_until_decided(cell: NotebookNode) -> None:
    """Fold a code cell whose output the reader is asked to predict.

    Its button asks what `code_prompt_show` says. In Markdown the same fold is
    `<details class="answer">` with the question as its summary.
    """
    cell.metadata.tags = sorted({*tags(cell), "hide-cell"})
    asked = cell.metadata.get("mystnb", {}).get("code_prompt_show", DECIDED)
    cell.metadata.mystnb = NotebookNode(code_prompt_hide="Hide", code_prompt_show=asked)


def put_behind_an_icon(cell: NotebookNode) -> None:
    """Remove the fold of a cell whose code an icon opens, and the fold's name."""
    cell.metadata.tags = sorted({*tags(cell)} - {"hide-input", "hide-cell"})
    named = cell.metadata.pop("mystnb", {})
    if kept := {key: named[key] for key in named if key not in PROMPTS}:
        cell.metadata.mystnb = NotebookNode(kept)


def name_cells(cells: list[NotebookNode]) -> None:
    """Give each cell a unique id: the one it has, or a new one.

    Changing a sentence leaves the id as it is. The id of an exercise is its number. If
    two cells have the same id, because one was copied, the first keeps it.
    """
    taken: set[str] = set()
    unnamed = []
    above = ""
    for cell in cells:
        stated = EXERCISE.findall(above)
        above = cell.source
        name = cell.get("id", "")
        if "exercise" in tags(cell) and stated:
            name = "exercise-{}-{}".format(*stated[-1])
        elif name.startswith("exercise-"):
            name = ""
        if name and name not in taken:
            cell.id = name
            taken.add(name)
        else:
            unnamed.append(cell)
    for cell in unnamed:
        cell.id = new_name(cell, taken)
        taken.add(cell.id)


def new_name(cell: NotebookNode, taken: set[str]) -> str:
    """Return an id for a cell that has none: a hash of its present content."""
    content = f"{cell.cell_type}\n{cell.source}".encode()
    short = hashlib.sha256(content).hexdigest()[:8]
    others = (f"{short}-{n}" for n in itertools.count(2))
    return next(name for name in itertools.chain([short], others) if name not in taken)


def normalise(notebook: NotebookNode) -> None:
    """Reduce metadata and execution counts to what the content determines."""
    name_cells(notebook.cells)
    count = 0
    for cell in notebook.cells:
        cell.source = cell.source.rstrip()
        kept = {k: cell.metadata[k] for k in CELL_METADATA if cell.metadata.get(k)}
        cell.metadata = NotebookNode(kept)
        if PREDICTED in tags(cell):
            fold_until_decided(cell)
        if BEHIND_AN_ICON & {*tags(cell)}:
            put_behind_an_icon(cell)
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            cell.outputs = joined(cell.outputs)
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = NotebookNode(
        autograd=notebook.metadata.get("autograd", NotebookNode()),
        kernelspec=NotebookNode(
            display_name="Python 3", language="python", name="python3"
        ),
        language_info=NotebookNode(name="python"),
    )
