"""What a program depends on is seen before each call."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import Compiled, compile
from tests.library.program.test_program import assert_same, numbers


def assert_follows(f: Any, *calls: Any, programs: int) -> Compiled:
    """Assert that a compiled function returns what the function does, call by call."""
    compiled = compile(f)
    for args in calls:
        assert_same(compiled(*args), f(*args))
    assert len(compiled.programs) == programs, compiled.reasons
    return compiled


# Arguments.


@pytest.mark.parametrize("make", [np.array, from_numpy, lambda x: x[0]])
def test_an_argument_given_twice_is_no_program_for_two(make: Any) -> None:
    a, b, c = (make(numbers(2, seed=k)) for k in range(3))
    calls = [(a, a), (a, b), (b, b), (b, c)]
    assert_follows(lambda x, y: x - y, *calls, programs=2)


def changed_calls() -> Iterator[tuple[Any, Any]]:
    """Yield pairs of calls that need two programs, as positional and keyword ones."""
    x = numbers(3, 4)
    t = from_numpy(x)
    leaf = Tensor(x, requires_grad=True)
    pairs: list[tuple[Any, Any]] = [
        (x, x[:2]),
        (x, x.astype(np.float32)),
        (x, np.asfortranarray(x)),
        (x, x[:, ::-1]),
        (x, t),
        (t, leaf),
        (t, from_numpy(x.T.copy().T)),
        (x[0, 0], x[0]),
        (x[0, 0], np.float32(1)),
        (x[0, 0], 1.0),
        (1.0, 1),
        (1, True),
        ([x], (x,)),
        ([x], [x, x]),
        ([x, x], [x, x + 1]),
        ([], [x]),
        ({"a": x}, {"b": x}),
        ({"a": x, "b": t}, {"b": t, "a": x}),
        ({"a": {"c": x}}, {"a": {"c": t}}),
        ({"a": x}, [x]),
        ({}, {"a": x}),
        (None, x),
        ("a", "b"),
    ]
    for a, b in pairs:
        yield ((x, a), {}), ((x, b), {})
        yield ((x,), {"extra": a}), ((x,), {"extra": b})
    yield ((x, x), {}), ((x,), {"extra": x})
    yield ((x,), {"extra": x, "more": t}), ((x,), {"more": t, "extra": x})
    yield ((x,), {}), ((x, None), {})


@pytest.mark.parametrize(("first", "other"), list(changed_calls()))
def test_what_differs_is_seen_by_the_guard(first: Any, other: Any) -> None:
    """The guard turns away what has another key, and lets through what has the same."""

    def f(x: Any, *rest: Any, **named: Any) -> Any:
        return x * 2

    calls = [first, other]
    compiled = compile(f)
    for args, kwargs in calls:
        compiled(*args, **kwargs)
    assert len(compiled.programs) == 2
    for known in compiled._programs:
        fits = [known.guard(*call) is not None for call in calls]
        assert sorted(fits) == [False, True]


def test_whether_gradients_are_recorded_is_seen() -> None:
    w = Tensor(numbers(3), requires_grad=True)
    f = compile(lambda x: w * x)
    x = numbers(3)
    for way, needs in ((nullcontext, True), (ag.no_grad, False), (nullcontext, True)):
        with way():
            assert f(x).requires_grad is needs
    assert len(f.programs) == 2


@dataclasses.dataclass
class Pair:
    """Two arrays and an option."""

    a: Any
    b: Any
    twice: bool = dataclasses.field(default=False, metadata={"static": True})


def test_dataclasses_are_looked_at_with_what_lies_beside_their_parts() -> None:
    def f(p: Any) -> Any:
        return p.a * (2 if p.twice else 1) - p.b

    x, y = numbers(3), numbers(3, seed=1)
    calls = [(Pair(x, y),), (Pair(y, x),), (Pair(x, y, True),), (Pair(x, x),)]
    assert_follows(f, *calls, programs=3)


def test_programs_take_turns() -> None:
    compiled = compile(lambda x: x.sum(axis=0))
    for k in (*range(1, 8), *range(7, 0, -1)):
        assert_same(compiled(numbers(k, 2)), numbers(k, 2).sum(axis=0))
    assert len(compiled.programs) == 7
