"""Find MathJax, its programs and its fonts, in the wheel that contains it."""

from __future__ import annotations

import hashlib
import shutil
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from press.site.problem import SiteError

CARRIER = "sphinx-mathjax-offline"
VERSION = "3.2.2"
SCRIPT = "tex-chtml-full.js"
SHA256 = "91b005503c5d1f0958bf4d73ada1a3be33596b2c4ab5da22277f1b0d3149b5a4"
FONTS = "output/chtml/fonts/woff-v2"


def folder() -> Path:
    """Return the folder of MathJax.

    Raises:
        SiteError: if the distribution that carries it is missing or is another one.
    """
    try:
        files = distribution(CARRIER).files or []
    except PackageNotFoundError:
        raise SiteError(
            "MathJax is missing: install what requirements.lock lists"
        ) from None
    for file in files:
        if file.as_posix().endswith(f"static/mathjax/{SCRIPT}"):
            script = Path(str(file.locate()))
            if hashlib.sha256(script.read_bytes()).hexdigest() != SHA256:
                raise SiteError(f"{SCRIPT} is not the one of MathJax {VERSION}")
            return script.parent
    raise SiteError(f"{CARRIER} holds no {SCRIPT}")


def place(target: Path) -> None:
    """Copy the script and its fonts to `target`, for live pages.

    A page loads them when a cell prints a formula.
    """
    source = folder()
    shutil.copytree(source / FONTS, target / FONTS, dirs_exist_ok=True)
    shutil.copyfile(source / SCRIPT, target / SCRIPT)
