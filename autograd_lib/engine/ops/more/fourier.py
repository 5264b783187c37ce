"""Fourier transforms (chapter 10).

A transform is linear, and its matrix symmetric: the element for place j and frequency k
has the angle 2πjk/n. So the transpose of a transform is the same transform. The rest of
a rule undoes truncation and zero padding. Transforms along several axes are done one
after the other, as in NumPy.

The transform of real numbers omits half of the frequencies, which are the conjugates of
the others. Its rule pads the gradient with zeros and applies the full transform; the
engine takes the real part, as for every real input. In the inverse from half of the
frequencies, each except the first, and the middle one of an even number, stands for
itself and its conjugate, so its weight in the real part is 2.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation, refuse_out
from autograd_lib.engine.ops.axes import (
    Axis,
    as_tensor,
    named_axes,
    on_axis,
    one_axis,
    wrong_axis,
)
from autograd_lib.engine.ops.complex_parts import conjugate
from autograd_lib.engine.ops.copies import astype
from autograd_lib.engine.ops.rearranging import roll
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor

Transform = Callable[..., Tensor]
Shape = Sequence[int] | None
Axes = Sequence[int] | None
OTHER_WAY = {None: "forward", "backward": "forward", "forward": "backward"}


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
    """Return the elements with the middle one first: the inverse of `fftshift`.

    Raises:
        AxisError: if an axis is out of range, or named twice.
    """
    t = as_tensor(x)
    places = named_axes("ifftshift", axes, t.shape)
    return roll(t, tuple(-(t.shape[i] // 2) for i in places), places)


@operation(np.fft.fft)
def fft(
    a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
) -> Tensor:
    """Return the discrete Fourier transform along an axis, as complex numbers.

    Args:
        a: a tensor or an array.
        n: the length to which the axis is truncated or padded with zeros.
        axis: the axis.
        norm: the divisor, as in NumPy: "backward", the default, for 1, "ortho" for √n,
            "forward" for n.
        out: must be None.

    Raises:
        AxisError: if the axis is out of range.
        TypeError: if there is an `out`.
        ValueError: if n is not positive, or `norm` is unknown.
    """
    return transformed(np.fft.fft, vjp_places, a, n, axis, norm, out)


@operation(np.fft.ifft)
def ifft(
    a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
) -> Tensor:
    """Return the inverse of `fft`, with the same arguments.

    Here "backward" divides by n, and "forward" by 1.
    """
    return transformed(np.fft.ifft, vjp_frequencies, a, n, axis, norm, out)


@operation(np.fft.rfft)
def rfft(
    a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
) -> Tensor:
    """Return the first n//2 + 1 numbers of `fft`, for real numbers; same arguments."""
    return transformed(np.fft.rfft, from_half, a, n, axis, norm, out)


@operation(np.fft.irfft)
def irfft(
    a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
) -> Tensor:
    """Return n real numbers, the inverse of `rfft`; by default n is even."""
    t = as_tensor(a)
    if t.dtype.kind != "c":  # the slopes of real numbers are those of complex ones
        t = astype(t, np.result_type(t.dtype, np.complex64))
    if n is None and t.ndim:
        n = 2 * (t.shape[one_axis("irfft", axis, t.shape)] - 1)
    return transformed(np.fft.irfft, vjp_half, t, n, axis, norm, out)


def transformed(
    function: Any, rule: Any, a: Any, n: Any, axis: int, norm: Any, out: Any
) -> Tensor:
    """Return the transform of a tensor, with its rule."""
    name, t = function.__name__, as_tensor(a)
    if out is not None:
        refuse_out(f"fft.{name}")
    axis = one_axis(name, axis, t.shape)
    n = t.shape[axis] if n is None else operator.index(n)
    y = function(t._array, n, axis, norm)
    return result(y, t, rule, (t.shape[axis], n, axis, norm), function)


@rule("linear", lambda t, to: np.fft.fft(t, *to[1:]), complex=True)
def vjp_places(g: Any, saved: Any) -> Any:
    """ā = F·ȳ for y = F·a."""
    length, n, axis, norm = saved
    return resized(np.fft.fft(g, n, axis, norm), length, axis)


@rule("linear", lambda t, to: np.fft.ifft(t, *to[1:]), complex=True)
def vjp_frequencies(g: Any, saved: Any) -> Any:
    """ā = F·ȳ for y = F·a, where F is the inverse transform."""
    length, n, axis, norm = saved
    return resized(np.fft.ifft(g, n, axis, norm), length, axis)


