"""Answers in words: collected, scored by one person or several, and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk.free_response import form as table_of
from course.desk.free_response import merged, questions
from course.sets.questions import read_set
from tests.course.desk.test_course_grade import course as course
from tests.course.desk.test_course_grade import rows, run

HEAD = "student,number,question,of,points,comment\n"


def test_answers_in_words_are_collected_and_their_points_come_back(
    course: Path,
) -> None:
    run(course)
    page = (course / "grades" / "ps9-written-9.2.md").read_text(encoding="utf-8")
    assert "## ada\n\n> Because of *the chain rule*." in page
    form = course / "grades" / "ps9-written.csv"
    text = form.read_text(encoding="utf-8")
    form.write_text(text.replace("ada,,9.2,4,,", 'ada,,9.2,4,"3,5",which factor?'))
    run(course)
    assert rows(course / "grades" / "ps9.csv")[0]["points"] == "6.5"
    feedback = (course / "grades" / "feedback" / "ps9" / "ada.md").read_text("utf-8")
    assert "\n\n6.5 of 7 points.\n\n" in feedback
    assert "- **9.2**: 3.5 of 4 points. which factor?" in feedback


@pytest.mark.parametrize("points", ["five", "-1", "4.5", "nan"])
def test_points_that_are_none_are_named_with_their_row(
    course: Path, points: str
) -> None:
    form = course / "ps9-written.csv"
    head = "student,number,question,of,points,comment"
    form.write_text(f"{head}\nada,1,9.2,4,{points},\n")
    with pytest.raises(ValueError, match="the points of ada for 9"):
        merged(form)
    form.write_text("student;question;points\n")
    with pytest.raises(ValueError, match="it needs the columns student, number, "):
        merged(form)


def test_points_that_were_entered_stay_when_others_are_graded(course: Path) -> None:
    form = course / "ps9-written.csv"
    lines = [
        "student,number,question,of,points,comment",
        "bob,2,9.2,4,,",
        "ada,1,9.2,4,3,why?",
    ]
    form.write_text("\n".join(lines) + "\n")
    asked = questions(read_set(course / "masters" / "ps9.ipynb"))
    assert table_of(asked, {("bob", "2"): {"9.2": ""}}, form).splitlines() == lines


def files(folder: Path, **texts: str) -> Path:
    """Write a form, and copies of it by their names; return the form."""
    for name, text in texts.items():
        end = "" if name == "form" else f"-{name}"
        (folder / f"ps9-written{end}.csv").write_text(HEAD + text, encoding="utf-8")
    return folder / "ps9-written.csv"


def test_assistants_enter_points_in_a_file_each(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(course)
    form = (course / "grades" / "ps9-written.csv").read_text(encoding="utf-8")
    for name, row, entered in (("ana", "ada", "3,why?"), ("ben", "bob", "0,empty")):
        text = form.replace(f"{row},,9.2,4,,", f"{row},,9.2,4,{entered}")
        place = course / "grades" / f"ps9-written-{name}.csv"
        place.write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert run(course) == 0
    assert "2 of 2 answers in words have points." in capsys.readouterr().out
    points = [row["points"] for row in rows(course / "grades" / "ps9.csv")]
    assert points == ["6", "0", ""]
    page = (course / "grades" / "feedback" / "ps9" / "bob.md").read_text("utf-8")
    assert "- **9.2**: 0 of 4 points. empty" in page
    assert (course / "grades" / "ps9-written.csv").read_text("utf-8") == form
    corrected = place.read_text(encoding="utf-8").replace("4,0,empty", "4,1,a start")
    place.write_text(corrected, encoding="utf-8")
    run(course)
    assert rows(course / "grades" / "ps9.csv")[1]["points"] == "1"


def test_two_who_differ_are_named_and_nothing_is_counted(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(course)
    before = (course / "grades" / "ps9.csv").read_bytes()
    files(course / "grades", ana="ada,,9.2,4,3,\n", ben="ada,,9.2,4,4,\n")
    assert run(course) == 1
    assert (
        "ada, 9.2: 3 in ps9-written-ana.csv and 4 in ps9-written-ben.csv."
        in capsys.readouterr().err
    )
    assert (course / "grades" / "ps9.csv").read_bytes() == before


def test_two_who_agree_are_one_and_both_comments_stay(tmp_path: Path) -> None:
    form = files(
        tmp_path,
        form="ada,1,9.2,4,,\nbob,2,9.2,4,,\n",
        ana='ada,1,9.2,4,"2,5",which factor?\nbob,2,9.2,4,,see me\n',
        ben="ada,1,9.2,4,2.50,which sign?\n",
        cyd="ada,1,9.2,4,,which factor?\n",
    )
    assert merged(form) == {("ada", "1", "9.2"): (2.5, "which factor?; which sign?")}


def test_two_rows_of_one_file_may_not_differ_either(tmp_path: Path) -> None:
    form = files(tmp_path, form="", ana="ada,1,9.2,4,2,\nada,1,9.2,4,3,\n")
    with pytest.raises(ValueError, match=r"-ana\.csv: it has two rows for a"):
        merged(form)


def test_points_for_an_answer_that_nobody_gave_are_said(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (course / "grades").mkdir()
    files(course / "grades", ana="adda,,9.2,4,3,\n", other="bob,,9.3,4,3,\n")
    assert run(course) == 0
    said = capsys.readouterr().out
    assert "There are points for 9.2 of adda, and no answer." in said
    assert "There are points for 9.3 of bob, and no answer." in said


def test_another_set_s_files_are_not_read(tmp_path: Path) -> None:
    form = files(tmp_path, form="ada,1,9.2,4,1,\n")
    other = tmp_path / "ps90-written-ana.csv"
    other.write_text(HEAD + "ada,1,9.2,4,2,\n", encoding="utf-8")
    assert merged(form) == {("ada", "1", "9.2"): (1.0, "")}
