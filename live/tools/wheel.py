"""Build the library's wheel: the same bytes from the same sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEEDED = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-text.md")
EPOCH = "1577836800"  # a wheel is a zip, and those hold times; any fixed one will do


def library_wheel(root: Path) -> tuple[str, bytes]:
    """Return the name and the content of the wheel of the library in `root`.

    It is built from a copy, since setuptools leaves folders behind.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / "autograd_lib", source / "autograd_lib", ignore=ignored)
        for name in NEEDED:
            shutil.copyfile(root / name, source / name)
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
        command = [sys.executable, "-m", "pip", "wheel", *options, "-w", folder]
        subprocess.run(
            [*command, str(source)],
            check=True,
            capture_output=True,
            env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        )
        (built,) = Path(folder).glob("*.whl")
        return built.name, built.read_bytes()
