"""Cases of what is known at points: `ops/samples.py`, and a relative.

One is `ops/convolution.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X, V = normal(3, 4), normal(5)
PLACES = np.array([0.0, 0.7, 2.5, 3.0, 4.2])
BETWEEN = np.array([[-1.0, 0.3, 0.9], [2.6, 4.1, 5.0]])


def case(name: str, about: str, f: Any, xs: Any, theirs: Any, **options: Any) -> Case:
    return Case(f"numpy.{name}", about, f, xs, theirs, **options)


def interpolated(x: Any, xp: Any, fp: Any) -> Any:
    """Return PyTorch's way to the values between points."""
    i = (torch.searchsorted(xp.detach(), x.detach(), right=True) - 1).clamp(0, 3)
    y = fp[i] + (fp[i + 1] - fp[i]) * (x - xp[i]) / (xp[i + 1] - xp[i])
    y = torch.where(x < xp[0], fp[0], y)
    return torch.where(x > xp[-1], fp[-1], y)


def interp(*inputs: Any, **options: Any) -> Any:
    return np.interp(*inputs, **options).astype(inputs[0].dtype)


def convolved(mode: str) -> Any:
    """Return PyTorch's way to np.convolve."""

    def f(a: Any, v: Any) -> Any:
        n, m = len(a), len(v)
        full = torch.nn.functional.conv1d(
            a[None, None], v.flip(0)[None, None], padding=m - 1
        )[0, 0]
        length = {"full": n + m - 1, "same": max(n, m), "valid": abs(n - m) + 1}[mode]
        start = (n + m - 1 - length) // 2
        return full[start : start + length]

    return f


def correlated(a: Any, v: Any) -> Any:
    return torch.nn.functional.conv1d(a[None, None], v[None, None])[0, 0]


def slopes(x: Any, **options: Any) -> Any:
    return torch.stack(torch.gradient(x, **options))


DIFFERENCES = {"complex_step": False}

CASES: list[Case] = [
    case(
        "interp",
        "with respect to all",
        interp,
        (BETWEEN, PLACES, V),
        interpolated,
        **DIFFERENCES,
    ),
    case(
        "interp",
        "other values outside",
        lambda x, fp: interp(x, PLACES, fp, left=7.0, right=fp[2]),
        (BETWEEN, V),
        lambda x, fp: torch.where(
            x < 0.0,
            7.0,
            torch.where(
                x > 4.2, fp[2], interpolated(x, torch.tensor(PLACES).to(x), fp)
            ),
        ),
        **DIFFERENCES,
    ),
    case(
        "interp",
        "a period",
        lambda x, xp, fp: interp(x, xp, fp, period=5.0),
        (BETWEEN + 10.3, PLACES[[2, 0, 1]] + 0.2, V[:3]),
        None,
        why_no_torch="PyTorch has no interp, and what it would be made of is what this "
        "is made of",
        **DIFFERENCES,
    ),
    *linear(
        "numpy.trapezoid",
        "at equal distances",
        lambda y: np.trapezoid(y, dx=0.5),
        X,
        torch=lambda y: torch.trapezoid(y, dx=0.5),
    ),
    case(
        "trapezoid",
        "with respect to both",
        np.trapezoid,
        (X, normal(4)),
        lambda y, x: torch.trapezoid(y, x),
    ),
    case(
        "trapezoid",
        "axis=0",
        lambda y, x: np.trapezoid(y, x, axis=0),
        (X, normal(3)),
        lambda y, x: torch.trapezoid(y, x, dim=0),
    ),
    case(
        "trapezoid",
        "places of each",
        np.trapezoid,
        (X, normal(3, 4, seed=1)),
        lambda y, x: torch.trapezoid(y, x),
    ),
    *linear(
        "numpy.gradient",
        "a row",
        np.gradient,
        V,
        torch=lambda x: slopes(x)[0],
    ),
    *linear(
        "numpy.gradient",
        "both axes",
        lambda x: np.stack(np.gradient(x, 0.5, 2.0)),
        X,
        torch=lambda x: slopes(x, spacing=[0.5, 2.0]),
    ),
    *linear(
        "numpy.gradient",
        "one axis, better at the ends",
        lambda x: np.gradient(x, 0.5, axis=1, edge_order=2),
        X,
        torch=lambda x: slopes(x, spacing=0.5, dim=1, edge_order=2)[0],
    ),
    case(
        "gradient",
        "with respect to places",
        lambda x, y: np.gradient(y, x, edge_order=2),
        (PLACES, V),
        None,
        why_no_torch="PyTorch's slopes at places have no gradient for these",
    ),
    case(
        "polyval",
        "with respect to both",
        np.polyval,
        (V, X),
        lambda p, x: sum(p[i] * x ** (4 - i) for i in range(5)),
    ),
    case(
        "polyval",
        "numbers",
        lambda x: np.polyval([2.0, -1.0, 3.0], x).astype(x.dtype),
        (X,),
        lambda x: 2.0 * x * x - x + 3.0,
    ),
    *(
        case(
            "convolve",
            f"{mode}, {n} and {m}",
            lambda a, v, mode=mode: np.convolve(a, v, mode),
            (normal(n), normal(m, seed=1)),
            convolved(mode),
        )
        for mode in ("full", "same", "valid")
        for n, m in ((5, 3), (2, 5), (4, 4), (1, 1))
    ),
    case(
        "correlate",
        "valid",
        np.correlate,
        (normal(6), normal(3)),
        correlated,
        complex_step=False,  # it conjugates the second
    ),
    case(
        "correlate",
        "same, the longer second",
        lambda a, v: np.correlate(a, v, "same"),
        (normal(2), normal(5)),
        lambda a, v: convolved("same")(v, a.flip(0)).flip(0),
        complex_step=False,
    ),
]
