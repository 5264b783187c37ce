"""`python -m tests.library.beside_pytorch.page`: write the page *Here and in PyTorch*.

Its rows are the files in this folder, which tests run on both sides; behind them stands
a map of PyTorch's source, whose names tests look for.
"""

from __future__ import annotations

import sys

from notebooks.notebook import ROOT, chapter_paths
from tests.library.beside_pytorch.parts import groups, parts, version
from tests.library.beside_pytorch.rows import Row, Section, Side, sections

PAGE = ROOT / "pages" / "beside_pytorch.md"
HEAD = (
    "# Here and in PyTorch\n\n"
    "What differs between the engine of this book and PyTorch 2.13, and what deserves "
    "a word although it does not: gradients, ties, errors, warnings, defaults, names. "
    "There are {rows} rows; in {alike} of them both sides give the same. Each is a few "
    "lines that are run: the library's tests run them here, and in PyTorch wherever it "
    "is installed, and compare what comes of them with what stands here, errors and "
    "warnings included. `python -m tests.library.beside_pytorch.page` writes this "
    "page from the same rows.\n\n"
    "Open a topic to see its lines. `leaf` and `constant` stand for what each side "
    "writes itself: a tensor that requires a gradient or not, of float64 if nothing "
    "else is said. `grad`, `no_grad`, `Function`, `checkpoint`, `nn` and `optim` are "
    "each side's own, and `F` is `torch.nn.functional`. Numbers are shown with four "
    "digits, tensors as lists, and messages by their beginnings.\n\n"
)
MAP = (
    "## A map of PyTorch's source\n\n"
    "The parts of PyTorch {version}: what each is called, in which file "
    "it stands (without a folder, in `torch/csrc/autograd/`), what stands for it here, "
    "and how they differ. [The same in PyTorch](../chapters/15_pytorch.ipynb) "
    "goes through it.\n\n"
)
TABLE = "| what | here | in PyTorch | why |\n| --- | --- | --- | --- |"
AS_THEY_ARE = set(" ,.:;=+-/%'\"?^")


def quoted(code: str) -> str:
    """Return lines as a block of HTML that fits into a cell of a table of Markdown."""
    lines = ["".join(map(entity, line)) for line in code.splitlines()]
    return f"<pre>{'<br>'.join(lines)}</pre>"


def entity(c: str) -> str:
    """Return a character as it may stand in HTML within Markdown."""
    return c if c.isalnum() or c in AS_THEY_ARE else f"&#{ord(c)};"


def code(text: str) -> str:
    """Return code in a line of a table of Markdown."""
    fence = "``" if "`" in text else "`"
    pad = " " if fence == "``" else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|")


def lines_of(row: Row) -> str:
    """Return the lines that are run, once if they are the same on both sides."""
    if row.here.code == row.pytorch.code:
        return quoted(row.here.code)
    return f"{quoted(row.here.code)}in PyTorch:{quoted(row.pytorch.code)}"


def result_of(side: Side) -> str:
    """Return what a side gives, and what it warns of."""
    return "<br>".join([code(side.gives), *(f"warns: {code(w)}" for w in side.warns)])


def line_of(row: Row) -> str:
    """Return a row's line of the table."""
    number = f"{row.chapter:02}"
    file = next(p.name for p in chapter_paths() if p.name.startswith(number))
    link = f"[{number}](../chapters/{file})"
    topic = f"<details><summary>{row.topic}</summary>{lines_of(row)}</details>"
    there = "the same" if row.alike else result_of(row.pytorch)
    return f"| {topic} | {result_of(row.here)} | {there} | {row.why} ({link}) |"


def text_of(section: Section) -> str:
    """Return a section of the page."""
    rows = "\n".join(map(line_of, section.rows))
    return f"## {section.title}\n\n{section.about}\n\n{TABLE}\n{rows}\n"


def page() -> str:
    """Return the page."""
    found = sections()
    rows = [row for section in found for row in section.rows]
    head = HEAD.format(rows=len(rows), alike=sum(row.alike for row in rows))
    return head + "\n".join(map(text_of, found)) + "\n" + map_of_parts()


def map_of_parts() -> str:
    """Return the map of PyTorch's source, a list for each group of parts."""
    lists = [
        f"### {title}\n\n" + "\n".join(f"- {part.entry}" for part in parts(group))
        for group, title in groups().items()
    ]
    return MAP.format(version=version()) + "\n\n".join(lists) + "\n"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
