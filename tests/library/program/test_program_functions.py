"""What functions of NumPy write, return, call and raise is NumPy's (chapter 22).

What a program's function would do otherwise than the recorded one is refused: writing
into an argument without a word, or calling a function of the reader's.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from autograd_lib.program import compile
from tests.library.helpers.same_calls import assert_refused, assert_same_calls

A = np.array
M = A([[1.0, 2.0], [3.0, 4.0]])
SEVERAL = [M, M, M + 1, M * 2, M - 5]


def assert_same_results(f, several):
    """Assert that each call returns the same bits as the function, with no warning."""
    assert_same_calls(lambda wrap: map(wrap(f), several))


# Writes without a word.


def dot_into(x):
    made = x * 0
    np.dot(x, x, made)
    return made


def clip_into(x):
    made = x * 2
    made.clip(0, 3, made)
    return made


def mean_into(x):
    made = x[0] * 0
    np.mean(x, 0, None, made)
    return made


def numbers_for_nan(x):
    made = x * 2
    np.nan_to_num(made, copy=False)
    return made


def median_in_place(x):
    made = x.ravel() * 2
    return np.median(made, overwrite_input=True), made


INTO = [dot_into, clip_into, mean_into, numbers_for_nan, median_in_place]


@pytest.mark.parametrize("f", INTO, ids=lambda f: f.__name__)
def test_a_write_that_is_not_named(f):
    for x in (-M, A([[2.0, np.nan], [1.0, 3.0]])):
        assert_refused("writ|wrote", compile(f), (x,))


def test_a_write_into_a_buffer_that_is_not_named():
    state = SimpleNamespace(buffer=np.zeros((2, 2)))

    def f(x):
        np.dot(x, x, state.buffer)
        return state.buffer * 1

    assert_refused("write", compile(f), (M,), state)


# Functions that NumPy calls.


def along_an_axis(count, x):
    return np.apply_along_axis(lambda v: v * count.n, 0, x)


def by_pieces(count, x):
    return np.piecewise(x, [x > 0], [lambda v: v * count.n, lambda v: -v])


def over_axes(count, x):
    return np.apply_over_axes(
        lambda a, k: np.sum(a, k, keepdims=True) * count.n, x, [0]
    )


def noted(count, x):
    seen = []
    made = np.apply_along_axis(lambda v: seen.append(v.sum()) or v, 0, x)
    return made * seen[-1]


@pytest.mark.parametrize("called", [along_an_axis, by_pieces, over_axes, noted])
def test_a_function_that_numpy_calls(called):
    count = SimpleNamespace(n=0)

    def f(x):
        count.n += 1
        return called(count, x)

    assert_refused("calls a function on bare arrays", compile(f), (M,), count)


# What is returned as it is, or shown.


@pytest.mark.parametrize(
    "f",
    [lambda x, k: np.linalg.matrix_power(x, k), lambda x, k: np.diff(x, k - 1)],
    ids=["matrix_power", "diff"],
)
def test_a_function_that_returns_what_it_is_given(f):
    compiled = compile(f)
    assert_refused("returns what it is given", compiled, (M, np.int64(1)))
    for k in (2, 3, 2, 3):
        assert compiled(M, np.int64(k)).tobytes() == f(M, np.int64(k)).tobytes()


def conjugated(x):
    made = x * 2
    shown = made.conj()  # itself, of real numbers
    shown += 1
    return made


def in_another_order(x):
    made = x * 2
    copied = made.astype(float, order="F", copy=False)
    copied[0] = 9
    return made


@pytest.mark.parametrize("f", [conjugated, in_another_order], ids=lambda f: f.__name__)
def test_a_write_into_what_is_shown_or_copied(f):
    assert_same_results(f, SEVERAL)


def test_a_write_into_an_argument_that_conj_shows():
    def f(x):
        shown = x.conj()
        shown += 1
        return shown

    assert_refused("a write into `x`", compile(f), (M,))


HALF = [A([1.0, 4.0]), A([-0.0, 4.0]), A([np.inf, 2.0]), A([0.0, 3.0])]
BITS = {
    "conj of booleans": (lambda x: x.conj(), [M > 1, M > 1, M > 2, M > 3]),
    "conj of a number": (lambda x: x.conj(), [*map(A, (2.0, 2.0, 3.0, 4.0))]),
    "x ** 0.5 of float16": (lambda x: x**0.5, [x.astype("f2") for x in HALF]),
    "a text": (lambda x: x[0], [A([a, "b"]) for a in "abcd"]),
    "bytes": (lambda x: x[0], [A([a, "b"], "S1") for a in "abcd"]),
}


@pytest.mark.parametrize("name", BITS)
def test_the_bits_of_numpy(name):
    assert_same_results(*BITS[name])


def test_times_that_are_none():
    several = [
        A(["2020-01-01", a], "M8[D]") for a in ("NaT", "NaT", "2020-01-02", "NaT")
    ]
    assert_same_results(lambda x: x[1:] - x[:-1], several)


# What is raised.


RAISED = {
    "no axis 5": lambda x: x.sum(axis=5),
    "no axis -3": lambda x: x.max(-3),
    "an axis twice": lambda x: np.sum(x, axis=(0, 0)),
    "an axis of reduce": lambda x: np.add.reduce(x, axis=7),
    "an axis of all": lambda x: np.all(x, axis=2),
    "out of reduce": lambda x: np.add.reduce(x, axis=0, out=np.zeros_like(x)),
    "out of nansum": lambda x: np.nansum(x, out=np.zeros_like(x)),
    "out of argmax": lambda x: np.argmax(x, axis=0, out=np.zeros_like(x[0])),
    "out of take": lambda x: np.take(x, [0], out=np.zeros_like(x)),
}


@pytest.mark.parametrize("name", RAISED)
def test_the_errors_of_numpy(name):
    f = RAISED[name]
    compiled = compile(f)
    for x in (M, M + 1):
        with pytest.raises(Exception) as of_numpy:
            f(x)
        with pytest.raises(Exception) as raised:
            compiled(x)
        assert type(raised.value) is type(of_numpy.value)
        assert str(raised.value) == str(of_numpy.value)


def test_a_place_out_of_bounds_in_what_nobody_reads():
    def f(x, i):
        np.put(x.copy(), i, 0.0)
        return x * 2

    compiled = compile(f)
    for _ in range(3):
        assert compiled(M, np.int64(1)).tolist() == (M * 2).tolist()
        with pytest.raises(IndexError, match="index 4 is out of bounds"):
            compiled(M, np.int64(4))
