"""Every page in a real browser, in the dark theme."""

from __future__ import annotations

from tests.browser.helpers.browser import Visit
from tests.browser.helpers.page_checks import (
    AXE,
    CONTRAST,
    THINNED,
    UNFOLD,
    WORDS_AND_FORMULAS,
    PageChecks,
    assert_none,
)


class TestDark(PageChecks):
    """The checks of `page_checks.py`, and the contrast of text."""

    theme = "dark"

    def test_text_has_contrast(self, visit: Visit) -> None:
        visit.run(UNFOLD)
        visit.page.evaluate(THINNED, WORDS_AND_FORMULAS)
        visit.run(AXE)
        assert_none(visit.run(CONTRAST))
