"""A class that several machines judge, a part each."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from tests.course.desk.test_course_grade import course as course
from tests.course.desk.test_course_grade import run


def test_parts_are_judged_apart_and_found_by_the_whole(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = course / "whole"
    assert run(course, "--into", str(whole)) == 0
    apart = course / "apart"
    for part in ("1/2", "2/2"):
        assert run(course, "--into", str(apart), "--part", part) == 0
        assert not (apart / "ps9.csv").exists()
    capsys.readouterr()
    assert run(course, "--into", str(apart)) == 0
    assert "0 to judge" in capsys.readouterr().out
    assert (apart / "ps9.csv").read_bytes() == (whole / "ps9.csv").read_bytes()


@pytest.mark.parametrize("part", ["0/2", "3/2", "2", "a/b", "-1/2"])
def test_a_part_that_is_none_is_said(
    course: Path, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(course, f"--part={part}")
    assert "such as 3/20" in capsys.readouterr().err
