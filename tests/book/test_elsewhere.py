"""What pages show of other libraries is what these print, where they are installed."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from autograd_lib.book import elsewhere as page
from autograd_lib.book.elsewhere import Transcript, elsewhere, kept, run, tidied
from notebooks.notebook import ROOT
from tools.transcripts import functions, main

ALL = list(functions(ROOT))
FUNCTIONS = {function.__name__: function for function in ALL}
REQUIRED = os.environ.get("AUTOGRAD_REQUIRE_LIBRARIES", "").split()


def test_no_two_functions_have_one_name() -> None:
    """A transcript is found by the function's name."""
    names = [function.__name__ for function in ALL]
    assert len(names) == len(FUNCTIONS), sorted(names)


def test_every_function_has_its_transcript_and_every_transcript_its_function() -> None:
    assert FUNCTIONS.keys() == kept().keys()
    for name, function in FUNCTIONS.items():
        assert kept()[name].source == page.source_of(function), (
            f"{name} has other lines than its transcript: python -m tools.transcripts"
        )


def test_no_function_imports_a_library() -> None:
    """A page in a browser would try to load it: the parameter is the library."""
    for name, entry in kept().items():
        assert "import " not in entry.source, name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_library_still_prints_what_was_kept(name: str) -> None:
    entry = kept()[name]
    module = page.imported(entry.library)
    without = pytest.fail if entry.library in REQUIRED else pytest.skip
    if module is None:
        without(f"{page.LIBRARIES[entry.library]} is not installed")
    if page.version_of(entry.library) != entry.version:
        without(f"kept of version {entry.version}")
    assert run(FUNCTIONS[name], module).text == entry.text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_page_says_the_same_without_the_library(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    library = kept()[name].library
    here = page.imported(library)
    monkeypatch.setattr(page, "imported", lambda library: None)
    without = repr(elsewhere(FUNCTIONS[name]))
    assert capsys.readouterr().out == without + "\n"
    assert "kept from the book" not in without
    if here is not None and page.version_of(library) == kept()[name].version:
        monkeypatch.setattr(page, "imported", lambda library: here)
        assert repr(elsewhere(FUNCTIONS[name])) == without


def lines(torch: Any) -> None:
    import warnings

    print("  printed", object())  # noqa: T201 - it is what a page would have
    warnings.warn("look out", stacklevel=1)
    raise ValueError("word " * 30)


def test_a_run_has_output_warning_and_error_without_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page, "version_of", lambda library: "7.9")
    shown = run(lines, SimpleNamespace())
    assert shown.lines[0] == "  printed <object object>"
    assert any(line.startswith("ValueError: word") for line in shown.lines)
    assert shown.lines[-1] == "UserWarning: look out"
    assert max(map(len, shown.lines)) <= page.WIDTH


def test_other_lines_are_said_to_be_others(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Transcript("lines", "torch", "7.9", "def lines(torch): ...\n", "old")
    monkeypatch.setattr(page, "kept", lambda: {"lines": entry})
    monkeypatch.setattr(page, "imported", lambda library: None)
    assert "your lines are others" in repr(elsewhere(lines))


def test_another_version_shows_what_it_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    source = page.source_of(lines)
    monkeypatch.setattr(page, "imported", lambda library: SimpleNamespace())
    monkeypatch.setattr(page, "version_of", lambda library: "7.9")
    now = run(lines, SimpleNamespace()).text
    for text, version in (("something else", "7.9"), (now, "2.0")):
        entry = Transcript("lines", "torch", "2.0", source, text)
        monkeypatch.setattr(page, "kept", lambda entry=entry: {"lines": entry})
        assert repr(elsewhere(lines)).startswith(f"PyTorch {version}\n")


def test_a_parameter_names_a_library() -> None:
    for wrong in (lambda: None, lambda numpy: None, lambda torch, jax: None):
        with pytest.raises(TypeError, match="one parameter"):
            elsewhere(wrong)


def test_what_was_never_kept_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "imported", lambda library: None)
    with pytest.raises(LookupError, match="no transcript is kept"):
        elsewhere(lines)


def test_lines_are_wrapped_with_their_indent() -> None:
    wrapped = tidied("  " + "abc " * 30).splitlines()
    assert all(line.startswith("  ") for line in wrapped)
    assert wrapped[1].startswith("    abc")


def test_writing_keeps_what_cannot_be_run(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = page.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(page, "imported", lambda library: None)
    monkeypatch.setattr(page, "FILE", tmp_path / "elsewhere.txt")
    entries = dict(kept())
    monkeypatch.setattr(page, "kept", lambda: entries)
    assert main() == 0
    assert (tmp_path / "elsewhere.txt").read_text(encoding="utf-8") == before
