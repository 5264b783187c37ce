"""The conventions of notebooks, as functions that return the breaches.

They keep the text as readable on a code host and in Colab as in the book, and the
outputs the same on every machine. nbval compares every cell that is not declared to
vary. `python -m tools.conventions FILES` checks notebooks without executing them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from mdit_py_plugins.anchors.index import slugify
from nbformat import NotebookNode

from notebooks.further import BROUGHT
from notebooks.notebook import (
    BEHIND_AN_ICON,
    PREDICTED,
    ROOT,
    code_cells,
    normal_form,
    python_source,
    read,
    tagged,
    tags,
)
from notebooks.repository import address
from notebooks.setup_cell import setup_cell

LINES, COLUMNS = 16, 78
LINES_OF = {"exercise": 22, "figure": 30, "hide-input": 30}
TAGS = {
    BROUGHT,
    *BEHIND_AN_ICON,
    "exercise",
    "hide-cell",
    "hide-input",
    "nbval-ignore-output",
    PREDICTED,
    "raises-exception",
    "setup",
    "solution",
}
SHOWN_BY_CALL = {"Plot", "Show", "Table", "check", "draw", "print", "step"}

FENCED = re.compile(r"^(```|~~~).*?^\1[`~]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"(?m)^#{1,4} +(.+?) *$")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)[^)]*\)")
IMG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
SHOWS_RAW = {
    "a MyST directive": re.compile(r"^\s*(?:`{3,}|:{3,}|~{3,})\{", re.MULTILINE),
    "a MyST role": re.compile(r"\{[a-zA-Z][\w:+-]*\}`"),
    "a MyST target or comment": re.compile(r"^(?:\([\w-]+\)=|%.*|\+\+\+.*)$", re.M),
    "a label after $$": re.compile(r"\$\$[ \t]*\([\w:-]+\)"),
}
VARIES = {
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{6,}"),
    "a path of a machine": re.compile(
        r"(?:/home/|/root/|/Users/|/tmp/|/var/|/usr/|/opt/|site-packages|"
        r"\b[A-Za-z]:\\\w)"
    ),
    "a date or a time": re.compile(
        r"\b20\d\d-\d\d-\d\d\b|\b\d\d:\d\d:\d\d\b|<dc:date>"
    ),
}
NBVAL_COMMENT = re.compile(r"#\s*(?:NBVAL|PYTEST_VALIDATE)_\w+|nbval-skip")
REASON = re.compile(r"(?m)^# varies: \S")


def unlike_the_others(path: str | Path) -> list[str]:
    """Return the breaches in a notebook's file, its form included."""
    path = Path(path)
    found = breaches(read(path), path, address())
    if path.read_bytes() != normal_form(read(path)):
        found.append("is not in its normal form: make refresh")
    return found


