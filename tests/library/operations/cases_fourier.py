"""Cases of `ops/fourier.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

A, B, CUBE = normal(5), normal(4, 6), normal(3, 4, 5)


def real_and_imag(y: Any) -> Any:
    """Return the real parts and the imaginary ones of a complex result."""
    return np.concatenate([y.real.reshape(-1), y.imag.reshape(-1)])


def torch_parts(y: Any) -> Any:
    """Do the same with PyTorch."""
    return torch.function("cat")([y.real.reshape(-1), y.imag.reshape(-1)])


def of_pairs(x: Any, **to: Any) -> Any:
    """Return complex numbers from two halves, along the first axis."""
    n = len(x) // 2
    return x[:n] + 1j * x[n:]


def transform(
    name: str,
    about: str,
    x: np.ndarray,
    numpy_options: dict[str, Any],
    torch_options: dict[str, Any] | None = None,
    of_complex: bool = False,
) -> list[Case]:
    """Return cases of a transform of real numbers, or of complex ones made of them."""
    given: Callable[[Any], Any] = of_pairs if of_complex else lambda x: x
    real = name in ("irfft", "irfft2", "irfftn", "hfft")
    ours, theirs = (lambda y: y, lambda y: y) if real else (real_and_imag, torch_parts)
    options = numpy_options if torch_options is None else torch_options
    return linear(
        f"numpy.fft.{name}",
        about,
        lambda x: ours(getattr(np.fft, name)(given(x), **numpy_options)),
        x,
        torch=lambda x: theirs(torch.function(f"fft.{name}")(given(x), **options)),
        complex_step=False,  # which would be an imaginary part itself
    )


CASES: list[Case] = [
    *(
        case
        for name in ("fftshift", "ifftshift")
        for about, axes, x in (
            ("of even length", None, normal(4)),
            ("of odd length", None, normal(5)),
            ("all axes", None, normal(3, 4)),
            ("one axis", -1, normal(2, 3)),
            ("two axes", (0, 2), normal(3, 2, 5)),
            ("of none", None, normal(0)),
        )
        for case in linear(
            f"numpy.fft.{name}",
            about,
            lambda x, name=name, axes=axes: getattr(np.fft, name)(x, axes),
            x,
            torch=lambda x, name=name, axes=axes: getattr(torch.fft, name)(x, axes),
        )
    ),
    *(
        case
        for name in ("fft", "ifft", "rfft", "ihfft")
        for case in (
            *transform(name, "a row", A, {}),
            *transform(name, "cut", B, {"n": 3, "axis": 0}, {"n": 3, "dim": 0}),
            *transform(name, "filled up", B, {"n": 9, "norm": "ortho"}),
            *transform(name, "forward, an even number", B, {"norm": "forward"}),
        )
    ),
    *(
        case
        for name in ("fft", "ifft", "irfft", "hfft")
        for case in (
            *transform(name, "complex", B, {}, of_complex=True),
            *transform(
                name, "complex, odd", B, {"n": 5, "norm": "ortho"}, of_complex=True
            ),
            *transform(
                name,
                "complex, filled up, an axis",
                B,
                {"n": 8, "axis": 0},
                {"n": 8, "dim": 0},
                of_complex=True,
            ),
        )
    ),
    *(
        case
        for name in ("irfft", "hfft")
        for case in transform(name, "of reals", B, {"norm": "forward"})
    ),
    *(
        case
        for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn")
        for case in (
            *transform(name, "three axes", CUBE, {}),
            *transform(
                name,
                "two lengths",
                CUBE,
                {"s": (5, 2), "axes": (0, 2)},
                {"s": (5, 2), "dim": (0, 2)},
            ),
        )
    ),
    *(
        case
        for name in ("irfft2", "irfftn")
        for case in (
            *transform(name, "three axes", normal(4, 3, 4), {}, of_complex=True),
            *transform(
                name,
                "two lengths",
                normal(4, 3, 4),
                {"s": (3, 5), "axes": (0, 2), "norm": "ortho"},
                {"s": (3, 5), "dim": (0, 2), "norm": "ortho"},
                of_complex=True,
            ),
        )
    ),
]
