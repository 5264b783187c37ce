"""Run a command of the course in a container: no network, nothing to write, nobody.

The recipe is `templates/Containerfile`. Docker's or podman's is used if it answers.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from course.desk.collect import LARGE, LARGEST, files, is_listing
from notebooks.notebook import ROOT

IMAGE = "autograd-judge"
INSIDE = "AUTOGRAD_JUDGE_IN_CONTAINER"
"""Set in the container, to the place outside where results go."""
RECIPE = Path(__file__).parents[1] / "templates" / "Containerfile"
LOCK = ROOT / "requirements.lock"
GIVEN = "/given"
RIGHTS = ("SETUID", "SETGID", "KILL", "DAC_OVERRIDE", "CHOWN")
"""What the judge keeps of root: to make nobodies and end them, and, since the folder of
results is not root's where Docker runs, to write there and give away what it wrote."""


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


def is_here() -> bool:
    """Whether this process runs in the container."""
    return INSIDE in os.environ


def again(options: argparse.Namespace) -> int | None:
    """Run the same grading in a container, if there is one; return its code.

    Without one, or if a path leads nowhere, nothing is done.
    """
    if options.container == "no" or is_here():
        return None
    if not all(path.exists() for path in given(options).values()):
        return None
    name = engine()
    if not name:
        return None
    if not built(name):
        print("The container cannot be built; grading goes on without it.")
        return None
    with tempfile.TemporaryDirectory() as place:
        if is_listing(options.source):
            options = without_network(options, Path(place) / options.source.stem)
        return subprocess.run(command(name, options)).returncode


def built(name: str) -> bool:
    """Build the image, unless one of the same recipe and packages exists."""
    if not called([name, "image", "inspect", tag()]):
        return True
    with tempfile.TemporaryDirectory() as context:
        shutil.copy2(LOCK, context)
        build = [name, "build", "--quiet", f"--tag={IMAGE}", f"--tag={tag()}"]
        build += [f"--file={RECIPE}", context]
        return subprocess.run(build).returncode == 0


def tag() -> str:
    """Return the image's name, with a hash of its recipe and packages."""
    made_from = hashlib.sha256(RECIPE.read_bytes() + LOCK.read_bytes())
    return f"{IMAGE}:{made_from.hexdigest()[:12]}"


def without_network(options: argparse.Namespace, place: Path) -> argparse.Namespace:
    """Clone the repositories of a list, since the container has no network."""
    place.mkdir()
    for file in files(options.source):
        copy = place / file.path
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("wb") as opened:
            opened.write(file.data)
            if file.problem == LARGE:
                opened.truncate(LARGEST + 1)
    return argparse.Namespace(**{**vars(options), "source": place})


def given(options: argparse.Namespace) -> dict[str, Path]:
    """Return the instructor's files that are read, by the flag that names each."""
    named = {
        "--from": options.source,
        "--course": options.course,
        "--roster": options.roster,
        "--canvas": options.canvas,
    }
    return {flag: Path(path) for flag, path in named.items() if path is not None}


def command(name: str, options: argparse.Namespace) -> list[str]:
    """Return the command that grades in a container.

    What is read is mounted for reading, and only the folder of results for writing,
    all of it below a folder that nobody can look into.
    """
    into = (options.into or (options.course or Path()) / "grades").resolve()
    into.mkdir(parents=True, exist_ok=True)
    mounts = [f"{ROOT}:/book:ro", f"{into}:{GIVEN}/into"]
    inside = ["--into", f"{GIVEN}/into", "--together", str(options.together)]
    for flag, path in given(options).items():
        place = f"{GIVEN}/{flag.strip('-')}/{path.resolve().name}"
        mounts.append(f"{path.resolve()}:{place}:ro")
        inside += [flag, place]
    inside += ["--part", "/".join(map(str, options.part))]
    for flag in ("column", "seed", "site"):
        if getattr(options, flag):
            inside += [f"--{flag}", getattr(options, flag)]
    for one in options.set:
        inside += ["--set", one]
    return [
        *(name, "run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp"),
        f"--tmpfs={GIVEN}:mode=0700",
        *("--cap-drop=ALL", *(f"--cap-add={right}" for right in RIGHTS)),
        *("--security-opt=no-new-privileges", "--security-opt=label=disable"),
        *("--pids-limit=256", "--memory=4g"),
        *(f"--env={INSIDE}={into}", "--workdir=/book"),
        *(f"--volume={mount}" for mount in mounts),
        *(tag(), "python", "-m", "course.desk.grade", *inside),
    ]


def hand_back(folder: Path) -> None:
    """Change the owner of the written files to that of the folder of results."""
    owner = folder.stat()
    for path in folder.rglob("*"):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
