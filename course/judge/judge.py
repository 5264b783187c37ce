"""Judge answers: let an attempt answer the judge's inputs, and compare."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from time import monotonic
from types import FunctionType
from typing import Any

from autograd_lib.book.compare import shown
from autograd_lib.book.exercise import at_input
from course.hold.confine import Limits
from course.hold.plain import packed, size, unpacked
from course.hold.safe import line
from course.hold.talk import Conversation, Ended, Job, Stage, StageFault
from course.judge.find import LONGEST, Answer, shape
from course.judge.key import Expected, KeyFault, keys
from course.judge.verdict import Verdict
from course.sets.needed import free_names
from course.sets.page import played
from course.sets.pieces import NO_PYTHON, parsed, without
from course.sets.questions import Question, Set

NAME = r"[^\W\d]\w{0,49}"  # what can be said to have no meaning
PATIENCE = 10  # times as long as the book's own solution takes
MESSAGES = {
    "timeout": "it took longer than {seconds:.0f} s; is there a loop without end?",
    "crashed": "its process ended before it answered",
    "tampered": "what came back is no answer",
}


class AttemptFailed(Exception):
    """What an attempt raised, as a sentence."""

    def __init__(self, text: str, missing: str = "") -> None:
        super().__init__(text)
        self.missing = missing


class Judge:
    """A set with its key, and a stage that has run its page.

    Making one tries the book's own solutions: a key that they fail is of no use.

    Raises:
        KeyFault: if a key fails, or refuses the solution.
    """

    def __init__(
        self, asked: Set, seed: str, also: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        self.asked = asked
        page = asked.steps({k: free_names(v) for k, v in (also or {}).items()})
        self.limits = {q.label: Limits() for q in asked.questions}
        self.took = dict[str, float]()
        self.stage = Stage(page)
        try:
            self.page = played(page)
            self.draw(seed)
            self.withheld = {
                q.label: withheld(q, self.page.before[q.exercise.position])
                for q in asked.questions
            }
            self.stage.wait()
            for question in asked.questions:
                self.try_the_solution(question)
        except BaseException:
            self.stage.close()
            raise

    def draw(self, seed: str) -> None:
        """Draw the inputs, and compute the answers to them."""
        self.keys = keys(self.asked.questions, self.page, seed)

    def try_the_solution(self, question: Question) -> None:
        """Judge the book's solution, which must be right, and see how long it takes."""
        patient = replace(Limits(), seconds=60.0)
        self.limits[question.label] = patient
        start = monotonic()
        found = self.verdict(question, Answer(question.exercise.solved()))
        self.took[question.label] = monotonic() - start
        if found.status != "right":
            raise KeyFault(
                f"the key of {question.label} refuses the solution: "
                f"{found.status} {found.message}"
            )
        seconds = self.seconds(question.label, Limits().seconds)
        self.limits[question.label] = replace(patient, seconds=seconds)

    def seconds(self, label: str, least: float) -> float:
        """Return the time limit of an answer, from the time of the solution."""
        return max(least, PATIENCE * self.took[label])

    def verdict(self, question: Question, answer: Answer) -> Verdict:
        """Judge one answer by all checks of its question, in bounded work.

        What the judge's own code cannot cope with is an error of this answer, and of no
        other.

        Raises:
            StageFault: if the system does not let it judge, which is no answer's doing.
        """
        try:
            found = self.judged(question, answer)
        except StageFault:
            raise
        except OSError as error:
            raise StageFault(f"no answer can be judged here: {error}") from error
        except Exception as error:
            found = Verdict(
                "error", 0.0, f"it cannot be judged: {type(error).__name__}"
            )
        case = tuple(map(line, found.case))
        return replace(found, message=line(found.message), case=case)

    def judged(self, question: Question, answer: Answer) -> Verdict:
        """Judge one answer by all checks of its question."""
        source = answer.source
        if source is None:
            return Verdict("missing", 0.0, f"no cell gives {question.name} a meaning")
        if shape(source) == shape(question.exercise.stub):
            return Verdict("untouched")
        if len(source) > LONGEST:
            return Verdict("error", 0.0, "the cell is too long to be an answer")
        try:
            source = without_oracles(source, question)
        except NO_PYTHON as error:
            return Verdict("error", 0.0, f"{type(error).__name__}: {error}")
        points, worst = 0.0, Verdict("right")
        for check, expected in zip(
            question.checks, self.keys[question.label], strict=True
        ):
            found = self.tried(question, source, check.harness, expected)
            if found.status == "right":
                points += check.points
                continue
            if check.because and found.status in ("wrong", "error"):
                found = Verdict("wrong", 0.0, check.because)
            if worst.status == "right":
                worst = replace(found, section=check.section)
            if not check.because:
                return replace(worst, points=0.0)
        return replace(worst, points=points)

    def tried(
        self, question: Question, source: str, harness: str, expected: Expected
    ) -> Verdict:
        """Let an attempt answer the inputs of one check, in a process of its own."""
        limits = self.limits[question.label]
        job = Job(
            question.exercise.position,
            question.name,
            source,
            harness,
            sorted(self.withheld[question.label]),
            question.without,
            limits,
        )
        with self.stage.attempt(job) as attempt:
            try:
                first = attempt.hear()
                if "ready" not in first:
                    return not_ready(first, question)
                return self.compared(attempt, expected, question, first.get("failed"))
            except Ended as end:
                text = MESSAGES[str(end)].format(seconds=limits.seconds)
                status = "wrong" if str(end) == "tampered" else str(end)
                return Verdict(status, 0.0, text)

    def compared(
        self,
        attempt: Conversation,
        expected: Expected,
        question: Question,
        failed: Any = None,
    ) -> Verdict:
        """Ask for one answer after the other, and compare each.

        `failed` says, by name, why the cell did not define it, as an attempt tells.
        """
        came: list[Any] = []
        answered = asker(attempt, expected.room)

        def ask(*args: float) -> Any:
            came[:] = [answered(*args)]
            return came[0]

        for i, args in enumerate(expected.inputs):
            came.clear()
            try:
                problem = expected.problem(ask, i)
            except MissingName as error:
                why = failed.get(str(error)) if isinstance(failed, dict) else None
                said = str(why) if why else of_missing(str(error), question)
                return Verdict("error", 0.0, said)
            if problem:
                problem = problem.removeprefix("AttemptFailed: ")
                got = shown(came[0]) if came else problem
                case = ", ".join(map(shown, args)), got, shown(expected.answers[i])
                return Verdict("wrong", 0.0, f"{at_input(args)}: {problem}", case=case)
        return Verdict("right")

    def close(self) -> None:
        """End the stage."""
        self.stage.close()


