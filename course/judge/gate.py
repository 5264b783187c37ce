"""Whether a set can be trusted with marks: what must be right is, and nothing else.

    python -m course.judge.gate ps1 --course ../autograd-course

The solutions are tried when the judge is made. Then come the stub, constants, the
first answer by heart, the checks' own way called by its name, or looked for in all that
lives in the process, an answer that equals everything, and the wrong answers that lie
in `wrong/<set>/<label>-<name>.py` beside the masters. Each small change of a solution
must be refused too, or `masters/<set>.toml` says why it is another right answer. At
last, what is published is searched for what a master keeps back (`leaks`).
"""

from __future__ import annotations

import argparse
import ast
import os
import secrets
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from course.hold.talk import StageFault
from course.judge.find import Answer
from course.judge.judge import Judge
from course.judge.key import KeyFault
from course.judge.strength import explained, mutants_of
from course.sets.handout import handout
from course.sets.leaks import leaks, published
from course.sets.questions import Question, Set
from course.sets.selection import chosen

EQUAL = """
class Same(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = float.__hash__

{name} = lambda *_, **__: Same(12345.678)
"""
SEEK = """
import gc, os
from types import FunctionType

for thing in gc.get_objects():
    if type(thing) is FunctionType and thing.__code__.co_filename != "withheld":
        places = {{"__main__": {ways!r}}}
        if thing.__qualname__ in places.get(thing.__module__, {withheld!r}):
            os._exit(1)

{name} = lambda *_, **__: "there is none"
"""
CONSTANTS = ("0", "1.0", "(0.0, 0.0)", "True")
SHORT = 5.0  # seconds for a changed solution, which may have lost the end of a loop


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the sets that the command line names; return 1 if one has a fault."""
    parser = argparse.ArgumentParser(prog="python -m course.judge.gate")
    parser.add_argument("sets", nargs="*", help="chapters, 05, or masters, ps1")
    parser.add_argument("--course", type=Path, help="the folder with the masters")
    options = parser.parse_args(arguments)
    failed = False
    sets = chosen(options.sets, options.course)
    for asked in sets:
        start = time.monotonic()
        try:
            handout(asked.notebook, asked.name)
            judge = Judge(asked, secrets.token_hex(8))
        except (KeyFault, StageFault, ValueError) as error:
            print(f"{asked.name}: {error}")
            failed = True
            continue
        print(f"{asked.name}: {where_compared(judge)}")
        try:
            found = list(faults(judge, wrong_answers(options.course, asked.name)))
            count, alive = unnoticed(judge, reasons(asked))
        finally:
            judge.close()
        found += alive
        said = "; ".join(found) or f"holds, and refuses {count} changed solutions"
        print(f"{asked.name}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
        failed = failed or bool(found)
    masters = [asked for asked in sets if is_private(asked)]
    for leak in leaks(masters, published()) if masters else ():
        print(leak, flush=True)
        failed = True
    return int(failed)


def is_private(asked: Set) -> bool:
    """Whether a set is a master; the solutions of chapters are public."""
    return asked.path.parent.name == "masters"


def reasons(asked: Set) -> dict[str, dict[str, str]]:
    """Return why some changed solutions are right too, by label and by change."""
    if not is_private(asked):
        return explained()
    place = asked.path.with_suffix(".toml")
    return tomllib.loads(place.read_text("utf-8")) if place.is_file() else {}


def unnoticed(
    judge: Judge, known: Mapping[str, Mapping[str, str]]
) -> tuple[int, list[str]]:
    """Change each solution in one small place at a time, and judge what is left.

    Returns:
        how many were refused, and which faults that shows: changes that get full
        points and have no reason, and reasons for changes that do not.
    """
    for label, limits in judge.limits.items():
        judge.limits[label] = replace(limits, seconds=judge.seconds(label, SHORT))
    changed = [
        (question, what, source)
        for question in judge.asked.questions
        for what, source in mutants_of(question.exercise.solution)
    ]

    def is_right(one: tuple[Question, str, str]) -> bool:
        return judge.verdict(one[0], in_place(one[0], one[2])).status == "right"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        right = list(pool.map(is_right, changed))
    alive = {
        (question.label, what)
        for (question, what, _), passed in zip(changed, right, strict=True)
        if passed
    }
    labels = {question.label for question in judge.asked.questions}
    with_reason = {(a, what) for a in labels for what in known.get(a, {})}
    return len(changed) - len(alive), [
        *(f"{a}: unnoticed: {what}" for a, what in sorted(alive - with_reason)),
        *(f"{a}: explained, but refused: {w}" for a, w in sorted(with_reason - alive)),
    ]


def made_in_the_child(judge: Judge) -> list[str]:
    """Return the labels whose answers have so few values that one can be guessed."""
    return [
        label
        for label, checks in judge.keys.items()
        if any(expected.is_made_in_the_child for expected in checks)
    ]


def where_compared(judge: Judge) -> str:
    """Return a sentence: how many questions are compared in the judge's process."""
    count, others = len(judge.keys), made_in_the_child(judge)
    said = f"{count - len(others)} of {count} are compared in the judge's process"
    return f"{said}; where the student's code runs: {', '.join(others) or 'none'}"


