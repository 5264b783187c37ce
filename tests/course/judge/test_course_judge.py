"""What the judge says of each kind of submission, and of each attack."""

from __future__ import annotations

import copy
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import nbformat
import pytest
from nbformat import NotebookNode

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.hold import rehearsal
from course.hold.talk import StageFault
from course.judge.find import Answer, answers
from course.judge.gate import SEEK
from course.judge.judge import Judge
from course.sets.questions import Question, read_set
from notebooks.notebook import chapter_paths
from tests.course.helpers.submissions import answered, blank, changed, solved, with_code

CHAPTER = read_set(chapter_paths()[1])
# The exercise that the submissions below are made for stands first.
ASKED = replace(
    CHAPTER,
    questions=tuple(sorted(CHAPTER.questions, key=lambda q: q.name != "five_point")),
)
ALL = len(ASKED.questions)
RIGHT = ["right"] * ALL


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    made = Judge(ASKED, "a seed of the tests")
    made.limits = {k: replace(v, seconds=8.0) for k, v in made.limits.items()}
    yield made
    made.close()


def statuses(judge: Judge, notebook: NotebookNode) -> list[str]:
    """Return the status of each answer in a notebook."""
    found = answers(notebook, ASKED)
    return [judge.verdict(q, found[q.label]).status for q in ASKED.questions]


def without(text: str, cell: NotebookNode) -> None:
    """Clear cells that hold a text."""
    if text in cell.source:
        cell.source = ""


def first(notebook: NotebookNode) -> NotebookNode:
    """Return the cell of the first exercise."""
    return next(c for c in notebook.cells if c.id == ASKED.questions[0].cell_id)


def scratch() -> NotebookNode:
    made = solved(ASKED)
    made.cells.insert(0, nbformat.v4.new_code_cell("1 / 0  # only trying"))
    made.cells.append(nbformat.v4.new_code_cell("while True:\n    pass"))
    made.cells.append(nbformat.v4.new_code_cell("import os\nos._exit(0)"))
    return made


def lost_metadata() -> NotebookNode:
    made = solved(ASKED)
    for i, cell in enumerate(made.cells):
        cell.metadata, cell.id = nbformat.NotebookNode(), f"new-{i}"
    made.metadata = nbformat.NotebookNode()
    return made


def duplicated() -> NotebookNode:
    made = solved(ASKED)
    double = copy.deepcopy(first(made))
    made.cells.insert(made.cells.index(first(made)) + 1, double)
    return made


def one_deleted() -> NotebookNode:
    made = solved(ASKED)
    made.cells.remove(first(made))
    return made


def forged_outputs() -> NotebookNode:
    made = blank(ASKED)
    for cell in made.cells:
        if cell.cell_type == "code":
            text = "✓ agrees on 100 inputs"
            cell.outputs = [nbformat.v4.new_output("stream", text=text)]
    return made


def one_cell(change: str) -> NotebookNode:
    made = solved(ASKED)
    first(made).source = change.format(solved=first(made).source)
    return made


def line_of(question: Question, other: str) -> str:
    """Return a stub whose last statement is another one."""
    stub = question.exercise.stub
    return stub[: stub.rindex("\ncheck(")] + "\n" + other.format(name=question.name)


