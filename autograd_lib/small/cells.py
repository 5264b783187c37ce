"""Cells of a page that run inside the engine's module (chapter 00).

A page begins with the engine of the page before, and adds to it. What it adds has to
run where that engine lives: a function finds others in the module in which it was
written, so only there does the old `backward` call the new `walk`.

>>> engine = begin("graph")
>>> add("def order(y): return [y]")
>>> engine.order(3)
[3]

In a notebook, a cell that begins with ``%%engine`` is what is added; pages in a browser
know that line, too. A page that adds nothing takes the engine `after` a step.

If there is a file `mine.py` in the folder, with an engine of the reader's that has no
accident up to the page's own step, and the names that the page's cells use, then that
engine takes the place of the book's, and what the page adds is not run; `after` asks
for what stands before the page. On pages about numbers, an engine of tensors does not.
In Colab, where each notebook is on a machine that was new, a line says how the file
gets there.
"""

from __future__ import annotations

import linecache
import os
import sys
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from autograd_lib.small.accidents.asked import SCALARS, STEPS
from autograd_lib.small.accidents.bench import ACCIDENTS, Engine
from autograd_lib.small.accidents.trial import Outcome, borrowed, examine, lacks, load
from autograd_lib.small.cut import cut

MAGIC = "engine"
MINE = Path("mine.py")
SWITCH = "AUTOGRAD_MINE"
"""A variable of the environment; if it is 0, `mine.py` is not looked for."""
UPLOAD = f"from google.colab import files; files.upload_file('{MINE}')"
_numbers = count(1)


def begin(step: str) -> ModuleType:
    """Return the engine that a page begins with; `add` adds to it from here on.

    It is the book's of the step before, and the first step begins with nothing; or the
    reader's own. A line says so where there is a `mine.py`, and what it lacks.

    Args:
        step: what the page adds, such as "order".

    Raises:
        ValueError: if there is no such step.
    """
    before = STEPS[: _place(step, "begin")]
    return _started(step, before[-1] if before else None, step)


def after(step: str) -> ModuleType:
    """Return the engine as a page left it, for a page that adds nothing to it.

    It is the book's; or the reader's own, if it has no accident up to that page's.

    Args:
        step: what that page added, such as "graph".

    Raises:
        ValueError: if there is no such step.
    """
    _place(step, "after")
    return _started(step, step, f"after {step}")


def add(source: str) -> None:
    """Run statements inside the engine that the page has begun, if it is the book's.

    Raises:
        RuntimeError: if it has begun none.
    """
    engine = sys.modules.get(MAGIC)
    if engine is None:
        raise RuntimeError('%%engine: write engine = begin("order") first')
    if engine.__name__ == MAGIC:
        _run(source, engine)


def _place(step: str, asked_by: str) -> int:
    if step not in STEPS:
        raise ValueError(f"{asked_by}: no step is called {step!r}: {', '.join(STEPS)}")
    return STEPS.index(step)


def _started(needs: str, made: str | None, page: str) -> ModuleType:
    """Return the reader's engine if it has what is needed, or the book's as it was made
    at a step, and let cells be added to it.
    """
    engine = _mine(needs, page)
    if engine is None:
        engine = ModuleType(MAGIC)
        if made is not None:
            _run(cut(made), engine)
    sys.modules[MAGIC] = engine
    _register()
    return engine


def _mine(step: str, page: str) -> ModuleType | None:
    """Return the reader's engine if it is ready for a page; say what it lacks."""
    if os.environ.get(SWITCH) == "0":
        return None
    if not MINE.is_file():
        if "google.colab" in sys.modules:
            _say(f"the book's; for yours, run this, then this cell again:\n{UPLOAD}")
        return None
    try:
        engine = load(MINE)
        names = borrowed(engine)
        outcomes = [] if names else examine(engine, step)
    except (Exception, SystemExit) as error:
        _say(f"the book's: {MINE} stops with {type(error).__name__}: {error}")
        return None
    if names:
        _say(f"the book's: in {MINE}, {', '.join(names)} are its own anyway")
        return None
    if step in SCALARS and Engine(engine).of_arrays:
        _say("the book's; yours has tensors by now, and this page works on numbers")
        return None
    wrong = [str(outcome) for outcome in outcomes if outcome.status != "passed"]
    wrong = wrong[:1] or [*lacks(engine, page).values()]
    whose = "the book's; yours" if wrong else "yours"
    _say("\n".join([f"{whose}, {_passed(outcomes, step)}", *wrong]))
    return None if wrong else engine


def _passed(outcomes: list[Outcome], step: str) -> str:
    """Return how many accidents an engine passed, and how many later pages have."""
    done = sum(outcome.status == "passed" for outcome in outcomes)
    later = STEPS[STEPS.index(step) + 1 :]
    coming = sum(accident.step in later for accident in ACCIDENTS)
    more = f"; {coming} to come" if coming else ""
    return f"{done} of {len(outcomes)}{more}"


def _say(text: str) -> None:
    sys.stdout.write(f"engine: {text}\n")


def _run(source: str, engine: ModuleType) -> None:
    name = f"<engine {next(_numbers)}>"
    lines = source.splitlines(keepends=True)
    linecache.cache[name] = (len(source), None, lines, name)  # for tracebacks and Show
    exec(compile(source, name, "exec"), vars(engine))


def _register() -> None:
    """Make `%%engine` known where IPython runs the cells."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        shell.register_magic_function(_magic, "cell", MAGIC)


def _magic(line: str, cell: str) -> None:
    if line.strip():
        raise ValueError(f"%%engine takes nothing on its line, got {line!r}")
    add(cell)
