"""Models of chapters 16 to 18, compiled, and what a compiled function remembers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import grad, hvp, value_and_grad
from autograd_lib.program import PASSES, compile
from autograd_lib.program.rewrites import common, products
from tests.library.program.test_program import assert_same, numbers


def images(seed: int, n: int = 3) -> tuple[Tensor, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = from_numpy(rng.normal(size=(n, 1, 8, 8)).astype(np.float32))
    return x, rng.integers(0, 10, n)


def assert_model_is_the_same(model: Any, loss: Any, batches: Any) -> None:
    """Assert that steps of training with compiled gradients are those without."""
    step = compile(value_and_grad(loss))
    eager = value_and_grad(loss)
    for batch in batches:
        got, want = step(model, *batch), eager(model, *batch)
        assert_same(got, want)
        with ag.no_grad():
            for name, p in model.named_parameters():
                p -= 0.1 * got[1][name]
    assert len(step.programs) == 1


def test_a_convolutional_network() -> None:
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3, rng=0),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(36, 10, rng=1),
    )

    def loss(model: Any, x: Any, y: Any) -> Any:
        return model(x).cross_entropy(y)

    assert_model_is_the_same(model, loss, [images(seed) for seed in range(3)])


def test_a_gpt() -> None:
    model = nn.GPT(tokens=7, context=5, embed_dim=8, num_heads=2, depth=2, rng=0)

    def loss(model: Any, tokens: Any, after: Any) -> Any:
        return model(tokens).cross_entropy(after)

    rng = np.random.default_rng(0)
    batches = [(rng.integers(0, 7, (2, 5)), rng.integers(0, 7, (2, 5))) for _ in "123"]
    assert_model_is_the_same(model, loss, batches)


def test_a_hessian_vector_product_of_a_network() -> None:
    w, v = numbers(4, 3), numbers(4, 3, seed=1)

    def loss(w: Any) -> Any:
        return (np.tanh(from_numpy(numbers(5, 4, seed=2)) @ w) ** 2).mean()

    product = compile(lambda w, v: hvp(loss, (w,), (v,)))
    for _ in range(2):
        assert_same(product(w, v), hvp(loss, (w,), (v,)))
        w = w + 0.1


# What is remembered.


def test_numbers_of_python_are_constants_and_many_of_them_are_warned_of() -> None:
    f = compile(lambda x, rate: x * rate)
    x = numbers(3)
    for rate in (0.1, 0.2, 0.1, 1, 1.0, True, 0.0, -0.0):
        np.testing.assert_array_equal(f(x, rate), x * rate)
    assert len(f.programs) == 4  # 0.1, any float, any int, True
    assert f.reasons[1] == "argument rate is a number of float; known: 0.1"
    with pytest.warns(RuntimeWarning, match="16 programs were recorded"):
        for k in range(20):
            f(np.ones(k), 2.0)
    g = compile(lambda x, rate: x * rate)
    for rate in (0.1, 0.2):
        np.testing.assert_array_equal(g(x, np.float64(rate)), x * np.float64(rate))
    assert len(g.programs) == 1


@pytest.mark.filterwarnings("ignore:.* met one of float32")
def test_layout_types_and_tensors_that_are_one_belong_to_a_program() -> None:
    def f(a: Any, b: Any) -> Any:
        return value_and_grad(lambda a: (a * b).sum())(a)

    x = numbers(3, 3)
    compiled = compile(f)
    t = Tensor(x)
    for a, b in ((t, Tensor(x)), (t, t), (x, x), (x.T, x), (x.astype("f"), x)):
        assert_same(compiled(a, b), f(a, b))
    assert len(compiled.programs) == 5


def test_passes_can_be_left_out() -> None:
    def f(x: Any) -> Any:
        return (np.sin(x) * np.sin(x)).sum()

    x = numbers(400)
    kept = []
    for passes in ((), tuple(p for p in PASSES if p not in (common, products)), PASSES):
        compiled = compile(grad(f), passes=passes)
        assert_same(compiled(x), grad(f)(x))
        kept.append(compiled.programs[0].kept)
    assert kept[0] > kept[1] > kept[2]
    made = compiled.programs[0]
    assert [call.name for call in made.calls].count("sin") == 1
    assert 0 < made.peak <= made.bytes
    assert "def program(x):" in made.source


def test_what_does_not_hold_for_infinite_numbers_is_left_alone() -> None:
    f = compile(lambda x: (x * 0.0, x - x, x / x, x * 1.0, np.negative(-x), x + 0.0))
    x = np.array([np.inf, np.nan, -0.0, 1.0])
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        got = f(x)
        want = (x * 0.0, x - x, x / x, x * 1.0, np.negative(-x), x + 0.0)
    for a, b in zip(got, want, strict=True):
        assert a.tobytes() == b.tobytes()


def test_errors_of_floating_point_are_ignored_where_the_function_ignores_them() -> None:
    def f(x: Any) -> Any:
        with np.errstate(over="ignore"):
            y = np.exp(x)
        return y * 2

    compiled = compile(f)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x in (numbers(3), np.full(3, 1000.0)):
            np.testing.assert_array_equal(compiled(x), f(x))
    assert "errstate(over='ignore')" in compiled.programs[0].source
