"""Every exercise can be solved, and by nothing less than a solution.

The cells before an exercise that make what it names run as they stand. Then its check
sees the stub, the folded solution, constants, and code that fails. (nbval runs all
cells, and so does the browser.) An exercise on a network that is trained for it is
tried weekly, as it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import nbformat
import pytest

from autograd_lib.book import Verdict, check
from autograd_lib.book.inputs import arguments
from autograd_lib.designs.function import Tensor as tracked
from course.sets.page import Played, played, steps
from notebooks.exercises import Exercise, exercises
from notebooks.further import homes
from notebooks.notebook import chapter_paths
from tests.book.helpers.other_answers import OF_A_TRAINED_NETWORK, RIGHT, WRONG

HOMES = dict(homes())
ALL = {
    exercise.label: (home, exercise)
    for home, page in HOMES.items()
    for exercise in exercises(page)
}


def each(labels: Iterable[str]) -> pytest.MarkDecorator:
    """Make one test for each exercise."""
    weekly = pytest.mark.exhaustive
    return pytest.mark.parametrize(
        "label",
        [
            pytest.param(label, marks=[weekly] * (label == OF_A_TRAINED_NETWORK))
            for label in labels
        ],
    )


EACH = each(ALL)


class Checked:
    """Stands in for `check` in a page, and remembers what it was asked."""

    def __init__(self) -> None:
        self.verdict: Verdict | None = None
        self.first_answer: Any = None
        self.expected: Any = None
        self.parts: Sequence[str] = ()
        self.again: Callable[[Any], Verdict] | None = None

    def __call__(
        self, attempt: Any, expected: Any, *inputs: Any, **options: Any
    ) -> Any:
        self.again = lambda other: check(other, expected, *inputs, **options)
        self.expected, self.parts = expected, options.get("parts", ())
        self.first_answer = expected(*arguments(inputs)[0])
        self.verdict = check(attempt, expected, *inputs, **options)
        return self.verdict


@cache
def page_of(home: str, trains: bool) -> Played:
    """Run the cells that exercises need, and keep the names before each of these.

    Args:
        home: the page.
        trains: whether what needs a trained network counts.
    """
    notebook = HOMES[home]
    asked = {
        e.position: e.solution
        for e in exercises(notebook)
        if trains or e.label != OF_A_TRAINED_NETWORK
    }
    return played(steps(notebook, asked))


def run(label: str, source: str) -> Checked:
    """Run one version of an exercise's cell and return what its check saw."""
    home, exercise = ALL[label]
    names = page_of(home, label == OF_A_TRAINED_NETWORK).at(exercise.position)
    checked = Checked()
    # The cell may import check itself: it is replaced where the cell would find it.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograd_lib.book.check", checked)
        names["check"] = checked
        exec(compile(source, f"exercise {label}", "exec"), names)
    assert checked.verdict is not None, "the cell calls no check"
    return checked


def verdict(checked: Checked, attempt: Any) -> Verdict:
    """Return the verdict of an exercise's check on another attempt."""
    assert checked.again is not None
    return checked.again(attempt)


def test_there_are_exercises() -> None:
    assert len(ALL) >= 3 * len(chapter_paths())


@EACH
def test_the_stub_is_not_attempted_and_no_constant_or_failure_passes(
    label: str,
) -> None:
    checked = run(label, ALL[label][1].stub)
    assert checked.verdict is not None
    assert checked.verdict.status == "○", checked.verdict
    for constant in (0.0, 1.0, -1.0, checked.first_answer):
        assert verdict(checked, lambda *_, c=constant, **__: c).status == "✗", constant
    for own_way in (checked.expected, lambda *args: checked.expected(*args)):
        assert verdict(checked, own_way).status == "✗"
    assert verdict(checked, lambda *_, **__: None).status != "✓"

    def failing(*_: Any, **__: Any) -> None:
        raise RuntimeError("made to fail")

    found = verdict(checked, failing)
    assert found.status == "✗"
    assert "made to fail" in found.message


@EACH
def test_the_solution_passes(label: str) -> None:
    _, exercise = ALL[label]
    checked = run(label, exercise.solved())
    assert checked.verdict is not None
    assert checked.verdict.status == "✓", checked.verdict


def verdict_on(label: str, answer: str) -> Verdict:
    """Return the verdict on a source that stands in place of the solution."""
    checked = run(label, replace(ALL[label][1], solution=answer).solved())
    assert checked.verdict is not None
    return checked.verdict


