"""What the book takes of the theme stands in one place, and is there."""

from __future__ import annotations

import re

from notebooks.notebook import ROOT
from press.site.theme import IN_SHEETS, ON_PAGES, gone, marks
from tests.book.helpers.built_book import built_book
from tests.tools.helpers.tree import files_of_the_repository
from tools.build import SPHINX

# How the names of the theme begin; others, such as Bootstrap's, are many's.
OF_THE_THEME = re.compile(
    r"(?<![\w-])(?:--)?(?:(?:bd|pst|sbt|article-header|navbar|prev-next|search-button"
    r"|sidebar|skip)-|(?:logo|search-button|sidebar)__)[-_]*[a-z][\w-]*"
)
FOLDERS = ("autograd_lib", "live", "press")
KINDS = (".css", ".html", ".js", ".mjs", ".py")


def test_no_name_of_the_theme_is_used_that_is_not_listed() -> None:
    used = {
        name
        for path in files_of_the_repository()
        if path.parts[0] in FOLDERS and path.suffix in KINDS and path.name != "theme.py"
        for name in OF_THE_THEME.findall((ROOT / path).read_text("utf-8"))
    }
    assert sorted(used) == sorted([*ON_PAGES, *IN_SHEETS])


def test_every_name_is_on_a_page_of_the_book() -> None:
    built_book()
    written = (ROOT / SPHINX / "_build" / "html").rglob("*.html")
    assert {*ON_PAGES} <= marks(path.read_text("utf-8") for path in written)


def test_a_name_that_the_theme_has_no_more_is_said() -> None:
    page = f'<p class="{" ".join(ON_PAGES[1:])}">'
    sheet = f":root {{ {'; '.join(f'{name}: 1' for name in IN_SHEETS[1:])} }}"
    assert gone([page], [sheet]) == [IN_SHEETS[0], ON_PAGES[0]]
    assert gone([page], [f".{ON_PAGES[0]}{{}} {sheet}"]) == [IN_SHEETS[0]]
    assert gone([page], [f"p {{ color: var({IN_SHEETS[0]}) }}"]) == sorted(
        [ON_PAGES[0], *IN_SHEETS]
    )
