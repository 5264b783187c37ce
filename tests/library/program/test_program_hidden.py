"""What may change where no one looks is refused in words (chapter 24)."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from autograd_lib.program import Refused, compile


class Pair(ctypes.Structure):
    _fields_ = (("first", ctypes.c_double),)


NAMES: dict[str, Any] = {}
exec("class Nameless: k = 2.0", NAMES)
PAIR, NUMBER, SEVERAL = Pair(2.0), ctypes.c_double(2.0), (ctypes.c_double * 2)()
RECORD = np.zeros(1, [("k", float)])[0]
NAMELESS = NAMES["Nameless"]


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda x: x * PAIR.first, "PAIR"),
        (lambda x: x * NUMBER.value, "NUMBER"),
        (lambda x: x * SEVERAL[0], "SEVERAL"),
        (lambda x: x * RECORD["k"], "RECORD"),
        (lambda x: x * NAMELESS.k, "NAMELESS"),
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


def test_an_attribute_that_a_function_gets_later_is_seen():
    def rate():
        """Hold a number, later."""

    compiled = compile(lambda x: x * getattr(rate, "k", 2.0))
    for k in (None, 3.0, 4.0):
        if k is not None:
            rate.k = k
        expected = 2.0 if k is None else k
        assert [compiled(np.ones(1)).item() for _ in range(3)] == [expected] * 3
    del rate.k
    assert compiled(np.ones(1)).item() == 2
    assert not compiled.wrong
