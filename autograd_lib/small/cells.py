"""Cells of a page that run inside the engine's module (chapter 00).

A page begins with the engine of the page before, and adds to it. What it adds has to
run where that engine lives: a function finds others in the module in which it was
written, so only there does the old `backward` call the new `walk`.

>>> engine = begin("graph")
>>> add("def order(y): return [y]")
>>> engine.order(3)
[3]

In a notebook, a cell that begins with ``%%engine`` is what is added; pages in a browser
know that line, too.
"""

from __future__ import annotations

import linecache
import sys
from itertools import count
from types import ModuleType
from typing import Any

from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.cut import cut

MAGIC = "engine"
_numbers = count(1)


def begin(step: str) -> ModuleType:
    """Return the engine that a page begins with; `add` adds to it from here on.

    Args:
        step: what the page adds, such as "order". The engine is the one of the step
            before; the first step begins with nothing.

    Raises:
        ValueError: if there is no such step.
    """
    if step not in STEPS:
        raise ValueError(f"begin: no step is called {step!r}: {', '.join(STEPS)}")
    engine = ModuleType(MAGIC)
    engine.__doc__ = f"The engine of the page on {step}."
    sys.modules[MAGIC] = engine
    if step != STEPS[0]:
        _run(cut(STEPS[STEPS.index(step) - 1]), engine)
    _register()
    return engine


def add(source: str) -> None:
    """Run statements inside the engine that the page has begun.

    Raises:
        RuntimeError: if it has begun none.
    """
    engine = sys.modules.get(MAGIC)
    if engine is None:
        raise RuntimeError('%%engine: write engine = begin("order") first')
    _run(source, engine)


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
