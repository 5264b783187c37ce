"""What a check compares with is no answer, under whatever name it is called."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np
import pytest

from autograd_lib.book import check, reals
from autograd_lib.book.oracle import own_code

WIDE = reals(-3, 3)
SAYS = "✗ by_adding is the check's own way to the answer; find another"


def by_adding(x: float) -> float:
    return x + x


def wrapped(x: float) -> float:
    return 1.0 * by_adding(x)


def late(x: float) -> float:
    return 2 * x if x != 0.5 else by_adding(x)


def without_shame(x: float) -> float:
    try:
        return by_adding(x)
    except Exception:
        return 2 * x


class Hidden:
    way = staticmethod(by_adding)

    def __call__(self, x: float) -> float:
        return self.way(x)


@pytest.mark.parametrize(
    "attempt",
    [
        by_adding,
        wrapped,
        late,
        without_shame,
        Hidden(),
        functools.partial(by_adding),
        functools.lru_cache(by_adding),
        lambda x: next(map(by_adding, [x])),
        lambda x: np.vectorize(by_adding)(x).item(),
    ],
)
def test_the_check_s_own_way_is_no_answer(attempt: Any) -> None:
    assert repr(check(attempt, by_adding, WIDE)) == SAYS
    assert sys.gettrace() is None


def test_it_is_none_through_what_the_check_does_with_an_attempt() -> None:
    verdict = check(lambda: by_adding, by_adding, WIDE, via=lambda f, x: f()(x))
    assert repr(verdict) == SAYS


def test_a_lambda_is_no_answer_and_neither_is_what_it_passes_on() -> None:
    verdict = check(by_adding, lambda x: used(by_adding, x), WIDE, via=used)
    assert repr(verdict) == SAYS
    unnamed = [lambda x: 2 * x]
    verdict = check(lambda x: unnamed[0](x), unnamed[0], WIDE)
    assert repr(verdict) == "✗ this is the check's own way to the answer; find another"


def used(f: Any, x: float) -> Any:
    return f(helped(x))


def helped(x: float) -> float:
    return x + 0.0


def test_what_the_check_uses_to_call_an_attempt_may_be_used_by_it_too() -> None:
    def expected(x: float) -> float:
        return used(lambda v: 2 * v, x)

    assert check(lambda x: 2 * helped(x), expected, WIDE, via=used).passed
    found = own_code(lambda x: used(by_adding, helped(x)), used)
    assert {code.co_name for code in found} == {"<lambda>", "by_adding"}


def test_functions_of_a_library_may_be_used_by_both() -> None:
    def expected(x: float) -> Any:
        return np.mean([x, 3 * x])

    assert check(lambda x: np.mean([3 * x, x]), expected, WIDE).passed
    assert check(
        lambda x: np.mean([3 * x, x]), lambda x: np.mean([x, 3 * x]), WIDE
    ).passed


def test_an_attribute_of_the_same_name_is_another_thing() -> None:
    class Box:
        def __init__(self, x: float) -> None:
            self.helped = x

    found = own_code(lambda x: Box(x).helped, None)
    assert {code.co_name for code in found} == {"<lambda>"}


def test_what_is_no_function_of_python_s_has_no_code_to_look_for() -> None:
    assert own_code(abs, None) == set()
    assert check(lambda x: max(x, -x), abs, WIDE).passed
