"""The commands say what they did, and `make help` names all of them."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import pytest

from notebooks.notebook import ROOT, notebook_paths
from tests.book.helpers.built_book import built_book
from tools.refresh import RefreshError, chosen
from tools.test import AGAIN, BUILDING, grown, kind_of, repeated, summary

RAN = [
    SimpleNamespace(nodeid=f"{file}::test_{i}", duration=1.5)
    for file, n in (
        ("chapters/02_float_var.ipynb", 1),
        ("autograd_lib/graph.py", 1),
        ("tests/book/test_growth.py", 2),
        ("tests/book/test_site.py", 3),
        ("tests/browser/test_browser_pages.py", 4),
    )
    for i in range(n)
]
SKIPPED = [SimpleNamespace(longrepr=("test_x.py", 3, "Skipped: no Chromium"))] * 2


def test_the_summary_counts_by_folder_with_times_and_reasons() -> None:
    spent = {kind_of(report.nodeid): 1.6 for report in RAN}
    *counts, compared, skipped = summary(RAN, SKIPPED, spent).splitlines()
    assert counts == [
        "     1 in     2 s: autograd_lib: examples in docstrings",
        "     1 in     2 s: chapters: cells, executed and compared",
        "     5 in     2 s: tests/book",
        "     4 in     2 s: tests/browser",
    ]
    assert re.fullmatch(r"Not compared, .*: \d+ of \d+ cells\.", compared)
    assert skipped == "SKIPPED, 2 tests: no Chromium"


def test_what_grew_is_named_and_a_slow_machine_is_not() -> None:
    before = {"chapters": 100.0, "tests/book": 100.0, "tests/library": 200.0}
    slow = {kind: 2.2 * seconds for kind, seconds in before.items()}
    assert grown(slow, before) == []
    assert grown(slow | {"tests/book": 440.0}, before) == [
        "GREW: tests/book takes 2.0 times what it took (440 s; tools/test.py knows "
        "100 s)"
    ]
    assert grown({"chapters": 90.0}, {}) == []


def test_a_test_that_was_tried_again_is_named_with_its_reason() -> None:
    once = SimpleNamespace(nodeid="a", user_properties=[("other", 1)])
    twice = SimpleNamespace(nodeid="b", user_properties=[(AGAIN, "a page was lost")])
    assert repeated([once, twice]) == ["AGAIN b: a page was lost"]


def test_make_help_names_every_command() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.findall(r"(?m)^\.PHONY: (.*)$", makefile)[0].split()
    targets = re.findall(r"(?m)^([a-z]+):", makefile)
    helped = re.findall(r"@echo \"make ([a-z]+) ", makefile)
    assert sorted(phony) == sorted(targets)
    assert sorted(phony) == sorted(["help", *helped])


@pytest.mark.parametrize("page", ["Makefile", "README.md"])
def test_the_lab_starts_above_the_chapters_which_link_out_of_their_folder(
    page: str,
) -> None:
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if "-m jupyterlab" in line]
    assert "--ServerApp.root_dir=. " in line


@pytest.mark.parametrize("name", ["02", "02_float_var", "chapters/02_float_var.ipynb"])
def test_a_chapter_is_chosen_by_number_name_or_path(name: str) -> None:
    assert [path.stem for path in chosen([name])] == ["02_float_var"]


def test_no_name_chooses_all_and_a_wrong_one_lists_them() -> None:
    assert chosen([]) == notebook_paths()
    with pytest.raises(RefreshError, match=r"is called 99.*02_float_var"):
        chosen(["99"])


def test_what_needs_the_book_waits_for_it_and_fails_if_it_was_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = tmp_path / "ended"
    monkeypatch.setenv(BUILDING, str(ended))
    later = Timer(0.3, ended.write_text, ["1"])
    later.start()
    with pytest.raises(pytest.fail.Exception, match="the book could not be built"):
        built_book()
    assert ended.exists()
    later.join()
