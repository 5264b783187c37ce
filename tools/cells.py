"""Notebooks as text for `git diff`: the sources of cells, without outputs and metadata.

Run `python3 tools/cells.py --set-up` once in a clone; then `git diff`, `git log -p` and
`git show` use it. It needs only the standard library, so it works in any environment.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

DRIVER = "diff.notebook"  # named in .gitattributes for *.ipynb
CELL = "# %%"  # as in jupytext's percent format, which editors know


def as_text(notebook: str) -> str:
    """Return the cells of a notebook, each below a line with its kind, id and tags.

    Args:
        notebook: the contents of the file. Text that is not a notebook is returned
            unchanged, so that a file with conflict markers can be compared too.
    """
    try:
        cells = json.loads(notebook)["cells"]
    except (ValueError, KeyError, TypeError):
        return notebook
    parts = []
    for cell in cells:
        tags = " ".join(cell.get("metadata", {}).get("tags", []))
        head = [CELL, cell["cell_type"], cell.get("id", ""), tags and f"({tags})"]
        parts.append(" ".join(filter(None, head)))
        parts.append("".join(cell["source"]) + "\n")
    return "\n".join(parts)


def set_up(folder: Path) -> None:
    """Configure git, in the clone at `folder`, to show notebooks as text."""
    # git runs the command at the top of the repository.
    settings = {
        "textconv": f"{shlex.quote(sys.executable)} tools/cells.py",
        "xfuncname": f"^{CELL} .*$",
    }
    for name, value in settings.items():
        command = ["git", "config", "--local", f"{DRIVER}.{name}", value]
        subprocess.run(command, cwd=folder, check=True)


def main(arguments: list[str]) -> int:
    """Set git up, or write one notebook as text."""
    if arguments == ["--set-up"]:
        set_up(Path.cwd())
    elif len(arguments) == 1:
        text = as_text(Path(arguments[0]).read_text(encoding="utf-8"))
        sys.stdout.buffer.write(text.encode("utf-8"))
    else:
        print("usage: python3 tools/cells.py --set-up | NOTEBOOK", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
