"""The first patches that CONTRIBUTING proposes, in a clone: one line stays one line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from notebooks.fingerprint import stale_notebooks
from notebooks.notebook import notebook_paths, read
from tests.tools.helpers.tree import copy_of_the_tree
from tools.check import commands, planned

OPERATIONS = "autograd_lib/engine/ops/trigonometry.py"
SIN = '    """Return the sine of angles in radians."""\n'
SLOPE = "    return g * np.cos(x)\n"
SECONDS = 40  # of one processor, for both patches


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose one commit holds the working tree."""
    root = copy_of_the_tree(tmp_path_factory.mktemp("first") / "clone")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all", "--force")
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    git(root, *who, "commit", "--quiet", "--no-verify", "--message=The working tree")
    return root


def git(root: Path, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=root, check=True, capture_output=True)
    return done.stdout.decode()


def run(root: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run what `make` runs, with the library of the clone."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def changed_lines(root: Path) -> tuple[list[str], list[str]]:
    """Return the lines that git takes out and puts in, without any filter."""
    shown = git(root, "diff", "--no-textconv", "--no-ext-diff", "--unified=0")
    lines = [line for line in shown.splitlines() if line[:3] not in ("---", "+++")]
    return [x[1:] for x in lines if x[0] == "-"], [x[1:] for x in lines if x[0] == "+"]


def words_of_an_operation(root: Path) -> str:
    """Change a docstring, and return the new line."""
    file = root / OPERATIONS
    text = file.read_text(encoding="utf-8")
    assert text.count(SIN) == 1
    new = SIN.replace("Return the", "Return, for each element, the")
    file.write_text(text.replace(SIN, new), encoding="utf-8")
    return new.rstrip("\n")


def sentence_of_a_chapter(path: Path) -> str:
    """Change a sentence as JupyterLab saves it; return the new line of the file."""
    notebook = read(path)
    cell = next(
        c
        for c in notebook.cells
        if c.cell_type == "markdown" and c.source[0].isalpha() and ". " in c.source
    )
    cell.source = cell.source.replace(". ", ". Indeed: ", 1)
    cell.metadata["editable"] = True
    notebook.metadata.language_info["version"] = "3.11.7"
    nbformat.write(notebook, path)
    (line,) = {x for x in path.read_text("utf-8").splitlines() if ". Indeed: " in x}
    return line


@pytest.mark.exhaustive
def test_both_first_patches_stay_one_line_and_are_right_in_a_minute(
    clone: Path,
) -> None:
    before = os.times()
    stale = {*stale_notebooks(clone)}
    fresh = [path for path in notebook_paths(clone)[1:] if path not in stale]
    assert len(fresh) > 10
    lines = {words_of_an_operation(clone), sentence_of_a_chapter(fresh[0])}
    done = run(clone, "tools.refresh", *(path.name for path in fresh))
    assert done.returncode == 0, done.stderr
    assert "executed" not in done.stdout, done.stdout
    done = run(clone, "tools.check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("All of this is right.\n")
    removed, added = changed_lines(clone)
    assert {*added} == lines
    assert len(removed) == len(added) == 2
    git(clone, "checkout", "--quiet", ".")
    after = os.times()
    assert after.children_user - before.children_user < SECONDS


@pytest.mark.exhaustive
def test_make_check_finds_a_rule_that_is_nan_at_0(clone: Path) -> None:
    file = clone / OPERATIONS
    text = file.read_text(encoding="utf-8")
    assert text.count(SLOPE) == 1
    file.write_text(text.replace(SLOPE, SLOPE.rstrip() + " * (x / x)\n"), "utf-8")
    plan = planned(clone, [OPERATIONS])
    done = run(clone, *commands(plan, python=False)["cases"])
    git(clone, "checkout", "--quiet", ".")
    assert done.returncode == 1
    for test in ("is_wrong_at_a_special_place", "is_nan_where_numbers_are_zero"):
        said = rf"(?m)^FAILED .*::test_no_rule_{test}\[numpy\.sin\]"
        assert re.search(said, done.stdout), done.stdout
