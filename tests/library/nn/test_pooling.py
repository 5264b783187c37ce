"""Pooling against loops, differences and PyTorch; ties, borders and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.check import gradgradcheck
from autograd_lib.engine import Tensor, grad
from autograd_lib.nn.pooling import AvgPool2d, MaxPool2d, avg_pool2d, max_pool2d
from tests.library.operations.case import normal, spread_out

BOTH = pytest.mark.parametrize("pool", [max_pool2d, avg_pool2d])
# Size, stride, padding: windows that tile the image, leave gaps, overlap, reach out.
GRID = [
    (2, None, 0),
    (2, 3, 0),
    (3, 1, 0),
    (3, 2, 1),
    ((2, 3), (1, 2), (1, 0)),
    (1, 1, 0),
    (6, None, 3),
]
X = spread_out(2, 3, 7, 6)


def by_loops(pool: Any, x: np.ndarray, size: Any, stride: Any, padding: Any) -> Any:
    """Return what the definition says, one window at a time."""
    stride = size if stride is None else stride
    (h, w), (s, t), (p, q) = (
        (n, n) if isinstance(n, int) else n for n in (size, stride, padding)
    )
    largest = pool is max_pool2d
    edge = -np.inf if largest else 0.0
    x = np.pad(x, [(0, 0), (0, 0), (p, p), (q, q)], constant_values=edge)
    high, wide = (x.shape[2] - h) // s + 1, (x.shape[3] - w) // t + 1
    y = np.zeros((*x.shape[:2], high, wide))
    for i, j in np.ndindex(high, wide):
        window = x[:, :, s * i : s * i + h, t * j : t * j + w]
        y[:, :, i, j] = (window.max if largest else window.mean)(axis=(2, 3))
    return y


@BOTH
@pytest.mark.parametrize("steps", GRID)
def test_results_are_those_of_loops(pool: Any, steps: Any) -> None:
    np.testing.assert_allclose(pool(X, *steps).data, by_loops(pool, X, *steps))


@BOTH
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(steps, marks=[pytest.mark.exhaustive] * (i % 2))
        for i, steps in enumerate(GRID)
    ],
)
def test_derivatives_are_those_of_differences(pool: Any, steps: Any) -> None:
    gradgradcheck(lambda x: pool(x, *steps), X[:1])


@BOTH
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("steps", GRID)
def test_pytorch_agrees(pool: Any, steps: Any, dtype: Any) -> None:
    torch = pytest.importorskip("torch")
    x = Tensor(X, True, dtype)
    t = torch.tensor(X.astype(dtype), requires_grad=True)
    ours, theirs = pool(x, *steps), getattr(torch.nn.functional, pool.__name__)
    found = theirs(t, *steps)
    assert ours.dtype == dtype
    np.testing.assert_allclose(ours.data, found.detach().numpy(), rtol=1e-6, atol=1e-6)
    u = normal(*ours.shape).astype(dtype)
    ours.backward(u)
    found.backward(torch.tensor(u))
    np.testing.assert_allclose(x.grad.data, t.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_the_largest_share_evenly() -> None:
    x = Tensor([[[[1.0, 3.0, 0.0, 2.0], [3.0, 3.0, 2.0, 1.0]]]], requires_grad=True)
    max_pool2d(x, 2).backward(np.array([[[[6.0, 4.0]]]]))
    expected = [[[[0.0, 2.0, 0.0, 2.0], [2.0, 2.0, 2.0, 0.0]]]]
    np.testing.assert_array_equal(x.grad.data, expected)


def test_pytorch_gives_all_to_the_first_of_the_largest() -> None:
    torch = pytest.importorskip("torch")
    x = torch.ones(1, 1, 2, 2, requires_grad=True)
    torch.nn.functional.max_pool2d(x, 2).sum().backward()
    assert x.grad.flatten().tolist() == [1.0, 0.0, 0.0, 0.0]


def test_ties_have_a_second_derivative() -> None:
    x = Tensor(np.ones((1, 1, 2, 2)), requires_grad=True)
    y = max_pool2d(x * x, 2)
    (slope,) = grad(y.sum(), x, create_graph=True)  # x/2 each
    (second,) = grad(slope.sum(), x)
    np.testing.assert_allclose(second.data, np.full((1, 1, 2, 2), 0.5))


def test_a_border_is_never_the_largest() -> None:
    lowest = np.full((1, 1, 2, 2), -np.inf)
    x = Tensor(lowest, requires_grad=True)
    max_pool2d(x, 2, 1, 1).sum().backward()
    assert x.grad.data.sum() == 9.0  # all of the gradient of nine windows
    integers = np.full((1, 1, 2, 2), -7)
    assert max_pool2d(integers, 2, 1, 1).data.max() == -7


def test_a_nan_is_found_and_gets_the_gradient() -> None:
    x = Tensor([[[[1.0, np.nan], [0.0, 2.0]]]], requires_grad=True)
    y = max_pool2d(x, 2)
    assert np.isnan(y.data).all()
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.data, [[[[0.0, 1.0], [0.0, 0.0]]]])


def test_an_infinite_gradient_makes_no_nan() -> None:
    x = Tensor([[[[1.0, 3.0]]]], requires_grad=True)
    max_pool2d(x, (1, 2)).backward(np.full((1, 1, 1, 1), np.inf))
    np.testing.assert_array_equal(x.grad.data, [[[[0.0, np.inf]]]])


@BOTH
def test_no_images_give_none(pool: Any) -> None:
    x = Tensor(np.zeros((0, 3, 4, 4)), requires_grad=True)
    pool(x, 2).sum().backward()
    assert pool(x, 2).shape == (0, 3, 2, 2)
    assert x.grad.shape == x.shape


def test_the_mean_of_integers_is_exact() -> None:
    y = avg_pool2d(np.arange(4).reshape(1, 1, 2, 2), 2)
    assert y.data.item() == 1.5


@BOTH
@pytest.mark.parametrize(
    ("shape", "arguments", "message"),
    [
        ((3, 8, 8), (2,), r"input of shape \(3, 8, 8\).*x\[None\]"),
        ((1, 3, 8, 8), (9,), "9×9 .* more than an image of 8×8"),
        ((1, 3, 8, 8), (0,), "at least 1"),
        ((1, 3, 8, 8), (2, 0), "stride .* at least 1"),
        ((1, 3, 8, 8), (2, 2, 2), "half as wide as the window"),
    ],
)
def test_what_does_not_fit_is_named(
    pool: Any, shape: Any, arguments: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=f"{pool.__name__}: .*{message}"):
        pool(np.zeros(shape), *arguments)


@BOTH
def test_sizes_that_are_not_whole_are_refused(pool: Any) -> None:
    with pytest.raises(TypeError, match=f"{pool.__name__}: .*whole number"):
        pool(X, 2.0)


@pytest.mark.parametrize("module", [MaxPool2d, AvgPool2d])
def test_the_modules_are_the_functions(module: Any) -> None:
    pool = max_pool2d if module is MaxPool2d else avg_pool2d
    layer = module(3, 2, padding=1)
    np.testing.assert_array_equal(layer(X).data, pool(X, 3, 2, 1).data)
    assert repr(layer) == f"{module.__name__}((3, 3), stride=(2, 2), padding=(1, 1))"
    assert repr(module(2)) == f"{module.__name__}((2, 2))"
    with pytest.raises(ValueError, match=f"{module.__name__}: kernel_size"):
        module(0)
