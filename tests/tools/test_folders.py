"""Tests of the package lie in folders that hide no package from who imports it."""

from __future__ import annotations

import sys
from pathlib import Path

from notebooks.notebook import ROOT

TESTS = ROOT / "tests"


def test_no_test_of_the_package_lies_flat() -> None:
    assert list((TESTS / "library").glob("test_*.py")) == []
    assert len(list((TESTS / "library").glob("*/test_*.py"))) > 100


def test_no_folder_of_tests_is_where_packages_are_looked_for() -> None:
    """One is called `numpy`, and several files have the names of others."""
    assert not [path for path in sys.path if TESTS in [p := Path(path), *p.parents]]
    assert __name__ == "tests.tools.test_folders"
