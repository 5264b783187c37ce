"""`python -m tools.text`: collect the chapters' prose, for the model of chapter 18.

The text is part of the package. It belongs to an edition and does not follow changes in
chapters, since what the model learns and writes would change with it. For a new
edition, run this, then `python -m benchmarks.small_trained --keep` for the weights that
the page loads, and execute chapter 18 again.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

from nbformat import NotebookNode

from autograd_lib import __version__
from notebooks.notebook import ROOT, chapter_paths, read

FILE = ROOT / "autograd_lib" / "text.txt"
LAST = "14_in_place"  # the last chapter before those that train models
RAREST = 8  # less frequent characters are left out

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^ *\|.*$", re.MULTILINE)
DISPLAY = re.compile(r"\$\$.*?\$\$", re.DOTALL)
TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>|<!--.*?-->", re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
MARK = re.compile(r"^(?:#+|>|-|\d+\.) +", re.MULTILINE)
EMPHASIS = re.compile(r"(\*\*|(?<![\w*])\*)(?=\S)(.+?)(?<=\S)\1(?!\w)")

MATHS = (
    (r"\\[dt]?frac *\{([^{}]*)\} *\{([^{}]*)\}", r"\1/\2"),
    (r"\\sqrt *\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\\(?:mathbf|mathrm|text|operatorname|boldsymbol|bar|hat|vec)\b", ""),
    (r"\\(?:left|right|quad|qquad|limits)\b|\\[,;:! ]", " "),
    (r"\\(?:cdot|times)\b", "*"),
    (r"\\(?:approx)\b", "="),
    (r"\\leq?\b", "<="),
    (r"\\geq?\b", ">="),
    (r"\\(?:to|rightarrow)\b", "->"),
    (r"\\(?:dots|ldots|cdots)\b", "..."),
    (r"\\partial\b", "d"),
    (r"\\infty\b", "infinity"),
    (r"\\([a-zA-Z]+)", r"\1"),
    (r"[{}\\]", ""),
)
SIGNS = str.maketrans({"…": "...", "−": "-", "–": "-", "×": "*", "·": "*", "’": "'"})


def main() -> int:
    """Write the file, and print its size."""
    paths = chapter_paths()
    chapters = paths[: [path.stem for path in paths].index(LAST) + 1]
    text = common_only("\n\n".join(prose(read(path)) for path in chapters))
    head = (
        f"Autograd, Bottom Up: the prose of chapters 00 to {LAST[:2]}, {__version__}."
    )
    FILE.write_text(f"{head}\n\n{text}\n", encoding="utf-8", newline="\n")
    said = f"{len(text):,} characters, {len(set(text))} different"
    print(f"{FILE.relative_to(ROOT).as_posix()}: {said}")
    return 0


def prose(notebook: NotebookNode) -> str:
    """Return the text of a notebook's Markdown cells, as plain paragraphs."""
    cells = (c.source for c in notebook.cells if c.cell_type == "markdown")
    paragraphs = (plain(block) for cell in cells for block in cell.split("\n\n"))
    return "\n\n".join(p for p in paragraphs if p)


def plain(markdown: str) -> str:
    """Return Markdown without code, tables, tags, addresses and marks.

    >>> plain("## The *chain* rule, [once](../a.md#b) more: `f` of $\\\\bar{x}_1^2$")
    'The chain rule, once more: f of x_1^2'
    """
    text = DISPLAY.sub("", TABLE.sub("", FENCE.sub("", markdown)))
    text = LINK.sub(r"\1", TAG.sub("", text))
    text = re.sub(r"\$([^$]*)\$", lambda found: formula(found[1]), text)
    text = EMPHASIS.sub(r"\2", MARK.sub("", text)).replace("`", "")
    lines = (" ".join(line.split()) for line in text.translate(SIGNS).splitlines())
    return "\n".join(line for line in lines if line)


def formula(tex: str) -> str:
    """Return a formula as plain text."""
    for pattern, replacement in MATHS:
        tex = re.sub(pattern, replacement, tex)
    return " ".join(tex.split())


def common_only(text: str) -> str:
    """Return text without characters that are too rare to be learned."""
    counts = Counter(text)
    return "".join(c for c in text if counts[c] >= RAREST)


if __name__ == "__main__":
    sys.exit(main())
