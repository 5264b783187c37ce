"""Forward mode: `jvp` and what is made of it, levels, memory, and what is refused."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import tracemalloc
import weakref
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import no_grad
from autograd_lib.engine.function import Function
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import unary, watchers
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import grad_and_hvp, jacfwd, jacobian, jvp, jvps, make_jvp
from autograd_lib.functional import jacobian as jacrev

X, V = np.array([1.0, 2.0, 0.5]), np.array([1.0, -1.0, 2.0])
Pair = namedtuple("Pair", "a b")


def d(f: Any) -> Any:
    return lambda x: jvp(f, x, 1.0)[1]


def cubed(x: Any) -> Any:
    return (x * x * x).sum()


def add(x: Any, y: Any) -> Any:
    return x + y


# Levels.


def test_a_tangent_of_one_level_is_not_taken_for_one_of_another() -> None:
    """d/dx (x · d/dy (x + y)) is 1 everywhere; untagged duals make it 2."""
    assert d(lambda x: x * d(lambda y: x + y)(1.0))(1.0).item() == 1.0
    inner: Any = d(lambda x: d(lambda y: x * y * y)(3.0))
    assert inner(2.0).item() == 6.0  # d/dx (2·x·3)


def test_derivatives_of_every_order_nest() -> None:
    f: Any = d(lambda x: x**6)
    for right in (192.0, 480.0, 960.0, 1440.0, 1440.0):  # 6·32, 6·5·16, …
        assert f(2.0).item() == pytest.approx(right, rel=1e-14)
        f = d(f)


def test_forward_and_reverse_mode_nest_in_any_order() -> None:
    def backward(f: Any) -> Any:
        def slope(x: Any) -> Tensor:
            t = x if isinstance(x, Tensor) and x.node is not None else Tensor(x)
            t = +t if t.node is not None else t
            t.requires_grad_()
            (g,) = grad(f(t), t, create_graph=True)
            return g

        return slope

    def f(x: Any) -> Any:
        return x**5

    for outer in (d, backward):
        for middle in (d, backward):
            for inner in (d, backward):
                assert outer(middle(inner(f)))(2.0).item() == pytest.approx(240.0)


def test_gradients_inside_keep_their_tangents_without_create_graph() -> None:
    def slope(x: Tensor) -> Tensor:
        x.requires_grad_()
        cubed(x).backward()
        assert x.grad is not None
        return x.grad

    g, t = jvp(slope, X, V)
    np.testing.assert_allclose(g.data, 3 * X * X)
    np.testing.assert_allclose(t.data, 6 * X * V)


def test_a_weight_outside_gets_a_gradient_that_moves_with_the_input() -> None:
    w = Tensor(X, requires_grad=True)
    g, t = jvp(lambda x: grad((w * w * x).sum(), w)[0], X, V)
    np.testing.assert_allclose(g.data, 2 * X * X)
    np.testing.assert_allclose(t.data, 2 * X * V)


def test_what_leaks_out_of_a_level_is_a_constant_in_others() -> None:
    leaked: list[Tensor] = []

    def f(x: Tensor) -> Tensor:
        leaked.append(x * 2.0)
        return x

    jvp(f, 1.0, 1.0)
    y, t = jvp(lambda x: x * leaked[0], 3.0, 1.0)
    assert (y.item(), t.item(), y.node, t.node) == (6.0, 2.0, None, None)


def test_nothing_watches_outside_also_after_an_error_or_in_threads() -> None:
    def fails(x: Tensor) -> Tensor:
        assert len(watchers) == 1
        raise KeyError("inside")

    with pytest.raises(KeyError):
        jvp(fails, 1.0, 1.0)
    assert not watchers
    found = {}

    def work(k: int) -> None:
        for _ in range(30):
            found[k] = d(d(lambda x: x**3))(float(k)).item()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: 6.0 * k for k in range(4)}
    assert not watchers


# What it takes and returns.


def test_arguments_and_results_are_structures() -> None:
    def f(w: Any, x: Tensor) -> Any:
        return {"y": w["a"] * x, "pair": Pair(w["b"][0] + x, Tensor(7.0))}

    point = ({"a": 2.0, "b": [3.0]}, np.array([1.0, 5.0]))
    along = ({"a": 1.0, "b": [10.0]}, np.array([0.0, 1.0]))
    y, t = jvp(f, point, along)
    assert t["y"].data.tolist() == [1.0, 7.0]
    assert t["pair"].a.data.tolist() == [10.0, 11.0]
    assert (y["pair"].b.item(), t["pair"].b.item()) == (7.0, 0.0)


def test_something_else_that_a_function_returns_is_passed_on() -> None:
    y, t, aux = jvp(lambda x: (x * x, {"x": x, "n": "seven"}), 3.0, 1.0, has_aux=True)
    assert (y.item(), t.item(), aux["n"], aux["x"].item()) == (9.0, 6.0, "seven", 3.0)
    assert aux["x"].node is None


def test_make_jvp_is_that_of_hips() -> None:
    y, t = make_jvp(lambda x, y, k=1: k * x * y * y, 1)(2.0, 3.0, k=5)(1.0)
    assert (y.item(), t.item()) == (90.0, 60.0)


def test_results_share_no_memory_with_what_was_given() -> None:
    _, t = jvp(lambda x: x, X, V)
    t.data[0] = 99.0
    assert V[0] == 1.0
    _, t = jvp(lambda x: x.sum() + np.zeros(3), X, V)
    t.data[0] = 99.0
    assert t.data[1] == V.sum()


def test_no_grad_inside_makes_constants_and_outside_does_not_matter() -> None:
    def f(x: Tensor) -> Tensor:
        with no_grad():
            c = x * x
        return c * x

    with no_grad():
        y, t = jvp(f, 3.0, 1.0)
    assert (y.item(), t.item()) == (27.0, 9.0)
    assert jvp(lambda x: x.detach() * x, 3.0, 1.0)[1].item() == 3.0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: jvp(cubed, 2, 1), TypeError, "write 1.0 for 1"),
        (lambda: jvp(cubed, X, V[:2]), ValueError, r"\(3,\) needs a tangent.*\(2,\)"),
        (lambda: jvp(cubed, (X,), V), ValueError, "1 primals in a tuple"),
        (lambda: jvp(cubed, X, 1j * V), TypeError, "complex128"),
        (lambda: jvps(cubed, X, V), ValueError, r"tangent of shape \(3, 3\)"),
        (lambda: jvps(add, (1.0, 1.0), ([1.0], [1.0, 2.0])), ValueError, "lengths"),
        (lambda: grad_and_hvp(lambda x: (x, x), X, V), ValueError, "must return one"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        call()
    assert not watchers


def test_tensors_with_tangents_are_neither_written_copied_nor_pickled() -> None:
    def refuses(error: type[Exception], words: str, f: Any) -> None:
        with pytest.raises(error, match=words):
            jvp(f, X, V)

    refuses(RuntimeError, "in forward mode", lambda x: x.__iadd__(1.0))
    refuses(RuntimeError, "in forward mode", lambda x: x.__setitem__(0, 1.0))
    refuses(RuntimeError, "in forward mode", lambda x: Tensor(X).__setitem__(0, x[0]))
    refuses(RuntimeError, "cannot come along", copy.deepcopy)
    refuses(TypeError, "cannot come along", pickle.dumps)
    refuses(RuntimeError, "needs no gradient", lambda x: x.register_hook(print))
    refuses(RuntimeError, "needs no gradient", lambda x: cubed(x).backward())
    refuses(RuntimeError, "input 0 needs no gradient", lambda x: grad(cubed(x), x))


def test_hooks_see_gradients_with_tangents() -> None:
    def f(x: Tensor) -> Tensor:
        x.requires_grad_()
        y = x * x
        y.register_hook(lambda g: 10.0 * g)
        return grad((y * x).sum(), x)[0]

    _, t = jvp(f, X, V)
    np.testing.assert_allclose(t.data, (2 * 10 * 2 + 2) * X * V)


# Memory.


def test_pure_forward_mode_keeps_nothing() -> None:
    met: list[weakref.ref[Any]] = []

    def f(x: Tensor) -> Tensor:
        for _ in range(50):
            x = np.sin(x)
            met.append(weakref.ref(x))
        alive = sum(ref() is not None for ref in met)
        assert alive == 1
        return x

    gc.disable()
    try:
        jvp(f, X, V)
    finally:
        gc.enable()


def test_memory_does_not_grow_with_the_depth() -> None:
    def peak(depth: int) -> int:
        def f(x: Tensor) -> Tensor:
            for _ in range(depth):
                x = np.sin(x)
            return x

        jvp(f, big, big)
        tracemalloc.start()
        jvp(f, big, big)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    big = np.ones(20_000)
    assert peak(60) < 1.2 * peak(10)


# Operations of one's own.


def test_own_operations_say_what_they_do_to_a_tangent() -> None:
    @rule("elementwise")
    def by_cube(g: Any, x: Any) -> Any:
        return g * 3 * x * x

    def halves(g: Any, n: int) -> Any:
        return np.concatenate([g, g])

    def undeclared(g: Any, _: None) -> Any:
        return g

    assert d(lambda x: unary(lambda a: a**3, x, by_cube, x))(2.0).item() == 12.0
    says = r"(?s)undeclared is a rule.*input i alone"
    with pytest.raises(NotImplementedError, match=says):
        jvp(lambda x: unary(np.positive, x, undeclared, None), 1.0, 1.0)
    rule("linear", lambda t, n: t[:n] + t[n:])(halves)
    folded = lambda x: unary(lambda a: a[:2] + a[2:], x, halves, 2)  # noqa: E731
    assert jvp(folded, np.ones(4), np.arange(4.0))[1].data.tolist() == [2.0, 4.0]

    @jvp_of(undeclared)
    def forward(t: Any, _: None) -> Any:
        return t

    assert d(lambda x: unary(np.positive, x, undeclared, None))(1.0).item() == 1.0


class Polar(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor, k: int = 1) -> Any:
        r, angle = Tensor(np.hypot(x.data, y.data)), Tensor(np.arctan2(y.data, x.data))
        ctx.save_for_backward(x, y, r)
        ctx.k = k
        return r, angle, Tensor(np.sign(x.data))

    @staticmethod
    def backward(ctx: Any, g: Tensor, h: Tensor, _: Any) -> Any:
        x, y, r = ctx.saved_tensors
        return g * x / r - h * y / r / r, g * y / r + h * x / r / r, None

    @staticmethod
    def jvp(ctx: Any, t: Any, u: Any, k: None = None) -> Any:
        x, y, r = ctx.saved_tensors
        assert k is None
        t, u = (0.0 * x if v is None else v for v in (t, u))
        return (x * t + y * u) / r, (x * u - y * t) / r / r, None


def test_a_function_of_ones_own_has_derivatives_of_all_kinds() -> None:
    def f(x: Any) -> Any:
        r, angle, sign = Polar.apply(x, np.sin(x), 3)
        return r * r * angle * sign

    def plain(x: Any) -> Any:
        return (x * x + np.sin(x) ** 2) * np.arctan2(np.sin(x), x)

    for one, other in ((d(f), d(plain)), (d(d(f)), d(d(plain)))):
        assert one(1.3).item() == pytest.approx(other(1.3).item(), rel=1e-12)
    for one, other in ((grad_and_hvp(f, 1.3, 1.0), grad_and_hvp(plain, 1.3, 1.0)),):
        np.testing.assert_allclose([t.item() for t in one], [t.item() for t in other])
    x = Tensor(1.3, requires_grad=True)
    assert d(f)(1.3).item() == pytest.approx(grad(plain(x), x)[0].item(), rel=1e-12)
    (slope,) = grad(jvp(f, x, 1.0)[1], x)
    assert slope.item() == pytest.approx(d(d(plain))(1.3).item(), rel=1e-12)
    third = grad_and_hvp(d(f), 1.3, 1.0)[1].item()
    assert third == pytest.approx(d(d(d(plain)))(1.3).item(), rel=1e-11)


def test_a_function_without_a_jvp_or_with_a_wrong_one_says_so() -> None:
    class Twice(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2.0

    with pytest.raises(NotImplementedError, match="Twice does not say what it does"):
        jvp(Twice.apply, 1.0, 1.0)

    class Wrong(Twice):
        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return t, t

    with pytest.raises(RuntimeError, match=r"Wrong.jvp must return.*\[\(\)\]"):
        jvp(Wrong.apply, 1.0, 1.0)


# Jacobians and Hessians.


@pytest.mark.parametrize(
    "shapes", [((3,), ()), ((2, 3), (4,)), ((), (5,)), ((70,), (2,))]
)
def test_jacobians_are_the_same_in_both_modes(shapes: Any) -> None:
    inside, outside = shapes
    rng = np.random.default_rng(0)
    a = rng.normal(size=(*outside, *inside))

    def f(x: Any) -> Any:
        return np.sin((a * x).reshape((*outside, -1)).sum(axis=-1))

    x = rng.normal(size=inside)
    right = np.cos((a * x).reshape((*outside, -1)).sum(-1))
    right = right.reshape(outside + (1,) * len(inside)) * a
    for mode in (jacfwd, jacrev, jacobian):
        found = mode(f)(x)
        assert found.shape == right.shape
        np.testing.assert_allclose(found.data, right, rtol=1e-12)
    for mode in (jacfwd, jacrev, jacobian):
        np.testing.assert_array_equal(mode(lambda _: Tensor(np.ones(2)))(x).data, 0.0)


def test_a_jacobian_is_calculated_in_the_mode_that_has_fewer_steps() -> None:
    calls: list[Any] = []

    def f(x: Tensor) -> Tensor:
        calls.append(x.is_leaf)
        return x[:1] if x.size > 1 else np.stack([x, x])

    jacobian(f)(X)
    assert calls == [True]  # one output: a backward pass
    jacobian(f)(1.0)
    assert calls[1:] == [True, False]  # and then forward


def test_the_hessian_of_a_jacobian_and_products_agree() -> None:
    def f(x: Any) -> Any:
        return (x * np.sin(x)).sum() ** 2

    rows = [grad_and_hvp(f, X, unit)[1].data for unit in np.eye(3)]
    for first in (jacfwd, jacrev):
        for second in (jacfwd, jacrev):
            np.testing.assert_allclose(second(first(f))(X).data, rows, rtol=1e-10)
    assert grad_and_hvp(lambda x: x.sum(), X, V)[1].data.tolist() == [0.0] * 3
