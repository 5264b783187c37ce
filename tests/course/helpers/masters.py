"""A small problem set with a key, written by the tests."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from notebooks.notebook import write
from notebooks.setup_cell import setup_cell

STUB = """\
def scaled(upstream, x):
    ...


def expected(upstream, x):
    return upstream * 2 * x


check(scaled, expected, reals(1, 1.5), reals(-3, 3), tolerance=1)"""
SOLUTION = """\
<details>
<summary>Solution</summary>

```python
def scaled(upstream, x):
    return upstream * 2 * x  # canary-in-the-solution
```
</details>"""
KEY = """\
def canary_in_the_key(upstream, x):
    return 2 * upstream * x


def on_lists(attempt, upstream, x):
    return [attempt(upstream, x), attempt(-upstream, x)]


# 2 points: a rule multiplies by what arrives from above
# see 02_float_var#a-float-with-a-memory
check(scaled, canary_in_the_key, reals(-9, 9), reals(-3, 3))
# 1 point: the sign of what arrives counts
# see 02_float_var#by-hand
check(scaled, lambda g, x: [2 * g * x, -2 * g * x], reals(1, 9), reals(-3, 3),
      via=on_lists)"""
WRONG = "def scaled(upstream, x):\n    return 2 * x"
NO_SIGN = "def scaled(upstream, x):\n    return abs(upstream) * 2 * x"


def master(folder: Path, key: str = KEY, tag: str = "key", stub: str = STUB) -> Path:
    """Write the master of a problem set, and return its path."""
    cells = [
        new_markdown_cell("# Problem set 9"),
        new_code_cell(setup_cell(), metadata={"tags": ["hide-cell", "setup"]}),
        new_code_cell("from autograd_lib.book import check, reals"),
        new_markdown_cell("**Exercise 7.1.** The rule of $x^2$."),
        new_code_cell(stub, metadata={"tags": ["exercise"]}),
        new_markdown_cell(SOLUTION, metadata={"tags": ["solution"]}),
        new_code_cell(key, metadata={"tags": [tag]}),
        new_markdown_cell("**Written 9.2.** (4 points) Why does it multiply?"),
        new_markdown_cell("*Your answer.*", metadata={"tags": ["written"]}),
    ]
    path = folder / "masters" / "ps9.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = new_notebook(cells=cells)
    write(notebook, path)
    nbformat.validate(notebook)
    return path
