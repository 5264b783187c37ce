"""What a chapter or a problem set asks, read from its notebook: exercises and checks.

A question is an exercise. Its stub's own `check` is one check; a master may have more,
in a cell tagged `key` below the solution. A comment above each says what it is worth,
and what a wrong answer is told: `# 2 points: a rule multiplies by what comes`. A line
`# see 04_order#without-an-order` below it names the section that explains it. A line
`# without autograd_lib.engine` names functions and modules of the library that an
answer cannot use; those of the book's own exercises are in `without.toml`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from nbformat import NotebookNode

from course.sets.needed import changed, named_inside, wanted
from course.sets.page import Step, steps
from course.sets.sections import SEE, is_of, of_exercise, title
from notebooks.exercises import Exercise, exercises
from notebooks.further import whole
from notebooks.notebook import bound, tags

WORTH = re.compile(r"^# (\d+(?:\.\d+)?) points?: (\S.*)$")
WITHOUT = re.compile(r"(?m)^# without ([\w.]+(?:, [\w.]+)*)$")
VIA = "_how_it_is_used"


@dataclass(frozen=True)
class Check:
    """One call of `check`: what it is worth, and what its failure is said to be.

    `because` is empty for the check that students have; they see where it fails.
    """

    points: float
    because: str
    harness: str
    """What makes the way in which the attempt is used, and nothing of the key."""
    section: str = ""
    """Where the book explains it, such as `04_order#without-an-order`."""


@dataclass(frozen=True)
class Question:
    """An exercise, with what a judge needs to find and to try an answer."""

    exercise: Exercise
    cell_id: str
    key: str
    checks: tuple[Check, ...]
    oracles: frozenset[str]
    """Names in the checks' own way of computing the answer."""
    itself: frozenset[str] = frozenset()
    """Those of the functions that a check is given as they are."""
    without: tuple[str, ...] = ()
    """Functions and modules of the library that do not work for an answer."""

    @property
    def label(self) -> str:
        """Its number, such as 5.1."""
        return self.exercise.label

    @cached_property
    def name(self) -> str:
        """The name that an answer defines."""
        return self.exercise.attempt

    @cached_property
    def ways(self) -> frozenset[str]:
        """The names of functions that only compute the expected answers.

        The solution may call an oracle as well, and a check's `via` one that uses what
        it is given; but never one that is the answer as it stands.
        """
        harnesses = (wanted(check.harness) - self.itself for check in self.checks)
        return self.oracles - wanted(self.exercise.solution).union(*harnesses)

    @property
    def points(self) -> float:
        """The points of a right answer."""
        return sum(check.points for check in self.checks)


@dataclass(frozen=True)
class Set:
    """A chapter or a problem set, with all its questions."""

    path: Path
    notebook: NotebookNode
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """Its file's name without the ending."""
        return self.path.stem

    def steps(self, also: dict[str, str] | None = None) -> list[Step]:
        """Return the cells to run, for the solutions and for what else is asked.

        `also` is code by label, such as all answers' free names.
        """
        asked = {
            q.exercise.position: "\n".join(
                [q.exercise.solution, (also or {}).get(q.label, "")]
            )
            for q in self.questions
        }
        return steps(self.notebook, asked)


def read_set(path: Path) -> Set:
    """Read a chapter with all its exercises, or a problem set with its key.

    Raises:
        ValueError: if an exercise or a key is not as it must be written.
    """
    notebook = whole(path)
    keys = keys_of(notebook, path.name)
    questions = tuple(
        question(
            e,
            str(notebook.cells[e.position].id),
            keys.get(e.position, ""),
            of_exercise(path.stem, e.label),
            withheld_from(path.stem, e.label),
        )
        for e in exercises(notebook)
    )
    return Set(path, notebook, questions)


