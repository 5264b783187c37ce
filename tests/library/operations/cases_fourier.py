"""Cases of `ops/fourier.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

CASES: list[Case] = [
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
]
