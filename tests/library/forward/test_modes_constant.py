"""Inside forward mode, a gradient of an argument that stands still.

The function is f(x, y) = (x·s)(x + s)x with s = y·y, which is x³y² + x²y⁴; what is
expected of it is calculated by hand. What is made of y alone has one node for all
levels of forward mode, and reverse mode around them comes through that node again.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import functional
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp
from autograd_lib.functional import grad

X, Y = 0.3, 0.4
Function = Callable[[Any], Any]


def f(x: Any, y: Any) -> Any:
    s = y * y
    return (x * s) * (x + s) * x


def by_grad(x: Any) -> Any:
    return grad(lambda y: f(x, y))(Y)


def by_value_and_grad(x: Any) -> Any:
    return functional.value_and_grad(lambda y: f(x, y))(Y)[1]


def by_vjp(x: Any) -> Any:
    return functional.vjp(lambda y: f(x, y), Y)[1](1.0)[0]


def by_jacobian(x: Any) -> Any:
    return functional.jacobian(lambda y: f(x, y))(Y)


def by_backward(x: Any) -> Any:
    y = Tensor(Y, requires_grad=True)
    f(x, y).backward()
    return y.grad


def along(of: Function) -> Function:
    return lambda x: jvp(of, (x,), (1.0,))[1]


def pulled(of: Function) -> Function:
    return lambda x: functional.vjp(of, x)[1](1.0)[0]


def collected(of: Function) -> Function:
    def gradient_at(x: Any) -> Any:
        leaf = Tensor(x, requires_grad=True)
        of(leaf).backward()
        return leaf.grad

    return gradient_at


def of_direction(of: Function) -> Function:
    return lambda x: grad(lambda v: jvp(of, (x,), (v,))[1])(1.0)


# How often x is differentiated, after once y, and what comes of it.
SLOPES = {
    1: 6 * X * X * Y + 8 * X * Y**3,
    2: 12 * X * Y + 8 * Y**3,
    3: 12 * Y,
    4: 0.0,
}
NESTS: list[tuple[int, tuple[Function, ...]]] = [
    (1, (along,)),
    (1, (of_direction,)),
    (2, (along, along)),
    (2, (along, grad)),
    (2, (along, pulled)),
    (2, (along, collected)),
    (2, (along, functional.jacobian)),
    (3, (along, along, grad)),
    (3, (along, grad, along)),
    (3, (along, grad, grad)),
    (3, (along, functional.hessian)),
    (4, (along, grad, along, grad)),
]


def name(part: Any) -> str:
    nest = part if type(part) is tuple else ()
    return "·".join(transform.__name__ for transform in nest)


@pytest.mark.parametrize(
    "inner", [by_grad, by_value_and_grad, by_vjp, by_jacobian, by_backward]
)
@pytest.mark.parametrize(
    ("times", "nest"),
    NESTS,
    ids=name,
)
def test_derivatives_around_it_are_right(
    inner: Function, times: int, nest: tuple[Function, ...]
) -> None:
    of = inner
    for transform in nest:
        of = transform(of)
    # Some ten roundings of numbers near 10.
    assert of(X).item() == pytest.approx(SLOPES[times], rel=0, abs=1e-13)


def test_both_results_of_forward_mode_lead_back() -> None:
    """The report: sin(sin x + sin y), and reverse mode in x and in the direction."""

    def slope(x: Any) -> Any:
        return grad(lambda y: np.sin(np.sin(x) + np.sin(y)))(Y)

    mixed, pullback = functional.vjp(lambda x, v: jvp(slope, (x,), (v,))[1], X, 1.0)
    u = np.sin(X) + np.sin(Y)
    by_hand = -np.sin(u) * np.cos(X) * np.cos(Y)
    again = (np.sin(u) * np.sin(X) - np.cos(u) * np.cos(X) ** 2) * np.cos(Y)
    np.testing.assert_allclose(mixed.data, by_hand, rtol=1e-14)
    np.testing.assert_allclose(
        [t.data for t in pullback(1.0)], [again, by_hand], rtol=1e-14
    )


def test_five_transforms_of_one_argument() -> None:
    def fifth(x: Any) -> Any:
        return x * x * x * x * x

    assert along(grad(along(grad(fifth))))(X).item() == pytest.approx(120 * X)
    assert grad(along(grad(along(grad(fifth)))))(X).item() == pytest.approx(120)


def test_a_pass_that_nothing_goes_back_through_still_frees() -> None:
    """And so a second one inside forward mode is refused, as it is outside."""

    def slope(x: Any) -> Any:
        leaf = (x * 1.0).requires_grad_()
        y = leaf * leaf
        y.backward()
        with pytest.raises(RuntimeError, match="gone through this graph before"):
            y.backward()
        return leaf.grad

    assert jvp(slope, X, 1.0)[1].item() == 2.0


def test_what_was_kept_goes_with_the_result() -> None:
    kept: list[weakref.ref[Any]] = []

    def watched(x: Any) -> Any:
        y = Tensor(Y, requires_grad=True)
        z = f(x, y)
        kept.append(weakref.ref(z.node))
        return functional.grad(lambda y: f(x, y))(y)

    found = functional.grad(along(watched))(X)
    del found
    gc.collect()
    assert all(node() is None for node in kept)
