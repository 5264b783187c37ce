"""What may change where no one looks is refused in words (chapter 24)."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from autograd_lib.program import Refused, compile


class Pair(ctypes.Structure):
    _fields_ = (("first", ctypes.c_double),)


PAIR, NUMBER, SEVERAL = Pair(2.0), ctypes.c_double(2.0), (ctypes.c_double * 2)()
RECORD = np.zeros(1, [("k", float)])[0]


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda x: x * PAIR.first, "PAIR"),
        (lambda x: x * NUMBER.value, "NUMBER"),
        (lambda x: x * SEVERAL[0], "SEVERAL"),
        (lambda x: x * RECORD["k"], "RECORD"),
    ],
)
def test_what_hides_what_it_holds_is_refused(f, name):
    with pytest.raises(Refused, match=f"it uses {name}, .* which may change unseen"):
        compile(f)(np.ones(2))


def test_what_is_made_on_the_way_or_is_an_array_is_not():
    assert compile(lambda x: x * Pair(2.0).first)(np.ones(2)).tolist() == [2, 2]
    table = np.ones(2, [("k", float)])
    compiled = compile(lambda x: x * table["k"])
    assert compiled(np.ones(2)).tolist() == [1, 1]
    table["k"] = 3
    assert compiled(np.ones(2)).tolist() == [3, 3]
