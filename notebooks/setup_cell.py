"""The first code cell of every notebook, of which this is the only source.

`tools.refresh` writes it into each notebook, and `tools.repository` inserts the
address.

The cell uses an installed library if there is one, or else the clone that it runs in,
or else installs the library alone (`--no-deps`) from that address. pip builds it in
isolation, so it does not matter how old the setuptools of Colab is. If none of this
works, or if Python or NumPy is too old, the cell stops with one sentence: IPython shows
the result of `_render_traceback_` instead of a traceback, and "run all" stops there.
"""

from __future__ import annotations

import re

SOURCE = """\
# Makes autograd_lib importable: in a clone, in Colab, as a lone notebook.
import subprocess
import sys
from importlib import invalidate_caches
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

REPOSITORY = ""


class SetupStopped(ImportError):
    def _render_traceback_(self):
        return [str(self)]


if sys.version_info < (3, 11):
    raise SetupStopped(
        "The book needs Python 3.11 or newer, and this notebook runs on "
        + sys.version.split()[0] + ": choose another kernel."
    )


def installed():  # the book's, not the other package of this name
    invalidate_caches()
    spec = find_spec("autograd_lib")
    places = (spec and spec.submodule_search_locations) or []
    return any((Path(place) / "book").is_dir() for place in places)


if not installed():
    above = (Path.cwd(), *Path.cwd().parents)
    clones = [p for p in above if (p / "autograd_lib" / "book").is_dir()]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    install.append("git+" + REPOSITORY)
    if clones:
        sys.path.insert(0, str(clones[0]))
    elif find_spec("autograd_lib"):
        raise SetupStopped(
            "Another package called autograd_lib is installed here: remove it"
            " with `pip uninstall autograd-lib`, then restart the kernel."
        )
    elif not REPOSITORY:
        raise SetupStopped(
            "This notebook needs autograd_lib, which comes with the book:"
            " clone the book's repository and open the notebook in there."
        )
    else:
        done = subprocess.run(install, capture_output=True, text=True)
        if done.returncode:
            said = " ".join(done.stderr.split()[-20:]).rstrip(".")
            raise SetupStopped(
                f"Could not install autograd_lib from {REPOSITORY}, which"
                " takes pip, git and a network: mend what is missing, run"
                f" this again. The last words were: {said}."
            )
        if not installed():
            raise SetupStopped("It is installed now: restart the kernel.")
    found = all(map(find_spec, ("matplotlib", "numpy", "tqdm")))
    if not found or int(version("numpy").partition(".")[0]) < 2:
        raise SetupStopped(
            "The book needs NumPy 2.0 or newer, Matplotlib and tqdm: run"
            " `%pip install -U numpy matplotlib tqdm`, restart the kernel."
        )
"""

ADDRESS_LINE = re.compile(r'^REPOSITORY = "(.*)"$', re.MULTILINE)


def setup_cell(address: str = "") -> str:
    """Return the source of the cell, with the repository's address."""
    line = f'REPOSITORY = "{address}"'
    return ADDRESS_LINE.sub(lambda _: line, SOURCE).rstrip("\n")


def stamped_address(source: str) -> str:
    """Return the address in the source of a setup cell, or "" if there is none."""
    found = ADDRESS_LINE.search(source)
    return found[1] if found else ""
