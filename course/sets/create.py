"""`make course DIR=../autograd-course`: write a private repository for a class.

It has six problem sets along the parts of the book with their keys, wrong answers that
each key must find, plans for 6 and 12 weeks, a rubric, and a workflow that grades. What
is there already is left alone.
"""

from __future__ import annotations

import secrets
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import jupytext
from nbformat import NotebookNode

from course.sets.handout import KEPT_BACK
from course.sets.leaks import CANARY
from course.sets.questions import read_set
from notebooks.exercises import LABEL
from notebooks.notebook import place_setup_cell, tags, write
from notebooks.repository import address

TEMPLATES = Path(__file__).parents[1] / "templates"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the folder that the command line names."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if len(given) != 1:
        print("Say where: make course DIR=../autograd-course", file=sys.stderr)
        return 2
    for path in created(Path(given[0])):
        print(path)
    return 0


def created(folder: Path) -> list[Path]:
    """Write the files that do not exist yet, and return their paths."""
    made = []
    for template in sorted((TEMPLATES / "course").rglob("*")):
        place = folder / template.relative_to(TEMPLATES / "course").as_posix().replace(
            "dot-", "."
        )
        if template.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(template, place)
            made.append(place)
    for template in sorted((TEMPLATES / "masters").iterdir()):
        place = folder / "masters" / template.name
        if template.suffix == ".toml" and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(template, place)
            made.append(place)
    for template in sorted((TEMPLATES / "masters").glob("*.md")):
        place = folder / "masters" / f"{template.stem}.ipynb"
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            made += master(template, place)
    return made


def master(template: Path, place: Path) -> list[Path]:
    """Write a master from its text, and beside it the wrong answers that it names."""
    notebook: NotebookNode = jupytext.reads(template.read_text("utf-8"), fmt="md")
    wrong = wrong_answers(notebook)
    notebook.cells = [c for c in notebook.cells if "wrong" not in tags(c)]
    place_setup_cell(notebook, address())
    plant_canary(notebook)
    write(notebook, place)
    read_set(place)
    made = [place]
    for name, source in wrong.items():
        path = place.parent.parent / "wrong" / place.stem / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source + "\n", encoding="utf-8", newline="\n")
        made.append(path)
    return made


def plant_canary(notebook: NotebookNode) -> None:
    """Write a random word into each solution and key, for `leaks` to search for."""
    word = f"{CANARY}{secrets.token_hex(8)}"
    for cell in notebook.cells:
        if KEPT_BACK & {*tags(cell)}:
            mark = f"# {word}" if cell.cell_type == "code" else f"<!-- {word} -->"
            cell.source = f"{mark}\n\n{cell.source}"


def wrong_answers(notebook: NotebookNode) -> dict[str, str]:
    """Return the sources of the cells tagged `wrong`, by the names of their files."""
    label, counts, found = "", Counter[str](), {}
    for cell in notebook.cells:
        labels = LABEL.findall(cell.source) if cell.cell_type == "markdown" else []
        label = labels[-1] if labels else label
        if "wrong" in tags(cell):
            counts[label] += 1
            found[f"{label}-{counts[label]}.py"] = str(cell.source)
    return found


if __name__ == "__main__":
    sys.exit(main())
