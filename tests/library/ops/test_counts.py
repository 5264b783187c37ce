"""Counts, and sums of many small numbers, do not depend on what the type can hold.

In float16 a count above 65,504 is infinite, and a sum of ones along a first axis stops
at 2,048. The reference values are calculated in float64.
"""

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.nn.functional import linear, normalize

RNG = np.random.default_rng(0)
MANY = RNG.uniform(0.5, 1.5, 70_000)
ROWS = RNG.uniform(0.5, 1.5, (3_000, 3))
ONES, ONES_IN_ROWS = np.ones(70_000), np.ones((3_000, 3))
WITH_NAN = np.where(RNG.uniform(size=ROWS.shape) < 0.1, np.nan, ROWS)


def labels(x):
    return np.zeros(x.shape[0], int)


def classes(x):
    """Return scores of three classes, of the numbers of a row."""
    return x if x.ndim > 1 else x[:, None] * np.array([1, 2, 3], x.dtype)


REDUCTIONS = {
    **{
        f"{name}, {axis}": lambda x, name=name, axis=axis: getattr(np, name)(
            x, axis=axis
        )
        for name in ("mean", "average", "var", "std", "max", "min", "ptp", "median")
        for axis in (None, 0)
    },
    **{
        f"{name}, a part": lambda x, name=name: getattr(np, name)(
            x, axis=0, where=np.ones(x.shape, bool)
        )
        for name in ("mean", "var", "std")
    },
    **{
        f"{name}, {axis}": lambda x, name=name, axis=axis: getattr(x, name)(axis=axis)
        for name in ("softmax", "log_softmax", "logsumexp")
        for axis in (None, 0)
    },
    "var, ddof": lambda x: np.var(x, axis=0, ddof=1),
    "average, weights": lambda x: np.average(
        x, axis=0, weights=np.ones(x.shape, x.dtype)
    ),
    "mse_loss": lambda x: nn.mse_loss(x, np.zeros(x.shape, x.dtype)),
    "mse_loss, target": lambda x: nn.mse_loss(np.zeros(x.shape, x.dtype), x),
    "binary": lambda x: nn.binary_cross_entropy_with_logits(
        x, np.ones(x.shape, x.dtype)
    ),
    "cross_entropy": lambda x: nn.cross_entropy(classes(x), labels(x)),
    "cross_entropy, smooth": lambda x: nn.cross_entropy(
        classes(x), labels(x), label_smoothing=0.1
    ),
    "cross_entropy, ignoring": lambda x: nn.cross_entropy(
        classes(x), labels(x), ignore_index=7
    ),
    "cross_entropy, many classes": lambda x: nn.cross_entropy(
        x.reshape(1, -1), np.array([2])
    ),
    "normalize": lambda x: normalize(x, (0,), None, None, 1e-5),
    "LayerNorm": lambda x: nn.LayerNorm(x.size, dtype=x.dtype)(x.reshape(-1)),
    "BatchNorm": lambda x: nn.BatchNorm(1, affine=False, dtype=x.dtype)(
        x.reshape(-1, 1)
    ),
    "norm": lambda x: np.linalg.norm(x),
}
COPIES = {
    "add": lambda x: np.zeros((3_000, 3), x.dtype) + x[:1],
    "add to a number": lambda x: np.zeros((3_000, 3), x.dtype) + x[0, 0],
    "broadcast_to": lambda x: np.broadcast_to(x[:1], (3_000, 3)),
    "repeat": lambda x: np.repeat(x[:1], 3_000, axis=0),
    "repeat, unevenly": lambda x: np.repeat(x[:2], [3_000, 1], axis=0),
    "tile": lambda x: np.tile(x[:1], (3_000, 1)),
    "index": lambda x: x[np.zeros(3_000, int)],
    "take": lambda x: np.take(x, np.zeros(3_000, int), axis=0),
    "einsum": lambda x: np.einsum("ij,k->kj", x[:1], np.ones(3_000, x.dtype)),
    "linear": lambda x: linear(
        np.ones((3_000, 2), x.dtype), np.ones((3, 2), x.dtype), x[0]
    ),
    "conv2d": lambda x: nn.conv2d(
        np.ones((1, 1, 60, 60), x.dtype), np.ones((3, 1, 1, 1), x.dtype), x[0]
    ),
    "avg_pool2d": lambda x: nn.AvgPool2d(60)(
        np.broadcast_to(x[0, 0], (1, 1, 60, 60)),
    ),
    "max_pool2d": lambda x: nn.MaxPool2d(60)(
        np.broadcast_to(x[0, 0], (1, 1, 60, 60)),
    ),
}
DATA = {
    "many": MANY,
    "ones": ONES,
    "rows": ROWS,
    "rows of ones": ONES_IN_ROWS,
    "small": MANY * 1e-3,
}


