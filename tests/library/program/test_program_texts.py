"""Texts of recorded arrays, which would be the same at each call (chapter 22)."""

from __future__ import annotations

import copy
import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import compile
from autograd_lib.program.calls.net import difference


@dataclass
class Held:
    x: Any


TEXTS = (
    *(np.array2string, np.array_str, np.array_repr, str, repr),
    *(lambda x: f"{x!r}", lambda x: str([x]), lambda x: "%s" % x),  # noqa: UP031
    *(lambda x: str(Held(x)), lambda x: repr(Held(Tensor(x)))),
    *(lambda x: str(Tensor(x)), lambda x: f"{Tensor(x)}"),
    lambda x: np.array2string(Tensor(x)),
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_function_that_makes_text_runs_itself(text):
    compiled = compile(lambda x: x * (2 if "7" in text(x) else 3))
    for first in (7.0, 1.0, 7.0):
        by = 2 if first == 7 else 3
        assert compiled(np.array([first, 1.0])).tolist() == [first * by, by]
    assert "so the function runs at such calls" in compiled.reasons[0]
    assert len(compiled.programs) == 1


def test_what_messages_and_debuggers_ask_for_is_no_matter(caplog):
    def f(x):
        logging.getLogger().warning("%s %s", x, Tensor(x))
        return x * 2

    assert compile(f)(np.ones(2)).tolist() == [2, 2]
    assert "recorded array of shape (2,)" in caplog.text


def test_a_copy_may_be_written_into():
    def f(x):
        y = copy.copy(x)
        y += 1
        return x * 1, y

    x, y = compile(f)(np.zeros(2))
    assert x.tolist() == [0, 0]
    assert y.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("x", "y"),
    [("a", "b"), (True, False), (1j, 2j), ("a", 0.0), (1, True)],
)
def test_what_is_no_array_is_compared_too(x, y):
    assert not difference([x], [x])
    assert difference([x], [y]).endswith(" at [0]")
