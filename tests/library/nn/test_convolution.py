"""Convolution against loops, differences and PyTorch, and what is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from autograd_lib.check import gradgradcheck
from autograd_lib.engine import Tensor, grad, no_grad
from autograd_lib.nn.convolution import Conv2d, conv2d
from autograd_lib.nn.layers import Flatten, Linear, ReLU, Sequential
from tests.library.operations.case import normal

# Stride, padding, dilation and groups: every pair of numbers, and different numbers
# for down and across.
GRID = [
    *product((1, 2, 3), (0, 1, 2), (1, 2), (1, 2)),
    ((1, 2), (2, 1), (2, 1), 2),
    ((3, 1), (0, 2), (1, 3), 4),
]
X, W, B = normal(3, 4, 8, 9), normal(8, 4, 3, 2), normal(8)


def filters(groups: int) -> np.ndarray:
    return W[:, : 4 // groups]


def by_loops(x: Any, w: Any, b: Any, steps: Any) -> np.ndarray:
    """Return what the definition says, one output at a time."""
    pairs = ((n, n) if isinstance(n, int) else n for n in steps[:3])
    (s, t), (p, q), (d, e) = pairs
    groups = steps[3]
    x = np.pad(x, [(0, 0), (0, 0), (p, p), (q, q)])
    outputs, channels, rows, columns = w.shape
    high = (x.shape[2] - d * (rows - 1) - 1) // s + 1
    wide = (x.shape[3] - e * (columns - 1) - 1) // t + 1
    y = np.zeros((len(x), outputs, high, wide))
    for n, o, i, j in np.ndindex(y.shape):
        first = o // (outputs // groups) * channels
        for c, k, m in np.ndindex(w.shape[1:]):
            pixel = x[n, first + c, s * i + d * k, t * j + e * m]
            y[n, o, i, j] += pixel * w[o, c, k, m]
    return y + b[:, None, None]


@pytest.mark.parametrize("steps", GRID)
def test_outputs_are_those_of_loops(steps: Any) -> None:
    w = filters(steps[3])
    np.testing.assert_allclose(conv2d(X, w, B, *steps).data, by_loops(X, w, B, steps))


@pytest.mark.parametrize(
    "steps",
    [
        *(GRID[7], GRID[-12], GRID[-1]),
        *(pytest.param(GRID[i], marks=pytest.mark.exhaustive) for i in (0, -2)),
    ],
)
def test_derivatives_are_those_of_differences(steps: Any) -> None:
    def f(x: Any, w: Any, b: Any) -> Tensor:
        return conv2d(x, w, b, *steps)

    w = filters(steps[3])[:4, :, :2]
    gradgradcheck(f, X[:2, :, :5, :6], w, B[:4])


def gradients(module: Any, f: Any, *inputs: Any) -> list[np.ndarray]:
    """Return result, first and second derivatives, all as arrays."""
    y = f(*inputs)
    u = np.cos(np.arange(np.prod(tuple(y.shape))).reshape(tuple(y.shape)))
    u = u.astype(np.asarray(y.detach()).dtype if module is not None else y.dtype)
    own = module is None
    u = Tensor(u) if own else module.tensor(u)
    grads = grad if own else module.autograd.grad
    firsts = grads((y * y * u).sum(), inputs, create_graph=True)
    total = sum((g * g).sum() for g in firsts)
    seconds = grads(total, inputs)
    return [np.asarray(t.detach().numpy()) for t in (y, *firsts, *seconds)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("steps", GRID)
def test_pytorch_agrees_to_the_second_derivative(steps: Any, dtype: Any) -> None:
    torch = pytest.importorskip("torch")
    inputs = [a.astype(dtype) for a in (X, filters(steps[3]), B)]
    ours = gradients(
        None,
        lambda x, w, b: conv2d(x, w, b, *steps),
        *(Tensor(a, requires_grad=True) for a in inputs),
    )
    theirs = gradients(
        torch,
        lambda x, w, b: torch.nn.functional.conv2d(x, w, b, *steps),
        *(torch.tensor(a, requires_grad=True) for a in inputs),
    )
    # Sums of some hundred products of products, relative to the largest of them.
    tolerance = 1e-12 if dtype is np.float64 else 1e-5
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == dtype
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * np.abs(b).max())


def test_the_three_maps_are_one_number() -> None:
    """⟨y, conv(x, w)⟩ = ⟨x, its x-gradient⟩ = ⟨w, its w-gradient⟩."""
    x, w = (Tensor(a, requires_grad=True) for a in (X, W))
    y = conv2d(x, w, None, 2, 1)
    u = normal(*y.shape)
    to_x, to_w = grad(y, (x, w), u)
    numbers = [(y.data * u).sum(), (X * to_x.data).sum(), (W * to_w.data).sum()]
    np.testing.assert_allclose(numbers, numbers[0])


def test_it_is_one_node_and_float32_stays() -> None:
    x, w, b = (Tensor(a, True, np.float32) for a in (X, W, B))
    y = conv2d(x, w, b)
    assert set(y.node.parents) == {x.node, w.node, b.node}
    y.sum().backward()
    assert {t.dtype for t in (y, x.grad, w.grad, b.grad)} == {np.dtype(np.float32)}


def test_a_layout_in_memory_changes_nothing() -> None:
    other = np.asfortranarray(X)
    other.flags.writeable = False
    np.testing.assert_array_equal(conv2d(other, W).data, conv2d(X, W).data)
    same = conv2d(conv2d(X, W), np.ones((1, 8, 1, 1)))
    again = conv2d(np.ascontiguousarray(conv2d(X, W).data), np.ones((1, 8, 1, 1)))
    np.testing.assert_allclose(same.data, again.data)


def test_a_write_into_what_was_saved_is_noticed() -> None:
    w = Tensor(W, requires_grad=True)
    for size in (1, 2):  # a filter of one pixel sees a view of the images
        x = Tensor(X)
        y = conv2d(x, w[:, :, :size, :size])
        x[0] = 0.0
        with pytest.raises(RuntimeError, match="written"):
            y.sum().backward()


def test_no_images_give_no_outputs_and_no_gradient() -> None:
    w = Tensor(W, requires_grad=True)
    y = conv2d(np.zeros((0, 4, 8, 9)), w)
    assert y.shape == (0, 8, 6, 8)
    y.sum().backward()
    np.testing.assert_array_equal(w.grad.data, np.zeros_like(W))


def test_lists_and_numpys_numbers_are_taken() -> None:
    expected = conv2d(X, W, None, (1, 2), 1).data
    got = conv2d(X, W, None, [1, 2], np.int64(1)).data  # type: ignore[list-item]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("x", "w", "options", "message"),
    [
        ((4, 8, 9), (8, 4, 3, 3), {}, r"\(4, 8, 9\).*a single image is x\[None\]"),
        ((3, 4, 8, 9), (8, 4, 3), {}, r"weight of shape \(8, 4, 3\)"),
        ((3, 5, 8, 9), (8, 4, 3, 3), {}, "has 5 channels.*looks at 4"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"groups": 2}, "groups=2 looks at 8"),
        ((3, 4, 8, 9), (8, 2, 3, 3), {"groups": 3}, "divides the 8 outputs.*got 3"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"groups": 0}, "got 0"),
        ((3, 4, 2, 9), (8, 4, 3, 3), {}, "3×3 .* more than an image of 2×9"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"dilation": 4}, "covers 9×9 pixels"),
        ((3, 4, 8, 9), (8, 4, 0, 3), {}, "size of a window .* at least 1"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"stride": 0}, "stride .* at least 1.*got 0"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"padding": -1}, "padding .* at least 0"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"stride": (1, 2, 3)}, "or two for height"),
        ((3, 4, 8, 9), (8, 4, 3, 3), {"bias": np.ones(4)}, r"bias of shape \(4,\)"),
    ],
)
def test_what_does_not_fit_is_named(x: Any, w: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"conv2d: .*{message}"):
        conv2d(np.ones(x), np.ones(w), **options)


@pytest.mark.parametrize("option", ["stride", "padding", "dilation"])
@pytest.mark.parametrize("value", [1.0, "same", None, (1, 0.5)])
def test_numbers_that_are_not_whole_are_refused(option: str, value: Any) -> None:
    conv2d(X, W)  # the same with whole numbers, which is remembered
    with pytest.raises(TypeError, match=f"conv2d: {option} is a whole number"):
        conv2d(X, W, **{option: value})


def test_a_layer_begins_as_pytorchs_and_names_its_shapes() -> None:
    layer = Conv2d(4, 8, (3, 2), stride=2, groups=2, rng=0)
    assert (layer.weight.shape, layer.bias.shape) == ((8, 2, 3, 2), (8,))
    assert 0.27 < np.abs(layer.weight.data).max() <= 1 / np.sqrt(2 * 3 * 2)
    assert layer.weight.dtype == np.float32
    x = X.astype(np.float32)
    np.testing.assert_array_equal(
        layer(x).data, conv2d(x, layer.weight, layer.bias, 2, groups=2).data
    )
    assert repr(layer).startswith("Conv2d(4, 8, (3, 2), stride=(2, 2), groups=2): 104")
    assert list(Conv2d(1, 1, 3, bias=False).state_dict()) == ["weight"]


def test_pytorchs_layer_with_the_same_weights_agrees() -> None:
    torch = pytest.importorskip("torch")
    ours = Conv2d(4, 8, 3, 2, 1, 1, 2, rng=0, dtype=np.float64)
    theirs = torch.nn.Conv2d(4, 8, 3, 2, 1, 1, 2, dtype=torch.float64)
    state = {k: torch.tensor(v) for k, v in ours.state_dict().items()}
    theirs.load_state_dict(state)
    found = theirs(torch.tensor(X)).detach().numpy()
    np.testing.assert_allclose(ours(X).data, found, atol=1e-13)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((5, 8, 8), r"got shape \(5, 8, 8\); x\[:, None\] gives"),
        ((5, 3, 8, 8), r"make it Conv2d\(3, 2, …\)"),
        ((), r"got shape \(\)"),
    ],
)
def test_a_layer_says_which_images_it_needs(shape: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"Conv2d\(1, 2, \(3, 3\)\): .*" + message):
        Conv2d(1, 2, 3, rng=0)(np.zeros(shape))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0, 1, 3), ValueError),
        ((1, 1.0, 3), TypeError),
        ((1, 1, 0), ValueError),
        ((1, 1, 3, 0), ValueError),
        ((3, 4, 3, 1, 0, 1, 2), ValueError),
    ],
)
def test_a_layer_refuses_sizes_that_cannot_be(arguments: Any, error: Any) -> None:
    with pytest.raises(error, match="Conv2d"):
        Conv2d(*arguments)


def test_a_small_network_learns_where_a_line_is() -> None:
    rng = np.random.default_rng(0)
    upright = rng.integers(0, 2, 64)
    x = np.zeros((64, 1, 6, 6), np.float32)
    for image, stands, at in zip(x, upright, rng.integers(0, 6, 64), strict=True):
        image[0][(slice(None), at) if stands else at] = 1.0
    model = Sequential(Conv2d(1, 4, 3, rng=0), ReLU(), Flatten(), Linear(64, 2, rng=0))
    for _ in range(200):
        model.zero_grad()
        model(x).cross_entropy(upright).backward()
        with no_grad():
            for p in model.parameters():
                p -= 0.3 * p.grad
    assert (model(x).data.argmax(axis=1) == upright).all()