class MissingName(BaseException):
    """Raised for a NameError of an attempt, to end the comparison."""


def asker(attempt: Conversation, room: int) -> Callable[..., Any]:
    """Return a function that gets its result from an attempt in another process.

    An answer of more than `room` parts is not looked into.
    """

    def ask(*args: float) -> Any:
        attempt.say(packed(list(args)))
        said = attempt.hear()
        if "got" in said:
            try:
                is_small = size(said["got"]) <= room
                got = unpacked(said["got"]) if is_small else None
            except ValueError:
                raise Ended("tampered") from None
            if is_small:
                return got
            raise AttemptFailed("what came back is far larger than a right answer")
        if name := missing(said):
            raise MissingName(name)
        raise AttemptFailed(str(said.get("raised", "no answer")))

    return ask


def not_ready(first: Mapping[str, Any], question: Question) -> Verdict:
    """Return the verdict on a cell that made no attempt."""
    if "untouched" in first:
        return Verdict("untouched")
    name = missing(first)
    if name and name != question.name:
        return Verdict("error", 0.0, of_missing(name, question))
    return Verdict("error", 0.0, str(first.get("error", "it says nothing")))


def missing(said: Mapping[str, Any]) -> str:
    """Return the undefined name that an attempt reports, if it has the form of one."""
    found = re.fullmatch(NAME, str(said.get("missing")))
    return found[0] if found and said.get("missing") else ""


def of_missing(name: str, question: Question) -> str:
    """Return the message for a name that is undefined where an answer is judged."""
    if name in question.oracles:
        return f"{name} is the check's own way to the answer; find another"
    return (
        f"{name} is not defined: everything that an answer needs stands in its cell, "
        "or above it on the page as it was handed out"
    )


def withheld(question: Question, names: Mapping[str, Any]) -> set[str]:
    """Return the functions that compute what the checks compare with.

    They are the page's, or one of the library's if it is the answer as it stands.
    """
    return {
        name
        for name in question.ways
        if isinstance(names.get(name), FunctionType)
        and (names[name].__module__ == "__main__" or name in question.itself)
    }


def without_oracles(source: str, question: Question) -> str:
    """Return a cell without the page's functions that compute what is expected.

    Nor may it import the one that is the answer as it stands.

    Raises:
        SyntaxError: if the cell is not Python.
    """
    given = {
        ast.dump(s)
        for s in parsed(question.exercise.stub).body
        if isinstance(s, ast.FunctionDef) and s.name in question.oracles
    }
    return without(
        source,
        [
            s
            for s in parsed(source).body
            if (isinstance(s, ast.ImportFrom) and imports(s) & question.itself)
            or (getattr(s, "name", "") in question.oracles and ast.dump(s) in given)
        ],
    )


def imports(statement: ast.ImportFrom) -> set[str]:
    """Return the names that are taken from a module."""
    return {alias.name for alias in statement.names}
