"""Every exercise of the book is judged as its authors meant: chapter by chapter.

The judge compares as the page does, where `test_exercises` tries all answers. So here
the handout, the solution, one wrong and one other right answer to each exercise are
enough; all answers run weekly.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from nbformat import NotebookNode

from course.judge.find import answers
from course.judge.gate import faults, in_place, made_in_the_child
from course.judge.judge import Judge
from course.sets.handout import handout
from course.sets.needed import wanted
from course.sets.questions import Set, read_set
from notebooks.notebook import (
    ROOT,
    bound,
    chapter_paths,
    code_cells,
    python_source,
    tags,
)
from tests.book.helpers.other_answers import OF_A_TRAINED_NETWORK, RIGHT, WRONG

# Its exercises are tried in the page itself on every run, so the judge takes these
# chapters always and the others weekly: scalars, arrays, leaves, a model, a proof.
ALWAYS = ("00", "09", "13", "18", "21")
CHAPTERS = [
    *(
        pytest.param(
            (path, True),
            id=path.stem,
            marks=[pytest.mark.exhaustive] * (not path.stem.startswith(ALWAYS)),
        )
        for path in chapter_paths()
    ),
    *(
        pytest.param((path, False), id=f"{path.stem}-all", marks=pytest.mark.exhaustive)
        for path in chapter_paths()
        if path.stem.startswith("17_convolution")
    ),
]


@pytest.fixture(scope="module", params=CHAPTERS)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    """Return the judge of a chapter, which has judged every solution to be right."""
    path, is_quick = request.param
    asked = read_set(path)
    if is_quick:
        quick = [q for q in asked.questions if q.label != OF_A_TRAINED_NETWORK]
        asked = replace(asked, questions=tuple(quick))
    made = Judge(asked, "a seed of the tests")
    yield made
    made.close()


@pytest.mark.parametrize("path", chapter_paths(), ids=lambda path: path.stem)
def test_what_an_exercise_names_is_bound_above_it(path: Path) -> None:
    asked = read_set(path)
    assert unbound(asked, asked.notebook) == {}
    assert unbound(asked, handout(asked.notebook, asked.name)) == {}


def unbound(asked: Set, page: NotebookNode) -> dict[str, set[str]]:
    """Return the names that exercises take from above them and do not find there."""
    questions = {q.cell_id: q for q in asked.questions}
    known, found = {*dir(builtins), "__name__"}, dict[str, set[str]]()
    for cell in code_cells(page):
        question = questions.get(str(cell.id))
        if question:
            exercise = question.exercise
            named = wanted(exercise.stub) | wanted(exercise.solved())
            if missing := named - known:
                found[exercise.label] = missing
        if not {"setup", "solution", "key"} & {*tags(cell)}:
            known |= bound(python_source(cell))
    return found


def test_an_untouched_handout_is_untouched(judge: Judge) -> None:
    given = handout(judge.asked.notebook, judge.asked.name)
    for label, answer in answers(given, judge.asked).items():
        question = next(q for q in judge.asked.questions if q.label == label)
        assert judge.verdict(question, answer).status == "untouched", label


def test_wrong_answers_get_no_points(judge: Judge) -> None:
    for question in judge.asked.questions:
        found = judge.verdict(question, in_place(question, WRONG[question.label][0]))
        assert found.points == 0, (question.label, found)


@pytest.mark.exhaustive
def test_nothing_less_than_a_solution_gets_points(judge: Judge) -> None:
    assert list(faults(judge, WRONG)) == []


def compared_in_the_child() -> list[str]:
    """Return the labels that the instructors' guide names, whose counts must fit."""
    guide = (ROOT / "pages" / "instructors.md").read_text(encoding="utf-8")
    said = re.search(
        r"Of the book's (\d+) exercises, (\d+) are compared by value in the judge's "
        r"process, and these (\d+) in the student's: ([\d., ]+)\.",
        guide,
    )
    assert said
    labels = said[4].split(", ")
    whole = sum(len(read_set(path).questions) for path in chapter_paths())
    counts = (whole, whole - len(labels), len(labels))
    assert tuple(map(int, said.groups()[:3])) == counts
    return labels


