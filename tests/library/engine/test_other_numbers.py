"""Numbers that rules are not for, and arrays with more to them than numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.engine import Tensor, from_numpy, grad, no_grad
from autograd_lib.engine.function import Function
from autograd_lib.engine.ops.losses import cross_entropy
from autograd_lib.engine.tape.record import unary


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
def test_a_complex_number_on_the_way_has_a_gradient(name: str) -> None:
    x = leaf(2.0)
    y = COMPLEX[name](x)
    assert y.dtype.kind == "c"
    (y * (1.0 - 2.0j)).real.sum().backward()

    def right(h: float) -> Any:
        return (COMPLEX[name](Tensor(2.0 + h)) * (1.0 - 2.0j)).real.sum().item()

    assert x.grad is not None
    assert x.grad.dtype == float
    assert x.grad.item() == pytest.approx((right(1e-6) - right(-1e-6)) / 2e-6, 1e-8)
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


MASKED = np.ma.masked_array([0, 1, 2], mask=[0, 1, 0])
FLOATS = np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 1, 0])
SCORES = np.eye(3)


def returned(rule_returns: Any) -> Any:
    """Return the gradient through a rule that returns what it should not."""
    x = leaf([1.0, 2.0, 3.0])
    return grad(unary(np.positive, x, lambda g, _: rule_returns, None).sum(), x)


USES: dict[str, Callable[[Tensor], Any]] = {
    "mse_loss": lambda t: nn.mse_loss(t, FLOATS),
    "labels": lambda t: cross_entropy(leaf(SCORES), MASKED),
    "Embedding": lambda t: nn.Embedding(4, 2)(MASKED),
    "data": lambda t: setattr(Tensor([1.0, 2.0, 3.0]), "data", FLOATS),
    "pad": lambda t: np.pad(t, 1, constant_values=FLOATS[:2]),
    "insert": lambda t: np.insert(t, MASKED, 0.0),
    "delete": lambda t: np.delete(t, MASKED),
    "roll": lambda t: np.roll(t, MASKED[:1], 0),
    "fweights": lambda t: np.cov(t, fweights=MASKED),
    "aweights": lambda t: np.cov(t, aweights=FLOATS),
    "searchsorted": lambda t: np.searchsorted(t, FLOATS),
    "digitize": lambda t: np.digitize(t, FLOATS),
    "isin": lambda t: np.isin(t, FLOATS),
    "allclose": lambda t: np.allclose(t, FLOATS),
    "in": lambda t: FLOATS in t,
    "a list": lambda t: Tensor([FLOATS, FLOATS]),
    "lists": lambda t: t * [[FLOATS], [FLOATS]],
    "one number": lambda t: Tensor([FLOATS[1], 1.0]),
    "a rule": lambda t: returned(FLOATS),
}


@pytest.mark.parametrize("name", USES)
def test_a_mask_is_never_dropped(name: str) -> None:
    with pytest.raises(TypeError, match=r"is a Masked.*, and what that has beyond its"):
        USES[name](leaf([1.0, 2.0, 3.0]))


def test_what_is_in_a_tensor() -> None:
    t = Tensor([1.0, 2.0])
    assert 2.0 in t
    assert Tensor(2.0) in t
    assert 3.0 not in t


def test_complex_numbers_are_interpolated_as_numpy_does() -> None:
    at, points, values = [1.5, 2.5], [1.0, 3.0], [1j, 2.0]
    right = np.interp(at, points, values)
    np.testing.assert_array_equal(np.interp(Tensor(at), points, values), right)
    x = leaf(at)
    np.interp(x, points, values).imag.sum().backward()
    np.testing.assert_array_equal(x.grad.data, [-0.5, -0.5])
    with pytest.raises(TypeError, match=r"interp: x, of complex128, .* must be real"):
        np.interp(Tensor([1j]), points, points)


def test_complex_gradients_are_refused_and_not_cut() -> None:
    class Turned(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 1.0

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return Tensor(g.data * 1j)

    x = leaf([1.0, 2.0, 3.0])
    with pytest.raises(RuntimeError, match=r"Turned\.backward .* complex numbers"):
        Turned.apply(x).sum().backward()
    with pytest.raises(RuntimeError, match="a rule returned complex numbers"):
        returned(np.array([1j, 2.0, 3.0]))
    x.grad = Tensor([1.0, 1.0, 1.0])
    y = unary(np.positive, x, lambda g, _: g * 1j, None).sum()
    with pytest.raises(RuntimeError, match="a rule returned complex numbers"):
        y.backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


def test_complex_numbers_are_not_written_into_real_ones() -> None:
    y, z = Tensor([1.0, 2.0]), Tensor([1j, 2j])
    with pytest.raises(TypeError, match="float64 cannot hold complex numbers"):
        y[:] = np.array([1j, 2.0])
    with pytest.raises(TypeError, match="float64 cannot hold complex numbers"):
        y[:] = z
    z[:] = np.array([3j, 4.0])
    assert (y.tolist(), z.tolist()) == ([1.0, 2.0], [3j, 4.0])
