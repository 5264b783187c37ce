"""What the gradient of a complex number is, and where it is not shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import forward, functional
from autograd_lib.checkpointing import checkpoint
from autograd_lib.engine.function import Context, Function
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import unary
from autograd_lib.engine.tape.tensor import Tensor

Z = np.array([[1.0 + 2.0j, -0.5j], [0.3 - 1.0j, -2.0 + 0.1j]])
W = np.array([[0.7 - 0.2j, 1.0 + 1.0j], [-1.5j, 0.4]])
X = np.array([1.0, -2.0, 0.5, 3.0, 1.5, -0.7])
REAL: dict[str, Callable[[Any, Any], Any]] = {
    "modulus": lambda z, np: np.abs(z).sum(),
    "real part": lambda z, np: (z * z * z).real.sum(),
    "imaginary part": lambda z, np: np.exp(z).imag.sum(),
    "conjugate": lambda z, np: (z.conj() * z * z).real.sum(),
    "angle": lambda z, np: np.angle(z).sum(),
    "matrix": lambda z, np: np.abs(np.linalg.inv(z @ z)).sum(),
    "transform": lambda z, np: np.abs(np.fft.fft(z)).sum(),
}


def leaf(x: Any) -> Tensor:
    return Tensor(x, requires_grad=True)


@pytest.mark.parametrize("name", REAL)
def test_the_gradient_is_the_conjugate_of_pytorchs(name: str) -> None:
    torch = pytest.importorskip("torch")
    f = REAL[name]
    z = torch.tensor(Z, requires_grad=True)
    f(z, torch).backward()
    ours = functional.grad(lambda z: f(z, np))(Z)
    np.testing.assert_allclose(ours.data, z.grad.numpy().conj(), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", REAL)
def test_the_gradient_has_the_slopes_of_both_parts(name: str) -> None:
    """It is ∂f/∂x - i·∂f/∂y, where the parts are leaves of their own."""
    x, y = leaf(Z.real), leaf(Z.imag)
    REAL[name](x + 1j * y, np).backward()
    assert x.grad is not None
    assert y.grad is not None
    assert x.grad.dtype == y.grad.dtype == float
    ours = functional.grad(lambda z: REAL[name](z, np))(Z)
    np.testing.assert_allclose(ours.data, x.grad.data - 1j * y.grad.data, rtol=1e-12)


def test_of_the_real_part_of_an_analytic_function_it_is_the_derivative() -> None:
    ours = functional.grad(lambda z: np.sin(z).real.sum())(Z)
    np.testing.assert_allclose(ours.data, np.cos(Z), rtol=1e-13)


def test_real_leaves_get_the_gradient_of_pytorch_through_complex_numbers() -> None:
    torch = pytest.importorskip("torch")
    x, t = leaf(X), torch.tensor(X, requires_grad=True)
    for _ in range(2):  # and what comes from two sides is added up
        (np.abs(np.fft.rfft(x)) + np.angle(np.fft.rfft(x * x))).sum().backward()
        y = torch.fft.rfft(t).abs() + torch.fft.rfft(t * t).angle()
        y.sum().backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.data, t.grad.numpy(), rtol=1e-12)


def test_a_tensor_may_be_used_as_a_real_and_as_a_complex_number() -> None:
    for first, second in ((3.0, 2.0 - 1.0j), (2.0 - 1.0j, 3.0)):
        x = leaf(2.0)
        ((x * first).real + (x * second).real).backward()
        assert x.grad is not None
        assert x.grad.dtype == float
        assert x.grad.item() == 5.0


def test_hooks_of_real_tensors_see_real_gradients() -> None:
    x, seen = leaf(X), []
    x.register_hook(lambda g: seen.append(g.dtype))
    y = x * 2.0
    y.register_hook(lambda g: seen.append(g.dtype))
    y.retain_grad()
    np.abs(np.fft.fft(y)).sum().backward()
    assert seen == [np.dtype(float)] * 2
    assert y.grad is not None
    assert y.grad.dtype == float


@pytest.mark.parametrize(("real", "complex_type"), [("f4", "c8"), ("f8", "c16")])
def test_the_precision_stays(real: str, complex_type: str) -> None:
    x, z = X.astype(real), Z.astype(complex_type)
    assert functional.grad(lambda z: np.abs(z * z).sum())(z).dtype == complex_type
    assert functional.grad(lambda x: np.abs(np.fft.fft(x)).sum())(x).dtype == real
    y, t = forward.jvp(lambda x: np.fft.fft(x), x, x)
    assert y.dtype == t.dtype == complex_type
    y, t = forward.jvp(np.abs, z, z)
    assert y.dtype == t.dtype == real


def test_a_type_changes_on_the_way() -> None:
    for to in (np.complex64, np.complex128):
        x = leaf(X.astype(np.float32))
        y = x.astype(to)
        (y * y * 1j).imag.sum().backward()
        assert x.grad is not None
        assert x.grad.dtype == np.float32
        np.testing.assert_allclose(x.grad.data, 2 * X, rtol=1e-6)
    with pytest.raises(TypeError, match=r"astype: .* complex128 .* float64.*t\.real"):
        functional.grad(lambda z: z.astype(float).sum())(Z)


def test_a_product_with_a_hessian_is_symmetric() -> None:
    def f(z: Any) -> Any:
        return (np.abs(z) ** 4 + (z * z * z).imag).sum()

    def slope(h: float) -> Any:
        return functional.grad(f)(Z + h * W).data

    right = (slope(1e-5) - slope(-1e-5)) / 2e-5
    for found in (
        functional.hvp(f, (Z,), (W,)),
        functional.vhp(f, (Z,), (W,)),
        forward.grad_and_hvp(f, Z, W)[1],
    ):
        np.testing.assert_allclose(found.data, right, rtol=1e-7)


def test_several_tangents_at_once() -> None:
    def f(z: Any) -> Any:
        return np.abs(np.sin(z) @ z)

    tangents = np.stack([W, 1j * W, Z])
    y, several = forward.jvps(f, Z, tangents)
    for found, v in zip(several.data, tangents, strict=True):
        one = forward.jvp(f, Z, v)
        np.testing.assert_allclose(found, one[1].data, rtol=1e-13)
        np.testing.assert_array_equal(y.data, one[0].data)


def test_slopes_of_complex_results_of_a_real_argument() -> None:
    for f in (lambda x: np.fft.rfft(x), lambda x: (x * (1.0 + 2.0j)).sum()):
        right = np.stack([f(e) for e in np.eye(len(X))], -1)
        for jacobian in (forward.jacfwd, forward.jacobian):
            np.testing.assert_allclose(jacobian(f)(X).data, right, atol=1e-14)


def test_a_checkpoint_gives_the_same() -> None:
    def f(z: Any) -> Any:
        return np.abs(np.fft.ifft(np.exp(z) * z))

    right = functional.grad(lambda z: f(z).sum())(Z)
    found = functional.grad(lambda z: checkpoint(f, z).sum())(Z)
    np.testing.assert_array_equal(found.data, right.data)


def test_the_middle_of_a_calculation_stays_connected() -> None:
    """A derivative of a derivative, where the inner one is of a complex number."""

    def outer(x: Any) -> Any:
        inner = functional.grad(lambda z: np.abs(z * z * x).sum())
        return inner(np.array([1.0 + 1.0j])).imag.sum()

    at = (outer(2.0 + 1e-6).item() - outer(2.0 - 1e-6).item()) / 2e-6
    np.testing.assert_allclose(functional.grad(outer)(2.0).item(), at, rtol=1e-8)
    np.testing.assert_allclose(forward.jvp(outer, 2.0, 1.0)[1].item(), at, rtol=1e-8)


NOT_SHOWN: dict[str, Callable[[], Any]] = {
    "requires_grad": lambda: leaf(Z),
    "requires_grad, later": lambda: Tensor(Z).requires_grad_(),
    "backward": lambda: (leaf(2.0) * 1j).backward(),
    "retain_grad": lambda: (leaf(X) * 1j).retain_grad(),
    "register_hook": lambda: (leaf(X) * 1j).register_hook(print),
    "grad": lambda: grad(leaf(2.0) * 1j, [leaf(2.0)]),
    "grad, of an input": lambda: grad((y := leaf(2.0) * 1j).real, y),
    "requires_grad, inside": lambda: forward.jvp(lambda z: z.requires_grad_(), Z, Z),
}


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_what_speaks_as_pytorch_does_shows_no_complex_gradient(name: str) -> None:
    said = rf"^{name.split(',')[0]}: .* as JAX does; in PyTorch it is the conjugate"
    with pytest.raises(TypeError, match=said):
        NOT_SHOWN[name]()


def test_hooks_of_nodes_see_no_complex_gradient() -> None:
    z = leaf(X) * 1j
    for node in (z.grad_fn, np.abs(z).grad_fn):
        for register in (node.register_hook, node.register_prehook):
            with pytest.raises(
                TypeError, match=r"^register_.*hook: .* as JAX does; in PyTorch it is"
            ):
                register(print)


class Squared(Function):
    """A function of one's own, whose convention nobody knows."""

    @staticmethod
    def forward(ctx: Context, z: Tensor) -> Tensor:
        return z * z

    @staticmethod
    def backward(ctx: Context, g: Tensor) -> Tensor:
        return g


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a complex result": (
        lambda: functional.grad(lambda z: (z * z).sum())(Z),
        r"^grad\(.*\): the result is of complex128, .* y\.real",
    ),
    "several": (
        lambda: functional.elementwise_grad(np.sin)(Z),
        r"^elementwise_grad\(.*\): the result is of complex128",
    ),
    "a table": (
        lambda: functional.jacobian(np.abs)(Z),
        r"^jacobian\(.*\): an argument is of complex128, .* two real arguments",
    ),
    "a table of complex results": (
        lambda: functional.jacobian(np.fft.fft)(X),
        r"^jacobian\(.*\): the result is of complex128",
    ),
    "a table, forward": (
        lambda: forward.jacfwd(np.abs)(Z),
        r"^jacfwd: the argument is of complex128, .* use jvp",
    ),
    "a table, either way": (
        lambda: forward.jacobian(np.abs)(Z),
        r"^jacobian: the argument is of complex128",
    ),
    "a tangent": (
        lambda: forward.jvp(np.sin, X, 1j * X),
        r"^jvp: the tangent of float64 is of real numbers, got complex128",
    ),
    "a function of one's own": (
        lambda: functional.grad(lambda z: Squared.apply(z).real.sum())(Z),
        r"^Squared: complex numbers need a gradient here",
    ),
    "a rule of one's own": (
        lambda: functional.grad(
            lambda z: unary(np.sin, z, lambda g, s: g, Saved()).real.sum()
        )(Z),
        r"^sin: complex numbers need a gradient here",
    ),
    "a write": (
        lambda: functional.grad(lambda z: write_first(z * 1.0).real.sum())(Z),
        r"^in-place write: a write into a tensor of complex128 is not recorded",
    ),
}


def write_first(z: Any) -> Any:
    z[0] = 2.0
    return z


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_be_ambiguous_is_refused(name: str) -> None:
    call, said = REFUSED[name]
    with pytest.raises(TypeError, match=said):
        call()
