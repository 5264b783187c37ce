"""Cases of `ops/complex_parts.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X, PAIR = normal(2, 3), (normal(2, 3), normal(2, 3, seed=1))


def of_two(f: Any) -> Any:
    """Return a function of the complex numbers with these parts."""
    return lambda x, y: f(x + 1j * y)


def of_two_in_torch(f: Any) -> Any:
    """Do the same with PyTorch."""
    return lambda x, y: f(torch.function("complex")(x, y))


def turned(y: Any) -> Any:
    """Return the real part of complex numbers times one of them."""
    return (y * (2.0 - 1j)).real


# A complex step goes along the imaginary part, which these take away.
CASES: list[Case] = [
    *(
        case
        for name, about, f in (
            ("numpy.real", "a matrix", np.real),
            ("numpy.real", "property", lambda x: x.real),
            ("numpy.conjugate", "a matrix", np.conj),
            ("Tensor.conj", "a matrix", lambda x: x.conj()),
            ("numpy.real_if_close", "a matrix", np.real_if_close),
        )
        for case in linear(
            name, about, f, X, torch=torch.function("real"), complex_step=False
        )
    ),
    *(
        Case(
            name,
            "of complex numbers",
            of_two(f),
            PAIR,
            torch=of_two_in_torch(theirs),
            complex_step=False,
            twice=twice,
        )
        for name, f, theirs, twice in (
            ("numpy.real", np.real, torch.function("real"), False),
            ("numpy.imag", np.imag, torch.function("imag"), False),
            ("numpy.angle", np.angle, torch.function("angle"), True),
            ("numpy.absolute", np.abs, torch.function("abs"), True),
            (
                "numpy.conjugate",
                lambda z: turned(np.conj(z)),
                lambda z: turned(torch.function("conj")(z)),
                False,
            ),
            (
                "numpy.sign",
                lambda z: turned(np.sign(z)),
                lambda z: turned(torch.function("sgn")(z)),
                True,
            ),
        )
    ),
]