def results(f, numbers, dtype):
    """Return f's value, its gradient and its derivative along ones."""
    a = numbers.astype(np.float16).astype(dtype)
    x = ag.Tensor(a, requires_grad=True)
    y = f(x)
    weights = (np.arange(y.size) % 3 + 1).reshape(y.shape).astype(dtype)
    y.backward(ag.Tensor(weights))
    return y.data, x.grad.data, ag.jvp(f, (a,), (np.ones(a.shape, dtype),))[1].data


def compare(f, numbers):
    """Compare float16 with float64, up to the rounding of float16."""
    half, wide = results(f, numbers, np.float16), results(f, numbers, np.float64)
    assert half[0].dtype == half[1].dtype == half[2].dtype == np.float16
    for got, expected in zip(half, wide, strict=True):
        size = np.abs(expected).max()
        if size < 1e-9:  # what cancels in float64 is rounded in float16
            assert np.abs(got).max() < 2e-3
            continue
        np.testing.assert_allclose(got, expected, 5e-3, 2e-3 * size + 1e-5)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_float16_counts_as_float64_does(name, data):
    compare(REDUCTIONS[name], DATA[data])


@pytest.mark.parametrize("name", COPIES)
def test_gradients_of_many_copies_are_all_added(name):
    compare(COPIES[name], ROWS[:5])


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd", "nanmax", "nanmin"])
def test_numbers_beside_nan_are_counted(name):
    compare(lambda x: getattr(np, name)(x, axis=0), WITH_NAN)


@pytest.mark.parametrize("name", ["mean", "std", "logsumexp"])
def test_a_program_counts_as_its_function_does(name):
    def f(x):
        return getattr(x, name)()

    x = ag.Tensor(MANY.astype(np.float16))
    slopes = ag.compile(ag.functional.grad(f))
    expected = ag.functional.grad(f)(x).data
    assert expected.any()
    for _ in range(3):
        np.testing.assert_array_equal(slopes(x).data, expected)


def test_second_derivatives_count_too():
    x = ag.Tensor(MANY.astype(np.float16))
    product = ag.functional.hvp(lambda x: (x * x).mean(), (x,), (np.ones_like(x),))
    np.testing.assert_allclose(product.data, 2 / 70_000, 5e-3)


def test_a_reduction_keeps_the_wider_type_of_its_weights():
    x = ag.Tensor(np.ones(4, np.float16), requires_grad=True)
    assert np.average(x, weights=np.ones(4, np.float32)).dtype == np.float32
    weight = ag.Tensor(np.ones(4, np.float32))
    assert normalize(x, (0,), weight, None, 1e-5).dtype == np.float32


def test_clipping_scales_float16_by_a_factor_below_its_range():
    p = ag.Tensor(np.zeros(4, np.float16), requires_grad=True)
    p.grad = ag.Tensor(np.full(4, 6e4, np.float16))
    ag.optim.clip_grad_norm([p], 1e-3)
    np.testing.assert_allclose(p.grad.data, 5e-4, 5e-3)


def test_batch_norm_keeps_the_running_variance_of_many_numbers():
    layer = nn.BatchNorm(1, momentum=1.0, dtype=np.float16)
    layer(MANY.astype(np.float16)[:, None])
    assert layer.running_mean.item() == pytest.approx(MANY.mean(), rel=2e-3)
    assert layer.running_var.item() == pytest.approx(MANY.var(), rel=2e-3)
