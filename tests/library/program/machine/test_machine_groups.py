"""What comes into one loop, and sums with the bits of NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.functional import value_and_grad
from autograd_lib.program import compile
from autograd_lib.program.machine import sources
from tests.library.program.machine.needed import ALWAYS, loops_in, numba

RNG = np.random.default_rng(0)


def array(*shape: int, kind: str = "float32") -> np.ndarray:
    return RNG.normal(size=shape).astype(kind)


def in_one_loop(f: Any, *arrays: np.ndarray) -> tuple[Any, Any]:
    """Return what it makes in one loop, and without a rewrite."""
    compiled, plain = compile(f, passes=ALWAYS), compile(f, passes=())
    got, want = compiled(*arrays), plain(*arrays)
    assert len(loops_in(compiled)) == 1, compiled.programs[-1].source
    return got, want


def assert_bits(got: Any, want: Any) -> None:
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    assert np.asarray(got).tobytes() == np.asarray(want).tobytes()


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("columns", [2, 7, 8, 9, 127, 128, 129, 300, 1025])
def test_sums_of_rows_have_the_bits_of_numpy(columns: int, kind: str) -> None:
    numba()
    x = array(3, columns, kind=kind)
    got, want = in_one_loop(lambda x: x - np.sum(x * x, axis=-1, keepdims=True), x)
    assert_bits(got, want)
    got, want = in_one_loop(lambda x: np.mean(x, axis=-1) * 2, x)
    assert_bits(got, want)


@pytest.mark.parametrize("axis", [0, (0, 1)])
def test_sums_over_rows_have_the_bits_of_numpy(axis: Any) -> None:
    numba()
    x = array(5, 7) if axis == 0 else array(4, 5, 7)
    got, want = in_one_loop(lambda x: np.sum(x * x, axis=axis), x)
    assert_bits(got, want)


@pytest.mark.parametrize("n", [5, 511, 512, 513, 5000])
def test_a_sum_of_all_adds_in_another_order(n: int) -> None:
    numba()
    x = array(n, kind="float64")
    got, want = in_one_loop(lambda x: np.sum(x * x), x)
    assert type(got) is type(want)
    # Both add in pairs: an error grows with log n, and n·eps/8 is far above it.
    assert abs(got - want) <= n * np.finfo(float).eps / 8 * abs(want) + 1e-15


def test_extremes_of_rows_see_ties_and_nan() -> None:
    numba()
    x = np.array([[1.0, np.nan, 2], [0.0, -0.0, -1], [np.inf, 1, -np.inf]])
    for f in (np.max, np.min):
        got, want = in_one_loop(lambda x, f=f: f(x + x, axis=1), x)
        np.testing.assert_array_equal(got, want)


SHAPES = {
    "a number": ((), (4, 3, 5)),
    "one for each column": ((5,), (4, 3, 5)),
    "one for each row": ((4, 3, 1), (4, 3, 5)),
    "the last axes": ((3, 5), (4, 3, 5)),
    "the first axes": ((4, 1, 1), (4, 3, 5)),
    "axes in the middle": ((3, 1), (4, 3, 5)),
    "all of one axis": ((7,), (7,)),
}


@pytest.mark.parametrize("shape, whole", SHAPES.values(), ids=SHAPES)
def test_what_is_broadcast_is_read_where_it_lies(shape: Any, whole: Any) -> None:
    numba()
    x, y = array(*whole), np.asarray(array(*shape))
    compiled = compile(lambda x, y: (x * y + y) - x * x, passes=ALWAYS)
    got, want = compiled(x, y), (x * y + y) - x * x
    assert loops_in(compiled)
    assert_bits(got, want)


@pytest.mark.parametrize(
    "turn", [np.transpose, lambda x: x[:, ::-1], np.asfortranarray, lambda x: x[::2]]
)
def test_arrays_may_lie_otherwise(turn: Any) -> None:
    numba()
    x = turn(array(6, 6))
    for given in (x, np.ascontiguousarray(x)):
        compiled = compile(lambda x: np.where(x > 0, x, 0.1 * x) + 1, passes=ALWAYS)
        assert_bits(compiled(given), np.where(given > 0, given, 0.1 * given) + 1)


def test_elements_that_are_all_one_number_are_as_many() -> None:
    numba()

    def f(x: Any) -> Any:
        spread = np.broadcast_to(x, (3000,))
        return np.sum(spread * spread)

    compiled = compile(f, passes=ALWAYS)
    x = np.array([1.5])
    assert compiled(x) == f(x) == 6750.0
    assert loops_in(compiled)


def test_an_array_that_may_not_be_written_is_read() -> None:
    numba()
    x = array(4, 4)
    compiled = compile(lambda x: np.sqrt(x * x + 1), passes=ALWAYS)
    want = compiled(x)
    x.flags.writeable = False
    assert_bits(compiled(x), want)


def losses() -> dict[str, Any]:
    """Return functions of which value and gradient are to be one loop, or few."""
    return {
        "softmax": (lambda x: (x.softmax() ** 2).sum(), 1),
        "layer norm": (lambda x: (nn.LayerNorm(16)(x) ** 2).sum(), 2),
        "gelu": (lambda x: x.gelu().sum(), 1),
        "sigmoid and tanh": (lambda x: (x.sigmoid() * x.tanh()).sum(), 1),
        "relu": (lambda x: ((x.relu() - 0.1).relu() * x).sum(), 1),
        "relu rounds": (lambda x: ((x.relu() - 0.1).relu() - 0.1).sum(), 1),
    }


@pytest.mark.parametrize("name", losses())
def test_the_parts_of_models_become_few_loops(name: str) -> None:
    numba()
    f, most = losses()[name]
    x = ag.from_numpy(array(8, 16))
    compiled, plain = compile(value_and_grad(f), passes=ALWAYS), value_and_grad(f)
    for got, want in zip(compiled(x), plain(x), strict=True):
        got, want = np.asarray(got.data), np.asarray(want.data)
        # float32 has 7 digits, and sums of 128 numbers are taken in another order
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)
    assert 1 <= len(loops_in(compiled)) <= most, compiled.programs[-1].source
    left = [c.name for c in compiled.programs[-1].calls if not c.is_view]
    assert left.count("loops") > len(left) - 4, left


def test_an_update_is_one_loop() -> None:
    numba()

    def adam(p: Any, g: Any, m: Any, v: Any, rate: Any) -> Any:
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * (g * g)
        return p - rate * m / (np.sqrt(v) + 1e-8), m, v

    p, g, m = (array(30, 40) for _ in range(3))
    given = p, g, m, np.square(array(30, 40)), np.float32(0.01)
    compiled = compile(adam, passes=ALWAYS)
    got, want = compiled(*given), adam(*given)
    for a, b in zip(got, want, strict=True):
        assert_bits(a, b)
    assert [c.name for c in compiled.programs[0].calls] == ["loops"]


def test_what_numba_compiles_can_be_read() -> None:
    numba()
    compiled = compile(lambda x: np.sqrt(x * x + 1), passes=ALWAYS)
    compiled(array(3))
    (text,) = sources(compiled.programs[0])
    assert text.startswith("@loops\ndef loops(x0, y0):")
    assert text.count("for ") == 2
