"""Cases of `ops/complex_parts.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X = normal(2, 3)


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
]
