"""What only the judge knows: the inputs that it draws, and the answers to them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograd_lib.book.exercise import Compared, refuse_what_fits_no_answer
from autograd_lib.book.inputs import TRIALS, Inputs, simplest
from course.hold.plain import opaque_in, packed, size, unpacked
from course.sets.page import Played, check_replaced, silent
from course.sets.questions import Question

ROOM, LARGER = 1000, 4  # parts of any answer, and more for each that is expected
FEW = 5  # as many different answers can be guessed, or made by whoever asks


class KeyFault(Exception):
    """A key cannot be used; the message says whose and why."""


@dataclass(frozen=True)
class Expected:
    """The inputs of one check, the answers to them, and how answers are compared."""

    inputs: Sequence[tuple[float, ...]]
    answers: Sequence[Any]
    tolerance: float
    parts: Sequence[str]
    room: int
    """How many parts an answer may have; to compare a larger one only takes time."""

    def problem(self, ask: Any, i: int) -> str:
        """Return the difference from the answer to input `i`, empty if there is none.

        `ask` returns the answer to an input, or raises what the attempt raised.
        """
        compared = Compared(ask, None, self.tolerance, self.parts)
        return compared.problem(self.inputs[i], self.answers[i])

    @property
    def is_made_in_the_child(self) -> bool:
        """Whether the answers have so few values that `via` itself decides."""
        return len({repr(packed(answer)) for answer in self.answers}) <= FEW


def keys(
    questions: Sequence[Question], page: Played, seed: str
) -> dict[str, list[Expected]]:
    """Compute the expected answers to inputs drawn from a seed, by label.

    Raises:
        KeyFault: if a check fails, or expects what is no plain data.
    """
    return {
        q.label: expected_by(q, page.at(q.exercise.position), seed) for q in questions
    }


def expected_by(
    question: Question, names: Mapping[str, Any], seed: str
) -> list[Expected]:
    """Run a question's cells, with `check` recording, and compute what it expects."""
    recorded: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []

    def record(_: Any, expected: Any, *inputs: Any, **how: Any) -> Any:
        recorded.append((expected, inputs, how))
        return silent()

    names = {**names, "check": record}
    try:
        with check_replaced(record):
            for source in (question.exercise.stub, question.key):
                exec(compile(source, f"the key of {question.label}", "exec"), names)
        if len(recorded) != len(question.checks):
            raise KeyFault("checks must be called once each, at the top of the cell")
        return [
            computed(*call, f"{seed} {question.label} {i}")
            for i, call in enumerate(recorded)
        ]
    except Exception as error:
        raise KeyFault(
            f"the key of {question.label} fails: {type(error).__name__}: {error}"
        ) from error


def computed(
    expected: Any, inputs: tuple[Any, ...], how: Mapping[str, Any], seed: str
) -> Expected:
    """Compute the answers that one check expects."""
    if not inputs or not all(isinstance(one, Inputs) for one in inputs):
        raise KeyFault("name where each argument comes from, reals(low, high)")
    tolerance, parts = how.get("tolerance", 1e-6), how.get("parts", ())
    samples = drawn(inputs, seed)
    plain = [packed(expected(*args)) for args in samples]
    answers = [unpacked(data, expected=True) for data in plain]
    if any(map(opaque_in, answers)):
        raise KeyFault(f"its answers are no plain data: {answers[0]!r:.80}")
    refuse_what_fits_no_answer(answers, tolerance, parts)
    room = ROOM + LARGER * max(map(size, plain))
    return Expected(samples, answers, tolerance, parts, room)


def drawn(inputs: Sequence[Inputs], seed: str) -> list[tuple[float, ...]]:
    """Return up to `TRIALS` inputs, simple ones first, the others from a secret seed.

    Where there are fewer than `TRIALS`, all of them are returned.
    """
    simple = [
        tuple(map(typed, inputs, args))
        for args in itertools.islice(simplest([i.simple() for i in inputs]), TRIALS)
    ]
    if all(i.whole for i in inputs) and len(simple) < TRIALS:
        return simple
    rng = random.Random(seed)
    found = dict.fromkeys(simple[: TRIALS // 4])
    for _ in range(10 * TRIALS):
        if len(found) < TRIALS:
            rounded = len(found) < 3 * TRIALS // 4
            found[tuple(typed(i, i.drawn(rng, rounded)) for i in inputs)] = None
    return list(found)


def typed(source: Inputs, number: float) -> float:
    """Return an integer where integers are asked for, and else a float."""
    return int(number) if source.whole else float(number)
