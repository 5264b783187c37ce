"""Every page in a real browser: in both themes, on a desktop and on a phone.

A page is opened once, in the light theme; dusk falls while it is open. Colours are
looked at in both themes, and what does not depend on them in one.
"""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterator
from functools import cache

import pytest

from press.weigh import COMPRESSED
from tests.browser.helpers.browser import (
    DESKTOP,
    HTML,
    NARROWEST,
    PAGES,
    PHONE,
    Reader,
    Theme,
    Visit,
)
from tests.browser.helpers.browser import reader as reader
from tests.browser.helpers.page_checks import (
    AXE,
    CONTRAST,
    CUT_OFF,
    FAINT,
    FINDINGS_BUT_CONTRAST,
    FORMULAS,
    OVER_THE_EDGE,
    PALE,
    THINNED,
    UNDESCRIBED,
    UNFOLD,
    UNREAD,
    UNRENDERED,
    WORDS,
    assert_none,
)

BOTH: list[Theme] = ["light", "dark"]
# Axe and the contrast of every word take seconds a page: on a page of each kind always,
# and on all of them weekly.
ALWAYS = "index", "search", "pages/questions", "chapters/09_tensor"


def always(names: Collection[str]) -> pytest.MarkDecorator:
    """Return the parameters of a test that visits these pages, and weekly all."""
    each = [
        pytest.param(name, marks=[pytest.mark.exhaustive] * (name not in names))
        for name in PAGES
    ]
    return pytest.mark.parametrize("visit", each, indirect=True)


LOOKED_AT = always(ALWAYS)
REQUESTS = 12
SIZE = 200_000
THEME = "document.documentElement.dataset.theme"
UNFADING = """
() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition: none !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
"""


@pytest.fixture(scope="module", params=PAGES)
def visit(request: pytest.FixtureRequest, reader: Reader) -> Iterator[Visit]:
    with reader.visit(request.param) as visit:
        yield visit


def turn(visit: Visit, theme: Theme) -> None:
    """Change the system's theme, at once: a colour that fades over is neither one's."""
    visit.run(UNFADING)
    visit.page.emulate_media(color_scheme=theme)
    visit.run(UNFOLD)
    assert visit.run(THEME) == theme


def test_a_page_that_opens_at_night_is_dark(reader: Reader) -> None:
    with reader.visit("index", "dark") as visit:
        assert visit.run(THEME) == "dark"
        assert_none(visit.problems)


def test_pale_words_would_be_found(reader: Reader) -> None:
    with reader.visit("pages/using") as visit:
        visit.run("document.querySelector('article p').style.color = '#999'")
        ((contrast, words),) = visit.run(PALE)
        assert 2 < contrast < 3
        assert words.startswith("<p style")


def test_it_loads_without_a_problem(visit: Visit) -> None:
    assert visit.run(THEME) == "light"
    assert_none(visit.problems)


def test_mathematics_is_rendered(visit: Visit) -> None:
    assert_none(visit.run(UNRENDERED))


def test_every_picture_says_what_it_shows(visit: Visit) -> None:
    assert_none(visit.run(UNDESCRIBED))


@LOOKED_AT
def test_words_and_drawings_stand_out_in_both_themes(visit: Visit) -> None:
    for theme in reversed(BOTH):
        turn(visit, theme)
        assert_none(visit.run(PALE))
        assert_none(visit.run(FAINT))


@always(PAGES[::3])
def test_it_fits(visit: Visit) -> None:
    for screen in (NARROWEST, PHONE, DESKTOP):
        visit.page.set_viewport_size(screen)
        visit.run(UNFOLD)
        assert visit.run("document.documentElement.scrollWidth") <= screen["width"]
        assert_none(visit.run(CUT_OFF))
        assert_none(visit.run(UNREAD))
        assert_none(visit.run(OVER_THE_EDGE))


@cache
def sent(name: str) -> int:
    """Return how many bytes a host sends of a file."""
    path = HTML / name
    text = path.suffix in COMPRESSED
    return len(gzip.compress(path.read_bytes(), 6)) if text else path.stat().st_size


def test_it_is_light(visit: Visit) -> None:
    """What was asked for so far: axe asks for more."""
    names = [name.partition("?")[0] for name in visit.asked]
    assert f"{visit.name}.html" in names
    assert len(names) <= REQUESTS
    assert sum(map(sent, names)) <= SIZE, names


@LOOKED_AT
def test_it_is_accessible(visit: Visit) -> None:
    """The last, for it takes away what looks alike; axe sees no text in formulas."""
    visit.page.evaluate(THINNED, WORDS)
    visit.page.evaluate(THINNED, FORMULAS)
    visit.run(AXE)
    assert_none(visit.run(FINDINGS_BUT_CONTRAST))
    visit.page.set_viewport_size(PHONE)
    assert_none(visit.run(FINDINGS_BUT_CONTRAST))
    visit.page.set_viewport_size(DESKTOP)
    for theme in BOTH:
        turn(visit, theme)
        assert_none(visit.run(CONTRAST))
