"""Cases of `ops/options.py`: reductions of a part, from a start, in another type."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal, positive, spread_out

X, P, S = normal(2, 3, 4), positive(2, 3, 4), spread_out(3, 4)
MASK = X > 0.0
COLUMN = np.array([[True], [False], [True]])
DIFFERENCES = {"complex_step": False}
NUMBER: Any = normal()


def without(x: Any, mask: np.ndarray, other: float) -> Any:
    """Return a tensor of PyTorch with another number where a mask does not hold."""
    return torch.where(torch.tensor(mask), x, x.new_tensor(other))


def spread_of_part(x: Any, mask: np.ndarray, dim: int, correction: int) -> Any:
    """Return PyTorch's way to the variance of a part."""
    m = torch.tensor(mask).to(x).broadcast_to(x.shape)
    n = m.sum(dim, keepdim=True)
    d = (x - (x * m).sum(dim, keepdim=True) / n) * m
    return (d * d).sum(dim) / (n.squeeze(dim) - correction)


def case(name: str, about: str, f: Any, x: Any, theirs: Any, **options: Any) -> Case:
    return Case(f"numpy.{name}", about, f, (x,), theirs, **options)


CASES: list[Case] = [
    case(
        "sum",
        "where, axis=1",
        lambda x: np.sum(x * x, axis=1, where=MASK),
        X,
        lambda x: without(x * x, MASK, 0.0).sum(1),
    ),
    case(
        "sum",
        "where, a mask that is broadcast, initial, keepdims",
        lambda x: (x * x).sum(axis=(0, 2), where=COLUMN, initial=3.0, keepdims=True),
        X,
        lambda x: without(x * x, COLUMN, 0.0).sum((0, 2), True) + 3.0,
    ),
    case(
        "prod",
        "where, initial",
        lambda x: np.prod(x, axis=-1, where=MASK, initial=2.0),
        P,
        lambda x: without(x, MASK, 1.0).prod(-1) * 2.0,
    ),
    case(
        "mean",
        "where, axis=-1",
        lambda x: np.mean(x * x, axis=-1, where=P > 0.9),
        X,
        lambda x: without(x * x, P > 0.9, 0.0).sum(-1) / torch.tensor(P > 0.9).sum(-1),
    ),
    case(
        "var",
        "where, correction=1",
        lambda x: np.var(x, axis=1, where=COLUMN, correction=1),
        X,
        lambda x: spread_of_part(x, COLUMN, 1, 1),
        **DIFFERENCES,
    ),
    case(
        "std",
        "where, method, keepdims",
        lambda x: x.std(axis=1, where=COLUMN, keepdims=True),
        X,
        lambda x: spread_of_part(x, COLUMN, 1, 0).sqrt().unsqueeze(1),
        **DIFFERENCES,
    ),
    case(
        "var",
        "from a mean that is given",
        lambda x: np.var(x, axis=1, mean=x.mean(axis=1, keepdims=True) * 2.0),
        X,
        lambda x: ((x - 2.0 * x.mean(1, keepdim=True)) ** 2).mean(1),
        **DIFFERENCES,
    ),
    case(
        "std",
        "correction=2",
        lambda x: np.std(x, axis=0, correction=2),
        S,
        lambda x: x.std(0, correction=2),
        **DIFFERENCES,
    ),
    case(
        "max",
        "initial",
        lambda x: np.max(x * x, axis=0, initial=0.8),
        S,
        lambda x: torch.clamp((x * x).amax(0), min=0.8),
        **DIFFERENCES,
    ),
    case(
        "max",
        "where, initial",
        lambda x: np.max(x * x, axis=1, where=S > 0.0, initial=0.1),
        S,
        lambda x: torch.clamp(without(x * x, S > 0.0, 0.0).amax(1), min=0.1),
        **DIFFERENCES,
    ),
    case(
        "min",
        "where, initial, method",
        lambda x: (x * x).min(axis=1, where=S > 0.0, initial=9.0, keepdims=True),
        S,
        lambda x: torch.clamp(without(x * x, S > 0.0, 9.0).amin(1, True), max=9.0),
        **DIFFERENCES,
    ),
    Case(
        "numpy.sum",
        "from a tensor",
        lambda x, s: np.sum(x * x, axis=0, initial=s * s),
        (S, NUMBER),
        torch=lambda x, s: (x * x).sum(0) + s * s,
    ),
    Case(
        "numpy.max",
        "of a tensor and nothing",
        lambda x, s: np.max(x, axis=0, initial=s * s) + x.sum(axis=0),
        (np.ones((0, 4)), NUMBER),
        torch=lambda x, s: (s * s).expand(4) + x.sum(0),
        complex_step=False,
    ),
]


def in_type(name: str, x: np.ndarray, **options: Any) -> Case:
    """Return a case that calculates in a type, and comes back to that of x."""

    def f(x: Any) -> Any:
        return getattr(np, name)(x, 0, dtype=np.float64, **options).astype(x.dtype)

    def theirs(x: Any) -> Any:
        return getattr(torch, name)(x.double(), 0).to(x.dtype)

    if name in ("var", "std"):
        return Case(
            f"numpy.{name}",
            "dtype",
            f,
            (x,),
            lambda x: getattr(torch, name)(x.double(), 0, correction=0).to(x.dtype),
            complex_step=False,
        )
    return Case(
        f"numpy.{name}",
        "dtype",
        f,
        (x,),
        theirs,
        complex_step=False,
        twice=name not in ("sum", "mean", "cumsum"),
    )


CASES += [
    in_type(name, S)
    for name in ("sum", "mean", "prod", "var", "std", "cumsum", "cumprod")
]


def of_a_number(name: str, f: Callable[..., Any], theirs: Any) -> list[Case]:
    """Return cases of a tensor of shape (), which NumPy lets have an axis."""
    return [
        Case(
            f"numpy.{name}",
            f"shape (), axis={axis}",
            lambda x, axis=axis: f(x * x, axis=axis),
            (NUMBER,),
            torch=lambda x: theirs(x * x),
            complex_step=False,
        )
        for axis in (0, -1)
    ]


for name in ("sum", "max", "min", "prod"):
    CASES += of_a_number(name, getattr(np, name), lambda x: x * 1.0)
CASES += of_a_number("ptp", np.ptp, lambda x: x - x)
for name in ("cumsum", "cumprod"):
    CASES += of_a_number(name, getattr(np, name), lambda x: x.reshape(1))
CASES += of_a_number("repeat", partial(np.repeat, repeats=2), lambda x: x.repeat(2))
CASES += of_a_number(
    "take", partial(np.take, indices=[0, 0]), lambda x: x.reshape(1)[[0, 0]]
)
CASES += of_a_number(
    "compress", lambda x, axis: np.compress([True], x, axis), lambda x: x.reshape(1)
)
