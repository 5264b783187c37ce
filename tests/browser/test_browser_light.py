"""Every page in a real browser, in the light theme."""

from tests.browser.helpers.page_checks import PageChecks


class TestLight(PageChecks):
    """The checks of `page_checks.py`, in the light theme."""

    theme = "light"
