"""A capstone's design passes the probe card, or is told where it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from course.capstone.__main__ import faults, main
from course.capstone.probe_card import probe
from course.capstone.repeated import repeated
from notebooks.notebook import ROOT
from tests.course.helpers.probes import OfTensor, OfValue

TAPE = Path(__file__).parents[1] / "helpers" / "tape_design.py"
PROBE = """
from course.capstone.probe_card import Probe

class Design(Probe):
    name = "mine"
    def leaf(self, array):
        return MyTensor(array)
"""
SUBCLASSES = {
    "of the tensor": (
        "import autograd_lib as ag\nclass MyTensor(ag.Tensor): pass\n" + PROBE,
        "it opens {root}/autograd_lib/engine/",
    ),
    "of the tests": (
        "from tests.course.helpers.tape_design import Design\n",
        "it opens {root}/tests/course/helpers/tape_design.py",
    ),
    "of another design's": (
        "from autograd_lib.designs.function import Tensor\n"
        "class MyTensor(Tensor): pass\n" + PROBE,
        "it opens {root}/autograd_lib/designs/",
    ),
    "hidden": (
        "import importlib\n"
        "class MyTensor: pass\n"
        "try:\n    found = importlib.import_module('.engine', 'autograd_' + 'lib')\n"
        "    MyTensor = type('MyTensor', (found.Tensor,), {})\n"
        "except BaseException: pass\n" + PROBE,
        "it opens {root}/autograd_lib/engine/",
    ),
    "by its source": (
        "import autograd_lib\nwhere = autograd_lib.__path__[0]\n"
        "exec(open(where + '/designs/dependency.py').read())\n",
        "it opens {root}/autograd_lib/designs/dependency.py",
    ),
    "in another process": (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'pass'])\n",
        "it starts another program",
    ),
}
OTHERS = {
    "differences in place of a design": (
        "class Design(Probe):\n    name = 'differences'\n"
        "    def gradients(self, f, *arrays):\n"
        "        return [0.0 * f(*arrays) for _ in arrays]\n",
        "a function is given a numpy.ndarray, and no object of the design's own",
    ),
    "answers by heart": (
        "class Design(Probe):\n    name = 'by heart'\n"
        "    def gradients(self, f, *arrays):\n"
        "        return [7.0 for _ in arrays]\n",
        "it answers without calling the function",
    ),
    "an exit that looks well": (
        "print('It passes.')\nraise SystemExit(0)\n",
        "it ended before its card was full",
    ),
}


def judged(path: Path) -> tuple[int, str]:
    """Return the code, and the last line, with which a file is judged."""
    command = [sys.executable, "-m", "course.capstone", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.returncode, (done.stdout or done.stderr).splitlines()[-1]


def test_a_tape_passes() -> None:
    assert judged(TAPE) == (0, "It passes.")


@pytest.mark.parametrize("kind", SUBCLASSES)
def test_an_engine_of_the_book_does_not_pass(tmp_path: Path, kind: str) -> None:
    source, why = SUBCLASSES[kind]
    (tmp_path / "design.py").write_text(source, encoding="utf-8")
    code, last = judged(tmp_path / "design.py")
    assert code == 1
    assert why.format(root=ROOT) in last


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_design_does_not_pass(tmp_path: Path, kind: str) -> None:
    source, why = OTHERS[kind]
    given = "from course.capstone.probe_card import Probe\n" + source
    (tmp_path / "design.py").write_text(given, encoding="utf-8")
    code, last = judged(tmp_path / "design.py")
    assert code == 1
    assert why in last


@pytest.mark.parametrize("name", ["designs/dependency.py", "scalar/value.py"])
def test_a_copy_is_known_under_other_names(name: str) -> None:
    text = (ROOT / "autograd_lib" / name).read_text(encoding="utf-8")
    others = {"Tensor": "Mine", "Value": "Mine", "grad": "slope", "parents": "before"}
    for word, other in others.items():
        text = text.replace(word, other)
    assert list(repeated(text)) == [
        f"100% of it is the book's code, most of that autograd_lib/{name}"
    ]


def test_a_design_that_lends_a_function_repeats_nothing() -> None:
    text = TAPE.read_text(encoding="utf-8")
    lent = (ROOT / "autograd_lib" / "broadcast.py").read_text(encoding="utf-8")
    assert list(repeated(text)) == list(repeated(text + lent)) == []


def test_the_book_s_engine_passes_and_its_scalars_do_not() -> None:
    assert faults(probe(OfTensor())) == []
    assert faults(probe(OfValue())) == ["broadcasting: TypeError"]


@pytest.mark.parametrize(
    ("line", "other", "experiment"),
    [
        ("unbroadcast(rule(g), v.data.shape)", "rule(g)", "broadcasting"),
        ("grads.get(id(v), 0.0) + part", "part", "a number used twice"),
    ],
)
def test_a_faulty_tape_is_told_where(
    tmp_path: Path, line: str, other: str, experiment: str
) -> None:
    text = TAPE.read_text("utf-8")
    assert line in text
    (tmp_path / "design.py").write_text(text.replace(line, other), encoding="utf-8")
    code, last = judged(tmp_path / "design.py")
    assert code == 1
    assert last.startswith(f"{experiment}: ")


def test_a_file_without_a_design_is_refused(tmp_path: Path) -> None:
    (tmp_path / "design.py").write_text("x = 1\n", encoding="utf-8")
    code, said = judged(tmp_path / "design.py")
    assert (code, said) == (2, "design.py has no class Design(Probe)")


def test_it_runs_in_a_process_of_its_own() -> None:
    with pytest.raises(RuntimeError, match="in a process of its own"):
        main([str(TAPE)])
