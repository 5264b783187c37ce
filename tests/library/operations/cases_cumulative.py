"""Cases of `ops/cumulative.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal, positive
from tests.library.operations.forms import linear

X, V = normal(2, 3, 4), normal(5)
ZEROS = positive(2, 7)
ZEROS[0, 3] = ZEROS[1, 0] = ZEROS[1, 4] = 0.0


def products(name: str, f: object, x: np.ndarray, theirs: object) -> Case:
    return Case("numpy.cumprod", name, f, (x,), torch=theirs)  # type: ignore[arg-type]


CASES: list[Case] = [
    *(
        case
        for name, f, theirs in [
            ("all", np.cumsum, lambda x: x.flatten().cumsum(0)),
            ("axis 0", lambda x: np.cumsum(x, axis=0), lambda x: x.cumsum(0)),
            ("axis -1", lambda x: np.cumsum(x, axis=-1), lambda x: x.cumsum(-1)),
            ("method, axis 1", lambda x: x.cumsum(axis=1), lambda x: x.cumsum(1)),
        ]
        for case in linear("numpy.cumsum", name, f, X, torch=theirs)
    ),
    *linear(
        "numpy.cumsum",
        "of shape ()",
        np.cumsum,
        normal(),
        torch=lambda x: x.reshape(1).cumsum(0),
    ),
    products("all", np.cumprod, X, lambda x: x.flatten().cumprod(0)),
    products("axis 0", lambda x: np.cumprod(x, axis=0), X, lambda x: x.cumprod(0)),
    products("axis -1", lambda x: np.cumprod(x, axis=-1), X, lambda x: x.cumprod(-1)),
    products("method, axis 1", lambda x: x.cumprod(axis=1), X, lambda x: x.cumprod(1)),
    products("zeros", lambda x: x.cumprod(1), ZEROS, lambda x: x.cumprod(1)),
    products("zeros, axis 0", lambda x: x.cumprod(0), ZEROS, lambda x: x.cumprod(0)),
    products("zeros, all", np.cumprod, ZEROS, lambda x: x.flatten().cumprod(0)),
    products("zeros only", np.cumprod, np.zeros(4), lambda x: x.cumprod(0)),
    *(
        case
        for name, f, theirs in [
            ("the last axis", np.diff, lambda x: torch.diff(x)),
            ("axis 0", lambda x: np.diff(x, axis=0), lambda x: torch.diff(x, dim=0)),
            ("twice", lambda x: np.diff(x, n=2), lambda x: torch.diff(x, n=2)),
            ("no times", lambda x: np.diff(x, n=0), lambda x: x),
            (
                "more often than there are elements",
                lambda x: np.diff(x, n=4, axis=0),
                lambda x: torch.diff(x, n=4, dim=0),
            ),
            (
                "numbers before and after",
                lambda x: np.diff(x, prepend=0.0, append=1.0),
                lambda x: torch.diff(
                    x,
                    prepend=torch.zeros(2, 3, 1).to(x),
                    append=torch.ones(2, 3, 1).to(x),
                ),
            ),
        ]
        for case in linear("numpy.diff", name, f, X, torch=theirs)
    ),
    *linear(
        "numpy.diff",
        "tensors before and after",
        lambda x, a, b: np.diff(x, axis=0, prepend=a, append=b),
        V,
        normal(2, seed=1),
        normal(),
        torch=lambda x, a, b: torch.diff(x, prepend=a, append=b.reshape(1)),
    ),
]
for begin in (False, True) if hasattr(np, "cumulative_sum") else ():  # since NumPy 2.1
    CASES += linear(
        "numpy.cumulative_sum",
        f"axis=1, include_initial={begin}",
        lambda x, begin=begin: np.cumulative_sum(x, axis=1, include_initial=begin),
        X,
        torch=lambda x, begin=begin: torch.cat(
            [torch.zeros(2, int(begin), 4).to(x), x.cumsum(1)], 1
        ),
    )
    CASES.append(
        Case(
            "numpy.cumulative_prod",
            f"a row, include_initial={begin}",
            lambda x, begin=begin: np.cumulative_prod(x, include_initial=begin),
            (V,),
            torch=lambda x, begin=begin: torch.cat(
                [torch.ones(int(begin)).to(x), x.cumprod(0)]
            ),
        )
    )
