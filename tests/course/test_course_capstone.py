"""A capstone's design passes the probe card, or is told where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograd_lib.probes.card import probe
from autograd_lib.probes.tensor import OfTensor
from autograd_lib.probes.value import OfValue
from course.capstone import faults, main

TAPE = Path(__file__).parent / "helpers" / "tape_design.py"


def test_a_tape_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(TAPE)]) == 0, capsys.readouterr().out
    assert "It passes" in capsys.readouterr().out


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
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    other: str,
    experiment: str,
) -> None:
    text = TAPE.read_text("utf-8")
    assert line in text
    (tmp_path / "design.py").write_text(text.replace(line, other), encoding="utf-8")
    assert main([str(tmp_path / "design.py")]) == 1
    assert f"{experiment}: " in capsys.readouterr().out


def test_a_file_without_a_design_is_refused(tmp_path: Path) -> None:
    (tmp_path / "design.py").write_text("x = 1\n", encoding="utf-8")
    assert main([str(tmp_path / "design.py")]) == 2
