"""An environment with what Colab preinstalls and nothing of the book, made offline.

Its files are those of the running environment, linked or copied: the distributions in
`PREINSTALLED` and all that they require.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

PREINSTALLED = (
    "numpy",
    "matplotlib",
    "tqdm",
    "graphviz",
    "ipykernel",
    "pip",
    "setuptools",
)
KERNEL = "bare"


@dataclass(frozen=True)
class BareEnvironment:
    """A virtual environment at `root`, and the kernel that runs in it."""

    root: Path

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        name = "Scripts/python.exe" if os.name == "nt" else "bin/python"
        return self.root / name

    @property
    def packages(self) -> Path:
        """The directory that its distributions lie in."""
        if os.name == "nt":
            return self.root / "Lib" / "site-packages"
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.root / "lib" / version / "site-packages"

    def contents(self) -> dict[str, tuple[int, int]]:
        """Return size and time of each installed file, compiled ones left out."""
        found = {}
        for path in self.packages.rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                facts = path.stat()
                name = path.relative_to(self.packages).as_posix()
                found[name] = (facts.st_size, facts.st_mtime_ns)
        return found


def make(root: Path, names: tuple[str, ...] = PREINSTALLED) -> BareEnvironment:
    """Make the environment, with a kernel that `JUPYTER_PATH=root/share` finds."""
    command = [sys.executable, "-m", "venv", "--without-pip", str(root)]
    subprocess.run(command, check=True)
    environment = BareEnvironment(root)
    for found in closure(names):
        for source, name in files_of(found):
            place(source, environment.packages / name)
    kernel = root / "share" / "kernels" / KERNEL
    kernel.mkdir(parents=True)
    launch = [str(environment.python), "-m", "ipykernel_launcher"]
    argv = [*launch, "-f", "{connection_file}", "--log-level=ERROR"]
    spec = {"argv": argv, "display_name": KERNEL, "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    return environment


def closure(names: tuple[str, ...]) -> list[Distribution]:
    """Return the installed distributions of these names and all they require here."""
    found: dict[str, Distribution] = {}
    pending = list(names)
    while pending:
        name = re.sub(r"[-_.]+", "-", pending.pop()).lower()
        if name not in found:
            found[name] = distribution(name)
            for line in found[name].requires or []:
                requirement = Requirement(line)
                if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
                    pending.append(requirement.name)
    return list(found.values())


def files_of(found: Distribution) -> list[tuple[Path, str]]:
    """Return a distribution's files below site-packages: where each is, its name."""
    files = []
    for file in found.files or []:
        if not file.as_posix().startswith("..") and file.suffix != ".pyc":
            files.append((Path(str(file.locate())), file.as_posix()))
    return files


def place(source: Path, target: Path) -> None:
    """Link a file, or copy it where links do not reach."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def wheel_of(name: str, folder: Path) -> Path:
    """Pack an installed pure-Python distribution into a wheel again."""
    found = distribution(name)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{found.version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for source, inside in files_of(found):
            wheel.write(source, inside)
    return path