@cache
def withheld_from_exercises() -> dict[str, list[str]]:
    """Return the functions withheld from the book's own exercises, by their labels."""
    path = Path(__file__).with_name("without.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def withheld_from(page: str, label: str) -> tuple[str, ...]:
    """Return the functions withheld from an exercise of a chapter, none for a set's."""
    found = withheld_from_exercises().get(label, ()) if is_of(page, label) else ()
    return tuple(found)


def keys_of(notebook: NotebookNode, name: str) -> dict[int, str]:
    """Return the sources of the keys by the position of their exercise.

    A key stands below the solution.
    """
    found, last = {}, None
    for i, cell in enumerate(notebook.cells):
        if "exercise" in tags(cell):
            last = i
        if "key" in tags(cell):
            if last is None or i > last + 2 or last in found:
                raise ValueError(
                    f"{name}: a key must stand below the solution of its exercise, "
                    f"and this does not:\n{cell.source}"
                )
            found[last] = str(cell.source)
    return found


def question(
    exercise: Exercise,
    cell_id: str,
    key: str,
    section: str = "",
    without: Sequence[str] = (),
) -> Question:
    """Put a question together from its stub and its key.

    The check that students have is explained where the first of the key is.
    """
    statements = ast.parse(exercise.stub).body
    own = calls_of_check(statements)
    hidden = ast.parse(key).body
    asked = calls_of_check(hidden)
    if key and not asked:
        raise ValueError(f"exercise {exercise.label}: its key calls no check")
    for call in asked:
        if ast.unparse(call.args[0]) != exercise.attempt:
            raise ValueError(
                f"exercise {exercise.label}: its key checks {ast.unparse(call.args[0])}"
                f" and not {exercise.attempt}"
            )
    above = [worth(key.splitlines(), call.lineno, exercise.label) for call in asked]
    section = next((see for *_, see in above if see), section)
    checks = [Check(0.0 if key else 1.0, "", harness(own[-1], statements), section)]
    for call, (points, because, see) in zip(asked, above, strict=True):
        used = harness(call, [*statements, *hidden])
        checks.append(Check(points, because, used, see or section))
    calls = [*own, *asked]
    itself = frozenset(c.args[1].id for c in calls if isinstance(c.args[1], ast.Name))
    named = [name for line in WITHOUT.findall(key) for name in line.split(", ")]
    return Question(
        exercise,
        cell_id,
        key,
        tuple(checks),
        oracles(calls),
        itself,
        (*without, *named),
    )


def calls_of_check(statements: Sequence[ast.stmt]) -> list[ast.Call]:
    """Return the calls of `check` that are statements of their own."""
    return [
        statement.value
        for statement in statements
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and ast.unparse(statement.value.func) == "check"
    ]


def worth(lines: Sequence[str], number: int, label: str) -> tuple[float, str, str]:
    """Return the points of a check of the key, its sentence, and its section.

    And where the book explains it, empty if no line says so.
    """
    *_, first, last = ["", "", *lines[: number - 1]]
    see = SEE.match(last)
    found = WORTH.match(first if see else last)
    if not found:
        raise ValueError(
            f"exercise {label}: above each check of its key stands a line such as "
            "`# 2 points: what a wrong answer is told`"
        )
    if see:
        title(see[1])  # raises an error where there is no such section
    return float(found[1]), found[2], see[1] if see else ""


def harness(call: ast.Call, statements: Sequence[ast.stmt]) -> str:
    """Return the source that makes `via`, under the name `VIA`; empty without one.

    It is the statements that `via` needs and no others: where the expected answer is
    computed in its own functions, nothing of them goes where students' code runs.
    """
    via = next((k.value for k in call.keywords if k.arg == "via"), None)
    if via is None:
        return ""
    last = f"{VIA} = {ast.unparse(via)}"
    sources = [
        ast.unparse(s)
        for s in statements
        if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Call))
    ]
    names, kept = wanted(last), set[int]()
    while True:
        more = {
            i for i, s in enumerate(sources) if (bound(s) | changed(s)) & names
        } - kept
        if not more:
            return "\n".join([*(sources[i] for i in sorted(kept)), last])
        kept |= more
        for i in more:
            names |= wanted(sources[i]) | named_inside(sources[i])


def oracles(calls: Sequence[ast.Call]) -> frozenset[str]:
    """Return the names in the expressions for the expected answers."""
    return frozenset(
        node.id
        for call in calls
        for node in ast.walk(call.args[1])
        if isinstance(node, ast.Name)
    )
