"""Cases of `ops/error_function.py`."""

from __future__ import annotations

import numpy as np

from autograd_lib.engine.ops.error_function import erf
from tests.library.operations.case import Case, normal
from tests.library.operations.elementwise import elementwise

CASES = [
    *elementwise(
        "ops.error_function.erf", erf, normal(3, 4), torch="erf", method="erf"
    ),
    Case(
        "ops.error_function.erf",
        "in both intervals and beyond",
        erf,
        (np.array([-9.0, -4.5, -2.0, -0.47, -0.46, 0.0, 0.2, 0.5, 3.9, 6.5]),),
        torch=lambda x: x.erf(),
    ),
]
