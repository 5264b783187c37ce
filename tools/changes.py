"""The files that have changed according to git, and whether their behaviour has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import nbformat

from notebooks.notebook import code_cells, read
from notebooks.source import running


class NoAnswer(Exception):
    """git cannot say what has changed; the message says why."""


def what_changed(root: Path) -> tuple[str, list[str]]:
    """Return the commit to compare with, and the files that have changed since.

    Uncommitted and untracked files are included. The commit is the one at which the
    branch left the remote's default branch, or the last one if there is no remote.

    Raises:
        NoAnswer: if this is not a repository.
    """
    since = "HEAD"
    for branch in ("origin/HEAD", "origin/main"):
        base = git(root, "merge-base", "HEAD", branch)
        if base:
            since = base[:10]
            break
    named = git(root, "diff", "--name-only", "--no-renames", "-z", since)
    others = git(root, "ls-files", "--others", "--exclude-standard", "-z")
    if named is None or others is None:
        raise NoAnswer("git does not say what has changed")
    return since, sorted({*named.split("\0"), *others.split("\0")} - {""})


def git(root: Path, *command: str) -> str | None:
    """Return the output of git, or None if it fails."""
    try:
        done = subprocess.run(["git", *command], cwd=root, capture_output=True)
    except FileNotFoundError:
        return None
    if done.returncode:
        return None
    return done.stdout.decode().rstrip("\n")


def only_words_changed(root: Path, path: str, since: str) -> bool:
    """Return whether only docstrings and comments changed since a commit."""
    before = git(root, "show", f"{since}:{path}") if since else None
    if before is None or not (path.endswith(".py") and (root / path).is_file()):
        return False
    now = (root / path).read_text(encoding="utf-8")
    try:
        return running(before) == running(now) and orders(before) == orders(now)
    except SyntaxError:
        return False


def orders(source: str) -> list[str]:
    """Return the comments that the type checker reads."""
    return re.findall(r"# type: .*", source)


def cells_changed(root: Path, path: str, since: str) -> bool:
    """Return whether the code or the outputs of a notebook changed since a commit."""
    if not (root / path).is_file():
        return False
    before = git(root, "show", f"{since}:{path}") if since else None
    if before is None:
        return True
    old, new = nbformat.reads(before, as_version=4), read(root / path)
    return code_and_outputs(old) != code_and_outputs(new)


def code_and_outputs(notebook: nbformat.NotebookNode) -> list[object]:
    """Return the source, metadata and outputs of each code cell."""
    return [(cell.source, cell.metadata, cell.outputs) for cell in code_cells(notebook)]
