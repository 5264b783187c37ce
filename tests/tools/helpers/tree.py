"""Copies of the working tree for tests that change it, clone it or build from it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from notebooks.notebook import ROOT


def files_of_the_repository() -> list[Path]:
    """Return the files that git keeps or would keep, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = [Path(name) for name in listed.decode().split("\0") if name]
    return sorted(path for path in set(paths) if (ROOT / path).is_file())


def copy_of_the_tree(target: Path) -> Path:
    """Copy the working tree, uncommitted files included, to `target`."""
    for path in files_of_the_repository():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target / path)
    return target


def bare_repository(target: Path, scratch: Path) -> Path:
    """Make a bare repository at `target` whose one commit holds the working tree."""
    work = copy_of_the_tree(scratch)
    git = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org"]
    for step in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "--all", "--force"],
        ["commit", "--quiet", "--no-verify", "--message=The working tree"],
    ):
        subprocess.run([*git, *step], cwd=work, check=True)
    clone = ["git", "clone", "--quiet", "--bare", str(work), str(target)]
    subprocess.run(clone, check=True)
    return target
