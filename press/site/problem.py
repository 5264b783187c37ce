"""The one error of this package."""


class SiteError(Exception):
    """A page could not be finished, for the reason given."""
