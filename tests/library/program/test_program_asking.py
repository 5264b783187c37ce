"""How recorded arrays are asked: without NumPy, where NumPy itself is asking."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from autograd_lib.engine.arrays import asked as by_hand
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import value_and_grad
from autograd_lib.program import compile
from autograd_lib.program.core.array import TracedArray


def test_numpy_is_not_asked_while_it_asks(monkeypatch):
    """Each time takes 20 kB of stack, and a browser has not enough for two."""
    asked = 0

    def counted(asks):
        def ask(*args, **options):
            nonlocal asked
            if sys._getframe(1).f_code is by_hand.__code__:
                return asks(*args, **options)
            assert not asked
            asked += 1
            try:
                return asks(*args, **options)
            finally:
                asked -= 1

        return ask

    for kind in (Tensor, TracedArray):
        monkeypatch.setattr(kind, "__array_ufunc__", counted(kind.__array_ufunc__))

    def loss(w, x):
        h = np.tanh(x @ w) - np.exp(-np.abs(x @ w))
        return np.sqrt(np.maximum(h, 0.0) ** 2 + np.logaddexp(h, 1.0)).mean()

    w, x = np.cos(np.arange(12.0)).reshape(3, 4), np.sin(np.arange(6.0)).reshape(2, 3)
    value, slope = compile(value_and_grad(loss))(w, x)
    expected = value_and_grad(loss)(w, x)
    np.testing.assert_allclose(value.item(), expected[0].item(), rtol=1e-12)
    np.testing.assert_allclose(slope.data, expected[1].data, rtol=1e-12)


@pytest.mark.parametrize("ask", [float, int, lambda t: t.tolist()])
def test_a_number_that_a_tensor_becomes_is_asked_by_the_reader(ask):
    """Not by the library, whose own questions the program repeats."""

    def f(x):
        return x * 2.0 if ask(x.sum()) > 0.0 else x

    with pytest.raises(TypeError, match=r"(recorded array|calculates).* in line \d+"):
        compile(f)(Tensor([1.0, 2.0]))


def test_what_is_no_function_of_numpy_is_looked_into():
    """Its calls are noted, and not itself, though `unary` calls it for the engine."""
    x = np.arange(3.0)
    copied = compile(lambda t: t.copy(), passes=()).program(Tensor(x))
    assert [call.function for call in copied.calls] == [np.array]
