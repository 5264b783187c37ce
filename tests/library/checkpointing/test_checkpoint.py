"""A function that forgets and runs again gives the gradients that it always gave."""

from __future__ import annotations

import itertools
import random
import weakref
from collections.abc import Callable
from functools import partial
from random import gauss
from random import random as uniform
from typing import Any

import numpy as np
import pytest

from autograd_lib import functional as F
from autograd_lib import nn
from autograd_lib.checkpointing import checkpoint
from autograd_lib.checkpointing.saved_tensors import packer
from autograd_lib.engine import Tensor, grad, no_grad
from autograd_lib.engine.function import Function
from autograd_lib.forward import grad_and_hvp
from tests.library.helpers.programs import again, leaf, matrix, orders, program

rng = np.random.default_rng(23)
DIFFERS = "it must do the same both times"


@pytest.mark.parametrize("seed", range(40))
def test_gradients_of_both_orders_are_those_without_it(seed: int) -> None:
    f = program(seed)
    wanted = orders(f)
    assert orders(partial(checkpoint, f)) == wanted
    assert orders(lambda x, w: checkpoint(lambda h: f(h, w), x)) == wanted
    assert orders(lambda x, w: checkpoint(f, h=x, w=w)) == wanted
    nested = partial(checkpoint, partial(checkpoint, f))
    assert orders(nested) == wanted
    assert orders(lambda x, w: checkpoint(lambda h: nested(h * 1.0, w), x)) == wanted


def test_inputs_in_containers_and_several_results() -> None:
    def f(pair: Any, options: Any) -> Any:
        x, w = pair
        y = np.tanh(x @ w)
        return {"y": y, "more": (y * y, np.exp(options["z"] * y), 7)}

    def total(run: Callable[..., Any], some: bool) -> Any:
        x, w, z = matrix(3, 3), matrix(3, 3), matrix(1, 3)
        found = run(f, (x * 1.0, w), {"z": z})
        first, second, seven = found["more"]
        assert seven == 7
        loss = first.sum() if some else (first + second).sum() + found["y"].sum()
        got = grad(loss, [x, w, z], allow_unused=True)
        return [None if g is None else g.tolist() for g in got]

    for some in (False, True):
        wanted = total(lambda f, *inputs: f(*inputs), some)
        assert total(checkpoint, some) == wanted
        assert (wanted[2] is None) == some


def test_the_arrays_are_gone_and_come_back_once_a_pass() -> None:
    made, calls = [], []

    def f(h: Any) -> Any:
        calls.append(1)
        for _ in range(4):
            h = np.tanh(h)
            made.append(weakref.ref(h.data))
        return h

    x = matrix(3, 3)
    y = checkpoint(f, x)
    assert [array() is None for array in made] == [True] * 3 + [False]
    loss = y.sum()
    for passes in (1, 2):
        loss.backward(retain_graph=True)
        assert len(calls) == 1 + passes
    assert all(array() is None for array in made[4:])
    loss.backward()
    assert len(calls) == 4
    wanted = matrix(3, 3)
    np.tanh(np.tanh(np.tanh(np.tanh(wanted)))).sum().backward()
    assert x.grad.tolist() == (3 * wanted.grad.data).tolist()
    with pytest.raises(RuntimeError, match="gone through this graph before"):
        loss.backward()


def test_a_pass_that_does_not_come_by_runs_nothing_again() -> None:
    calls = []

    def f(h: Any) -> Any:
        calls.append(1)
        return np.exp(np.exp(h))

    x, w = leaf([0.1]), leaf([2.0])
    y = checkpoint(f, x * 1.0)
    grad((y * w).sum(), w)
    assert calls == [1]


def test_without_recording_it_is_a_call() -> None:
    with no_grad():
        y = checkpoint(np.exp, leaf([1.0]))
    assert not y.requires_grad and y.tolist() == [np.e]

    def partly(h: Any) -> Any:
        with no_grad():
            scale = np.exp(h)
        return h * scale * scale

    gradients = [grad(f(x := leaf([0.5])).sum(), x) for f in (partly, again(partly))]
    assert gradients[0][0].tolist() == gradients[1][0].tolist()  # type: ignore[union-attr]
    assert packer() is None


def test_a_constant_in_and_nothing_that_needs_a_gradient() -> None:
    w = leaf([2.0])
    (g,) = grad(checkpoint(lambda t: np.exp(t * w) * w, Tensor([1.0])).sum(), w)
    assert g is not None and g.item() == pytest.approx(3 * np.exp(2.0))
    assert not checkpoint(np.exp, Tensor([1.0])).requires_grad
    assert checkpoint(lambda: 5) == 5


def test_hooks_see_what_they_always_see() -> None:
    def seen(run: Callable[..., Any]) -> Any:
        log: list[Any] = []
        x, w = leaf([1.0, 2.0]), leaf([0.5])

        def f(h: Any) -> Any:
            h = np.exp(h * w)
            h.register_hook(lambda g: log.append(g.tolist()))
            h.register_hook(lambda g: g * 2.0)
            return np.sin(h)

        x.register_hook(lambda g: log.append(g.tolist()))
        y = run(f, x)
        y.register_hook(lambda g: g * 3.0)
        y.sum().backward()
        return log, x.grad.tolist(), w.grad.tolist()

    assert seen(checkpoint) == seen(lambda f, x: f(x))