def wrong_answers(course: Path | None, name: str) -> dict[str, list[str]]:
    """Return the wrong answers that lie beside the masters, by label."""
    found: dict[str, list[str]] = {}
    if course:
        for path in sorted((course / "wrong" / name).glob("*.py")):
            label = path.name.partition("-")[0]
            found.setdefault(label, []).append(path.read_text(encoding="utf-8"))
    return found


def faults(judge: Judge, wrong: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a sentence for each answer that gets points and should not."""
    for question in judge.asked.questions:
        name = question.name
        untouched = judge.verdict(question, Answer(question.exercise.stub))
        if untouched.status != "untouched":
            yield f"the stub of {question.label} is {untouched.status}"
        for why, source in [*idle(question), *by_heart(judge, question)]:
            if judge.verdict(question, Answer(source)).points:
                yield f"{question.label}: {why} gets points"
        seeking = SEEK.format(
            name=name, ways=question.ways, withheld=judge.withheld[question.label]
        )
        if judge.verdict(question, Answer(seeking)).status == "crashed":
            yield f"{question.label}: an answer can reach what computes the answers"
        for source in wrong.get(question.label, []):
            if judge.verdict(question, in_place(question, source)).status == "right":
                yield f"{question.label}: a wrong answer is right: {source.strip():.80}"
        if question.key and not any(
            only_visible(judge, question, source)
            for source in wrong.get(question.label, [])
        ):
            yield f"{question.label}: no wrong answer for {name} fails on the key alone"


def idle(question: Question) -> Iterator[tuple[str, str]]:
    """Yield trivial answers, such as constants, each with a description."""
    name = question.name
    for constant in CONSTANTS:
        yield f"the constant {constant}", f"{name} = lambda *_, **__: {constant}\n"
    yield "what equals everything", EQUAL.format(name=name)
    for oracle in sorted(question.oracles - {name}):
        call = f"{name} = lambda *args: {oracle}(*args)"
        yield f"a call of {oracle}", f"{question.exercise.stub}\n{call}\n"


def by_heart(judge: Judge, question: Question) -> Iterator[tuple[str, str]]:
    """Yield the first answer that a check expects, where it can be written down."""
    for check, expected in zip(
        question.checks, judge.keys[question.label], strict=True
    ):
        first = repr(expected.answers[0])
        try:
            ast.literal_eval(first)
        except (SyntaxError, ValueError):
            continue
        if not check.harness:
            yield "the first answer", f"{question.name} = lambda *_, **__: {first}\n"


def in_place(question: Question, source: str) -> Answer:
    """Return an answer that stands where the solution stands."""
    return Answer(replace(question.exercise, solution=source).solved())


def only_visible(judge: Judge, question: Question, source: str) -> bool:
    """Whether a wrong answer gets past the check that students have."""
    answer = in_place(question, source).source or ""
    visible = judge.tried(
        question, answer, question.checks[0].harness, judge.keys[question.label][0]
    )
    return visible.status == "right"


if __name__ == "__main__":
    sys.exit(main())
