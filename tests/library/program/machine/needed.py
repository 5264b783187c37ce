"""What the tests of machine code share: Numba, and texts that Python runs itself."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from autograd_lib.program.machine import MACHINE, machine
from autograd_lib.program.machine.build import available
from autograd_lib.program.machine.nest import Loops
from autograd_lib.program.machine.rewrite import in_loops
from autograd_lib.program.rewrites.reuse_memory import in_slots, reuse_memory

SMALL: dict[Any, Any] = {machine: in_loops(always=True), reuse_memory: in_slots(0)}
ALWAYS = tuple(SMALL.get(p, p) for p in MACHINE)
"""Loops and slots of memory also for the small arrays of tests."""


def numba() -> None:
    """Skip a test without Numba; with AUTOGRAD_REQUIRE_MACHINE=1 it fails."""
    if available():
        return
    if os.environ.get("AUTOGRAD_REQUIRE_MACHINE") == "1":
        pytest.fail("AUTOGRAD_REQUIRE_MACHINE is set, and Numba is missing")
    pytest.skip("needs Numba: pip install numba")


def loops_in(compiled: Any) -> list[Loops]:
    """Return the loops of the last program of a compiled function."""
    return [c for c in compiled.programs[-1].calls if isinstance(c, Loops)]


@lru_cache(4096)
def interpreted(text: str, name: str) -> Callable[..., Any]:
    """Return the function of a text as Python runs it, on numbers of NumPy.

    With NumPy's own `exp` and `tanh`: a last digit of these may grow to any size.
    """

    def as_it_is(*given: Any, **_: Any) -> Any:
        return given[0] if given else as_it_is

    scope: dict[str, Any] = {
        name: getattr(np, name) for name in ("float32", "float64", "int64")
    }
    scope |= {"np": np, "math": math, "njit": as_it_is, "loops": as_it_is, "u": int}
    scope["int32"] = lambda x: np.int64(x).astype(np.int32)
    exec(text, scope)
    for kind in ("float32", "float64"):
        scope |= {f"exp_{kind}": np.exp, f"tanh_{kind}": np.tanh}
    made: Callable[..., Any] = scope[name]
    return made
