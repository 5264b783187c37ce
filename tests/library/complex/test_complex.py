"""Complex numbers: every operation is right with them, in both modes, or refuses them.

The reference values are differences: the real and the imaginary part of the inputs are
moved together, along fixed numbers, and so each counts. The convention is that of
`engine.complex.convention`: a cotangent times a change has the change of the result as
its real part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.rules import NATURES
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp
from autograd_lib.functional import vjp
from tests.library.operations.case import (
    WRITES,
    Case,
    all_cases,
    by_operation,
    each_case,
    named,
)

CASES = [c for c in all_cases() if not c.id.startswith(WRITES)]
# What NumPy itself casts to real numbers, with a warning, where we do not.
CUT_BY_NUMPY = (
    "numpy.sum: from a tensor",
    "numpy.max: of a tensor and nothing",
    "numpy.cov: weights",
    "numpy.gradient: with respect to places",
)
# Operations that no case can be called with complex numbers of: with each, all refuse.
REAL_ONLY = {
    "numpy.arctan2",
    "numpy.cbrt",
    "numpy.convolve",
    "numpy.copysign",
    "numpy.correlate",
    "numpy.cross",
    "numpy.deg2rad",
    "numpy.divmod",
    "numpy.fabs",
    "numpy.fft.ihfft",
    "numpy.fft.rfft",
    "numpy.fft.rfft2",
    "numpy.fft.rfftn",
    "numpy.fmax",
    "numpy.fmin",
    "numpy.fmod",
    "numpy.geomspace",
    "numpy.hypot",
    "numpy.interp",
    "numpy.lib.stride_tricks.sliding_window_view",
    "numpy.linalg.cholesky",
    "numpy.linalg.cross",
    "numpy.linalg.det",
    "numpy.linalg.eigh",
    "numpy.linalg.eigvalsh",
    "numpy.linalg.pinv",
    "numpy.linalg.qr",
    "numpy.linalg.slogdet",
    "numpy.linalg.svd",
    "numpy.linalg.svdvals",
    "numpy.linspace",
    "numpy.logaddexp",
    "numpy.logaddexp2",
    "numpy.maximum",
    "numpy.median",
    "numpy.minimum",
    "numpy.modf",
    "numpy.nan_to_num",
    "numpy.nanmedian",
    "numpy.nanpercentile",
    "numpy.nanquantile",
    "numpy.partition",
    "numpy.percentile",
    "numpy.quantile",
    "numpy.rad2deg",
    "numpy.remainder",
    "numpy.sort",
    "ops.activations.gelu",
    "ops.activations.log_softmax",
    "ops.activations.relu",
    "ops.activations.sigmoid",
    "ops.activations.softmax",
    "ops.activations.softplus",
    "ops.error_function.erf",
    "ops.logsumexp.logsumexp",
    "ops.losses.cross_entropy",
}
if not hasattr(np, "unstack"):  # since NumPy 2.1, whose clip needs no bound
    REAL_ONLY.add("numpy.clip")
REFUSED = (
    *("needs? a gradient", "would lose the gradient", "not supported for the input"),
    *(
        "have no order",
        "must be real numbers",
        "holds near the real axis only",
        "no room for",
    ),
)


def direction(z: np.ndarray, seed: int) -> np.ndarray:
    """Return fixed numbers, no two alike, in the shape and of the kind of z."""
    n = np.arange(z.size) + seed
    d = np.sin(1.0 + 2.0 * n).reshape(z.shape)
    if z.dtype.kind != "c":
        return d
    return d + 1j * np.cos(2.0 + 3.0 * n).reshape(z.shape)


def complex_inputs(case: Case, which: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return the inputs of a case, some of them with imaginary parts."""
    return tuple(
        x + 0.3j * direction(x, i + 5) if i in which else x
        for i, x in enumerate(case.inputs)
    )


def ways(case: Case) -> list[tuple[int, ...]]:
    """Return which inputs are complex: all, the first, the last."""
    n = len(case.inputs)
    return sorted({tuple(range(n)), (0,), (n - 1,)})


