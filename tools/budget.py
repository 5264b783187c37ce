"""`python -m tools.budget`: the reading time of each page in minutes, by one rule.

A minute is 120 words of prose, 10 lines of open code or 30 of code that is folded or
behind an icon, and every second exercise takes 4 minutes. A formula counts as one word,
a row of a table by its words; code blocks, addresses of links and tags do not count.
Folded Markdown counts like prose, except solutions and the texts of exercises, which
are part of the exercise's minutes. Cells that no page shows do not count.

    python -m tools.budget                 all chapters, and their sum
    python -m tools.budget chapters/05*    the named ones

A test compares the time that a page states with this rule, to `APART` minutes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from notebooks.exercises import LABEL
from notebooks.notebook import FOLDED, chapter_paths, read, tags

APART = 5
SAID = re.compile(r"\*\*Time:\*\* (\d+) minutes")
FENCE = re.compile(r"(?ms)^ *```.*?^ *```")
FORMULA = re.compile(r"(?s)\$\$.*?\$\$|\$[^$]+\$")
ADDRESS = re.compile(r"\]\([^)\s]*\)")
TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class Budget:
    """The counts of a page, and the minutes that follow from them."""

    words: int
    open_lines: int
    folded_lines: int
    exercises: int
    said: int

    @property
    def minutes(self) -> float:
        """The minutes by the rule."""
        code = self.open_lines / 10 + self.folded_lines / 30
        return self.words / 120 + code + 2 * self.exercises


def budget(notebook: NotebookNode) -> Budget:
    """Count the words, lines and exercises of a notebook."""
    words = open_lines = folded = exercises = 0
    for cell in notebook.cells:
        marks = set(tags(cell))
        if cell.cell_type == "markdown" and "solution" not in marks:
            before, *asked = LABEL.split(cell.source)
            words += len(plain(before).split())
            exercises += len(asked) // 2
        elif cell.cell_type == "code" and not marks & {"setup", "exercise"}:
            lines = sum(bool(line.strip()) for line in cell.source.splitlines())
            if marks & FOLDED:
                folded += lines
            else:
                open_lines += lines
    found = SAID.search(notebook.cells[0].source)
    return Budget(words, open_lines, folded, exercises, int(found[1]) if found else 0)


def plain(markdown: str) -> str:
    """Return the words of Markdown.

    >>> plain("A [rule](../a.md#b) of $x + y$, `for x in xs`.")
    'A [rule] of x, `for x in xs`.'
    """
    text = FORMULA.sub("x", FENCE.sub("", markdown))
    return TAG.sub("", ADDRESS.sub("]", text))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a page states a wrong time."""
    names = sys.argv[1:] if arguments is None else arguments
    paths = [Path(name) for name in names] or chapter_paths()
    total, wrong = 0.0, 0
    print("page                  words  open  folded  exercises  minutes  says")
    for path in paths:
        one = budget(read(path))
        total += one.minutes
        far = abs(one.minutes - one.said) > APART
        wrong += far
        print(
            f"{path.stem:20} {one.words:6} {one.open_lines:5} {one.folded_lines:7}"
            f" {one.exercises:10} {one.minutes:8.1f} {one.said:5}{' !' if far else ''}"
        )
    print(f"together: {total / 60:.1f} hours")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
