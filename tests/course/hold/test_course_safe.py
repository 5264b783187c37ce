"""What a student wrote acts in no spreadsheet, page or terminal that others open."""

from __future__ import annotations

import csv
import io

import pytest
from markdown_it import MarkdownIt

from course.hold.safe import cell, line, page_name, plain_text, without_links

FORMULAS = [
    "=1+1",
    "  =1+1",
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(1)",
    "\t=1",
    "x;=HYPERLINK(1)",
    'x;"=1+1"',
    "x; '=1",
    "a,b;  @x",
    "x|=1",
    "＝1+1",
    "x;＋1",
    "\u202e=1",
    "\ufeff=1",
]


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_no_part_of_a_cell_is_a_formula(text: str, separator: str) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(["ann", cell(text), cell(text)])
    as_table = csv.reader(io.StringIO(out.getvalue()), delimiter=separator)
    parts = [part for row in as_table for part in row]
    parts += out.getvalue().split(separator)
    begins = [part.strip('" \t')[:1] for part in parts]
    assert len(parts) > 1 and not {*begins} & {*"=+-@＝＋－＠"}


def test_what_is_written_stays_readable() -> None:
    assert cell("Doe, Jane-Ann; see 3 - 2") == "Doe, Jane-Ann; see 3 - 2"
    assert cell("نام\u200cها") == "نام\u200cها"


@pytest.mark.parametrize("sign", ["\x1b", "\u202e", "\u2066", "\x07", "\x9b", "\x7f"])
def test_signs_that_act_are_shown_by_their_numbers(sign: str) -> None:
    text = f"ann{sign}[31m"
    shown = (line(text), cell(text), plain_text(text), without_links(text))
    assert all(sign not in one for one in shown)
    assert line(text) == f"ann{sign.encode('unicode_escape').decode()}[31m"


ACTS = [
    "![x](https://example.org/seen.png)",
    "[x](javascript:alert(1))",
    "![x][y]\n\n[y]: https://example.org/seen.png",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x][]\n\n[x]:\tjavascript:alert(1)",
    "<img src=https://example.org/seen.png>",
    "<javascript:alert(1)>",
    "[![x](https://example.org/seen.png)](javascript:alert(1))",
    "&lt;img src=x&gt; &#60;b>",
    "[x]: https://example.org\n\n[x] and [y][x]",
    "[x]\\\n(javascript:alert(1)) \\![x]\\(https://example.org)",
    "\\[x\\](https://example.org) \\\\![x\\\\](https://example.org)",
]


@pytest.mark.parametrize("text", ACTS)
def test_words_hold_no_picture_link_or_tag(text: str) -> None:
    page = MarkdownIt("commonmark", {"html": True}).enable("table")
    for shown in (without_links(text), plain_text(text)):
        html = page.render("\n".join(f"> {row}" for row in shown.splitlines()))
        assert "<img" not in html and "<a " not in html and "<b>" not in html, shown


def test_formulas_of_mathematics_hold_no_link() -> None:
    shown = without_links(r"$\href{javascript:alert(1)}{x} + \frac{1}{2}$")
    assert r"\href" not in shown and r"\frac{1}{2}" in shown


def test_a_page_has_a_name_that_a_file_may_have() -> None:
    long = [page_name("a" * 300), page_name("а" * 130), page_name("a" * 299 + "b")]
    assert all(len(name.encode()) < 150 for name in long)
    assert len({*long}) == 3
    assert page_name("Ann ../../x") == "Ann .._.._x"
