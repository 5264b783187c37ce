"""Read the rows that compare the book's engine with PyTorch."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROWS = Path(__file__).parent
KEYS = {"topic", "chapter", "why", "covers"} | {
    side + key
    for side in ("", "here_", "pytorch_")
    for key in ("code", "gives", "warns")
}


@dataclass(frozen=True)
class Side:
    """What is run on one side, and what comes of it.

    Attributes:
        code: the lines; the last one is what is looked at.
        gives: the value of the last line, or how the error begins.
        warns: how each kind of warning begins.
    """

    code: str
    gives: str
    warns: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One thing that somebody who knows one side may want to know of the other.

    Attributes:
        topic: what it is, in Markdown.
        chapter: the number of the chapter that tells of it.
        here: our side.
        pytorch: PyTorch's.
        why: the reason, in Markdown.
        covers: operations and programs of other tests whose difference this is.
    """

    topic: str
    chapter: int
    here: Side
    pytorch: Side
    why: str
    covers: tuple[str, ...]

    @property
    def alike(self) -> bool:
        """Whether both sides give the same, warnings included."""
        return (self.here.gives, self.here.warns) == (
            self.pytorch.gives,
            self.pytorch.warns,
        )


@dataclass(frozen=True)
class Section:
    """Rows that a reader would look for in one place."""

    title: str
    about: str
    rows: tuple[Row, ...]


def side(given: dict[str, Any], name: str) -> Side:
    """Return one side of a row: its own lines and results, or those of both."""

    def value(key: str, default: Any = None) -> Any:
        return given.get(f"{name}_{key}", given.get(key, default))

    return Side(value("code").strip(), value("gives"), tuple(value("warns", [])))


def row(given: dict[str, Any]) -> Row:
    """Return a row as it was read.

    Raises:
        ValueError: if it has a key that means nothing.
    """
    if unknown := given.keys() - KEYS:
        raise ValueError(f"{given['topic']}: unknown keys {sorted(unknown)}")
    sides = side(given, "here"), side(given, "pytorch")
    covers = tuple(given.get("covers", ()))
    return Row(given["topic"], given["chapter"], *sides, given["why"], covers)


def sections() -> list[Section]:
    """Return all rows, in sections."""
    found = []
    for path in sorted(ROWS.glob("[0-9]*.toml")):
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        rows = tuple(map(row, given["row"]))
        found.append(Section(given["title"], given["about"], rows))
    return found
