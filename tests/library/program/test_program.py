"""Compiled functions return what uncompiled ones return, or say why they cannot."""

from __future__ import annotations

import gc
import threading
from functools import partial

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp
from autograd_lib.functional import grad, hvp, tree, value_and_grad
from autograd_lib.program import Refused, compile

ROUNDING = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-5}


def assert_same(got, want):
    """Assert that two trees are the same up to rounding, in structure and types."""
    leaves, structure = tree.flatten(got)
    others, expected = tree.flatten(want)
    assert structure == expected
    for a, b in zip(leaves, others, strict=True):
        assert type(a) is type(b)
        if isinstance(a, Tensor):
            a, b = a.data, b.data
        if isinstance(a, np.ndarray | np.generic):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            atol = ROUNDING.get(a.dtype, 0) * (1 + np.max(np.abs(b), initial=0))
            np.testing.assert_allclose(a, b, rtol=0, atol=atol)
        else:
            assert a == b


def numbers(*shape, dtype=np.float64, seed=0):
    """Return reproducible numbers."""
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def mlp_loss(params, x, y):
    h = (x @ params["w1"] + params["b1"]).relu()
    z = h @ params["w2"] + params["b2"]
    return z.cross_entropy(y)


def mlp_arguments(dtype=np.float64, seed=0, n=6):
    shapes = {"w1": (5, 4), "b1": (4,), "w2": (4, 3), "b2": (3,)}
    params = {
        name: Tensor(numbers(*shape, dtype=dtype, seed=seed + i))
        for i, (name, shape) in enumerate(shapes.items())
    }
    y = np.random.default_rng(seed).integers(0, 3, n)
    return params, Tensor(numbers(n, 5, dtype=dtype, seed=seed + 9)), y


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_step_is_the_same_for_other_numbers(dtype):
    step = compile(value_and_grad(mlp_loss))
    for seed in range(4):
        given = mlp_arguments(dtype, seed)
        assert_same(step(*given), value_and_grad(mlp_loss)(*given))
    assert len(step.programs) == 1
    assert step.reasons == ["the first call"]


def test_results_are_the_callers_own():
    step = compile(value_and_grad(mlp_loss))
    kept, wanted = [], []
    for seed in range(3):
        given = mlp_arguments(seed=seed)
        kept.append(step(*given))
        wanted.append(value_and_grad(mlp_loss)(*given))
    for got, want in zip(kept, wanted, strict=True):
        assert_same(got, want)
    for leaf in tree.leaves(kept[0]):
        leaf.data[...] = 7  # and may be written into
    given = mlp_arguments(seed=5)
    assert_same(step(*given), value_and_grad(mlp_loss)(*given))


def test_outputs_share_nothing_with_inputs_and_one_another():
    f = compile(lambda x: (x, x[1:], x.reshape(-1), x + 1))
    x = numbers(3, 2)
    results = f(x)
    assert_same(results, (x, x[1:], x.reshape(-1), x + 1))
    for r in results:
        r[...] = 0
    assert_same(f(x), (x, x[1:], x.reshape(-1), x + 1))


def test_second_derivatives():
    def f(x):
        return (np.sin(x) * x**3).sum()

    x, v = numbers(4), numbers(4, seed=1)
    for g in (grad(lambda x: grad(f)(x).sum()), partial(hessian_times, f, v)):
        compiled = compile(g)
        for seed in range(3):
            x = numbers(4, seed=seed)
            assert_same(compiled(x), g(x))
    forward = compile(lambda x, v: jvp(grad(f), (x,), (v,)))
    assert_same(forward(x, v), jvp(grad(f), (x,), (v,)))


def hessian_times(f, v, x):
    return hvp(f, (x,), (v,))


def test_shapes_of_no_axis_and_of_no_elements():
    def f(x):
        return (np.exp(x) * 2).sum()

    step = compile(value_and_grad(f))
    for x in (np.array(0.5), np.zeros((0, 3)), np.zeros((2, 0)), numbers(2, 2)):
        assert_same(step(x), value_and_grad(f)(x))
    assert len(step.programs) == 4
    assert step.reasons[1] == (
        "argument x is an array of shape (0, 3) and float64; known: an array of shape "
        "() and float64"
    )


# What a function uses besides its arguments.


def test_parameters_that_are_closed_over_are_read_anew():
    w = Tensor(numbers(3), requires_grad=True)

    def slopes(x):
        return ag.grad((w * w * x).sum(), w)

    compiled = compile(slopes)
    x = numbers(3, seed=1)
    for _ in range(3):
        assert_same(compiled(x), slopes(x))
        with ag.no_grad():
            w -= 0.1
    assert len(compiled.programs) == 1


def test_modules_that_are_closed_over_are_read_anew():
    model = nn.Sequential(nn.Linear(3, 4, rng=0), nn.ReLU(), nn.Linear(4, 1, rng=1))
    parameters = list(model.parameters())

    def slopes(x):
        return ag.grad((model(x) ** 2).mean(), parameters)

    compiled = compile(slopes)
    for seed in range(3):
        x = from_numpy(numbers(5, 3, seed=seed).astype(parameters[0].dtype))
        assert_same(compiled(x), slopes(x))
        with ag.no_grad():
            for p in parameters:
                p *= 0.9
    assert len(compiled.programs) == 1