def breaches(notebook: NotebookNode, path: Path, url: str) -> list[str]:
    """Return every breach in a notebook at `path`, with the cell's position."""
    found = [f"cell {i}: {text}" for i, text in _cell_breaches(notebook, path)]
    setups = tagged(notebook, "setup")
    if code_cells(notebook)[:1] != setups:
        found.append("the first code cell, and no other, must be tagged setup")
    elif setups[0].source != setup_cell(url):
        found.append("the setup cell is not notebooks/setup_cell.py's: make refresh")
    counts = [cell.execution_count for cell in code_cells(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        found.append(f"the execution counts are not 1 … n: {counts}")
    return found


def _cell_breaches(notebook: NotebookNode, path: Path) -> Iterator[tuple[int, str]]:
    for position, cell in enumerate(notebook.cells):
        check = code_breaches if cell.cell_type == "code" else markdown_breaches
        for text in (*tag_breaches(cell), *check(cell, path)):
            yield position, text


def tag_breaches(cell: NotebookNode) -> Iterator[str]:
    """Yield faults in a cell's tags, and in its exemption from comparison."""
    if not cell.source.strip():
        yield "is empty"
    for tag in sorted(set(tags(cell)) - TAGS):
        yield f"the tag {tag!r} is not one of notebooks/conventions.py"
    if NBVAL_COMMENT.search(cell.source):
        yield "a comment exempts it from nbval"
    if "imports" in tags(cell) and does_more_than_import(cell):
        yield "is tagged imports and does more than import and set"
    if "nbval-ignore-output" in tags(cell) and not REASON.search(cell.source):
        yield "is exempt from comparison without a line `# varies: why`"


def code_breaches(cell: NotebookNode, path: Path) -> Iterator[str]:
    """Yield faults of a code cell and its outputs."""
    lines = cell.source.splitlines()
    limit = max([LINES, *(LINES_OF[tag] for tag in tags(cell) if tag in LINES_OF)])
    if "setup" not in tags(cell) and len(lines) > limit:
        yield f"has {len(lines)} lines, and {limit} can be read without scrolling"
    for line in lines:
        if len(line) > COLUMNS:
            yield f"a line has {len(line)} columns of {COLUMNS}: {line}"
    if cell.source.rstrip().endswith(";"):
        yield "ends in `;`, which silences nothing under nbval: use `_ = …`"
    if shows_something(cell) and not cell.outputs:
        yield "has no output although it ends in something to show"
    for output in cell.outputs:
        if output.output_type == "error" and "raises-exception" not in tags(cell):
            yield f"stops with {output.ename}"
        if output.get("name") == "stderr":
            yield f"writes to stderr: {output.text}"
        for text in texts(output):
            for what, pattern in VARIES.items():
                if match := pattern.search(text):
                    yield f"its output holds {what}: {match[0]}"


def does_more_than_import(cell: NotebookNode) -> bool:
    """Return whether a cell has other statements than imports, settings and names."""
    allowed = ast.Import | ast.ImportFrom | ast.Assign | ast.Expr
    return not all(isinstance(s, allowed) for s in ast.parse(python_source(cell)).body)


def shows_something(cell: NotebookNode) -> bool:
    """Return whether a cell ends in an expression that certainly has an output."""
    body = ast.parse(python_source(cell)).body
    match body[-1:]:
        case [ast.Expr(ast.Call(ast.Name(name)))]:
            return name in SHOWN_BY_CALL
        case [ast.Expr(ast.Constant() | ast.Call())]:
            return False
        case [ast.Expr()]:
            return True
    return False


def texts(output: NotebookNode) -> Iterator[str]:
    """Yield the texts that an output holds."""
    yield str(output.get("text", ""))
    yield "\n".join(output.get("traceback", []))
    for kind, content in output.get("data", {}).items():
        if not kind.startswith("image/") or kind == "image/svg+xml":
            yield str(content)


def markdown_breaches(cell: NotebookNode, path: Path) -> Iterator[str]:
    """Yield faults of a Markdown cell of the notebook at `path`."""
    for what, pattern in SHOWS_RAW.items():
        if match := pattern.search(cell.source):
            yield f"{what} shows raw outside the book: {match[0].strip()}"
    text = CODE_SPAN.sub("", FENCED.sub("", cell.source))
    for image, label, target in LINK.findall(text):
        if image and not label.strip():
            yield f"the image {target} has no alt text"
        file, _, anchor = map(unquote, target.partition("#"))
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        place = path.parent / file if file else path
        if not place.is_file():
            yield f"the link {target} leads nowhere"
        elif anchor and place != path and anchor not in anchors(place):
            yield f"the link {target} leads to no heading of {place.name}"
    for tag in IMG.findall(text):
        if not re.search(r"""\balt=["'][^"']+["']""", tag):
            yield f"an image has no alt text: {tag}"


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page: headings, or the keys of the bibliography."""
    if path.name == "bibliography.md":
        sources = ROOT / "chapters" / "references.bib"
        return set(re.findall(r"(?m)^@\w+\{([^,\s]+)", sources.read_text("utf-8")))
    return {*headings(path)}


@cache
def headings(path: Path) -> dict[str, str]:
    """Return the headings of a page by their anchors."""
    if path.suffix == ".ipynb":
        cells = read(path).cells
        text = "\n\n".join(c.source for c in cells if c.cell_type == "markdown")
    else:
        text = path.read_text(encoding="utf-8")
    return {slugify(title): title for title in HEADING.findall(FENCED.sub("", text))}
