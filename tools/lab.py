"""`make lab`: open the notebooks in JupyterLab, with their stored drawings shown.

JupyterLab hides SVG in notebooks that this machine has not signed, so they are signed
first: they came with the clone, whose code is about to run anyway.
"""

from __future__ import annotations

import subprocess
import sys

from nbformat.sign import NotebookNotary

from tools.notebooks import ROOT, chapter_paths, read


def main() -> int:
    """Sign the notebooks and open the first; further arguments go to JupyterLab."""
    paths = chapter_paths()
    notary = NotebookNotary()
    for path in paths:
        notary.sign(read(path))
    first = [str(path) for path in paths[:1]]
    command = [sys.executable, "-m", "jupyterlab", *first, *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT / "chapters", check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
