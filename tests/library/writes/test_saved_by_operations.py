"""No operation's gradient is misled by a write between its use and the pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.ops import error_function, linear
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.witness_of_writes import leaf, weights
from tests.library.operations.case import Case, all_cases, each_case
from tests.library.writes.test_saved import (
    LATE,
    write_into_detached,
    write_under_no_grad,
)

CASES = all_cases()


def attempt(case: Case, write: Callable[[Tensor], None], which: int | None) -> bool:
    """Write into input `which`, or the output, before the pass; say if it was noticed.

    If it was not, the gradients must be those without a write.
    """

    def gradients(write: Callable[[Tensor], None] | None) -> list[Any]:
        leaves = [leaf(x) for x in case.inputs]
        inputs = [t * 1.0 for t in leaves]
        y = case.f(*inputs)
        total = (y * weights(y.shape)).sum()
        if write is not None:
            write(y if which is None else inputs[which])
        total.backward()
        return [None if t.grad is None else t.grad.data for t in leaves]

    right = gradients(None)
    try:
        got = gradients(write)
    except RuntimeError as error:
        assert LATE in str(error), error
        return True
    for a, b in zip(got, right, strict=True):
        np.testing.assert_array_equal(a, b)
    return False


@each_case(CASES)
def test_no_operation_is_misled_by_a_write(case: Case) -> None:
    for which in (*range(len(case.inputs)), None):
        attempt(case, write_into_detached, which)


def test_that_test_sees_both_kinds() -> None:
    """Products save their factors, and sums nothing; exp saves its result."""
    noticed = {
        operation: [
            any(attempt(c, write_under_no_grad, which) for c in cases)
            for which in (0, None)
        ]
        for operation in ("numpy.multiply", "numpy.add", "numpy.exp")
        if (cases := [c for c in CASES if c.operation == operation])
    }
    assert noticed == {
        "numpy.multiply": [True, False],
        "numpy.add": [False, False],
        "numpy.exp": [False, True],
    }


PUBLIC = {
    name
    for room in (np, np.linalg, np.fft, Tensor, linear, error_function)
    for name in dir(room)
}


@each_case(CASES)
def test_the_error_names_an_operation_and_no_rule(case: Case) -> None:
    """Whatever is written into, what a user knows saved it."""
    for which in range(len(case.inputs)):
        inputs = [leaf(x) * 1.0 for x in case.inputs]
        y = case.f(*inputs)
        write_into_detached(inputs[which])
        try:
            (y * weights(y.shape)).sum().backward()
        except RuntimeError as error:
            found = re.match(r"backward: (\w+) saved an array", str(error))
            assert found and found[1] in PUBLIC, error
