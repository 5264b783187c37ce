"""The commands say what they did, and `make help` names all of them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tools.notebooks import ROOT, chapter_paths
from tools.refresh import RefreshError, chosen
from tools.test import summary

REPORT = """
<testsuites><testsuite>
<testcase classname="chapters.02_float_var.ipynb" name="Cell 1"/>
<testcase classname="autograd_lib.numerical" name="autograd_lib.numerical.f"/>
<testcase classname="tests.test_growth" name="test_a"/>
<testcase classname="tests.test_growth" name="test_b"/>
<testcase classname="tests.test_browser_dark" name="test_c">
<skipped message="no Chromium was found"/></testcase>
</testsuite></testsuites>
"""


def test_the_summary_counts_kinds_and_tells_why_tests_were_skipped() -> None:
    lines = summary(ElementTree.fromstring(REPORT)).splitlines()
    assert "      2 tests of the library, the notebooks and the site" in lines
    assert "      1 notebook cells, executed and compared" in lines
    assert "      1 examples in docstrings" in lines
    assert "      1 tests of pages in a browser" in lines
    assert lines[-1] == "Skipped, 1 tests: no Chromium was found"


def test_make_help_names_every_command() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.findall(r"(?m)^\.PHONY: (.*)$", makefile)[0].split()
    targets = re.findall(r"(?m)^([a-z]+):", makefile)
    helped = re.findall(r"@echo \"make ([a-z]+) ", makefile)
    assert sorted(phony) == sorted(targets)
    assert sorted(phony) == sorted(["help", *helped])


@pytest.mark.parametrize("name", ["02", "02_float_var", "chapters/02_float_var.ipynb"])
def test_a_chapter_is_chosen_by_number_name_or_path(name: str) -> None:
    assert [path.stem for path in chosen([name])] == ["02_float_var"]


def test_no_name_chooses_all_and_a_wrong_one_lists_them() -> None:
    assert chosen([]) == chapter_paths()
    with pytest.raises(RefreshError, match=r"is called 99.*02_float_var"):
        chosen(["99"])
