"""Run a command of the course in a container: no network, nothing to write, nobody.

The recipe is `templates/Containerfile`. Docker's or podman's is used if it answers.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools.notebooks import ROOT

IMAGE = "autograd-judge"
INSIDE = "AUTOGRAD_JUDGE_IN_CONTAINER"
RECIPE = Path(__file__).parent / "templates" / "Containerfile"


def engine() -> str:
    """Return the name of a program that runs containers here, or nothing."""
    for name in ("docker", "podman"):
        if shutil.which(name) and not called([name, "info"]):
            return name
    return ""


def called(command: Sequence[str]) -> int:
    """Run a command, silently; return what it returns."""
    try:
        return subprocess.run(command, capture_output=True, timeout=30).returncode
    except (OSError, subprocess.TimeoutExpired):
        return 1


def again(options: argparse.Namespace) -> int | None:
    """Run the same grading in a container, if there is one; return its code."""
    if options.container == "no" or os.environ.get(INSIDE):
        return None
    name = engine()
    if not name:
        return None
    build = [name, "build", "--quiet", "--tag", IMAGE, "--file", str(RECIPE), str(ROOT)]
    if called([name, "image", "inspect", IMAGE]) and subprocess.run(build).returncode:
        print("The container cannot be built; grading goes on without it.")
        return None
    return subprocess.run(command(name, options)).returncode


def command(name: str, options: argparse.Namespace) -> list[str]:
    """Return the command that grades in a container.

    What is read is mounted for reading, and only the folder of results for writing.
    """
    into = options.into or (options.course or Path()) / "grades"
    into.mkdir(parents=True, exist_ok=True)
    mounts = [f"{ROOT}:/book:ro", f"{into.resolve()}:/into"]
    inside = ["--into", "/into", "--container", "no"]
    for flag in ("source", "course", "roster", "canvas"):
        given = getattr(options, flag)
        if given is not None:
            mounts.append(
                f"{Path(given).resolve()}:/given/{flag}/{Path(given).name}:ro"
            )
            long = "--from" if flag == "source" else f"--{flag}"
            inside += [long, f"/given/{flag}/{Path(given).name}"]
    for flag in ("column", "seed"):
        if getattr(options, flag):
            inside += [f"--{flag}", getattr(options, flag)]
    for one in options.set:
        inside += ["--set", one]
    return [
        *(name, "run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp"),
        *("--cap-drop=ALL", "--cap-add=SETUID", "--cap-add=SETGID", "--cap-add=KILL"),
        *("--security-opt=no-new-privileges", "--pids-limit=256", "--memory=4g"),
        *(f"--env={INSIDE}=1", "--workdir=/book"),
        *(f"--volume={mount}" for mount in mounts),
        *(IMAGE, "python", "-m", "tools.course.grade", *inside),
    ]
