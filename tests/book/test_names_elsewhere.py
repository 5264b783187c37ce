"""The names that the appendix on notation gives for other systems are theirs."""

from __future__ import annotations

import importlib
import re
from operator import attrgetter
from types import ModuleType

import pytest

from notebooks.notebook import ROOT

TITLE = "## The same thing elsewhere"
HERE, ITS_NAME = "autograd_lib", re.compile(r"\b(?:ag|functional)\.[a-z_.A-Z]+")
COLUMNS = {"torch": 1, "jax": 2, "autograd": 4}


def rows() -> list[list[str]]:
    text = (ROOT / "pages" / "notation.md").read_text("utf-8")
    table = text[text.index(TITLE) :].split("\n\n")[2]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def modules_of(package: str, names: set[str]) -> ModuleType:
    """Return a package, with those of its modules imported that names go through."""
    for name in names:
        for k in range(2, len(parts := name.split("."))):
            try:
                importlib.import_module(".".join(parts[:k]))
            except ModuleNotFoundError:
                break  # what follows is an attribute
    return importlib.import_module(package)


def test_our_names_are_there() -> None:
    names = {n.replace("ag.", "") for row in rows() for n in ITS_NAME.findall(row[0])}
    assert {"grad", "functional.grad", "checkpoint", "Function"} <= names
    package = importlib.import_module(HERE)
    for name in names:
        assert attrgetter(name)(package), name


@pytest.mark.parametrize("package", COLUMNS)
def test_their_names_are_there(package: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    cells = " ".join(row[COLUMNS[package]] for row in rows())
    names = set(re.findall(rf"\b{package}\.[\w.]+", cells))
    assert len(names) > 5
    whole = modules_of(package, names)
    for name in names:
        assert attrgetter(name.removeprefix(f"{package}."))(whole), name
