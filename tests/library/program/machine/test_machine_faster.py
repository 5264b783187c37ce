"""Machine code steps aside where the program without it is faster."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from autograd_lib.program import PASSES, compile
from autograd_lib.program.calls.program import TRIALS, Program
from tests.library.program.machine.needed import numba

SLOW = 0.003


@pytest.mark.parametrize("slow", [True, False])
def test_the_faster_of_two_programs_runs(slow: bool, monkeypatch: Any) -> None:
    def machine(graph: Any) -> Any:
        return graph

    machine.rival = PASSES  # type: ignore[attr-defined]
    compiled = compile(lambda x: np.tanh(x) * 2, passes=(*PASSES, machine))
    x = np.linspace(0, 1, 5)
    compiled(x)
    program = compiled.programs[0].program
    ours = Program.__call__

    def sleeps(self: Any, *arrays: Any) -> Any:
        if (self is program) is slow:
            time.sleep(SLOW)
        return ours(self, *arrays)

    monkeypatch.setattr(Program, "__call__", sleeps)
    for n in range(2 * TRIALS + 4):
        assert compiled(x + n).tolist() == (np.tanh(x + n) * 2).tolist()
    assert (compiled.programs[0].faster is program) is not slow
    assert len(compiled.programs) == 1


def test_machine_code_is_set_beside_numpys_calls() -> None:
    numba()
    from autograd_lib.program.machine import MACHINE

    def step(w: Any, x: Any) -> Any:
        return np.sqrt(w * w + x) * np.tanh(x) - w

    compiled = compile(step, passes=MACHINE)
    rng = np.random.default_rng(0)
    for _ in range(2 * TRIALS + 3):
        w, x = rng.random((2, 200, 50))
        np.testing.assert_allclose(compiled(w, x), step(w, x), atol=1e-13)
    (program,) = compiled.programs
    assert program._rivalry is None
    assert not compiled.wrong