def test_each_exercise_is_tried_with_wrong_answers() -> None:
    assert set(WRONG) == set(ALL)


@each(WRONG)
def test_no_plausible_wrong_answer_passes(
    label: str, request: pytest.FixtureRequest
) -> None:
    """Weekly all of them are tried, and otherwise two."""
    several = WRONG[label]
    for answer in several if request.config.getoption("--exhaustive") else several[:2]:
        found = verdict_on(label, answer)
        assert found.status == "✗", f"{found}\n{answer}"
        assert "NameError" not in found.message, f"{found}\n{answer}"


@each(RIGHT)
def test_other_right_answers_pass(label: str, request: pytest.FixtureRequest) -> None:
    """Weekly all of them are tried, and otherwise one."""
    several = RIGHT[label]
    for answer in several if request.config.getoption("--exhaustive") else several[:1]:
        found = verdict_on(label, answer)
        assert found.status == "✓", f"{found}\n{answer}"


@pytest.mark.parametrize(
    ("label", "mark", "says"),
    [
        ("3.1", "fails at x⁰", ': accidents: got ("✗ graph.operators: '),
        ("9.2", "another number holds", ": number 5: got "),
        ("13.1", "old array", "the step wrote into the old array: give w another"),
        ("14.3", "node is lost", "a tensor's snapshot lost its node"),
        ("20.2", "np.trace(hessian", "this makes the whole table: use products"),
        ("20.2", "again for each row", "f was called 3 times: once is enough"),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong_with_it(
    label: str, mark: str, says: str
) -> None:
    (answer,) = (answer for answer in WRONG[label] if mark in answer)
    assert says in verdict_on(label, answer).message


RUN_ACCIDENTS = [label for label, (_, e) in ALL.items() if '"accidents"' in e.stub]


@each(RUN_ACCIDENTS)
def test_a_check_that_runs_accidents_lists_those_that_fail(label: str) -> None:
    checked = run(label, ALL[label][1].stub)
    assert checked.first_answer[list(checked.parts).index("accidents")] == []


def test_a_result_that_no_function_made_is_told_so() -> None:
    checked = run("7.4", ALL["7.4"][1].stub)
    found = verdict(checked, lambda x, *_: tracked(x.data))
    assert found.status == "✗"
    assert found.message.endswith(": not made by a Function: call its apply")


def cells(*pairs: tuple[str, str]) -> Iterator[Any]:
    """Yield cells from (tag, source); other tags than exercise are Markdown."""
    for tag, source in pairs:
        if tag == "exercise":
            yield nbformat.v4.new_code_cell(source, metadata={"tags": [tag]})
        else:
            yield nbformat.v4.new_markdown_cell(source, metadata={"tags": [tag]})


STUB = ("exercise", "def f(x): ...\n\n\ncheck(f, g)")
ABOVE = ("text", "## Exercises\n\n**Exercise 5.2.** Do it.")
SOLUTION = (
    "solution",
    "<details>\n\n```python\ndef f(x):\n    return x\n```\n</details>",
)


def test_an_exercise_is_read() -> None:
    notebook = nbformat.v4.new_notebook(cells=list(cells(ABOVE, STUB, SOLUTION)))
    expected = Exercise("5.2", 1, STUB[1], "def f(x):\n    return x")
    assert exercises(notebook) == [expected]
    assert expected.attempt == "f"
    assert expected.solved().splitlines()[-3:] == [
        "def f(x):",
        "    return x",
        "check(f, g)",
    ]


@pytest.mark.parametrize(
    "pairs",
    [
        (("text", "no label"), STUB, SOLUTION),
        (ABOVE, STUB),
        (ABOVE, STUB, ("solution", "no fence")),
        (ABOVE, STUB, ("text", SOLUTION[1])),
    ],
)
def test_an_incomplete_exercise_is_refused(pairs: tuple[tuple[str, str], ...]) -> None:
    notebook = nbformat.v4.new_notebook(cells=list(cells(*pairs)))
    with pytest.raises(ValueError, match=r"Exercise|exercise"):
        exercises(notebook)


def test_a_cell_that_does_not_end_in_a_check_is_refused() -> None:
    with pytest.raises(ValueError, match="its last line must be check"):
        _ = Exercise("5.2", 1, "f = 1", "").attempt
