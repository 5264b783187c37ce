"""Forward mode around what users write: a `Function`, and transforms inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import functional as F
from autograd_lib.engine.function import Function
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import grad_and_hvp, jacfwd, jacobian, jvp, jvps

X, V = np.array([2.0, 1.0]), np.array([0.5, -3.0])


class SquaresAndCubes(Function):
    """Σx² and n·x³; its tangents would be wrong if several were summed as one."""

    @staticmethod
    def forward(ctx: Any, n: float, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.n = n
        return (x * x).sum(), n * x**3

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        (x,) = ctx.saved_tensors
        return None, 2 * g * x + 3 * ctx.n * h * x * x

    @staticmethod
    def jvp(ctx: Any, _: None, t: Any) -> Any:
        (x,) = ctx.saved_tensors
        return (2 * t * x).sum(), 3 * ctx.n * t * x * x


def square_of_sum(x: Any) -> Any:
    return SquaresAndCubes.apply(5.0, x)[0] ** 2


def test_the_jvp_of_a_function_gets_one_tangent_at_a_time() -> None:
    total, cubes = jvps(lambda x: SquaresAndCubes.apply(5.0, x), X, np.eye(2))[1]
    assert total.data.tolist() == [4.0, 2.0]
    assert cubes.data.tolist() == [[60.0, 0.0], [0.0, 15.0]]


@pytest.mark.parametrize("outer", [jacfwd, jacobian])
@pytest.mark.parametrize("inner", [F.grad, jacfwd])
def test_the_hessian_of_a_function_in_forward_mode(outer: Any, inner: Any) -> None:
    """That of (a² + b²)² is 4(a² + b²)·I + 8·xxᵀ."""
    right = [[20.0 + 32.0, 16.0], [16.0, 20.0 + 8.0]]
    assert outer(inner(square_of_sum))(X).data.tolist() == right


@pytest.mark.parametrize("outer", [jacfwd, F.grad])
def test_a_gradient_inside_of_what_only_the_outer_argument_moves_is_0(
    outer: Any,
) -> None:
    for inner in (
        lambda x: F.grad(lambda t: x * x)(1.0),
        lambda x: F.jacobian(lambda t: x * x)(1.0),
        lambda x: F.vjp(lambda t: x * x, 1.0)[1](1.0)[0],
        lambda x: F.grad(lambda p: x * p["used"] * p["used"])(
            {"used": 0.0, "unused": 1.0}
        )["unused"],
    ):
        assert (inner(Tensor(3.0)).item(), outer(inner)(3.0).item()) == (0.0, 0.0)
        assert outer(lambda x, inner=inner: x * x + inner(x))(3.0).item() == 6.0
    value, slope = jvp(lambda x: F.value_and_grad(lambda t: x * x)(1.0), 3.0, 1.0)[1]
    assert (value.item(), slope.item()) == (6.0, 0.0)


def test_a_gradient_inside_at_a_constant_is_a_constant() -> None:
    """Its own pass is recorded for tangents, and then freed."""

    def slope(z: Any) -> Any:
        return F.grad(lambda t: np.cos(t[::-1]).sum())(z).sum()

    c = -np.sin([0.1, 0.2]).sum()
    g, h = grad_and_hvp(
        lambda x: slope(np.array([0.1, 0.2])) * (x * x).sum(), X, [1.0, 3.0]
    )
    np.testing.assert_allclose([g.data, h.data], [2 * c * X, [2 * c, 6 * c]])
    g, h = grad_and_hvp(lambda x: slope(x.detach()) * x.sum(), X, [1.0, 3.0])
    np.testing.assert_allclose([g.data, h.data], [[-np.sin(X).sum()] * 2, [0, 0]])


class CubesByVJP(Function):
    """x³, whose backward is a transform, as in implicit layers."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return F.vjp(lambda t: t**3, x)[1](g)[0]

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * t * x * x


def hooked(x: Any) -> Any:
    """Return 2Σx², whose gradient, 4x, a hook multiplies by 2x²."""
    y = x * x
    y.register_hook(lambda g: g * F.grad(lambda t: (t**2).sum())(y))
    return 2 * y.sum()


@pytest.mark.parametrize("several", [False, True])
def test_a_transform_in_a_rule_or_a_hook_under_forward_over_reverse(
    several: bool,
) -> None:
    def product(f: Any) -> Any:
        slopes = F.grad(f)
        return jacfwd(slopes)(X) @ V if several else jvp(slopes, X, V)[1]

    np.testing.assert_allclose(
        product(lambda x: CubesByVJP.apply(x).sum()).data, 6 * X * V, rtol=1e-14
    )
    np.testing.assert_allclose(product(hooked).data, 24 * X**2 * V, rtol=1e-14)
    third = jvp(
        lambda x: jvp(F.grad(lambda t: CubesByVJP.apply(t).sum()), x, V)[1], X, V
    )
    np.testing.assert_allclose(third[1].data, 6 * V * V, rtol=1e-14)
    again = F.grad(
        lambda x: grad_and_hvp(lambda t: CubesByVJP.apply(t).sum(), x, V)[1].sum()
    )
    np.testing.assert_allclose(again(X).data, 6 * V, rtol=1e-14)
