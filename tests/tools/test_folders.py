"""Tests of the package lie in folders that hide no package from who imports it."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from notebooks.notebook import ROOT

LIBRARY = ROOT / "tests" / "library"


def on_path() -> set[Path]:
    """Return the folders that pytest puts in front of `sys.path` to import tests."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        above = (p for p in path.parents if not (p / "__init__.py").exists())
        found.add(next(above))
    return found


def test_no_test_of_the_package_lies_flat() -> None:
    assert list(LIBRARY.glob("test_*.py")) == []
    assert len(list(LIBRARY.glob("*/test_*.py"))) > 100


def test_what_lies_beside_a_test_has_no_name_of_another_package() -> None:
    """`tests/library` holds `numpy/`: so it is not to stand on `sys.path` itself."""
    taken = sys.stdlib_module_names | packages_distributions().keys()
    assert {"numpy", "json"} <= taken
    for folder in on_path():
        assert not {path.stem for path in folder.iterdir()} & taken, folder
