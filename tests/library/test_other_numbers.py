"""Numbers that rules are not for, and arrays with more to them than numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor, from_numpy, no_grad
from autograd_lib.engine.function import Function


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True)


COMPLEX: dict[str, Callable[[Tensor], Any]] = {
    "a factor": lambda x: x * 1j,
    "a factor on the left": lambda x: np.array([1j]) * x,
    "a tensor": lambda x: x + Tensor([1j]),
    "an exponent": lambda x: x**1j,
    "a base": lambda x: 1j**x,
    "stack": lambda x: np.stack([x, np.array(1j)]),
    "where": lambda x: np.where(True, x, 1j),
    "astype": lambda x: x.astype(complex),
    "product": lambda x: x.reshape(1, 1) @ np.array([[1j]]),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_a_complex_number_on_the_way_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="complex"):
        COMPLEX[name](leaf(2.0))
    with no_grad():
        assert COMPLEX[name](leaf(2.0)).dtype.kind == "c"


def test_a_complex_gradient_or_output_is_refused() -> None:
    class Turned(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 1j

    x = leaf(2.0)
    with pytest.raises(TypeError, match="gradient is of complex128"):
        x.backward(Tensor(1j))
    with pytest.raises(TypeError, match="complex"):
        Turned.apply(x)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize(
    "use",
    [
        lambda t, m: t * m,
        lambda t, m: m * t,
        lambda t, m: t @ m,
        lambda t, m: np.where(m > 1, t, 0.0),
        lambda t, m: np.add(m, t),
        lambda t, m: np.stack([t, m]),
        lambda t, m: t[m > 1],
        lambda t, m: Tensor(m) * t,
        lambda t, m: from_numpy(m) * t,
        lambda t, m: t.__iadd__(m),
        lambda t, m: t.__setitem__(0, m),
    ],
)
@pytest.mark.parametrize(
    "make",
    [lambda: np.ma.masked_array([[1.0, 2.0]], [[0, 1]]), lambda: np.matrix("1 2")],
)
def test_arrays_with_a_mask_and_matrices_are_refused(use: Any, make: Any) -> None:
    t = leaf([[1.0, 1.0]]) * 1.0
    with pytest.raises(TypeError):
        use(t, make())