def test_a_module_as_an_argument():
    model = nn.Linear(3, 2, rng=0)

    def loss(model, x):
        return (model(x) ** 2).sum()

    step = compile(value_and_grad(loss))
    x = Tensor(numbers(4, 3).astype(model.weight.dtype))
    for _ in range(2):
        assert_same(step(model, x), value_and_grad(loss)(model, x))
        with ag.no_grad():
            model.weight += 1
    assert len(step.programs) == 1


def test_arrays_and_numbers_that_change_are_noticed():
    table, settings = numbers(3), {"rate": 2.0}

    def f(x):
        return x * table * settings["rate"]

    compiled, x = compile(f), numbers(3, seed=1)
    assert_same(compiled(x), f(x))
    table[0] = 100.0
    assert_same(compiled(x), f(x))
    settings["rate"] = 3.0
    assert_same(compiled(x), f(x))
    assert len(compiled.programs) == 3
    assert "settings['rate']" in compiled.reasons[2]


class Scaled:
    """An object with an attribute, and one of its class."""

    shift = 1.0

    def __init__(self):
        self.scale = 2.0

    def __call__(self, x):
        return self.moved(x * self.scale)

    def moved(self, x):
        return x + self.shift


def test_attributes_of_objects_and_classes_are_noticed(monkeypatch):
    f, x = Scaled(), numbers(3)
    for g in (f, f.__call__, lambda x: f(x)):
        f.scale = 2.0
        compiled = compile(g)
        assert_same(compiled(x), f(x))
        f.scale = 3.0
        assert_same(compiled(x), f(x))
        with monkeypatch.context() as changed:
            changed.setattr(Scaled, "shift", 5.0)
            assert_same(compiled(x), f(x))
        assert len(compiled.programs) == 3


def test_several_views_of_what_is_written_into():
    def f(x):
        y = x * 1
        a, b = np.split(y, 2)
        a[0] = 100
        y[3] = 7
        return y, a, b

    compiled = compile(f)
    for seed in range(2):
        assert_same(compiled(numbers(4, seed=seed)), f(numbers(4, seed=seed)))


# What is refused.


def refused_functions():
    def decides(x):
        return [v if v > 0 else -v for v in x]

    def counts(x):
        return x * float(x[0])

    def writes(x):
        x[0] = 0.0
        return x

    def draws_unseeded(x):
        return x + np.random.default_rng().normal(size=2)

    def joins(x):
        return np.array([x[0], 1.0])

    return {
        decides: r"np\.where for if, or \.item\(\)",
        counts: r"write \.item\(\)",
        writes: "a write into `x`",
        draws_unseeded: "without a seed",
        joins: "np.stack for np.array of a list",
    }


@pytest.mark.parametrize(
    ("f", "words"),
    refused_functions().items(),
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_what_no_program_can_do_is_refused_in_words(f, words):
    names = {name: getattr(np, name) for name in ("asarray", "zeros", "array")}
    with pytest.raises(Refused, match=words):
        compile(f)(np.abs(numbers(2)))
    assert names == {name: getattr(np, name) for name in names}


def test_derivatives_through_a_result_are_refused_in_words():
    w = Tensor(numbers(3), requires_grad=True)
    f = compile(lambda x: (w * x).sum())
    x = numbers(3)
    y = f(x)
    assert y.requires_grad
    with pytest.raises(Refused, match=r"compile\(value_and_grad"):
        (y * 2).backward()
    assert w.grad is None
    with pytest.raises(Refused, match=r"compile\(value_and_grad"):
        grad(f)(x)
    with pytest.raises(Refused, match="carries a tangent"):
        jvp(compile(lambda x: (w * x).sum()), (x,), (x,))
    with ag.no_grad():
        assert not f(x).requires_grad


def test_a_failing_function_leaves_nothing_behind():
    w = Tensor(numbers(3), requires_grad=True)
    array = w.data

    def fails(x):
        ag.grad((w * x).sum(), w)
        raise KeyError("on purpose")

    zeros = np.zeros
    with pytest.raises(KeyError, match="on purpose"):
        compile(fails)(numbers(3))
    assert w.data is array
    assert w.grad is None
    assert np.zeros is zeros


def test_checks_of_numbers_stay_in_the_program():
    params, x, y = mlp_arguments()
    step = compile(value_and_grad(mlp_loss))
    step(params, x, y)
    with pytest.raises(IndexError, match="labels are 0 to 2"):
        step(params, x, np.full(6, -1))
    with pytest.raises(IndexError):
        step(params, x, np.full(6, 3))
    assert_same(step(params, x, y), value_and_grad(mlp_loss)(params, x, y))


def test_threads_and_nested_compiled_functions():
    inner = compile(lambda x: np.tanh(x) * 2)
    outer = compile(lambda x: inner(x) + 1)
    found, failures = {}, []

    def work(seed):
        for k in range(20):
            x = numbers(50, seed=seed + k)
            if not np.array_equal(outer(x), np.tanh(x) * 2 + 1):
                failures.append(seed)
        found[seed] = True

    threads = [threading.Thread(target=work, args=(100 * i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 4
    assert not failures
    gc.collect()
