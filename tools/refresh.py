"""`make refresh`: execute the notebooks whose code changed, and normalise all files.

A notebook is executed if its stored hash differs from that of its code cells and of the
library that they import (`notebooks.fingerprint`). Changing a sentence, or a docstring
that no page shows, executes nothing. A second run changes nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode

from notebooks.fingerprint import fingerprint, stored_fingerprint
from notebooks.notebook import (
    ENVIRONMENT,
    ROOT,
    code_cells,
    normalise,
    notebook_paths,
    place_setup_cell,
    read,
    write,
)
from notebooks.repository import address
from tools.tracebacks import tidy_errors

CELL_SECONDS = 300
STARTS = 3


class RefreshError(Exception):
    """A notebook cannot be refreshed; the message shows the cell and why."""


def main(arguments: list[str] | None = None) -> int:
    """Refresh the notebooks named on the command line, or all."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.refresh", description=__doc__
    )
    parser.add_argument(
        "names", nargs="*", help="chapters, such as 02 or chapters/02_float_var.ipynb"
    )
    parser.add_argument(
        "--all", action="store_true", help="execute even what has not changed"
    )
    options = parser.parse_args(arguments)
    try:
        for path in chosen(options.names):
            print(f"{path.name}: {refresh(path, always=options.all)}", flush=True)
    except RefreshError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def chosen(names: list[str], root: Path = ROOT) -> list[Path]:
    """Return the notebooks that `names` stand for, or all if there are no names.

    Raises:
        RefreshError: if there is no notebook for a name.
    """
    paths = notebook_paths(root)
    if not names:
        return paths
    found = []
    for name in names:
        fitting = [p for p in paths if p.name.startswith(Path(name).stem)]
        if not fitting:
            known = ", ".join(p.stem for p in paths)
            raise RefreshError(f"no chapter is called {name}; there are: {known}")
        found += fitting
    return found


def refresh(path: Path, root: Path = ROOT, always: bool = False) -> str:
    """Update one notebook, and return in words what was done.

    Raises:
        RefreshError: if a cell fails or writes to stderr; the file then stays as it is.
    """
    notebook = read(path)
    place_setup_cell(notebook, address(root))
    stale = always or stored_fingerprint(notebook) != fingerprint(notebook, root)
    if stale:
        execute(notebook, path.parent)
        reject_stderr(notebook, path.name)
        for cell in code_cells(notebook):
            tidy_errors(cell, root)
        normalise(notebook)
        # The hash depends on the new outputs: source that they show counts as text.
        current = fingerprint(notebook, root)
        notebook.metadata["autograd"] = NotebookNode(source_hash=current)
    changed = write(notebook, path)
    if not stale:
        return "rewritten" if changed else "up to date"
    return "executed" if changed else "executed, nothing changed"


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells in a fresh kernel that works in `folder`.

    Two kernels that start at the same time can get the same port; one of them then dies
    before it runs anything, and is started again.

    Raises:
        RefreshError: if a cell that is not tagged `raises-exception` fails.
    """
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    for start in range(1, STARTS + 1):
        try:
            client.execute(env=os.environ | ENVIRONMENT)
        except CellExecutionError as error:
            raise RefreshError(str(error)) from None
        except DeadKernelError:
            raise
        except RuntimeError:
            if start == STARTS:
                raise
        else:
            return


def reject_stderr(notebook: NotebookNode, name: str) -> None:
    """Raise RefreshError, with the source of the cell, if a cell wrote to stderr."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                raise RefreshError(
                    f"{name}: this cell writes to stderr, which a page must not "
                    f"show:\n\n{cell.source}\n\nstderr:\n{output.text}"
                )


if __name__ == "__main__":
    sys.exit(main())
