"""A map from the parts of our engine to those of PyTorch's.

It is data, in `parts.toml`: what a part is called in PyTorch, in which file it stands,
what stands for it here, and how the two differ. `tests/book/test_pytorch.py` looks for
every name: ours everywhere, PyTorch's where it is installed, in its headers, in its
sources, and in Python.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".toml")
FOLDER = "torch/csrc/autograd/"
"""Where most of it is; an entry of the map does not repeat it."""


@dataclass(frozen=True)
class Part:
    """A part of PyTorch's autograd, with ours beside it.

    Attributes:
        group: the key of the group that it belongs to.
        name: what PyTorch calls it, in Markdown.
        file: where it stands in PyTorch's repository.
        differs: what theirs does that ours does not, or the other way, and why.
        ours: what stands for it here, each as "module:name".
        headers: pairs of a header of the wheel and a text in it.
        sources: pairs of a file beside the package and a text in it.
        python: names that Python can reach.
    """

    group: str
    name: str
    file: str
    differs: str
    ours: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    python: tuple[str, ...] = field(default=())

    @property
    def here(self) -> str:
        """Return what stands for it here, as Markdown, names before their file."""
        named: dict[str, list[str]] = {}
        for place in self.ours:
            module, name = place.split(":")
            file = module.removeprefix("autograd_lib.").replace(".", "/") + ".py"
            named.setdefault(file, []).append(f"`{name}`")
        return "; ".join(f"{', '.join(names)}, {file}" for file, names in named.items())

    @property
    def entry(self) -> str:
        """Return all that the map says of it, as Markdown."""
        file = self.file.replace(FOLDER, "")
        here = f" Here: {self.here}." if self.ours else ""
        return f"**{self.name}**, {file}.{here} {self.differs}"


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def version() -> str:
    """Return the version of PyTorch that the map is of."""
    return str(_data()["version"])


def groups() -> dict[str, str]:
    """Return the title of each group, by its key."""
    return dict(_data()["groups"])


def parts(group: str = "") -> list[Part]:
    """Return the parts of a group, or of all.

    Raises:
        ValueError: if there is no such group.
    """
    if group and group not in groups():
        raise ValueError(
            f"parts: there is no group {group!r}; the map has {', '.join(groups())}"
        )
    found = []
    for entry in _data()["part"]:
        given = {key: _frozen(value) for key, value in entry.items()}
        found.append(Part(**given))
    return [part for part in found if group in ("", part.group)]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