@rule("linear", lambda t, to: np.fft.rfft(t, *to[1:]), complex=True)
def from_half(g: Any, saved: Any) -> Any:
    """ā = Re(F·ȳ), with zeros in ȳ for the omitted half; the engine takes Re."""
    length, n, axis, norm = saved
    return resized(np.fft.fft(g, n, axis, norm), length, axis)


@rule("linear", lambda t, to: np.fft.irfft(t, *to[1:]), complex=True)
def vjp_half(g: Any, saved: Any) -> Any:
    """ā = w·F·ȳ, with w = 2 for a frequency that stands for two, else 1."""
    length, n, axis, norm = saved
    half = resized(np.fft.ifft(g, n, axis, norm), n // 2 + 1, axis)
    weights = numpy().full(n // 2 + 1, 2.0, g.dtype)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    weights = weights.reshape((-1,) + (1,) * (g.ndim - axis - 1))
    return resized(half * weights, length, axis)


def resized(x: Any, length: int, axis: int) -> Any:
    """Return x with an axis truncated to a length, or padded with zeros."""
    missing = length - x.shape[axis]
    if missing <= 0:
        return x[on_axis(axis, slice(length))] if missing else x
    widths = [(0, missing if i == axis else 0) for i in range(x.ndim)]
    return np.pad(x, widths)


def lengths_and_axes(
    name: str, t: Tensor, s: Shape, axes: Axes, half: bool
) -> list[Any]:
    """Return the length and the axis of each transform.

    Args:
        name: the function that the user called.
        t: the tensor to transform.
        s: the lengths; by default, or for -1, those of the axes.
        axes: the axes, by default all, or the last ones if there are lengths.
        half: whether the last axis has only half of the frequencies.

    Raises:
        AxisError: if an axis is out of range.
        TypeError: if the axes are not whole numbers in a list.
        ValueError: if the numbers of lengths and axes differ.
    """
    if axes is None:
        axes = range(-len(s), 0) if s is not None else range(t.ndim)
    if not isinstance(axes, tuple | list | range | np.ndarray):
        raise TypeError(f"{name}: axes is a list of axes, got {axes!r:.60}")
    places = [one_axis(name, axis, t.shape) for axis in axes]
    lengths = [t.shape[a] for a in places]
    if s is None and half and lengths:
        lengths[-1] = 2 * (lengths[-1] - 1)
    if s is not None and len(s) != len(places):
        raise ValueError(
            f"{name}: s has {len(s)} lengths and axes {len(places)} axes; they "
            "must be as many"
        )
    if s is not None:
        lengths = [old if n == -1 else n for n, old in zip(s, lengths, strict=True)]
    return list(zip(lengths, places, strict=True))


def along_several(function: Any, one: Transform, last: Transform | None) -> Transform:
    """Return a transform along several axes.

    Args:
        function: NumPy's function, for the last two axes if its name ends with 2, else
            for all.
        one: the transform along one axis.
        last: the transform along the last axis, if that differs: it is done first, or
            last if the result is real.
    """
    name = function.__name__
    usual: Axes = (-2, -1) if name.endswith("2") else None

    def transform(
        a: Any, s: Shape = None, axes: Axes = usual, norm: Any = None, out: Any = None
    ) -> Tensor:
        t = as_tensor(a)
        places = lengths_and_axes(name, t, s, axes, last is irfft)
        todo = [(one, *to) for to in places][::-1]
        if todo and last is not None:
            todo[0] = (last, *todo[0][1:])
        if last is irfft:
            todo = [*todo[:0:-1], *todo[:1]]
        if last is not None and not places:
            raise wrong_axis(name, axes, t.shape)
        if out is not None:
            refuse_out(f"fft.{name}")
        for f, n, axis in todo:
            t = f(t, n, axis, norm)
        return t

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"Return numpy.fft.{name}, along one axis after the other."
    return transform


for several, one, last in (
    *((f, fft, None) for f in (np.fft.fft2, np.fft.fftn)),
    *((f, ifft, None) for f in (np.fft.ifft2, np.fft.ifftn)),
    *((f, fft, rfft) for f in (np.fft.rfft2, np.fft.rfftn)),
    *((f, ifft, irfft) for f in (np.fft.irfft2, np.fft.irfftn)),
):
    operation(several)(along_several(several, one, last))


@operation(np.fft.hfft)
def hfft(
    a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
) -> Tensor:
    """Return n real numbers: `fft` of Hermitian numbers, whose first half is `a`."""
    return irfft(conjugate(as_tensor(a)), n, axis, OTHER_WAY.get(norm, norm), out)


@operation(np.fft.ihfft)
def ihfft(
    a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
) -> Tensor:
    """Return the inverse of `hfft`: n//2 + 1 numbers, for real numbers."""
    return conjugate(rfft(a, n, axis, OTHER_WAY.get(norm, norm), out))
