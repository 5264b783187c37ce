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


def write_row(b, n, x):
    b[n % 3] = x
    return b.mean(0)


def write_number(b, n, x):
    b[n % 3, 0] = 7.0
    return b[-1 - n % 3] * x


def write_view(b, n, x):
    row = b[n % 3]
    b += 1
    row[1:] -= x[0]
    return row + b[..., n % 2]


@pytest.mark.parametrize("body", [write_row, write_number, write_view])
def test_a_number_that_changes_is_a_place_in_an_array(body):
    """As in a ring buffer, of which there is one program."""

    def stepper():
        state = {"n": 0, "buffer": np.arange(9.0).reshape(3, 3)}

        def step(x):
            state["n"] += 1
            return body(state["buffer"], state["n"], x)

        return step, state

    step, state = stepper()
    plain, expected = stepper()
    step = compile(step)
    for i in range(5):
        x = np.arange(3.0) + i
        assert step(x).tolist() == plain(x).tolist()
        assert state["buffer"].tolist() == expected["buffer"].tolist()
    assert len(step.programs) == 1
    assert len(step.reasons) == 1
