"""How an exercise is written in a notebook, and how it is found there.

Three cells: Markdown with `**Exercise N.k.**`, a code cell tagged `exercise` that ends
in a call of `check` on the stub it defines, and Markdown tagged `solution` whose one
Python fence defines the same name.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from nbformat import NotebookNode

from notebooks.notebook import tags

LABEL = re.compile(r"^\*\*Exercise (\d+\.\d+)\.\*\*", re.MULTILINE)
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Exercise:
    """The source of the pieces of an exercise."""

    label: str
    position: int
    stub: str
    solution: str

    @property
    def attempt(self) -> str:
        """The name that the reader defines: the first argument of `check`.

        Raises:
            ValueError: if the cell does not end in a call of `check` on a name.
        """
        match ast.parse(self.stub).body:
            case [*_, ast.Expr(ast.Call(ast.Name("check"), [ast.Name(name), *_]))]:
                return name
        raise ValueError(f"exercise {self.label}: its last line must be check(name, …)")

    def solved(self) -> str:
        """Return the cell with the solution between the stub and the check."""
        lines = self.stub.splitlines()
        check = ast.parse(self.stub).body[-1].lineno - 1
        return "\n".join([*lines[:check], self.solution, *lines[check:]])


def python_fences(markdown: str) -> list[str]:
    """Return the Python code blocks in Markdown."""
    return FENCE.findall(markdown)


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """Return the exercises of a notebook, in order.

    Raises:
        ValueError: if one of the three cells is missing or not in its place.
    """
    cells = notebook.cells
    found = []
    for i, cell in enumerate(cells):
        if "exercise" not in tags(cell):
            continue
        labels = LABEL.findall(cells[i - 1].source) if i else []
        if not labels:
            raise ValueError(f"no **Exercise N.k.** stands above:\n{cell.source}")
        after = cells[i + 1] if i + 1 < len(cells) else None
        fences = python_fences(after.source) if after else []
        if after is None or "solution" not in tags(after) or len(fences) != 1:
            raise ValueError(
                f"exercise {labels[-1]}: the next cell must be tagged solution and "
                "hold one ```python fence"
            )
        found.append(Exercise(labels[-1], i, cell.source, fences[0].rstrip()))
    return found
