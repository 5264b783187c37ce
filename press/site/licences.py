"""Put the licences of other people's files beside these files.

Style sheets and scripts of the theme become two files, without their comments. So the
notices that their licences ask for are in `_static/licences`.
"""

from __future__ import annotations

import shutil
from importlib.metadata import Distribution, distribution
from pathlib import Path

OWN = Path(__file__).resolve().parent.parent / "licences"
THEME = (
    *("sphinx", "pydata-sphinx-theme", "sphinx-book-theme", "myst-nb"),
    *("pygments", "sphinx-copybutton"),
)
"""Distributions of which pages carry a part."""


def text_of(made: Distribution) -> str:
    """Return the text of a distribution's licence.

    Raises:
        LookupError: if it comes without one.
    """
    for file in made.files or []:
        if file.stem.upper() == "LICENSE" and ".dist-info" in file.parts[0]:
            return Path(str(file.locate())).read_text("utf-8")
    raise LookupError(f"{made.metadata['Name']} comes without its licence")


def place(static: Path) -> None:
    """Put the licences into the folder of the files."""
    shutil.copytree(OWN, static / "licences", dirs_exist_ok=True)
    for name in THEME:
        text = text_of(distribution(name))
        (static / "licences" / f"{name}.txt").write_text(text, "utf-8", newline="\n")
    for folder in ("mathjax", "fonts"):
        (static / folder).mkdir(exist_ok=True)
        shutil.copyfile(OWN / "MathJax.txt", static / folder / "LICENSE")
