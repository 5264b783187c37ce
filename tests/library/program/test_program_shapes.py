"""Shapes and types that depend on numbers are those of the call's numbers (chapter 22).

What follows uses the length, or the type, that the recording saw.
"""

from __future__ import annotations

from itertools import starmap

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.same_calls import assert_same_calls

A = np.array


VARIED = "shape was|shape_and_type was|list index|returns what it is given"
"""Why a program whose shapes do not fit leaves a call to the function."""


def assert_same_results(f, calls):
    """Assert that each call returns the same bits as the function, with no warning."""
    assert_same_calls(lambda wrap: starmap(wrap(f), calls), VARIED)


def shaped(x):
    """Return what tells how many numbers there are, as a program may have noted it."""
    return len(x), x.sum() / (1 + len(x)), x


PAIRS = [
    *[(A([1.0, 2, 3, 4]), A([3.0, 4, 5, 6]))] * 2,
    (A([1.0, 2, 3, 4]), A([4.0, 9, 9, 9])),
    (A([0.0, 1, 0, 0]), A([1.0, 0, 0, 4])),
    (A([2.0, 2, 2, 2]), A([2.0, 2, 2, 9])),
    (A([1.0, 2, 5, 4]), A([0.0, 0, 0, 4])),
]
OF_NUMBERS = {
    "intersect1d": np.intersect1d,
    "union1d": np.union1d,
    "unique_counts": lambda x, y: np.unique_counts(x).values,
    "histogram": lambda x, y: np.histogram(x, bins="auto")[0],
    "roots": lambda x, y: np.roots(x),
    "polydiv": lambda x, y: np.polydiv(x, y + 1)[1],
    "ix_": lambda x, y: np.ix_(x > y)[0].ravel(),
}


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_a_length_that_numbers_decide(name):
    assert_same_results(lambda x, y: shaped(OF_NUMBERS[name](x, y)), PAIRS)


X = np.arange(6.0)
COUNTS = {
    "split": lambda x, i: np.split(x, [i, 4])[1],
    "pad": lambda x, i: np.pad(x, (i, 0)),
    "tile": np.tile,
    "insert": lambda x, i: np.insert(x, np.arange(6) < i, 0.0),
    "linspace": lambda x, i: np.linspace(x[0], 1, i),
    "broadcast_to": lambda x, i: np.broadcast_to(x, (i, 6)),
    "diff": np.diff,
    "rfft": lambda x, i: np.fft.rfft(x, i + 3),
    "histogram": lambda x, i: np.histogram(x, i)[0],
}


@pytest.mark.parametrize("name", COUNTS)
def test_a_length_that_a_number_of_numpy_decides(name):
    calls = [(X, np.int64(i)) for i in (2, 2, 1, 3, 2)]
    assert_same_results(lambda x, i: shaped(COUNTS[name](x, i)), calls)


@pytest.mark.parametrize("name", COUNTS)
def test_a_length_that_a_calculated_number_decides(name):
    calls = [(X - i,) for i in (3, 3, 4, 2, 3)]
    assert_same_results(lambda x: shaped(COUNTS[name](x, (x > 0).sum())), calls)


def branch_on_eigenvalues(m):
    values = np.linalg.eigvals(m)
    return m * 2 if np.iscomplexobj(values) else m


def size_of_residuals(m):
    return np.linalg.lstsq(m, np.ones(3), rcond=None)[1].size * m


def typed(x):
    return x, x.dtype.kind, x.dtype.itemsize


TURN = A([[0.6, -0.8], [0.8, 0.6]])
SYMMETRIC = A([[1.0, 2.0], [2.0, 1.0]])
LINE, FLAT = np.vander([1.0, 2, 3], 2), np.ones((3, 2))
TYPES = {
    "eigvals": (branch_on_eigenvalues, np.eye(2), SYMMETRIC, TURN),
    "eigvals.real": (lambda m: np.linalg.eigvals(m).real, np.eye(2), SYMMETRIC, TURN),
    "sqrt": (lambda x: typed(np.emath.sqrt(x)), A([1.0, 4]), A([9.0, 4]), A([-1.0, 4])),
    "log": (lambda x: typed(np.emath.log(x)), A([1.0, 4]), A([9.0, 4]), A([-1.0, 4])),
    "of no sign": (lambda x: typed(np.emath.sqrt(x)), A([-1.0]), A([-4.0]), A([1.0])),
    "real_if_close": (lambda x: typed(np.real_if_close(x)), A([1, 0j]), A([2j, 1])),
    "lstsq": (size_of_residuals, LINE, LINE + 1, FLAT),
}


@pytest.mark.parametrize("name", TYPES)
def test_a_type_that_numbers_decide(name):
    f, first, *others = TYPES[name]
    assert_same_results(f, [(x,) for x in (first, first, *others, first, *others)])


DRAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "a table": lambda rng, n: rng.normal(0, 1, (n, 3)),
    "integers": lambda rng, n: rng.integers(0, 3, (n,)),
    "choice": lambda rng, n: rng.choice(3, n, p=[0.2, 0.3, 0.5]),
}


@pytest.mark.parametrize("name", DRAWS)
def test_how_many_numbers_are_drawn(name):
    def calls(wrap):
        rng = np.random.default_rng(1)
        f = wrap(lambda n: shaped(DRAWS[name](rng, n)))
        for n in (3, 3, 5, 2, 4, 2):
            yield f(np.int64(n)), rng

    assert_same_calls(calls, VARIED)


def positive(x):
    return np.positive(x, where=x > 0, out=np.zeros_like(x))


def positive_backwards(x):
    made = x * 1
    np.positive(x, out=made[::-1])
    return made


@pytest.mark.parametrize("f", [positive, positive_backwards])
def test_a_copy_into_part_of_an_array(f):
    several = ([-1.0, 2, -3], [1.0, -2, 3], [0.0, 1, 2], [-1.0, -1, 5])
    assert_same_results(f, [(A(x),) for x in several])


def gradient_of_rows(x):
    rows = x.data.argmax() + 1
    return ag.value_and_grad(lambda x: (np.broadcast_to(x, (rows, 3)) ** 2).sum())(x)


def test_a_gradient_through_as_many_rows_as_a_number_says():
    several = ([0.0, 0, 5], [0.0, 1, 5], [0.0, 5, 0], [5.0, 0, 0])
    assert_same_results(gradient_of_rows, [(Tensor(A(x)),) for x in several])