FUNCTION = "def five_point(*args):\n    {}\n"
# What works in a notebook, or does no harm in one.
BELOW = {
    "a loop over the check's own function": (
        "for s in (1, 2):\n    print(textbook(lambda x: x, s, 0.1))"
    ),
    "a variable of it": "y = textbook(lambda x: x, 1.0, 0.1)",
    "a loop that displays": "for s in (1, 2):\n    display(s)",
    "a time": "t = %timeit -o five_point(abs, 1.0, 0.1)",
    "a file": "with open('log.txt', 'w') as log:\n    log.write('done')",
    "a name that is misspelt": "result = fivepoint(abs, 1.0, 0.1)",
    "an import of what is not there": "import pandas_of_mine as pd",
    "a function with a wrong default": "def shown(x=undefined):\n    return x",
    "an exit": "if True:\n    raise SystemExit",
    "a thread": "import threading\nt = threading.Thread(target=print)\nt.start()",
    "an async loop": "import asyncio\nloop = asyncio.new_event_loop()",
    "what no function can hold": "return 1",
    "an interruption": "raise KeyboardInterrupt",
    "a loop without end": "while True:\n    pass",
    "a long sleep": "import time\ntime.sleep(60)",
}
ABOVE = {
    "the check's own function": "y = textbook(lambda x: x, 1.0, 0.1)",
    "a magic": "before = %time 1 + 1",
    "something displayed": "from math import pi\nfor s in (1, pi):\n    display(s)",
}
KINDS: dict[str, tuple[NotebookNode, list[str]]] = {
    "right": (solved(ASKED), RIGHT),
    "right, with scratch cells that never end": (scratch(), RIGHT),
    "right, outputs cleared": (
        changed(solved(ASKED), lambda c: c.pop("outputs", None)),
        RIGHT,
    ),
    "untouched": (blank(ASKED), ["untouched"] * ALL),
    "outputs forged": (forged_outputs(), ["untouched"] * ALL),
    "ids, tags and metadata lost": (lost_metadata(), RIGHT),
    "a cell duplicated": (duplicated(), RIGHT),
    "a cell deleted": (one_deleted(), ["missing", *RIGHT[1:]]),
    "wrong": (answered(ASKED, lambda q: f"{q.name} = lambda *a: 42"), ["wrong"] * ALL),
    "a syntax error": (one_cell("def five_point(g, x, h:\n"), ["error", *RIGHT[1:]]),
    "a crash": (one_cell(FUNCTION.format("1 / 0")), ["wrong", *RIGHT[1:]]),
    "a loop": (
        one_cell(FUNCTION.format("while True: pass")),
        ["timeout", *RIGHT[1:]],
    ),
    "a loop in the cell": (one_cell("while True: pass"), ["missing", *RIGHT[1:]]),
    **{
        f"right, and below it {name}": (one_cell("{solved}\n\n" + code), RIGHT)
        for name, code in BELOW.items()
    },
    **{
        f"right, and above it {name}": (one_cell(code + "\n\n\n{solved}"), RIGHT)
        for name, code in ABOVE.items()
    },
    "a helper that fails": (
        one_cell(
            "def five_point(g, x, h):\n    return helper(g, x, h)\n\n\n"
            "helper = missing_module.helper"
        ),
        ["error", *RIGHT[1:]],
    ),
    "os._exit": (
        one_cell("import os\n" + FUNCTION.format("os._exit(0)")),
        ["crashed", *RIGHT[1:]],
    ),
    "sys.exit": (
        one_cell("import sys\n" + FUNCTION.format("sys.exit()")),
        ["wrong", *RIGHT[1:]],
    ),
    "a helper in another cell": (
        one_cell("def five_point(g, x, h):\n    return helper(g, x, h)"),
        ["error", *RIGHT[1:]],
    ),
    "too much memory": (
        one_cell(FUNCTION.format("return [0] * 10**11")),
        ["wrong", *RIGHT[1:]],
    ),
    "a list that holds itself": (
        one_cell(FUNCTION.format("a = []; a.append(a); return a")),
        ["wrong", *RIGHT[1:]],
    ),
    "no end of an answer": (
        one_cell(FUNCTION.format("return [0.1] * 150_000")),
        ["wrong", *RIGHT[1:]],
    ),
    "an answer that equals everything": (
        answered(
            ASKED,
            lambda q: (
                "class Same(float):\n    __eq__ = lambda *_: True\n"
                f"{q.name} = lambda *a: Same(0.5)"
            ),
        ),
        ["wrong"] * ALL,
    ),
    "check replaced": (
        answered(
            ASKED,
            lambda q: (
                f"check = lambda *a, **k: '✓'\n{q.name} = lambda *a: 0\n"
                "import autograd_lib.book as book\nbook.check = check"
            ),
        ),
        ["wrong"] * ALL,
    ),
    "the check's line edited": (
        answered(ASKED, lambda q: line_of(q, "check({name}, {name})")),
        ["untouched"] * ALL,
    ),
    "same patched": (
        answered(
            ASKED,
            lambda q: (
                "import sys\nm = sys.modules['autograd_lib.book.compare']\n"
                "m.agree = lambda *a: True\n"
                "sys.modules['autograd_lib.book.exercise'].agree = m.agree\n"
                f"{q.name} = lambda *a: 0"
            ),
        ),
        ["wrong"] * ALL,
    ),
    "the oracle, called by its name": (
        answered(
            ASKED,
            lambda q: (
                q.exercise.stub
                + f"\n{q.name} = lambda *a: {min(q.oracles - {'lambda'})}(*a)"
            ),
        ),
        ["error"] * ALL,
    ),
    "the first answers by heart": (
        answered(
            ASKED,
            lambda q: f"def {q.name}(*args):\n    return {{(1.0,): 1}}.get(args, 3.5)",
        ),
        ["wrong"] * ALL,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_submission_gets_its_statuses(
    judge: Judge, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook, expected = KINDS[kind]
    if "timeout" in expected:  # a loop takes all the time that it is given
        label = ASKED.questions[0].label
        short = replace(judge.limits[label], seconds=1.0)
        monkeypatch.setitem(judge.limits, label, short)
    assert statuses(judge, notebook) == expected


ATTACKS = {
    "kills its parent": ("import os\nos.kill(os.getppid(), 9)", "wrong"),
    "forks without end": ("import os\nwhile True: os.fork()", "wrong"),
    "starts a thread": (
        "import threading\nthreading.Thread(target=print).start()",
        "wrong",
    ),
    "reads a file of the teacher's": ("open({secret!r}).read()", "wrong"),
    "writes a file": ("open('/tmp/owned-by-a-student', 'w').write('x')", "wrong"),
    "reads the parent's memory": (
        "import os\nopen(f'/proc/{{os.getppid()}}/mem', 'rb').read(1)",
        "wrong",
    ),
    "asks the environment": ("import os\nos.environ['PATH']", "wrong"),
    "takes memory": ("bytearray(10**11)", "wrong"),
    "ends itself": ("import os\nos.kill(os.getpid(), 9)", "crashed"),
    "forges answers": (
        "import os\nos.write(3, b'{{\"ready\": true}}\\n' + b'{{\"got\": 1}}\\n' * 99)",
        "wrong",
    ),
    "floods": ("import os\nwhile True: os.write(3, b'x' * 65536)", "wrong"),
}


NEED_A_KERNEL = ("kills its parent", "reads a file of the teacher's")


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_gains_nothing_and_harms_nobody(
    judge: Judge, attack: str, tmp_path: Path
) -> None:
    code, expected = ATTACKS[attack]
    if attack in NEED_A_KERNEL and {*rehearsal.found()} - {rehearsal.MODULES}:
        pytest.skip(*rehearsal.sentences(rehearsal.found()))
    secret = tmp_path / "key.txt"
    secret.write_text("the key")
    secret.chmod(0o600)
    notebook = with_code(ASKED, code.format(secret=str(secret)))
    question = ASKED.questions[1]
    for handed_in, status in ((notebook, expected), (solved(ASKED), "right")):
        answer = answers(handed_in, ASKED)[question.label]
        assert judge.verdict(question, answer).status == status


def test_what_computes_the_answers_is_gone_from_an_attempt(judge: Judge) -> None:
    """The gate looks for it in every set; here, that it finds what is there."""
    question = ASKED.questions[0]
    withheld = judge.withheld[question.label]
    assert withheld == {"textbook"}
    seeking = SEEK.format(name=question.name, ways=withheld, withheld=withheld)
    assert judge.verdict(question, Answer(seeking)).status == "wrong"
    judge.withheld[question.label] = set()
    try:
        assert judge.verdict(question, Answer(seeking)).status == "crashed"
    finally:
        judge.withheld[question.label] = withheld


def test_an_answer_that_is_too_much_for_the_judge_is_an_error(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    with monkeypatch.context() as patch:
        patch.setattr("course.judge.judge.without_oracles", too_deep)
        patch.setattr("course.judge.judge.NO_PYTHON", (SyntaxError,))
        answer = Answer("def five_point(): return 1")
        found = judge.verdict(ASKED.questions[0], answer)
    assert (found.status, found.message) == (
        "error",
        "it cannot be judged: RecursionError",
    )


def test_a_fault_of_the_system_s_is_no_verdict(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ASKED.questions[0]
    solution = Answer(question.exercise.solved())
    never = replace(judge.limits[question.label], seconds=1e30)  # no such limit
    with monkeypatch.context() as patch:
        patch.setitem(judge.limits, question.label, never)
        with pytest.raises(
            StageFault, match="no answer can be tried here: its process did"
        ):
            judge.verdict(question, solution)
    with monkeypatch.context() as patch:
        full = OSError(28, "No space left on device")
        patch.setattr(judge, "judged", Mock(side_effect=full))
        with pytest.raises(StageFault, match="no answer can be judged here: "):
            judge.verdict(question, solution)
    assert judge.verdict(question, solution).status == "right"


def test_a_missing_name_is_named(judge: Judge) -> None:
    notebook, _ = KINDS["a helper in another cell"]
    question = ASKED.questions[0]
    message = judge.verdict(question, answers(notebook, ASKED)[question.label]).message
    assert message.startswith("helper is not defined: everything that an answer needs")


def test_a_wrong_answer_is_shown_with_its_input(judge: Judge) -> None:
    notebook, _ = KINDS["wrong"]
    question = ASKED.questions[0]
    message = judge.verdict(question, answers(notebook, ASKED)[question.label]).message
    assert re.fullmatch(r"at \(.*\): got 42, expected -?\d.*", message)


def test_a_stage_that_ended_is_started_again(judge: Judge) -> None:
    process = judge.stage.process
    assert process is not None
    process.kill()
    process.wait()
    assert statuses(judge, solved(ASKED)) == RIGHT


def test_the_tests_ran_where_they_mean_something() -> None:
    assert shutil.which("git")
    if sys.platform == "linux" and os.getuid() == 0:
        assert rehearsal.PRIVATE not in rehearsal.found()
