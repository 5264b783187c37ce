"""The engine of the book, compiled to loops of machine code (chapter 23)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from autograd_lib.program import compile
from autograd_lib.program.machine import MACHINE
from benchmarks.tensor_engines.base import Step
from benchmarks.tensor_engines.of_compiled import Compiled

if find_spec("numba") is None:
    raise ImportError("no module named numba")
os.environ["AUTOGRAD_MACHINE_CACHE"] = tempfile.mkdtemp()  # no cache between processes


class Machine(Compiled):
    """As `Compiled`, with the rewrites for machine code."""

    def run(self, function: Callable[..., Any], *args: Any) -> Step:
        """Return a step that calls a function, compiled to machine code."""
        compiled = compile(function, passes=MACHINE)
        return lambda: compiled(*args)


ENGINE = Machine
