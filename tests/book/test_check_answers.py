"""What a check says: which part is wrong, whose error it was, and a hint in the end."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from autograd_lib.book import check, integers, reals
from autograd_lib.book.hints import AFTER, exercise_of, failures, hints
from autograd_lib.book.limit import TookTooLong, limited
from notebooks.exercises import exercises
from notebooks.further import whole
from notebooks.notebook import chapter_paths

WIDE = reals(-3, 3)
BOTH = ("value", "gradient in B")


class Pair(NamedTuple):
    value: Any
    slope: Any


@dataclass
class Found:
    value: Any
    slope: Any


def column(b: float) -> Any:
    return np.full((1, 1), b)


@pytest.mark.parametrize(
    ("answer", "expected", "parts", "says"),
    [
        ((0, column(0)), (0, np.zeros(1)), BOTH, "got shape (1, 1), expected (1,)"),
        ((0, [0, 0]), (0, np.zeros(1)), BOTH, "got shape (2,), expected (1,)"),
        ((0, 0), (0, np.zeros(1)), BOTH, "got the number 0, expected shape (1,)"),
        ((0, 5.0), (0, 4.0), BOTH, "got 5, expected 4"),
        ((0, None), (0, 4.0), BOTH, "got None, expected 4"),
    ],
)
def test_the_part_that_is_wrong_is_named(
    answer: Any, expected: Any, parts: Any, says: str
) -> None:
    def right(x: float) -> Any:
        return (x, *expected[1:])

    verdict = check(lambda x: (x, *answer[1:]), right, WIDE, parts=parts)
    assert repr(verdict) == f"✗ at (0): gradient in B: {says}"


@pytest.mark.parametrize("made", [lambda v, s: {"value": v, "slope": s}, Pair, Found])
def test_names_that_the_answer_has_are_used(made: Any) -> None:
    def right(x: float) -> Any:
        return made(x, np.array([x, 2 * x]))

    assert check(lambda x: made(x, [x, x + x]), right, WIDE).passed
    verdict = check(lambda x: made(x, np.array([x, x])), right, WIDE)
    assert repr(verdict) == "✗ at (1): slope: got (1, 1), expected (1, 2)"
    for other in (lambda x: x, lambda x: Helper(), lambda x: {"value": x, "slant": x}):
        assert check(other, right, WIDE).status == "✗"
    assert "expected value, slope" in check(lambda x: x, right, WIDE).message


def test_too_few_parts_are_said_to_be_too_few() -> None:
    verdict = check(lambda x: [x], lambda x: (x, x), WIDE, parts=BOTH)
    assert verdict.message == "at (0): got (0,), expected value, gradient in B"


def test_another_kind_with_the_same_parts_is_no_dataclass() -> None:
    verdict = check(lambda x: {"value": x, "slope": x}, lambda x: Found(x, x), WIDE)
    assert verdict.message == "at (0): got a dict, expected a Found"


def test_of_many_numbers_the_first_wrong_one_is_shown() -> None:
    def table(x: float) -> Any:
        return x + np.arange(12.0).reshape(3, 4)

    def once_wrong(x: float) -> Any:
        found = table(x)
        found[1, 2] = 50
        return found.tolist()

    assert check(once_wrong, lambda x: table(x).tolist(), WIDE).message == (
        "at (0): at [1, 2]: got 50, expected 6"
    )


def test_parts_without_a_name_each_are_refused() -> None:
    with pytest.raises(ValueError, match="check: 2 names for 3 parts of the answer"):
        check(..., lambda x: (x, x, x), WIDE, parts=BOTH)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["autograd_lib.book.exercise"]
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    monkeypatch.setattr(module, "FACTOR", 0)


def doubling(n: int) -> int:
    return 1 + max(doubling(n - 1), doubling(n - 1)) if n else 0


def endless(n: int) -> int:
    while n >= 0:
        n += 1
    return n


def stubborn(n: int) -> int:
    while True:
        try:
            n += 1
        except Exception:
            return n


def on_one_line(n: int) -> int:
    while True: pass  # fmt: skip # noqa: E701 - in CPython 3.11 no line of it begins


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("attempt", [doubling, endless, stubborn, on_one_line])
def test_what_takes_too_long_is_stopped_with_a_sentence(attempt: Any) -> None:
    verdict = check(attempt, lambda n: n, integers(0, 400))
    assert "stopped, since it took too long; is there a loop that" in repr(verdict)
    assert sys.gettrace() is None


@pytest.mark.usefixtures("impatient")
def test_what_takes_too_long_in_the_check_s_hands_is_stopped_too() -> None:
    verdict = check(lambda n: (lambda: endless(n)), lambda n: n, integers(0, 9),
                    via=lambda f, n: f(n)())  # fmt: skip
    assert "took too long" in verdict.message


def test_no_limit_where_a_debugger_is_at_work() -> None:
    def look(*_: Any) -> None:
        return None

    sys.settrace(look)
    try:
        with limited(0.0):
            sum(range(10))
            assert sys.gettrace() is look
    finally:
        sys.settrace(None)
    with pytest.raises(TookTooLong), limited(-1.0):  # the clock has steps
        doubling(3)


def test_an_error_of_the_check_s_own_line_is_not_the_reader_s() -> None:
    def via(f: Any, x: float) -> Any:
        (only,) = f(x)
        return only

    verdict = check(lambda x: (x, x), lambda x: x, WIDE, via=via)
    assert verdict.message == (
        "at (0): the check cannot use what came back, in its line `(only,) = f(x)`: "
        "ValueError: too many values to unpack (expected 1)"
    )


def test_an_error_inside_a_function_that_the_reader_returned_is_the_reader_s() -> None:
    def maker(x: float) -> Any:
        def inner(y: float) -> float:
            return y / 0.0

        return inner

    verdict = check(maker, lambda x: x, WIDE, via=lambda f, x: f(x)(x))
    assert verdict.message == "at (0): ZeroDivisionError: float division by zero"


class Helper:
    def broken(self) -> float:
        raise RuntimeError("made to fail")


def with_helper(x: float) -> Any:
    return Helper()


def test_an_error_in_a_class_that_the_reader_s_function_names_is_the_reader_s() -> None:
    verdict = check(with_helper, lambda x: x, WIDE, via=lambda f, x: f(x).broken())
    assert verdict.message == "at (0): RuntimeError: made to fail"


def test_what_a_check_says_on_purpose_stands_alone() -> None:
    def via(f: Any, x: float) -> Any:
        raise ValueError("at most four points")

    verdict = check(lambda x: x, lambda x: x, WIDE, via=via)
    assert verdict.message == "at (0): at most four points"


def test_a_fault_of_the_check_is_called_one() -> None:
    verdict = check(lambda x: x, lambda x: 1 // x, WIDE)
    assert verdict.status == "○"
    assert "the check's own answer fails at (0): ZeroDivisionError" in verdict.message
    assert "not about your code" in verdict.message


def test_cells_that_have_not_run_are_asked_for() -> None:
    text = "the check needs the cells above it: name 'cell_above' is not defined"
    verdict = check(lambda x: x, lambda x: cell_above(x), WIDE)  # noqa: F821
    assert verdict.message.startswith(text)
    verdict = check(
        lambda x: x,
        lambda x: x,
        WIDE,
        via=lambda f, x: cell_above(f, x),  # noqa: F821
    )
    assert verdict.message.startswith(f"at (0): {text}")


def test_an_answer_that_cannot_be_compared_or_shown_is_wrong() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("made to fail")

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            raise RuntimeError("made to fail")

    assert check(lambda x: Odd(), lambda x: [x], WIDE).message == (
        "at (0): got a Odd, expected (0,)"
    )
    odd = Odd()
    verdict = check(lambda x: Odd(), lambda x: odd if x else x, WIDE)
    assert verdict.message.startswith("at (0): got a Odd")


def test_the_third_failure_in_a_row_brings_a_hint() -> None:
    def caught(n: float) -> float:
        return right[0] * n

    scope, right = {"caught": caught}, [1]
    names = {"check": check, "reals": reals, **scope}
    ask = "check(caught, lambda n: 2 * n, reals(-5, 5))"
    failures.clear()
    hint = hints()["caught(n)"]
    hinted = [hint in eval(ask, names).message for _ in range(AFTER + 1)]
    assert hinted == [False] * (AFTER - 1) + [True, True]
    right[0] = 2
    assert repr(eval(ask, names)) == "✓ agrees on 100 inputs"
    right[0] = 1
    assert hint not in eval(ask, names).message


def test_exercises_of_one_name_are_told_apart_by_their_arguments() -> None:
    two, three = lambda scores, labels: scores, lambda weights, bias, xs: xs
    assert exercise_of(two, {"fused": two}) == "fused(scores, labels)"
    assert exercise_of(three, {"fused": three}) == "fused(weights, bias, xs)"
    assert exercise_of(two, {"other": two}) == ""


def stub_calls(path: Any) -> list[str]:
    """Return the calls that the stubs of a chapter define."""
    found = []
    for exercise in exercises(whole(path)):
        start = exercise.stub.index(f"def {exercise.attempt}(") + len("def ")
        found.append(exercise.stub[start : exercise.stub.index(":", start)])
    return found


@pytest.mark.parametrize("path", chapter_paths(), ids=lambda path: path.stem)
def test_every_exercise_has_a_hint(path: Any) -> None:
    missing = [call for call in stub_calls(path) if call not in hints()]
    assert not missing, f"give autograd_lib/book/hints.toml a sentence for {missing}"


def test_hints_are_short() -> None:
    assert [call for call, hint in hints().items() if len(hint) > 140] == []
