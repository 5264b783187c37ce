"""`python -m course.judge.strength`: does each exercise's check notice a wrong line?

The folded solution of each exercise is changed in one small place at a time, and its
check sees what is left. What the check accepts survives, and is an error unless
`strength.toml` explains why it is another right answer. So is an explanation of what no
longer survives.

    python -m course.judge.strength               all exercises, which takes minutes
    python -m course.judge.strength 3.1 12        those of a label or a chapter
    python -m course.judge.strength --list 3.1    what would be changed
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import sys
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import process_time
from typing import Any

from autograd_lib.book.exercise import Compared
from autograd_lib.book.inputs import arguments
from autograd_lib.book.limit import TookTooLong, limited
from autograd_lib.check.mutate import changes, described
from course.sets.page import check_replaced, played, silent, steps
from notebooks.exercises import Exercise, exercises
from notebooks.further import homes

EXPLAINED = Path(__file__).with_name("strength.toml")
SECONDS = 5.0  # of work, at least, for what is wrong and perhaps without end
PATIENCE = 10  # or so many times as long as the solution takes


def mutants_of(solution_source: str) -> Iterator[tuple[str, str]]:
    """Yield small changes of a solution: what each changes, and the source after it.

    No two sources are the same.
    """
    tree = ast.parse(solution_source)
    seen = {ast.unparse(tree)}
    for what, change in described(tree, slips).items():
        source = ast.unparse(change.made(tree))
        if source not in seen:
            seen.add(source)
            yield what, source


def slips(node: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes that a slip could put in the place of a part of a solution."""
    return chain(changes(node), swaps(node), omissions(node))


def swaps(node: ast.AST) -> Iterator[ast.AST]:
    """Yield another operator, and two arguments or two parts in the other order."""
    match node:
        case ast.BinOp(left, ast.Mult(), right):
            yield ast.BinOp(left, ast.Div(), right)
        case ast.BinOp(left, ast.Div() | ast.Pow(), right):
            yield ast.BinOp(left, ast.Mult(), right)
        case ast.Call(func, [first, second], []):
            yield ast.Call(func, [second, first], [])
        case ast.Tuple([first, second], ast.Load()):
            yield ast.Tuple([second, first], ast.Load())


def omissions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `pass` in the place of an assignment or a condition."""
    match node:
        case ast.Assign([ast.Name() | ast.Tuple()]) | ast.AugAssign() | ast.If():
            yield ast.Pass()


@dataclass(frozen=True)
class Tried:
    """An exercise, the names that its cell finds, and what its check compares with."""

    exercise: Exercise
    names: Mapping[str, Any]
    samples: list[tuple[float, ...]]
    answers: list[Any]
    seconds: float = 60.0

    def accepts(self, source: str) -> bool:
        """Whether the check accepts code in the place of the solution."""
        with quiet():
            try:
                with limited(self.seconds):
                    attempt, how = called(self.exercise, source, self.names)[:2]
            except (Exception, SystemExit, TookTooLong):
                return False
            tolerance, parts = how.get("tolerance", 1e-6), how.get("parts", ())
            compared = Compared(attempt, how.get("via"), tolerance, parts)
            found = compared.verdict(self.samples, self.answers, self.seconds)
        return found[0] == "✓"

    def survivors(self) -> Iterator[str]:
        """Yield which changes of the solution the check accepts."""
        for what, source in mutants_of(self.exercise.solution):
            if self.accepts(source):
                yield what
        if not self.accepts(self.exercise.solution):
            yield "none: after all changes, the solution itself is refused"


def called(
    exercise: Exercise, solution: str, names: Mapping[str, Any]
) -> tuple[Any, dict[str, Any], Any, tuple[Any, ...]]:
    """Run a cell with a solution in it; return what its check is given.

    That is the attempt, the named options, `expected`, and the inputs.
    """
    asked: list[Any] = []

    def record(attempt: Any, expected: Any, *inputs: Any, **how: Any) -> Any:
        asked.append((attempt, how, expected, inputs))
        return silent()

    cell = Exercise(exercise.label, 0, exercise.stub, solution).solved()
    with check_replaced(record):
        code = compile(cell, f"exercise {exercise.label}", "exec")
        exec(code, {**names, "check": record})
    return asked[-1]  # type: ignore[no-any-return]


def tried(exercise: Exercise, names: Mapping[str, Any]) -> Tried:
    """Compute what an exercise's check compares with, and see what the solution takes.

    Raises:
        ValueError: if the check refuses the solution.
    """
    with quiet():
        *_, expected, inputs = called(exercise, exercise.solution, names)
        samples = arguments(inputs)
        answers = [expected(*args) for args in samples]
    found = Tried(exercise, names, samples, answers)
    start = process_time()
    if not found.accepts(exercise.solution):
        raise ValueError(f"the check of {exercise.label} refuses the solution")
    seconds = max(SECONDS, PATIENCE * (process_time() - start))
    return Tried(exercise, names, samples, answers, seconds)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let a cell print nothing, draw no bars, and warn of nothing."""
    nowhere = io.StringIO()
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        warnings.simplefilter("ignore")
        yield


def all_tried(asked: Iterable[str] = ()) -> Iterator[Tried]:
    """Yield the exercises that are asked for, by label or chapter; else all."""
    wanted = set(asked)
    for _, notebook in homes():
        found = exercises(notebook)
        chosen = [
            e
            for e in found
            if not wanted or wanted & {e.label, e.label.partition(".")[0]}
        ]
        if chosen:
            with quiet():
                solutions = {e.position: e.solution for e in chosen}
                page = played(steps(notebook, solutions))
            for exercise in chosen:
                yield tried(exercise, page.at(exercise.position))


def explained() -> dict[str, dict[str, str]]:
    """Return why some changes are right answers too: by label, and by change."""
    return tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))


def main(arguments: list[str] | None = None) -> int:
    """Change solutions and report; return 1 if a wrong one passes unexplained."""
    parser = argparse.ArgumentParser(prog="python -m course.judge.strength")
    parser.add_argument("asked", nargs="*", help="labels, 3.1, or chapters, 12")
    parser.add_argument("--list", action="store_true", help="try nothing")
    options = parser.parse_args(arguments)
    known, count, faults = explained(), 0, 0
    for one in all_tried(options.asked):
        label = one.exercise.label
        reasons = known.get(label, {})
        changed = [what for what, _ in mutants_of(one.exercise.solution)]
        count += len(changed)
        if options.list:
            print(*(f"{label}: {what}" for what in changed), sep="\n")
            continue
        found = list(one.survivors())
        for what in found:
            if what not in reasons:
                print(f"survived: {label}: {what}", flush=True)
                faults += 1
        for what in reasons:
            if what not in found:
                print(f"explained, but refused: {label}: {what}", flush=True)
                faults += 1
    if not options.list:
        print(f"{count} changes of solutions tried, {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