def moved(f: Callable[[float], Any], h: float) -> Any:
    """Return a central difference."""
    return (np.asarray(f(h)) - np.asarray(f(-h))) / (2 * h)


def close(got: Any, right: Any, tolerance: float, size: float = 1.0) -> None:
    np.testing.assert_allclose(got, right, rtol=tolerance, atol=tolerance * size)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("operation", by_operation(CASES))
def test_an_operation_is_right_with_complex_numbers_or_refuses(operation: str) -> None:
    compared = 0
    for case in by_operation(CASES)[operation]:
        with named(case):
            compared += sum(is_right_or_refused(case, which) for which in ways(case))
    assert (compared == 0) == (operation in REAL_ONLY)


def is_right_or_refused(case: Case, which: tuple[int, ...]) -> bool:
    """Assert that a case is right with complex inputs, or refused; say which."""
    zs = complex_inputs(case, which)
    vs = tuple(direction(z, i) for i, z in enumerate(zs))

    try:
        with np.errstate(all="ignore"):
            y, t = jvp(case.f, zs, vs)
    except (TypeError, ValueError) as error:
        assert re.search("|".join(REFUSED), str(error))
        with pytest.raises(type(error), match="|".join(REFUSED)):
            vjp(case.f, *zs)
        return False
    if case.kink:  # two are equal only where their imaginary parts are
        return False

    def along(h: float) -> Any:
        moved_inputs = [Tensor(z + h * v) for z, v in zip(zs, vs, strict=True)]
        return case.f(*moved_inputs).data

    slopes = moved(along, 1e-6)
    assert t.dtype == y.dtype
    close(t.data, slopes, 1e-5)
    out, pullback = vjp(case.f, *zs)
    u = direction(out.data, 7)
    gradients = pullback(u)
    assert [g.dtype for g in gradients] == [z.dtype for z in zs]
    back = sum((g.data * v).sum().real for g, v in zip(gradients, vs, strict=True))
    forth = (u * t.data).sum().real
    # The same products in another order.
    close(back, forth, 1e-9, 1.0 + np.abs(u * t.data).sum())
    return True


READY = [
    case
    for case in CASES
    if case.twice and not case.kink and case.operation.startswith("numpy.")
]


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@each_case(READY)
def test_values_are_numpys_and_second_derivatives_right(case: Case) -> None:
    for which in ways(case):
        assert_twice_right(case, which)


def assert_twice_right(case: Case, which: tuple[int, ...]) -> None:
    zs = complex_inputs(case, which)
    vs = tuple(direction(z, i) for i, z in enumerate(zs))
    try:
        with np.errstate(all="ignore"):
            y, pullback = vjp(case.f, *zs)
    except (TypeError, ValueError):
        return  # refused, which the test above looks at
    if case.id not in CUT_BY_NUMPY and "method" not in case.name:
        np.testing.assert_allclose(y.data, np.asarray(case.f(*zs)), rtol=1e-12)
    u = direction(y.data, 7)

    def gradients(*xs: Any) -> Any:
        return vjp(case.f, *xs)[1](u)

    def along(h: float) -> Any:
        found = gradients(*[z + h * v for z, v in zip(zs, vs, strict=True)])
        return np.concatenate([g.data.reshape(-1) for g in found])

    right = moved(along, 1e-5)
    _, forward = jvp(gradients, zs, vs)
    _, pullback = vjp(gradients, *zs)
    backward = pullback(tuple(Tensor(v) for v in vs))
    for found in (forward, backward):  # the second derivative is symmetric
        close(np.concatenate([g.data.reshape(-1) for g in found]), right, 1e-4)


def test_an_operation_without_a_declaration_is_refused_in_words() -> None:
    z = np.array([1.0 + 1.0j, 2.0])
    said = r"^maximum: complex numbers need a gradient here, and its rule is for real"
    for transform in (lambda f: vjp(f, z), lambda f: jvp(f, (z,), (z,))):
        with pytest.raises(TypeError, match=said):
            transform(lambda z: np.maximum(z, 1.5))
    assert sum(nature.complex for nature in NATURES.values()) > 60
