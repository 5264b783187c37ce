"""A key is worth what it promises, stays where it is, and is refused if broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.judge.find import Answer
from course.judge.gate import faults, in_place, main, unnoticed
from course.judge.judge import Judge
from course.judge.key import KeyFault
from course.sets.handout import handout
from course.sets.questions import read_set
from notebooks.notebook import read
from tests.course.helpers.masters import KEY, NO_SIGN, STUB, WRONG, master


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    made = Judge(read_set(master(tmp_path_factory.mktemp("course"))), "seed")
    yield made
    made.close()


def test_a_wrong_answer_gets_the_sentence_of_the_key(judge: Judge) -> None:
    (question,) = judge.asked.questions
    found = judge.verdict(question, in_place(question, WRONG))
    assert (found.status, found.points) == ("wrong", 0.0)
    assert found.message == "a rule multiplies by what arrives from above"
    assert question.points == 3.0


def test_a_part_of_the_key_is_a_part_of_the_points(judge: Judge) -> None:
    (question,) = judge.asked.questions
    source = "def scaled(g, x):\n    return 2 * g * x if type(x) is float else None\n"
    assert judge.verdict(question, Answer(source)).points == 3.0
    half = "seen = []\n\n\ndef scaled(g, x):\n    seen.append((g, x))\n"
    half += "    return 2 * x * g * (seen[-2:-1] != [(-g, x)])\n"
    found = judge.verdict(question, Answer(half))
    assert (found.status, found.points) == ("wrong", 2.0)
    assert found.message == "the sign of what arrives counts"


def test_the_child_is_given_no_line_of_what_is_expected(judge: Judge) -> None:
    (question,) = judge.asked.questions
    sent = "\n".join(check.harness for check in question.checks)
    assert "on_lists" in sent
    assert "canary" not in sent
    assert "expected" not in sent


def test_named_wrong_answers_die_and_one_gets_past_the_visible_check(
    judge: Judge,
) -> None:
    assert list(faults(judge, {"7.1": [WRONG, NO_SIGN]})) == []
    (alone,) = faults(judge, {})
    assert alone == "7.1: no wrong answer for scaled fails on the key alone"


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (KEY.replace("reals(-9, 9), reals(-3, 3)", ""), "name where each argument"),
        (KEY.replace("return 2 * upstream * x", "return 1 / 0"), "ZeroDivisionError"),
        (KEY.replace("return 2 * upstream * x", "return 7"), "a constant would pass"),
        (KEY.replace("return 2 * upstream * x", "return x"), "refuses the solution"),
        (KEY.replace("return 2 * upstream * x", "return object()"), "no plain data"),
        (KEY.replace("# 2 points:", "# two points:"), "stands a line such as"),
        (KEY.replace("check(scaled, canary", "check(scalde, canary"), "and not scaled"),
        ("print(7)", "calls no check"),
    ],
)
def test_a_broken_key_is_refused(tmp_path: Path, key: str, says: str) -> None:
    with pytest.raises((KeyFault, ValueError), match=says):
        Judge(read_set(master(tmp_path, key)), "seed")


def test_a_weakened_key_fails_the_gate(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("course.judge.gate.published", list)
    weak = KEY.replace("reals(-9, 9), reals(-3, 3)", "reals(1, 2), reals(-3, 3), "
                       "tolerance=5").replace("-2 * g * x]", "2 * g * x]")  # fmt: skip
    weak = weak.replace("attempt(-upstream, x)", "attempt(upstream, x)")
    master(tmp_path, weak)
    place = tmp_path / "wrong" / "ps9" / "7.1-no_sign.py"
    place.parent.mkdir(parents=True)
    place.write_text(NO_SIGN)
    assert main(["ps9", "--course", str(tmp_path)]) == 1
    assert "7.1: a wrong answer is right" in capsys.readouterr().out
    master(tmp_path)
    place.write_text(WRONG)
    assert main(["ps9", "--course", str(tmp_path)]) == 0
    where, said = capsys.readouterr().out.splitlines()
    assert where.startswith("ps9: 1 of 1 are compared in the judge's process")
    assert re.fullmatch(r"ps9: holds, and refuses \d+ changed solutions \(.*\)", said)


def test_a_changed_solution_that_passes_fails_the_gate_or_has_a_reason(
    tmp_path: Path,
) -> None:
    loose = KEY.partition("# 1 point")[0].replace(
        "reals(-9, 9), reals(-3, 3)", "reals(1, 1.5), reals(-3, 3), tolerance=1"
    )
    judge = Judge(read_set(master(tmp_path, loose)), "seed")
    try:
        _, alive = unnoticed(judge, {})
        known = {text.partition(": unnoticed: ")[2]: "a reason" for text in alive}
        assert "upstream * 2 → 2" in known
        _, none = unnoticed(judge, {"7.1": known})
        _, stale = unnoticed(judge, {"7.1": {**known, "x → y": "a reason"}})
    finally:
        judge.close()
    assert none == []
    assert stale == ["7.1: explained, but refused: x → y"]


@pytest.mark.parametrize("tag", ["keys", "Key", "solutoin"])
def test_a_misspelled_tag_hands_nothing_out(tmp_path: Path, tag: str) -> None:
    notebook = read(master(tmp_path, tag=tag))
    with pytest.raises(ValueError, match=f"the tag '{tag}' is none of the book's"):
        handout(notebook, "ps9")


def test_no_line_of_key_or_solution_is_handed_out(tmp_path: Path) -> None:
    text = nbformat.writes(handout(read(master(tmp_path)), "ps9"))
    assert "canary" not in text
    assert "def scaled(upstream, x):" in text


def test_a_line_of_the_key_in_the_text_is_no_secret(tmp_path: Path) -> None:
    path = master(tmp_path, stub=STUB.replace("def expected", "# on_lists\n\n\ndef "
                                              "expected"))  # fmt: skip
    handout(read(path), "ps9")
