"""Layers: what they calculate, what they begin with, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor
from autograd_lib.nn.dropout import Dropout
from autograd_lib.nn.embedding import Embedding
from autograd_lib.nn.layers import (
    GELU,
    Flatten,
    Linear,
    ReLU,
    Sequential,
    Sigmoid,
    SiLU,
    Tanh,
)
from autograd_lib.nn.module import Module
from autograd_lib.nn.normalization import BatchNorm, LayerNorm


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def test_linear_is_a_product_with_the_transpose_and_a_sum() -> None:
    layer, x = Linear(4, 3, rng=0), normal(5, 4)
    assert layer.bias is not None
    expected = x @ layer.weight.data.T + layer.bias.data
    np.testing.assert_allclose(layer(x).data, expected, rtol=1e-6)
    plain = Linear(4, 3, bias=False, rng=0)
    assert plain.bias is None
    np.testing.assert_allclose(plain(x).data, x @ plain.weight.data.T, rtol=1e-6)


def test_layers_keep_their_type_and_take_any_batch() -> None:
    for dtype in (np.float32, np.float64):
        model = Sequential(Linear(4, 3, dtype=dtype), LayerNorm(3, dtype=dtype), ReLU())
        for shape in ((4,), (5, 4), (2, 5, 4)):
            y = model(np.ones(shape, dtype))
            assert (y.shape, y.dtype) == ((*shape[:-1], 3), dtype)
            y.sum().backward()
        assert {p.grad.dtype for p in model.parameters()} == {np.dtype(dtype)}


@pytest.mark.parametrize("rng", [7, np.random.default_rng(7)])
def test_a_seed_gives_the_same_weights(rng: Any) -> None:
    one, other = Linear(3, 2, rng=7), Linear(3, 2, rng=rng)
    np.testing.assert_array_equal(one.weight.data, other.weight.data)
    assert (Linear(3, 2).weight.data != Linear(3, 2).weight.data).any()


def test_weights_begin_between_the_bounds_and_near_them() -> None:
    weight = Linear(100, 50, rng=0).weight.data
    assert 0.099 < np.abs(weight).max() <= 0.1
    assert weight.std() == pytest.approx(0.1 / np.sqrt(3), rel=0.02)


@pytest.mark.parametrize(
    ("layer", "f"),
    [
        (ReLU(), lambda x: np.maximum(x, 0)),
        (Tanh(), np.tanh),
        (SiLU(), lambda x: x / (1 + np.exp(-x))),
        (Sigmoid(), lambda x: 1 / (1 + np.exp(-x))),
        (GELU("tanh"), lambda x: x / (1 + np.exp(-1.5957691 * (x + 0.044715 * x**3)))),
        (Flatten(), lambda x: x.reshape(2, 12)),
    ],
)
def test_layers_without_parameters(layer: Module, f: Callable[[Any], Any]) -> None:
    x = normal(2, 3, 4)
    np.testing.assert_allclose(layer(Tensor(x)).data, f(x), rtol=1e-5, atol=1e-6)
    assert list(layer.parameters()) == []


def test_layer_norm_has_mean_0_and_variance_1_before_it_is_scaled() -> None:
    x = 5 + 3 * normal(4, 2, 6)
    for shape in (6, (2, 6)):
        layer = LayerNorm(shape)
        y = layer(x).data
        axes = (2,) if shape == 6 else (1, 2)
        np.testing.assert_allclose(y.mean(axis=axes), 0, atol=1e-6)
        np.testing.assert_allclose(y.var(axis=axes), 1, rtol=1e-4)
        layer.weight.data *= 2
        layer.bias.data += 1
        np.testing.assert_allclose(layer(x).data, 2 * y + 1, rtol=1e-5, atol=1e-6)


def test_batch_norm_uses_the_batch_in_training_and_running_means_out_of_it() -> None:
    layer, x = BatchNorm(3, momentum=0.25), 5 + 3 * normal(40, 3, 2)
    y = layer(Tensor(x)).data
    np.testing.assert_allclose(y.mean(axis=(0, 2)), 0, atol=1e-6)
    np.testing.assert_allclose(y.var(axis=(0, 2)), 1, rtol=1e-4)
    mean, var = x.mean(axis=(0, 2)), x.var(axis=(0, 2), ddof=1)
    np.testing.assert_allclose(layer.running_mean.data, 0.25 * mean, rtol=1e-5)
    np.testing.assert_allclose(layer.running_var.data, 0.75 + 0.25 * var, rtol=1e-5)
    kept = layer.eval().state_dict()
    expected = x - kept["running_mean"][:, None]
    expected /= np.sqrt(kept["running_var"][:, None] + 1e-5)
    np.testing.assert_allclose(layer(x).data, expected, rtol=1e-4, atol=1e-5)
    assert layer(x[:1]).shape == (1, 3, 2)
    np.testing.assert_array_equal(
        layer.state_dict()["running_mean"], kept["running_mean"]
    )


def test_a_batch_with_nan_leaves_the_running_means_as_they_were() -> None:
    layer, x = BatchNorm(3), normal(4, 3)
    layer(x)
    before = layer.state_dict()
    x[0, 1] = np.nan
    with np.errstate(invalid="ignore"):
        assert np.isnan(layer(x).data).any()
    for name, a in layer.state_dict().items():
        np.testing.assert_array_equal(a, before[name])


def test_dropout_drops_a_share_and_scales_the_rest_in_training() -> None:
    layer, x = Dropout(0.25, rng=0), Tensor(np.ones((100, 100), np.float32), True)
    y = layer(x)
    assert set(np.unique(y.data)) == {np.float32(0), np.float32(1 / 0.75)}
    assert (y.data == 0).mean() == pytest.approx(0.25, abs=0.02)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.data, y.data)
    assert y.dtype == np.float32
    assert (layer(x).data != y.data).any()
    np.testing.assert_array_equal(Dropout(0.25, rng=0)(x).data, y.data)
    assert layer.eval()(x) is x
    assert not Dropout(1)(x).data.any()
    assert Dropout(0)(x) is x
    for given in (np.ones(3), [1.0, 1.0, 1.0]):
        assert (type(layer(given)), type(layer.train()(given))) == (Tensor, Tensor)
        np.testing.assert_array_equal(layer.eval()(given).data, given)


def test_an_embedding_looks_rows_up_and_adds_their_gradients() -> None:
    layer = Embedding(5, 3, rng=0)
    y = layer([[1, 4], [1, 0]])
    np.testing.assert_array_equal(y.data, layer.weight.data[[[1, 4], [1, 0]]])
    y.sum().backward()
    np.testing.assert_array_equal(layer.weight.grad.data[:, 0], [1, 2, 0, 0, 1])


REFUSED = [
    (lambda: Linear(0, 2), ValueError, "in_features must be at least 1, got 0"),
    (lambda: Linear(2.0, 2), TypeError, "in_features must be a whole number, got 2.0"),
    (lambda: Linear(2, True), TypeError, "out_features must be a whole number"),
    (lambda: Linear(2, 2, rng="a"), TypeError, "rng is a seed or numpy.random"),
    (lambda: Linear(2, 2, dtype=int), TypeError, "floating-point type such as"),
    (lambda: Linear(64, 2)(np.ones((3, 60))), ValueError, r"make it Linear\(60, 2\)"),
    (lambda: Linear(64, 2)(np.ones((3, 8, 8))), ValueError, r"x.reshape\(3, 64\)"),
    (lambda: Linear(1, 2)(1.0), ValueError, r"one row is x.reshape\(1, -1\)"),
    (lambda: Flatten()(1.0), ValueError, "needs a batch of items"),
    (lambda: GELU("tan"), ValueError, "approximate must be 'none' or 'tanh'"),
    (lambda: LayerNorm(3)(np.ones((2, 4))), ValueError, r"\(3,\) as the last axes"),
    (lambda: LayerNorm((2, 3))(np.ones((2, 4))), ValueError, r"LayerNorm\(\(2, 4\)\)"),
    (lambda: LayerNorm(3)(np.ones((2, 4))), ValueError, r"make it LayerNorm\(4\)"),
    (lambda: LayerNorm(0), ValueError, "normalized_shape must be at least 1"),
    (lambda: BatchNorm(3)(np.ones((2, 4))), ValueError, r"shape \(n, 3, …\), got"),
    (lambda: BatchNorm(3)(np.ones((1, 3))), ValueError, "2 numbers or more of each"),
    (lambda: BatchNorm(3)(np.ones((0, 3))), ValueError, "2 numbers or more of each"),
    (lambda: BatchNorm(3, momentum=2), ValueError, "momentum must be a number from 0"),
    (lambda: Dropout(1.5), ValueError, "p must be a number from 0 to 1, got 1.5"),
    (lambda: Dropout(float("nan")), ValueError, "from 0 to 1, got nan"),
    (lambda: Dropout("half"), TypeError, "p must be a number from 0 to 1"),
    (
        lambda: Embedding(5, 2)([5]),
        IndexError,
        "rows are 0 to 4, got numbers from 5",
    ),
    (lambda: Embedding(5, 2)([-1]), IndexError, "got numbers from -1 to -1"),
    (lambda: Embedding(5, 2)([0.5]), TypeError, "whole numbers, .* got float64"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), REFUSED)
def test_what_does_not_fit_is_named_with_the_way_out(
    wrong: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_batch_norm_notes_no_batch_that_it_refuses() -> None:
    norm = BatchNorm(2)
    with pytest.raises(TypeError, match="complex"):
        norm(np.full((3, 2), 1 + 5j))
    assert norm.running_mean.tolist() == [0.0, 0.0]
    assert norm.running_var.tolist() == [1.0, 1.0]
