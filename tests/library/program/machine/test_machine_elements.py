"""One call in machine code: the bits of NumPy's, or a few units in the last place."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from autograd_lib.program import compile
from autograd_lib.program.machine.scalars import SCALARS
from tests.library.program.machine.needed import ALWAYS, loops_in, numba

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.5, -7.25, 1e-40, 1e30, -1e30]
SPECIAL += [np.inf, -np.inf, np.nan]
KINDS = ("float64", "float32", "int64", "int32", "bool")
UNDEFINED = [("float64", "int64"), ("float32", "int64")]  # by C, so it stays NumPy's
ULPS = 4


def pairs(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of special numbers of a type, and some at random."""
    rng = np.random.default_rng(0)
    if kind.startswith("float"):
        given = np.array([*SPECIAL, *(rng.normal(size=6) * 3)])
    else:
        given = np.array([0, 1, -1, 2, 7, -(2**31), 2**31 - 1])
    x, y = zip(*product(given, given), strict=True)
    return np.array(x).astype(kind), np.array(y).astype(kind)


def both(f: Any, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what a function makes as machine code and with NumPy."""
    compiled = compile(f, passes=ALWAYS)
    got = compiled(*arrays)
    assert compiled.reasons == ["the first call"]  # it has not run uncompiled
    assert len(loops_in(compiled)) == 1, compiled.programs[-1].source
    return got, f(*arrays)


def called(ufunc: Any) -> Any:
    """Return a function that calls one of NumPy's by its name."""
    name = ufunc.__name__
    return lambda *given: getattr(np, name)(*given)


def exact(ufunc: Any) -> bool:
    return SCALARS[ufunc].exact


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of inf - inf and such
@pytest.mark.parametrize(
    "ufunc", list(filter(exact, SCALARS)), ids=lambda f: f.__name__
)
def test_it_has_the_bits_of_numpy(ufunc: Any) -> None:
    numba()
    tried = 0
    for kind in KINDS:
        arrays = pairs(kind)[: ufunc.nin]
        try:
            loop = ufunc.resolve_dtypes((*[a.dtype for a in arrays], None))
        except TypeError:  # NumPy has no such loop
            continue
        if any(t.kind not in SCALARS[ufunc].kinds for t in loop[:-1]):
            continue
        if any(t.name not in KINDS for t in loop):
            continue
        got, want = both(called(ufunc), *arrays)
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        nan = np.isnan(want) if want.dtype.kind == "f" else np.zeros(want.shape, bool)
        assert got[~nan].tobytes() == want[~nan].tobytes(), (ufunc, kind)
        assert np.isnan(got[nan]).all()
        tried += 1
    assert tried


INEXACT = [f for f in SCALARS if not exact(f)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of log(-1) and such
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("ufunc", INEXACT, ids=lambda f: f.__name__)
def test_it_is_within_four_units_in_the_last_place(ufunc: Any, kind: str) -> None:
    numba()
    rng = np.random.default_rng(1)
    wide = rng.uniform(-110 if kind == "float32" else -750, 90, 1500)
    x = np.concatenate([SPECIAL, wide, rng.normal(size=1500)]).astype(kind)
    y = np.roll(x, 7) / np.array(10, kind)
    given = (x, y)[: ufunc.nin]
    got, _ = both(called(ufunc), *given)
    want = ufunc(*[a.astype(np.longdouble) for a in given])
    rounded = want.astype(kind)
    usual = np.isfinite(rounded) & (np.abs(rounded) >= np.finfo(kind).tiny)
    ulps = np.abs(got[usual] - want[usual]) / np.spacing(np.abs(rounded[usual]))
    assert usual.sum() > 500
    assert ulps.max() <= ULPS
    special = ~np.isfinite(rounded)
    np.testing.assert_array_equal(got[special], rounded[special])
    assert (np.signbit(got) == np.signbit(rounded))[rounded == 0].all()


CASTS = [
    (before, after)
    for before, after in product(KINDS, ("float64", "float32", "bool", "int64"))
    if before != after and (before, after) not in UNDEFINED
]


@pytest.mark.parametrize("before, after", CASTS)
def test_casts_have_the_bits_of_numpy(before: str, after: str) -> None:
    numba()
    x = pairs(before)[0]
    with np.errstate(all="ignore"):
        got, want = both(lambda x: (x == x, x.astype(after))[1], x)
    assert got.dtype == want.dtype
    assert got.tobytes() == want.tobytes()


def test_a_cast_that_c_leaves_undefined_is_no_loop() -> None:
    numba()
    compiled = compile(lambda x: x.astype(np.int64), passes=ALWAYS)
    assert compiled(np.array([1.5, -2.5])).tolist() == [1, -2]
    assert not loops_in(compiled)


@pytest.mark.parametrize("number", [0.1, 2, True])
def test_a_number_of_python_takes_the_type_beside_it(number: Any) -> None:
    numba()
    x = np.linspace(-1, 1, 7, dtype=np.float32)
    got, want = both(lambda x: np.where(x > 0, x * number, number - x), x)
    assert got.dtype == want.dtype == np.float32
    assert got.tobytes() == want.tobytes()


def test_where_has_the_bits_of_numpy() -> None:
    numba()
    x, y = pairs("float64")
    got, want = both(lambda x, y: np.where(x, y, x), x, y)
    assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("constant", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_a_constant_may_be_infinite_or_no_number(kind: str, constant: float) -> None:
    numba()
    x = np.linspace(-1.0, 1.0, 50).astype(kind)
    got, want = both(lambda x: np.minimum(x * 2, constant) + x, x)
    assert got.dtype == want.dtype
    assert got.tobytes() == want.tobytes()
