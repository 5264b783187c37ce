"""Cases of `ops/degrees.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations.case import Case, normal
from tests.library.operations.elementwise import elementwise

A = normal(3, 4)

CASES: list[Case] = []
for name in ("deg2rad", "rad2deg"):
    f = getattr(np, name)
    CASES += elementwise(
        f"numpy.{name}", f, A, torch=name, complex_step=False, twice=False
    )
    CASES.append(
        Case(
            f"numpy.{name}",
            "squared",
            lambda x, f=f: f(x) * f(x),
            (A,),
            torch=lambda x, name=name: getattr(x, name)() ** 2,
            complex_step=False,
        )
    )
