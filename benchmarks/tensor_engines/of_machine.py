"""The engine of the book, compiled to loops of machine code (chapter 23)."""

from __future__ import annotations

import os
import tempfile
from importlib.util import find_spec

from autograd_lib.program.calls.program import TRIALS
from autograd_lib.program.machine import MACHINE
from benchmarks.tensor_engines.of_compiled import Compiled

if find_spec("numba") is None:
    raise ImportError("no module named numba")
os.environ["AUTOGRAD_MACHINE_CACHE"] = tempfile.mkdtemp()  # no cache between processes


class Machine(Compiled):
    """As `Compiled`, with the rewrites for machine code, which is tried beside it."""

    passes = MACHINE
    calls = 3 + 2 * TRIALS


ENGINE = Machine
