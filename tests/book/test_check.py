"""Checks of exercises: three verdicts, the simplest counterexample, no way to cheat."""

import math
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.book import integers, reals
from autograd_lib.book.exercise import Verdict, check
from autograd_lib.book.inputs import arguments
from autograd_lib.scalar.numerical import central_difference

NOT_ATTEMPTED = "○ not attempted yet: put your code in place of the dots"
WIDE = reals(-3, 3)


def double(x):
    return 2 * x


def stub(x):
    """Return twice the number."""
    ...  # noqa: PIE790 (what a stub on a page looks like)


@pytest.mark.parametrize("attempt", [..., stub, lambda x: ...])
def test_a_stub_is_not_attempted(attempt):
    verdict = check(attempt, double, WIDE)
    assert repr(verdict) == NOT_ATTEMPTED
    assert not verdict.passed


def test_a_right_attempt_passes_with_the_number_of_inputs():
    verdict = check(lambda x: x + x, double, WIDE)
    assert repr(verdict) == "✓ agrees on 100 inputs"
    assert verdict.passed


@pytest.mark.parametrize(
    ("attempt", "inputs", "verdict"),
    [
        (lambda x: x * x, [WIDE], "✗ at (1): got 1, expected 2"),
        (lambda x: 2 * abs(x), [WIDE], "✗ at (-1): got 2, expected -2"),
        (lambda x: 2 * x, [reals(20, 30)], "✗ at (20): got 40, expected 41"),
        (lambda x: 2 * x, [integers(5, 9)], "✗ at (5): got 10, expected 11"),
    ],
)
def test_the_simplest_counterexample_is_shown(attempt, inputs, verdict):
    def expected(x):
        return 2 * x if abs(x) < 4 else 2 * x + 1

    assert repr(check(attempt, expected, *inputs)) == verdict


def test_an_answer_may_be_anything_with_axes():
    class Box:
        ndim = 0

        def __repr__(self):
            return "Box(3)"

    verdict = check(lambda x: Box(), double, WIDE)
    assert verdict.message == "at (0): got Box(3), expected 0"


def test_an_exception_is_an_answer_too():
    verdict = check(lambda x: 1 // x, double, WIDE)
    assert verdict.message.startswith("at (0): ZeroDivisionError: ")


def test_a_counterexample_of_two_arguments_is_simple_in_both():
    verdict = check(lambda a, b: a + b, lambda a, b: a + b + a * b, WIDE, WIDE)
    assert repr(verdict) == "✗ at (1, 1): got 2, expected 3"


def test_an_attempt_that_fails_later_was_attempted():
    verdict = check(lambda x: 2 * x if x >= 0 else None, double, WIDE)
    assert repr(verdict) == "✗ at (-1): got None; is a return missing?"


def test_the_same_check_gives_the_same_verdict():
    def nearly(x):
        return 2 * x if x < 2.3 or x == 3 else 7.0

    first = check(nearly, double, WIDE)
    assert repr(first).startswith("✗ at (2.3")
    assert check(nearly, double, WIDE) == first


@given(
    constant=st.floats() | st.integers() | st.text() | st.booleans(),
    scale=st.floats(-1e6, 1e6).filter(lambda s: abs(s) > 1e-3),
    shift=st.floats(-1e3, 1e3),
)
def test_no_constant_passes(constant, scale, shift):
    verdict = check(lambda x: constant, lambda x: scale * x + shift, reals(-9, 9))
    assert verdict.status == "✗"


@given(tolerance=st.floats(1e-9, 1e-3), spread=st.floats(0, 8))
def test_a_constant_in_the_middle_fails_or_the_exercise_is_refused(tolerance, spread):
    def expected(x):
        return spread * tolerance * (x > 0)

    middle = spread * tolerance / 2
    try:
        verdict = check(lambda x: middle, expected, WIDE, tolerance=tolerance)
    except ValueError:
        return
    assert verdict.status == "✗"


@pytest.mark.parametrize("answer", [0.0, 7, "same", None, (1.0, 2.0), math.nan])
def test_an_exercise_that_a_constant_would_solve_is_refused(answer):
    with pytest.raises(ValueError, match=r"check: every expected answer is .*constant"):
        check(..., lambda x: answer, WIDE)


def test_via_says_how_an_attempt_is_used():
    def slope(f, x):
        return central_difference(f, x)

    assert check(lambda x: x * x, double, WIDE, via=slope).passed
    verdict = check(lambda x: 3 * x, double, WIDE, via=slope)
    assert repr(verdict) == "✗ at (0): got 3, expected 0"
    assert repr(check(stub, double, WIDE, via=slope)) == NOT_ATTEMPTED


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (lambda x: [x, 2 * x], lambda x: [x, x]),
        (lambda x: np.array([x, 2 * x]), lambda x: np.array([x])),
        (lambda x: (x, np.float32(2 * x)), lambda x: 2 * x),
        (lambda x: (x, 2 * x + 1e-9), lambda x: (x, 2j * x)),
    ],
)
def test_sequences_and_arrays_agree_element_by_element(right, wrong):
    def expected(x):
        return x, 2 * x

    assert check(right, expected, WIDE).passed
    assert check(wrong, expected, WIDE).status == "✗"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (lambda n: ["x"] * n, lambda n: ["x", "y"]),
        (lambda n: 10 ** (400 * n), lambda n: 10 ** (401 * n)),
        (lambda n: n > 1, lambda n: n),
        (lambda n: "x" * n, lambda n: ["x"] * n),
    ],
)
def test_what_is_not_numbers_must_be_equal(right, wrong):
    assert check(right, lambda n: right(n), integers(1, 4)).passed
    assert check(wrong, right, integers(1, 4)).status == "✗"


