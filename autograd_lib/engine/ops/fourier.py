"""Fourier transforms: what of them is real (chapter 13).

Moving the frequency 0 to the middle and back is a matter of places, and has a gradient.
The transforms themselves work on complex numbers, and rules are for real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import Axis, as_tensor, named_axes, needs_gradient
from autograd_lib.engine.ops.rearranging import roll
from autograd_lib.engine.record import operation
from autograd_lib.engine.tensor import Tensor, constant

COMPLEX: tuple[Any, ...] = (
    *(np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn),
    *(np.fft.rfft, np.fft.irfft, np.fft.rfft2, np.fft.irfft2),
    *(np.fft.rfftn, np.fft.irfftn, np.fft.hfft, np.fft.ihfft),
)


@operation(np.fft.fftshift)
def fftshift(x: Any, axes: Axis = None) -> Tensor:
    """Return the elements with the first in the middle, along all axes or those given.

    Raises:
        AxisError: if an axis is out of range, or named twice.
    """
    t = as_tensor(x)
    places = named_axes("fftshift", axes, t.shape)
    return roll(t, tuple(t.shape[i] // 2 for i in places), places)


@operation(np.fft.ifftshift)
def ifftshift(x: Any, axes: Axis = None) -> Tensor:
    """Return the elements with the middle one first: the way back from `fftshift`.

    Raises:
        AxisError: if an axis is out of range, or named twice.
    """
    t = as_tensor(x)
    places = named_axes("ifftshift", axes, t.shape)
    return roll(t, tuple(-(t.shape[i] // 2) for i in places), places)


def of_constants(function: Any) -> Callable[..., Tensor]:
    """Return a transform that takes tensors, if they need no gradient."""

    def transform(a: Any, *more: Any, **options: Any) -> Tensor:
        if isinstance(a, Tensor) and needs_gradient(a):
            raise TypeError(
                f"numpy.fft.{function.__name__}: a, of shape {a.shape}, needs a "
                "gradient; the transform works on complex numbers, and rules are for "
                "real ones. With angle = 2*np.pi*np.outer(k, n)/len(a) for integers k "
                "and n, np.cos(angle) @ a and -np.sin(angle) @ a are the real and the "
                "imaginary part; a.detach() is a constant"
            )
        return constant(np.asarray(function(array_of(a), *more, **options)))

    transform.__name__ = transform.__qualname__ = function.__name__
    transform.__doc__ = f"Return what numpy.fft.{function.__name__} returns."
    return transform


for function in COMPLEX:
    operation(function)(of_constants(function))
