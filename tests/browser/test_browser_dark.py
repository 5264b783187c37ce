"""Every page in a real browser, in the dark theme."""

from __future__ import annotations

from tests.browser.helpers.browser import Visit
from tests.browser.helpers.page_checks import (
    AXE,
    CONTRAST,
    UNFOLD,
    PageChecks,
    assert_none,
)


class TestDark(PageChecks):
    """The checks of `page_checks.py`, and the contrast of text."""

    theme = "dark"

    def test_text_has_contrast(self, visit: Visit) -> None:
        visit.run(UNFOLD)
        visit.run(AXE)
        assert_none(visit.run(CONTRAST))