def test_the_guide_names_what_is_compared_where_the_student_s_code_runs(
    judge: Judge,
) -> None:
    labels = {question.label for question in judge.asked.questions}
    named = [label for label in compared_in_the_child() if label in labels]
    assert made_in_the_child(judge) == named


def test_another_right_answer_is_right(judge: Judge) -> None:
    for question in judge.asked.questions:
        for source in RIGHT.get(question.label, [])[:1]:
            found = judge.verdict(question, in_place(question, source))
            assert found.status == "right", (question.label, source, found)


@pytest.mark.exhaustive
def test_all_right_answers_are_right_whatever_the_seed(judge: Judge) -> None:
    judge.draw("another seed")
    for question in judge.asked.questions:
        answers = [question.exercise.solution, *RIGHT.get(question.label, [])]
        for source in answers:
            found = judge.verdict(question, in_place(question, source))
            assert found.status == "right", (question.label, source, found)


WITHOUT = {
    "20.2": [
        "import autograd_lib.functional as F\n"
        "laplacian = lambda f, x: np.trace(getattr(F, 'hes' + 'sian')(f)(x).data)",
        "laplacian = lambda f, x: np.trace(globals()['hes' + 'sian'](f)(x).data)",
        "from autograd_lib.functional import jacobian\n"
        "laplacian = lambda f, x: np.trace(jacobian(grad(f))(x).data)",
        "from autograd_lib.forward import jacfwd\n"
        "laplacian = lambda f, x: np.trace(np.asarray(jacfwd(grad(f))(x)))",
        "import sys\nfor name in [n for n in sys.modules if n[:8] == 'autograd']:\n"
        "    del sys.modules[name]\n"
        "from autograd_lib.functional import hessian as h\n"
        "laplacian = lambda f, x: np.trace(h(f)(x).data)",
    ],
    "19.2": [
        "from autograd_lib.engine import Tensor, grad as g\n\n\n"
        "def curvature(f, x, v):\n    t = Tensor(x, requires_grad=True)\n"
        "    s = g(f(t), t, create_graph=True)[0]\n"
        "    return (g((s * v).sum(), t)[0].data * v).sum()",
        "from autograd_lib.forward import grad_and_hvp as gh\n"
        "curvature = lambda f, x, v: (gh(f, x, v)[1].data * v).sum()",
        "from autograd_lib.functional import grad as g\n"
        "curvature = lambda f, x, v: g(g(lambda t: f(x + t * v)))(0.0).item()",
        "from autograd_lib.functional import hessian\n"
        "curvature = lambda f, x, v: v @ hessian(f)(x).data @ v",
        "def curvature(f, x, v):\n"
        "    at = lambda t: np.asarray(getattr(y := f(x + t * v), 'data', y))\n"
        "    return (at(1e-4) - 2 * at(0) + at(-1e-4)) / 1e-8",
    ],
}


@pytest.mark.parametrize("label", WITHOUT)
def test_an_answer_does_without_what_its_exercise_excludes(label: str) -> None:
    path = next(p for p in chapter_paths() if p.stem.startswith(label[:2]))
    asked = read_set(path)
    judge = Judge(asked, "a seed of the tests")
    try:
        question = next(q for q in asked.questions if q.label == label)
        for source in WITHOUT[label]:
            assert judge.verdict(question, in_place(question, source)).points == 0
        by_parts = (
            "from functools import partial\n\n\ndef of(_, f, x):\n"
            "    _, pullback = vjp(grad(f), x)\n"
            "    return sum(pullback(e)[0].data @ e for e in np.eye(len(x)))\n\n\n"
            "laplacian = partial(of, 0)"
        )
        if label == "20.2":
            found = judge.verdict(question, in_place(question, by_parts))
            assert found.status == "right", found
    finally:
        judge.close()
