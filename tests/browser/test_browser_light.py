"""Every page in a real browser, in the light theme, on a desktop and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize

from tests.browser.helpers.browser import DESKTOP, PHONE, Visit
from tests.browser.helpers.page_checks import (
    AXE,
    CUT_OFF,
    FINDINGS,
    FINDINGS_BUT_CONTRAST,
    OVER_THE_EDGE,
    THINNED,
    UNDESCRIBED,
    UNFOLD,
    UNRENDERED,
    WORDS,
    PageChecks,
    assert_none,
)


class TestLight(PageChecks):
    """The checks of `page_checks.py`, and those that no colour changes."""

    theme = "light"

    def test_mathematics_is_rendered(self, visit: Visit) -> None:
        assert_none(visit.run(UNRENDERED))

    def test_every_picture_says_what_it_shows(self, visit: Visit) -> None:
        assert_none(visit.run(UNDESCRIBED))

    @pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
    def test_it_fits_and_is_accessible(
        self, visit: Visit, screen: ViewportSize
    ) -> None:
        visit.page.set_viewport_size(screen)
        visit.run(UNFOLD)
        assert visit.run("document.documentElement.scrollWidth") <= screen["width"]
        assert_none(visit.run(CUT_OFF))
        assert_none(visit.run(OVER_THE_EDGE))
        if not visit.run("'axe' in window"):
            visit.page.evaluate(THINNED, WORDS)
            visit.run(AXE)
        wanted = FINDINGS if screen == DESKTOP else FINDINGS_BUT_CONTRAST
        assert_none(visit.run(wanted))
