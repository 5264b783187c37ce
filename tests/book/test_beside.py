"""Our output and another library's, side by side, and what differs in them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from autograd_lib.book import beside as page
from autograd_lib.book import elsewhere
from autograd_lib.book.beside import Beside
from autograd_lib.book.elsewhere import Transcript

HEAD = "PyTorch 2.13.0"


def theirs(torch: Any) -> None:
    """Whose output is kept, and which is never called."""


def compared(ours: Any, text: str, monkeypatch: pytest.MonkeyPatch) -> Beside:
    """Return `ours` beside a kept text."""
    entry = Transcript("theirs", "torch", "2.13.0", elsewhere.source_of(theirs), text)
    monkeypatch.setattr(elsewhere, "kept", lambda: {"theirs": entry})
    monkeypatch.setattr(elsewhere, "imported", lambda library: None)
    return Beside(ours, theirs)


def marks(shown: Beside) -> list[str]:
    return re.findall("<mark>(.*?)</mark>", shown._repr_html_())


@pytest.mark.parametrize(
    ("ours", "text", "marked", "finding"),
    [
        ("w: 2.97\nv: 0.1", "w: 2.97\nv: 0.562", "0.1|0.562", "0.1 here, 0.562 there"),
        ("12", "36", "12|36", "12 here, 36 there"),
        ("-1", "1", "-1|1", "-1 here, 1 there"),
        ("1 2", "2", "1", "1 here, nothing there"),
        ("f(a, 2) is a<b", "f(a, 3) is a<c", "2|b|3|c", "2 here, 3 there; b here, c"),
    ],
)
def test_words_and_numbers_that_differ_are_marked(
    ours: str, text: str, marked: str, finding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = compared(ours, text, monkeypatch)
    assert marks(shown) == marked.split("|")
    assert shown.finding.startswith(f"Different: {finding}")
    assert shown.finding in repr(shown) and "Different: " in shown._repr_html_()


@pytest.mark.parametrize(
    ("ours", "text"),
    [("7.0", "7."), ("nan", "nan"), ("[1, 2]", "[1. 2.]"), ("a\nb", "a b"), ("", "")],
)
def test_the_same_is_not_marked(
    ours: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = compared(ours, text, monkeypatch)
    assert (marks(shown), shown.finding) == ([], "Both print the same.")


def test_two_texts_with_other_words_are_not_marked_all_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = "a rule needs what was saved, and it is gone now"
    text = "trying to go back through the graph a second time"
    shown = compared(ours, text, monkeypatch)
    assert (marks(shown), shown.finding) == ([], "The two texts differ.")


LEAF = (
    "RuntimeError: a leaf Variable that requires grad is being used in an\n"
    "  in-place operation."
)


@pytest.mark.parametrize(
    ("ours", "text", "marked", "finding"),
    [
        (  # which share words with what is printed on the other side
            "zero: 20\na leaf: 11",
            f"zero: 20\n{LEAF}",
            "a leaf: 11|RuntimeError",
            "“a leaf: 11” here, RuntimeError there",
        ),
        (
            "ValueError: output array is read-only",
            "gradient of the second: 20.52",
            "ValueError|gradient of the second: 20.52",
            "ValueError here, “gradient of the second: 20.52” there",
        ),
        (
            "w: 1",
            "w: 1\nUserWarning: the 1 is old",
            "UserWarning",
            "nothing here, UserWarning there",
        ),
        (
            "IndexError: 3 of 2",
            LEAF,
            "IndexError|RuntimeError",
            "IndexError here, RuntimeError there",
        ),
        (
            "RuntimeError: freed",
            LEAF,
            "RuntimeError|RuntimeError",
            "RuntimeError here, RuntimeError with other words there",
        ),
    ],
)
def test_a_message_is_compared_as_a_whole(
    ours: str, text: str, marked: str, finding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = compared(ours, text, monkeypatch)
    assert marks(shown) == marked.split("|")
    assert shown.finding == f"Different: {finding}."


def test_the_same_message_is_not_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = compared(LEAF, LEAF, monkeypatch)
    assert (marks(shown), shown.finding) == ([], "Both print the same.")


def test_our_program_is_run_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def ours() -> None:
        print("slope <8>")  # noqa: T201 - it is what is shown
        raise ValueError("late")

    shown = compared(ours, "slope <7>", monkeypatch)
    assert repr(shown).splitlines() == [
        *("Here", "  slope <8>", "  ValueError: late", HEAD, "  slope <7>"),
        "Different: 8 here, 7 there; ValueError here, nothing there.",
    ]
    html = shown._repr_html_()
    assert "slope &lt;<mark>8</mark>&gt;" in html and f"<b>{HEAD}</b>" in html


def test_the_example_of_its_docstring_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from autograd_lib.scalar.value import Value

    doc = str(page.__doc__)
    lines = [line[4:] for line in doc.splitlines() if line.startswith("    ")]
    source = "\n".join(lines).partition("Beside")[0]
    names: dict[str, Any] = {"Value": Value}
    exec(source, names)
    names["theirs"] = theirs
    shown = compared(names["used_twice"], "slope: 16.0", monkeypatch)
    assert marks(shown) == []
