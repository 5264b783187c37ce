"""Every page in a real browser, in the dark theme."""

from tests.browser.helpers.page_checks import PageChecks


class TestDark(PageChecks):
    """The checks of `page_checks.py`, in the dark theme."""

    theme = "dark"
