"""Numbers of Python that change, where NumPy makes arrays of them (chapter 24)."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.program import compile


@pytest.mark.parametrize(
    "made",
    [
        *(lambda n: np.array([n, 1.0]), lambda n: np.full(2, n), np.array),
        *(lambda n: np.cumsum([n, 1]), lambda n: np.add([n, 1], 1), np.float64),
        lambda n: np.pad([n, 1], 1),
    ],
)
@pytest.mark.parametrize("start", [0.0, 0, 2**63, 2**70])
def test_numpy_makes_numbers_of_a_number_that_changes(made, start):
    """Plain NumPy, which asks no recorded array: it is a constant of the program."""

    def stepper():
        state = {"n": start, "sum": np.zeros(1)}

        def step(x):
            state["n"] += 1
            state["sum"] = state["sum"] + np.sum(np.asarray(made(state["n"]), float))
            return state["sum"] * x

        return step, state

    step, state = stepper()
    plain, expected = stepper()
    step = compile(step)
    for _ in range(4):
        got, want = step(np.ones(2)), plain(np.ones(2))
        assert (got.dtype, got.tobytes()) == (want.dtype, want.tobytes())
    assert state["n"] == expected["n"]
    assert state["sum"].tobytes() == expected["sum"].tobytes()
    assert state["sum"].dtype == float
