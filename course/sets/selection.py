"""Which notebooks are meant by `CH=04` and `PS=ps1`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from course.sets.questions import Set, read_set
from notebooks.notebook import ROOT, chapter_paths


def chosen(names: Sequence[str], course: Path | None = None) -> list[Set]:
    """Return the sets of some names; without names, all chapters and masters.

    Raises:
        ValueError: if a name means none, or more than one.
    """
    return [read_set(path) for path in paths(names, course)]


def paths(names: Sequence[str], course: Path | None = None) -> list[Path]:
    """Return the notebooks of some names."""
    known = [*masters(course), *chapter_paths(ROOT)]
    if not names:
        return known
    found = []
    for name in names:
        fitting = [p for p in known if p.stem == name or p.stem.startswith(f"{name}_")]
        if len(fitting) != 1:
            have = ", ".join(p.stem for p in known)
            hint = "" if course else "; problem sets need COURSE=, their folder"
            raise ValueError(f"No set is called {name}; there are: {have}{hint}.")
        found += fitting
    return found


def masters(course: Path | None) -> list[Path]:
    """Return the masters in a private repository, in order."""
    return sorted((course / "masters").glob("*.ipynb")) if course else []
