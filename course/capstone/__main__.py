"""Put the design of a capstone through the probe card, and say whether it passes.

    python -m course.capstone their/design.py

The file has a class `Design`, made from `Probe` of `course.capstone.probe_card`. It
runs here as it is, so look at it first, or call this in a container. It has to be a
design of its own: it opens no other code than Python's and NumPy's, nor does it repeat
the book's, and a function that it differentiates is given its objects, and not arrays.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import autograd_lib.broadcast
import autograd_lib.graph  # noqa: F401 - what a design may use is loaded before it runs
from course.capstone.probe_card import Probe, probe, table
from course.capstone.repeated import repeated

MUST_BE_RIGHT = 5  # the first of the experiments: what every design of the book can do
SILENT = ("wrong", "never ends")
EXCUSED = "a write to a constant"  # which the book's own engine does not notice either
CODE = (".py", ".pyc", ".so", ".pyd", ".zip", ".whl", ".ipynb")
STARTS = (
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.system",
    "os.spawn",
)
ENGINE = "autograd_lib.engine"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the card of a design; return 1 if it does not pass."""
    parser = argparse.ArgumentParser(prog="python -m course.capstone")
    parser.add_argument("file", type=Path, help="a file with a class Design")
    file = parser.parse_args(arguments).file.resolve()
    if ENGINE in sys.modules:
        raise RuntimeError("the engine is loaded: call this in a process of its own")
    borrowed = dict.fromkeys(repeated(file.read_text(encoding="utf-8")))
    watch_what_is_opened(file, borrowed)
    try:
        design = runpy.run_path(str(file)).get("Design")
        if not (isinstance(design, type) and issubclass(design, Probe)):
            print(f"{file.name} has no class Design(Probe)", file=sys.stderr)
            return 1 if borrowed else 2
        watched: Any = Watched(design(), borrowed)
        card = probe(watched)
        found = [*borrowed, *faults(card)]
        print(table(watched.name, card))
    except BaseException:  # an exit, too, is not for a design to say
        traceback.print_exc()
        found = [*borrowed, "it ended before its card was full"]
    print("; ".join(found) or "It passes.")
    return int(bool(found))


def faults(card: dict[str, str]) -> list[str]:
    """Return the reasons why a card does not pass: wrong numbers without an error.

    An error, or that something cannot be asked, is an answer in the later experiments.
    """
    return [
        f"{name}: {said}"
        for i, (name, said) in enumerate(card.items())
        if (said.startswith(SILENT) and name != EXCUSED)
        or (said != "right" and i < MUST_BE_RIGHT)
    ]


def watch_what_is_opened(design: Path, borrowed: dict[str, None]) -> None:
    """Refuse to open other code from here on, and record each request for it.

    What watches cannot be taken off again, so an import that is hidden is seen as well.
    """
    loaded = [getattr(m, "__file__", None) for m in [*sys.modules.values()]]
    files = {design, *(Path(name).resolve() for name in loaded if name)}
    paths = sysconfig.get_paths()
    others = tuple(paths[name] + os.sep for name in ("purelib", "platlib"))
    python = (paths["stdlib"] + os.sep, paths["platstdlib"] + os.sep)
    numpy = str(Path(np.__file__).parent) + os.sep

    def is_allowed(path: Path) -> bool:
        if path.parent.name == "__pycache__":
            path = path.parent.parent / f"{path.name.partition('.')[0]}.py"
        name = str(path)
        is_python_s = name.startswith(python) and not name.startswith(others)
        return path in files or is_python_s or name.startswith(numpy)

    def watch(event: str, given: tuple[Any, ...]) -> None:
        if event.startswith(STARTS):
            why = "it starts another program"
        elif event == "open" and isinstance(given[0], str | bytes | os.PathLike):
            path = Path(os.fsdecode(given[0]))
            if path.suffix not in CODE or is_allowed(path.resolve()):
                return
            why = f"it is no design of its own: it opens {path}"
        else:
            return
        borrowed[why] = None
        raise PermissionError(why)

    sys.addaudithook(watch)


class Watched:
    """A design whose calls of functions, and their arguments' types, are recorded."""

    def __init__(self, design: Probe, borrowed: dict[str, None]) -> None:
        self.design = design
        self.borrowed = borrowed

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.design, name)
        if not callable(found):
            return found

        def call(*given: Any) -> Any:
            called: list[int] = []
            functions = [one for one in given if callable(one)]
            got = found(*(self.seen(one, called) if callable(one) else one
                          for one in given))  # fmt: skip
            if functions and not called:
                self.borrowed["it answers without calling the function"] = None
            return got

        return call

    def seen(self, function: Callable[..., Any], called: list[int]) -> Any:
        """Return a wrapper of a function that checks the types of its arguments."""

        def look(*given: Any) -> Any:
            called.append(1)
            for kind in {kind for one in given for kind in type(one).__mro__}:
                if kind.__module__.partition(".")[0] in ("autograd_lib", "numpy"):
                    why = f"a function is given a {kind.__module__}.{kind.__name__}"
                    self.borrowed[f"{why}, and no object of the design's own"] = None
            return function(*given)

        return look


if __name__ == "__main__":
    sys.exit(main())
