"""A student's engine is judged by the accidents, and cheats gain nothing."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.accidents.trial import examine
from autograd_lib.small.cut import WHOLE, cut, sections
from course.engine import bench, drawn
from course.engine.__main__ import main
from course.engine.bench import judged, lab
from course.engine.refused import refusals
from notebooks.notebook import ROOT
from tests.book.helpers.contents import CONTENTS
from tests.book.helpers.engine_cells import step_of

ORDER, GRAPH = cut("order"), cut("graph")
SECTION = {section.name: section.source for section in sections()}


def points(of: bench.Lab, source: str) -> tuple[float, str]:
    found = judged(of, source, "seed")
    return sum(v.points for v in found.verdicts.values()), found.note


def test_the_books_whole_engine_has_every_accident_of_arrays() -> None:
    of = lab(["whole"])
    assert not list(refusals(WHOLE.read_text("utf-8")))
    found = judged(of, cut(STEPS[-1]), "seed")
    assert found.note == ""
    assert {v.status for v in found.verdicts.values()} == {"right"}
    assert set(STEPS) - {"graph"} <= {a.partition(".")[0] for a in found.verdicts}


def test_a_lab_marks_its_own_steps_and_may_build_on_the_books_earlier_ones() -> None:
    of = lab(["graph"])
    assert of.base == STEPS[:2]
    own = f"from autograd_lib.small.order import *\n\n{SECTION['graph']}"
    most = float(len(of.accidents))
    assert points(of, GRAPH) == points(of, own) == (most, "")
    assert all(a.startswith("graph.") for a in of.accidents)
    for base in ("graph", "copies", "gpt"):
        got, note = points(of, f"from autograd_lib.small.{base} import *\n")
        assert (got, "which is not there" in note) == (0.0, True)
    got, note = points(lab(["whole"]), own)
    assert (got, "autograd_lib.small.order, which is not there" in note) == (0.0, True)


def test_what_is_wrong_is_told_as_the_accidents_tell_it() -> None:
    found = judged(lab(["graph"]), GRAPH.replace("v.grad += g", "v.grad = g"), "seed")
    (wrong,) = [v for v in found.verdicts.values() if v.status == "wrong"]
    assert wrong.message.startswith("Got 12, right is 24. Leaves add up over passes")
    found = judged(lab(["graph"]), ORDER, "seed")
    assert {v.status for v in found.verdicts.values()} == {"missing"}


HOME = str(ROOT / "autograd_lib" / "small")
READ = f"exec(open({HOME + '/whole.py'!r}).read())"
NOT_RUN = {
    "the library's": "from autograd_lib.engine import *",
    "the library's, by another way": "import autograd_lib as ag\nTensor = ag.Tensor",
    "a later step's": "from autograd_lib.small import gpt",
    "the source of a step": READ,
    "the source, by NumPy": f"import numpy as np\nnp.fromfile({HOME + '/gpt.py'!r})",
    "its learned numbers": f"import numpy as np\nnp.load({HOME + '/gpt.npz'!r})",
    "the stack": "import sys\nframe = sys._getframe(1)",
    "the stack, by an error": "try:\n    1 / 0\nexcept Exception as e:\n"
    "    frame = e.__traceback__.tb_frame.f_back",
    "the stack, by a generator": "f = (i for i in ()).gi_frame.f_back",
    "a closure": "def hook(f): return f.__closure__[0].cell_contents",
    "the garbage": "import gc\nfound = gc.get_objects()",
    "a module's own imports": "import dataclasses\nos = dataclasses.sys.modules['os']",
    "a pattern": "match len:\n    case object(__self__=python): pass",
    "a text that is run": "from typing import get_type_hints",
    "a name that is made": "from operator import attrgetter",
    "another module": "import importlib",
}


@pytest.mark.parametrize("name", NOT_RUN)
def test_a_file_is_not_run_that_asks_for(name: str) -> None:
    of = lab(["graph"])
    got, note = points(of, f"{NOT_RUN[name]}\n{GRAPH}")
    assert (got, note.split(" line ")[0]) == (0.0, "not run:")


PATCH = "import numpy as np\nnp.allclose = lambda *_, **__: True\n"
STOPS = {
    "NumPy is changed": (PATCH + GRAPH, "it changes numpy.allclose"),
    "NumPy is changed later": (
        f"import numpy as np\n{GRAPH}\nbefore = walk\n"
        "def walk(y):\n    np.asarray = lambda x: x\n    return before(y)\n",
        "it changes numpy.asarray",
    ),
    "a name is made of texts": (
        f"import numpy as np\nos = getattr(np, 'o' + 's')\n{GRAPH}",
        "it stops with PermissionError: an engine has no use for os",
    ),
    "a dictionary of a module": (
        f"import numpy as np\nos = vars(np)['os']\n{GRAPH}",
        "it stops with PermissionError: vars() is for objects",
    ),
    "it ends": (f"{GRAPH}\nraise SystemExit", "it stops with SystemExit"),
}


@pytest.mark.parametrize("name", STOPS)
def test_no_points_where(name: str) -> None:
    source, said = STOPS[name]
    assert source != GRAPH
    got, note = points(lab(["graph"]), source)
    assert got == 0.0 and said in note


def test_who_knows_the_accidents_by_heart_gets_half() -> None:
    by_heart = "(x, y.data if y.data * 2 % 1 == 0 else 0.0)"
    of = lab(["graph"])
    got, note = points(of, GRAPH.replace("(x, y.data)", by_heart))
    assert got == len(of.accidents) / 2
    assert note.startswith("half of the points, since it is wrong on a graph that was")


def test_an_object_that_equals_everything_passes_hardly_anything() -> None:
    signs = "eq ne lt gt add radd mul rmul sub rsub truediv rtruediv pow neg call"
    methods = "\n".join(
        f"    def __{s}__(self, *a, **k): return self" for s in signs.split()
    )
    yes = (
        f"class Yes:\n    data = grad = 1.0\n    edges = ()\n"
        f"    def __init__(self, *a, **k): pass\n{methods}\n"
        "    __hash__ = object.__hash__\n    relu = backward = __call__\n"
        "Number = Yes\nsend_back = walk = backward = relu = sum_to = Yes()\n"
    )
    of = lab(["number", "order", "graph", "copies"])
    assert points(of, yes)[0] == 0.0


def test_what_never_ends_costs_its_own_accident(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench, "EACH", 0.3)
    slow = f"{GRAPH}\n\ndef relu(x):\n    while True: pass\n"
    found = judged(lab(["graph"]), slow, "seed")
    statuses = {k: v.status for k, v in found.verdicts.items()}
    assert statuses.pop("graph.relu") == "wrong"
    assert {*statuses.values()} == {"right"}
    ends = f"{GRAPH}\n\ndef relu(x):\n    raise SystemExit\n"
    found = judged(lab(["graph"]), ends, "seed")
    assert "process ended here" in found.verdicts["graph.relu"].message
    assert sum(v.points for v in found.verdicts.values()) == len(statuses)


def test_drawn_graphs_are_right_in_the_books_engine_and_differ_by_seed() -> None:
    from autograd_lib.small import gpt, graph
    from autograd_lib.small.accidents.bench import Engine

    for module in (graph, gpt):
        engine = Engine(module)
        xs = drawn.inputs("a", engine.of_arrays)
        for one in drawn.graphs("a"):
            usable = drawn.usable(one, drawn.operations(engine))
            right = drawn.right(usable, xs)
            assert all(np.any(g != 0) for g in right)
            assert drawn.agrees(drawn.answered(engine, usable, xs), right)
            assert not drawn.agrees([g * 1.01 for g in right], right)
    assert drawn.graphs("a") == drawn.graphs("a") != drawn.graphs("b")
    assert {o.status for o in examine(graph, "graph")} == {"passed"}


def test_a_class_is_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"ann/mine.py": GRAPH, "bo/mine (2).py": READ, "cy/mine.pdf": "x"}
    for name, text in files.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True)
        (tmp_path / "in" / name).write_text(text, encoding="utf-8")
    people = tmp_path / "class.csv"
    people.write_text("student\nann\nbo\ncy\ndi\n", encoding="utf-8")
    into = tmp_path / "grades"
    command = ["--from", str(tmp_path / "in"), "--into", str(into)]
    assert main(["graph", *command, "--roster", str(people), "--seed", "s"]) == 0
    with (into / "engine-graph.csv").open(encoding="utf-8", newline="") as opened:
        rows = {row["student"]: row for row in csv.DictReader(opened)}
    most = str(len(lab(["graph"]).accidents))
    statuses = {k: (row["status"], row["points"]) for k, row in rows.items()}
    assert statuses == {
        "ann": ("scored", most),
        "bo": ("scored", "0"),
        "cy": ("unreadable", ""),
        "di": ("not handed in", ""),
    }
    assert rows["cy"]["note"] == "handed in, but no mine.py: mine.pdf"
    page = (into / "feedback" / "engine-graph" / "bo.md").read_text("utf-8")
    assert "not run: line 1 says exec" in page
    assert main(["grph", *command]) == 1
    assert "a lab is of steps, such as number, order" in capsys.readouterr().err


def test_the_plan_has_each_step_once_in_the_week_of_its_chapter() -> None:
    """Or of the next one in that plan, if the plan leaves the step's chapter out."""
    text = (ROOT / "course/templates/course/engine.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| ((?:`\w+` ?)+) \| (.+?) \| (.+?) \|$", text)
    steps = [re.findall(r"\w+", first) for first, *_ in rows]
    assert [name for names in steps for name in names] == [*STEPS, "whole"]
    chapters = {s.name: c.notebook[:2] for c in CONTENTS if (s := step_of(c))}
    for weeks, column in ((6, 1), (12, 2)):
        plan = text_of_plan(weeks)
        due = {name: row[column] for row, names in zip(rows, steps, strict=True)
               for name in names}  # fmt: skip
        assert due.pop("whole") == str(weeks)
        handed_in = {name: week for week, _, names in plan for name in names}
        assert handed_in.pop("whole") == str(weeks)
        assert due == handed_in
        for name, week in due.items():
            later = (w for w, met, _ in plan if max(met, default="") >= chapters[name])
            assert week == next(later), (name, weeks)


def text_of_plan(weeks: int) -> list[tuple[str, list[str], list[str]]]:
    """Return the weeks of a plan, each with its chapters, and the steps due in it."""
    path = ROOT / "course/templates/course" / f"syllabus-{weeks}.md"
    rows = re.findall(
        r"(?m)^\| (\d+) \| (.+?) \|.*\| (.+?) \|$", path.read_text(encoding="utf-8")
    )
    return [
        (week, re.findall(r"\d\d", sessions), re.findall(r"`(\w+)`", due))
        for week, sessions, due in rows
    ]
