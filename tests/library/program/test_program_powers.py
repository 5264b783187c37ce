"""Powers, for which NumPy's operator is not its function (chapter 22)."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.program import compile

POWERS = (
    *(lambda x: x[0] ** 3, lambda x: 3 ** x[0], lambda x: x[0] ** x[1]),
    *(lambda x: x**2, lambda x: x**-1.0, lambda x: x**0.5, lambda x: x.sum() ** 3),
)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of powers of nothing
@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("kind", [bool, np.float32, float, np.complex64, complex])
def test_a_power_has_the_bits_of_the_operator(power, kind):
    rng = np.random.default_rng(0)
    compiled = compile(power, passes=())
    for _ in range(20):
        parts = rng.random((2, 4)).round(3)
        x = np.vectorize(complex)(*parts) if np.dtype(kind).kind == "c" else parts[0]
        x = (x > 0.5 if kind is bool else x).astype(kind)
        got, want = compiled(x), power(x)
        assert (got.dtype, got.tobytes()) == (want.dtype, want.tobytes())


def test_a_number_that_changes_may_be_the_exponent():
    state = {"n": 0}

    def f(x):
        state["n"] += 1
        return x[0] ** state["n"] * x ** state["n"]

    compiled, x = compile(f), np.array([0.7, 1.3])
    for n in range(1, 5):
        assert compiled(x).tobytes() == (x[0] ** n * x**n).tobytes()
    assert len(compiled.programs) == 1
