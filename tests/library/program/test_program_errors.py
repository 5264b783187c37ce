"""Errors of a function's own, while it is recorded and later (chapter 22)."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.program import Refused, compile


def test_an_error_of_its_own_leaves_what_the_function_leaves():
    """Or its count would be taken back, and the error come at every call."""
    state = {"n": 0}

    def f(x):
        state["n"] += 1
        if state["n"] == 3:
            raise KeyError("third")
        return x * state["n"]

    compiled = compile(f)
    assert [compiled(np.ones(1)).item() for _ in range(2)] == [1, 2]
    with pytest.raises(KeyError, match="third") as caught:
        compiled(np.ones(1))
    assert caught.value.__context__ is None
    assert compiled(np.ones(1)).item() == 4
    assert "ran uncompiled: 'third'" in compiled.reasons


def test_what_fails_only_while_it_is_recorded_runs_uncompiled():
    state = {"n": 0}

    def f(x):
        state["n"] += 1
        if type(x) is not np.ndarray:
            raise KeyError("no array")
        return x * state["n"]

    compiled = compile(f)
    assert [compiled(np.ones(1)).item() for _ in range(3)] == [1, 2, 3]
    assert compiled.reasons == ["ran uncompiled: 'no array'"]


def test_what_is_found_when_it_has_run_is_in_no_line():
    kept = []
    with pytest.raises(
        Refused, match=r"it reads kept, to which it appends|it changes len"
    ):
        compile(lambda x: kept.insert(0, x.sum()) or x)(np.ones(2))
    with pytest.raises(Refused, match=r"float of a recorded array .* in line \d+"):
        compile(lambda x: x * float(x[0]))(np.ones(2))


@pytest.mark.parametrize("of", [np.sin, lambda x, f=np.sin: f(x)])
def test_an_elementwise_function_of_numpy_is_as_it_is(of):
    assert compile(of)(np.ones(2)).tolist() == np.sin(np.ones(2)).tolist()