def test_a_function_of_ones_own_works_inside() -> None:
    class Cube(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 3 * g * x * x

    wanted = orders(lambda x, w: np.tanh(Cube.apply(np.tanh(x))) * w)
    assert orders(again(lambda x, w: np.tanh(Cube.apply(np.tanh(x))) * w)) == wanted


def test_a_function_may_take_a_gradient_itself() -> None:
    def f(h: Any, w: Any) -> Any:
        inner = np.exp(h * w)
        (g,) = grad(np.tanh(inner).sum(), inner, create_graph=True)
        return np.sin(g * inner) * h

    assert orders(again(f)) == orders(f)


def slope(x: Any) -> Any:
    return F.grad(lambda s: s**3)(x)


def scaled_slope(t: Any) -> Callable[[Any], Any]:
    return lambda s: checkpoint(lambda u: u * slope(t), s)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: checkpoint(slope, x),
        lambda x: checkpoint(lambda: slope(x)),
        lambda x: checkpoint(lambda t: checkpoint(slope, t * 1.0), x),
        lambda x: checkpoint(lambda t: F.grad(scaled_slope(t))(1.0), x),
    ],
)
def test_a_transform_of_a_function_that_contains_one(f: Any) -> None:
    """The outer transform's argument is open again in the second run."""
    assert F.grad(f)(2.0).item() == 12.0  # (3x²)′
    assert F.grad(F.grad(lambda x: x * f(x)))(2.0).item() == 36.0  # (3x³)″
    assert [t.item() for t in grad_and_hvp(f, 2.0, 1.0)] == [12.0, 6.0]
    w = leaf(5.0)
    value, found = F.value_and_grad(lambda x: f(x) * w)(2.0)
    value.backward()  # long after the transform
    assert (found.item(), w.grad.item()) == (60.0, 12.0)


def test_a_transform_of_a_transform_at_a_constant() -> None:
    def force(k: Any) -> Any:
        return F.grad(lambda q: (k * q * q).sum())(np.ones(2)).sum()  # 4k

    assert F.grad(lambda k: checkpoint(force, k) ** 2)(3.0).item() == 96.0
    assert F.hessian(lambda k: checkpoint(force, k) ** 2)(3.0).item() == 32.0


def test_writes_in_place_into_its_own_are_fine() -> None:
    def f(h: Any, w: Any) -> Any:
        y = np.exp(h)
        z = y * w
        z[0] = w[1] * 2.0
        z += y
        return np.tanh(z) * z[1:2]

    assert orders(again(f)) == orders(f)


def dropped(module: Any) -> Callable[[Any], Any]:
    """Return a function that comes by its generator on a way of its own."""
    d = nn.Dropout(0.5, rng=3)
    own, old = np.random.default_rng(3), np.random.RandomState(3)
    ways: dict[str, Callable[[Any], Any]] = {
        "module": nn.Sequential(d, nn.Linear(3, 3, rng=0, dtype=float), d),
        "method": d.forward,
        "closure": lambda h: h * own.random(h.shape),
        "default": lambda h, r=own: h * r.random(h.shape),
        "partial": partial(lambda r, h: h * r.random(h.shape), own),
        "container": lambda h, c={"a": [(own,)]}: h * c["a"][0][0].random(h.shape),
        "global": lambda h: h * rng.random(h.shape),
        "numpy.random": lambda h: h * np.random.random(h.shape),
        "random": lambda h: h * random.random(),
        "its function": lambda h: h * gauss(0.0, 1.0),
        "its method": lambda h: h * uniform(),
        "RandomState": lambda h, r=old: h * r.rand(3),
        "BitGenerator": lambda h, b=own.bit_generator: h * (b.random_raw() % 97),
    }
    return ways[module]


@pytest.mark.parametrize(
    "way",
    [
        *("module", "method", "closure", "default", "partial", "container"),
        *("global", "numpy.random", "random", "RandomState", "BitGenerator"),
        *("its function", "its method"),
    ],
)
def test_random_numbers_repeat_and_go_on_where_they_were(way: str) -> None:
    def two_steps(run: Callable[..., Any]) -> Any:
        global rng
        rng = np.random.default_rng(5)
        random.seed(5)
        np.random.seed(5)
        f = dropped(way)
        found = []
        for _ in range(2):
            x = matrix(3, 3)
            y = run(lambda h: np.sin(f(np.exp(h))), x)
            y.sum().backward()
            found += [y.tolist(), x.grad.tolist()]
        return found

    wanted = two_steps(lambda f, x: f(x))
    assert wanted[0] != wanted[2]
    assert two_steps(checkpoint) == wanted
    assert two_steps(lambda f, x: checkpoint(again(f), x)) == wanted


def test_a_generator_as_an_input_repeats() -> None:
    x = matrix(3, 3)
    source = np.random.default_rng(0)
    y = checkpoint(lambda h, r: np.exp(h * r.random(h.shape)), x, source)
    wanted = np.random.default_rng(0).random((3, 3)) * y.data
    y.sum().backward()
    assert x.grad.tolist() == wanted.tolist()


def test_another_mask_is_noticed() -> None:
    hidden = itertools.repeat(np.random.default_rng(0))  # where nobody looks
    x = leaf(np.ones(100))
    y = checkpoint(lambda h: np.exp(h) * (next(hidden).random(100) < 0.5), x)
    with pytest.raises(RuntimeError, match=f"returned other results.*{DIFFERS}"):
        y.sum().backward()
    assert x.grad is None
