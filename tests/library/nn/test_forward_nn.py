"""The operations of `nn` in forward mode: tangents beside backward passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import grad_and_hvp, jvp, jvps
from autograd_lib.nn import functional
from autograd_lib.nn.attention import scaled_dot_product_attention
from autograd_lib.nn.convolution import conv2d
from autograd_lib.nn.losses import binary_cross_entropy_with_logits, mse_loss
from autograd_lib.nn.pooling import avg_pool2d, max_pool2d

RNG = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


IMAGES = normal(2, 4, 6, 7)
CALLS: dict[str, tuple[Any, tuple[np.ndarray, ...]]] = {
    "conv2d": (
        lambda x, w, b: conv2d(x, w, b, (2, 1), 1, (1, 2), 2),
        (IMAGES, normal(6, 2, 3, 2), normal(6)),
    ),
    "conv2d without a bias": (conv2d, (IMAGES, normal(3, 4, 2, 2))),
    "max_pool2d": (lambda x: max_pool2d(x, 3, 2, 1), (IMAGES,)),
    "max_pool2d with ties": (lambda x: max_pool2d(x, 2), (np.round(IMAGES),)),
    "avg_pool2d": (lambda x: avg_pool2d(x, (3, 2), 1, 1), (IMAGES,)),
    "linear": (functional.linear, (normal(2, 3, 4), normal(5, 4), normal(5))),
    "linear of a row": (functional.linear, (normal(4), normal(5, 4))),
    "normalize": (
        lambda x, w, b: functional.normalize(x, (-1,), w, b, 1e-5),
        (normal(3, 5), normal(5), normal(5)),
    ),
    "normalize without weights": (
        lambda x: functional.normalize(x, (0, 2), None, None, 1e-3),
        (normal(3, 2, 4),),
    ),
    "attention": (
        lambda q, k, v: scaled_dot_product_attention(q, k, v, True),
        (normal(2, 3, 4), normal(2, 3, 4), normal(2, 3, 5)),
    ),
    "mse_loss": (mse_loss, (normal(4), normal(4))),
    "binary_cross_entropy": (
        lambda x: binary_cross_entropy_with_logits(x, np.array([0.0, 1.0, 0.3])),
        (normal(3),),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_tangents_are_transposes_of_gradients_and_batches_are_single_ones(
    name: str,
) -> None:
    f, at = CALLS[name]
    vs = tuple(normal(*x.shape) for x in at)
    y, t = jvp(f, at, vs)
    u = normal(*y.shape)
    leaves = [Tensor(x, requires_grad=True) for x in at]
    gs: Any = grad(f(*leaves), leaves, u)
    back = sum((g.data * v).sum() for g, v in zip(gs, vs, strict=True))
    np.testing.assert_allclose((t.data * u).sum(), back, rtol=1e-10)
    _, several = jvps(f, at, tuple(np.stack([v, 2.0 * v]) for v in vs))
    np.testing.assert_allclose(several.data, [t.data, 2.0 * t.data], rtol=1e-12)


@pytest.mark.parametrize("name", CALLS)
def test_second_derivatives_agree_forward_over_reverse_and_twice_reverse(
    name: str,
) -> None:
    f, at = CALLS[name]
    u = normal(*f(*map(Tensor, at)).shape)
    sizes = [x.size for x in at]

    def number(row: Any) -> Any:
        parts = np.split(row, np.cumsum(sizes)[:-1])
        inputs = [part.reshape(x.shape) for part, x in zip(parts, at, strict=True)]
        y = f(*inputs)
        return (y * y * u).sum()

    row = np.concatenate([x.ravel() for x in at])
    v = normal(row.size)
    got = grad_and_hvp(number, row, v)[1].data
    leaf = Tensor(row, requires_grad=True)
    (g,) = grad(number(leaf), leaf, create_graph=True)
    assert g is not None
    (right,) = grad((g * v).sum(), leaf)
    assert right is not None
    np.testing.assert_allclose(got, right.data, rtol=1e-8, atol=1e-9)


def test_a_model_moves_with_its_weights_and_its_input() -> None:
    kind = np.float64
    model = nn.Sequential(
        nn.Linear(4, 8, rng=0, dtype=kind), nn.Tanh(), nn.LayerNorm(8, dtype=kind)
    )
    x, h = normal(3, 4), 1e-5
    y, t = jvp(model, x, np.ones_like(x))
    difference = (model(x + h).data - model(x - h).data) / (2 * h)
    np.testing.assert_allclose(t.data, difference, rtol=1e-6, atol=1e-8)
    assert y.requires_grad  # the weights are leaves


def test_rows_of_an_embedding_move() -> None:
    table = nn.Embedding(5, 3, rng=0)
    at = table.weight.data.astype(float)

    def rows(weight: Tensor) -> Any:
        return weight[np.array([1, 1, 4])]

    _, t = jvp(rows, at, np.arange(15.0).reshape(5, 3))
    assert t.data.tolist() == [[3.0, 4.0, 5.0], [3.0, 4.0, 5.0], [12.0, 13.0, 14.0]]