def test_a_number_is_not_a_sequence_of_that_number():
    assert check(lambda x: x, lambda x: (x, x), WIDE).status == "✗"


def test_nan_agrees_with_nan_alone():
    def expected(x):
        return math.sqrt(x) if x >= 0 else math.nan

    assert check(lambda x: x**0.5 if x >= 0 else math.nan, expected, WIDE).passed
    assert check(lambda x: abs(x) ** 0.5, expected, WIDE).message.endswith("nan")


def test_integers_are_whole_and_reals_are_not():
    kinds = set()

    def attempt(n, x):
        kinds.add((type(n), type(x)))
        return n + x

    assert check(attempt, lambda n, x: n + x, integers(-9, 9), WIDE).passed
    assert kinds == {(int, float)}


def test_the_ends_of_reals_are_no_integers():
    inputs = reals(4, 5)
    assert [type(x) for x in (*inputs.simple(), inputs.low, inputs.high)] == [float] * 3


@given(st.floats(-1e6, 1e6), st.floats(1e-2, 1e6))
def test_inputs_stay_in_their_range(low, width):
    seen = []
    inputs = reals(low, low + width)
    check(lambda x: seen.append(x) or x, lambda x: x, inputs, tolerance=0)
    assert len(set(seen)) == len(seen) == 100
    assert all(low <= x <= low + width for x in seen)


def test_ranges_of_any_size_are_fast():
    wide = integers(0, 10**18)
    start = time.perf_counter()
    assert check(lambda n, m, k: n + m + k, lambda *n: sum(n), wide, wide, wide).passed
    assert time.perf_counter() - start < 5.0  # sorting 10^7 numbers takes longer
    far = arguments([integers(10**9, 10**9 + 10**6)])
    assert [n for (n,) in far[:3]] == [10**9, 10**9 + 1, 10**9 + 2]
    assert [n for (n,) in arguments([integers(-2, 2)])] == [0, 1, -1, 2, -2]


def test_no_table_of_inputs_passes():
    table = {x: 2 * x for (x,) in arguments([WIDE])}
    assert check(lambda x: table.get(x, 0.0), double, WIDE).status == "✗"


def test_numbers_with_many_decimals_are_tried():
    verdict = check(lambda x: 2 * round(x, 4), double, WIDE, tolerance=1e-12)
    assert verdict.status == "✗"


def test_a_small_answer_beside_large_ones_counts():
    def expected(x):
        return [1e6 * x, 1e-7 * (1 + x * x)]

    assert check(lambda x: [1e6 * x, 1e-7 + 1e-7 * x * x], expected, WIDE).passed
    assert check(lambda x: [1e6 * x, 0.0], expected, WIDE).status == "✗"


@pytest.mark.parametrize(
    "attempt",
    [
        str,
        lambda x: True if x == 1.0 else x,
        lambda x: np.True_ if x == 1.0 else x,
        lambda x: x + 1e-7j,
        lambda x: complex(x),
        lambda x: np.complex128(x),
    ],
)
def test_text_truth_and_complex_numbers_are_no_real_numbers(attempt):
    assert check(attempt, lambda x: x, WIDE).status == "✗"
    assert check(lambda x: x + 0j, lambda x: complex(x), WIDE).passed


def test_answers_that_differ_late_are_shown_with_digits_that_differ():
    def nearly(x):
        return 1.5 * (1 + 1e-8)

    verdict = check(nearly, lambda x: 1.5 + 1e-30 * x + (x < 0), WIDE, tolerance=1e-9)
    assert verdict.message == "at (0): got 1.50000001, expected 1.5"
    assert check(lambda x: x == 1, lambda x: 1.0 * (x == 1), WIDE).message == (
        "at (0): got False, expected 0"
    )


def test_what_ends_a_program_is_an_answer_too():
    verdict = check(lambda x: sys.exit("enough"), double, WIDE)
    assert verdict.message == "at (0): SystemExit: enough"

    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(interrupted, double, WIDE)


def test_inputs_are_ranges():
    with pytest.raises(TypeError, match=r"check: after the two functions.*got 3$"):
        check(double, double, 3)
    with pytest.raises(ValueError, match="integers: there is no integer from"):
        integers(0.2, 0.7)


@pytest.mark.parametrize("make", [reals, integers])
@pytest.mark.parametrize("ends", [(1, 1), (2, 1), (0, math.inf), (math.nan, 1)])
def test_a_range_must_hold_something(make, ends):
    with pytest.raises(ValueError, match=f"{make.__name__}: low must be below high"):
        make(*ends)


def test_inputs_must_be_named():
    with pytest.raises(TypeError, match="check: name where each argument comes from"):
        check(double, double)


def test_a_verdict_is_its_sign_and_message():
    assert repr(Verdict("✗", "at (0)")) == "✗ at (0)"


@pytest.mark.parametrize("low", [-1.7e308, -1e301])
def test_a_range_whose_width_may_overflow_is_refused(low):
    with pytest.raises(ValueError, match=r"reals: .* finite, from -1e\+300 to 1e\+300"):
        reals(low, -low)
    assert check(lambda x: x + x, double, reals(-1e300, 1e300)).passed


def test_answers_that_are_all_within_the_error_allowed_are_called_so():
    with pytest.raises(ValueError, match="is 0, to within the error that is allowed"):
        check(double, double, reals(0, 1e-300))
