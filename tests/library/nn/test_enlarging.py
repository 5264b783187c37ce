"""Transposed convolution and repeated pixels against PyTorch and the transpose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.check import gradcheck, gradgradcheck
from autograd_lib.engine import Tensor
from autograd_lib.nn.convolution import conv2d
from autograd_lib.nn.enlarging import ConvTranspose2d, Upsample, conv_transpose2d
from tests.library.operations.case import normal

X, W, B = normal(2, 3, 4, 5), normal(3, 2, 3, 2), normal(2)
GRID: list[Any] = [
    (),
    (2,),
    (2, 1),
    (2, 1, 1),
    ((3, 2), (0, 1), (2, 1)),
    (3, 0, (0, 2)),
]


@pytest.mark.parametrize("steps", GRID)
def test_it_is_the_transposed_map_of_the_convolution(steps: Any) -> None:
    y = conv_transpose2d(X, W, None, *steps)
    images = normal(*y.shape)
    outputs = conv2d(images, W, None, *steps[:2])
    assert outputs.shape == X.shape
    np.testing.assert_allclose((y * images).sum().data, (outputs * X).sum().data)


@pytest.mark.parametrize("steps", GRID)
def test_pytorch_agrees(steps: Any) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    mine = [Tensor(a, True) for a in (X, W, B)]
    its = [torch.tensor(a, requires_grad=True) for a in (X, W, B)]
    y = conv_transpose2d(*mine, *steps)
    z = torch.nn.functional.conv_transpose2d(*its, *steps)
    np.testing.assert_allclose(y.data, z.detach().numpy(), rtol=1e-10, atol=1e-12)
    weights = normal(*y.shape)
    (y * weights).sum().backward()
    (z * torch.from_numpy(weights)).sum().backward()
    for a, b in zip(mine, its, strict=True):
        np.testing.assert_allclose(a.grad.data, b.grad, rtol=1e-10, atol=1e-12)


def test_derivatives_are_those_of_differences() -> None:
    def f(x: Any, w: Any, b: Any) -> Tensor:
        return conv_transpose2d(x, w, b, 2, 1, 1)

    assert gradcheck(f, X[:1, :, :2, :3], W, B)
    assert gradgradcheck(f, X[:1, :2, :2, :2], W[:2, :1], B[:1])


def test_layers_are_pytorchs() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    ours = ConvTranspose2d(3, 2, (3, 2), 2, 1, 1, rng=0)
    theirs = torch.nn.ConvTranspose2d(3, 2, (3, 2), 2, 1, 1)
    assert repr(ours).startswith("ConvTranspose2d(3, 2, (3, 2), stride=(2, 2)")
    bound = 1 / np.sqrt(2 * 3 * 2)
    for p in (*ours.parameters(), *theirs.parameters()):
        assert abs(p.detach().numpy()).max() <= bound
    state = {name: torch.tensor(a) for name, a in ours.state_dict().items()}
    theirs.load_state_dict(state)
    x = X.astype(np.float32)
    found = theirs(torch.tensor(x)).detach().numpy()
    np.testing.assert_allclose(ours(x).data, found, rtol=1e-4, atol=1e-6)
    for factor in (2, (1, 3)):
        y = Upsample(scale_factor=factor)(Tensor(x, True))
        z = torch.nn.Upsample(scale_factor=factor)(torch.tensor(x))
        np.testing.assert_array_equal(y.data, z)


def test_each_pixel_that_is_repeated_gets_the_sum() -> None:
    x = Tensor(X, True)
    Upsample(scale_factor=(2, 3))(x).sum().backward()
    np.testing.assert_array_equal(x.grad.data, np.full(X.shape, 6.0))
    assert ConvTranspose2d(3, 2, 2, bias=False, dtype=float)(X).shape == (2, 2, 5, 6)


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda: conv_transpose2d(X, W[:2]), ValueError, r"filters \(C, outputs, height"),
    (lambda: conv_transpose2d(X[0], W), ValueError, "input of shape .* and weight"),
    (lambda: conv_transpose2d(X, W, B[:1]), ValueError, "does not fit 2 outputs"),
    (lambda: conv_transpose2d(X, W, B, 2, 0, 2), ValueError, "must be below stride=2"),
    (lambda: conv_transpose2d(X, W, B, 1, 9), ValueError, "they need a pixel"),
    (lambda: conv_transpose2d(X, W, B, 0.5), TypeError, "stride is a whole number"),
    (lambda: ConvTranspose2d(4, 2, 3)(X), ValueError, r"needs images of shape \(N, 4,"),
    (lambda: Upsample(scale_factor=1.5), TypeError, "scale_factor is a whole number"),
    (lambda: Upsample(scale_factor=2, mode="bilinear"), ValueError, 'mode is "nearest'),
    (lambda: Upsample(scale_factor=2)(X[0]), ValueError, "needs images of shape"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), REFUSED)
def test_what_is_wrong_is_named(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()
