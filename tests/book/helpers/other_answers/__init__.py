"""Answers to exercises that a reader may well give: wrong ones, and right ones.

Each is what would stand in place of the solution. A check that accepts one of the wrong
ones, or refuses one of the right ones, is an error of the book. Each chapter has a file
`answers_NN.py` with two tables, `WRONG` and `RIGHT`, from an exercise's label to its
answers; it is found by being there.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

# Its page trains the network for it, so it is tried and judged weekly.
OF_A_TRAINED_NETWORK = "17.4"

WRONG: dict[str, list[str]] = {}
RIGHT: dict[str, list[str]] = {}

for path in sorted(Path(__file__).parent.glob("answers_[0-9][0-9].py")):
    chapter = import_module(f"{__name__}.{path.stem}")
    number = int(path.stem[-2:])
    for found, answers in ((WRONG, chapter.WRONG), (RIGHT, chapter.RIGHT)):
        for label, some in answers.items():
            if not label.startswith(f"{number}."):
                raise ValueError(f"{path.name}: {label} is no exercise of this chapter")
            found[label] = some
