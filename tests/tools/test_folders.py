"""Tests lie where what they test lies, and hide no package from those who import it."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from tools.notebooks import ROOT

LIBRARY = ROOT / "tests" / "library"
PACKAGE = ROOT / "autograd_lib"
# Shared by tests, and `package`: the modules at the package's top, and the whole.
OWN = {"beside_pytorch", "helpers", "operations", "package"}


def folders() -> set[Path]:
    """Return the folders that hold test files."""
    return {path.parent for path in (ROOT / "tests").rglob("test_*.py")}


def test_a_folder_of_tests_is_named_after_a_folder_of_the_package() -> None:
    inside = {
        folder.relative_to(LIBRARY) for folder in folders() if LIBRARY in folder.parents
    }
    assert len(inside) > 15
    for folder in inside:
        homes = [PACKAGE / folder, PACKAGE / "engine" / folder]
        assert folder.parts[0] in OWN or any(map(Path.is_dir, homes)), folder


def test_no_test_lies_flat() -> None:
    assert LIBRARY not in folders()


def test_what_lies_beside_a_test_has_no_name_of_another_package() -> None:
    """Collecting a test file puts its folder in front of `sys.path`."""
    taken = sys.stdlib_module_names | packages_distributions().keys()
    assert {"numpy", "json"} <= taken
    for folder in folders():
        assert not {path.stem for path in folder.iterdir()} & taken, folder
