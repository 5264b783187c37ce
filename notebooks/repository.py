"""The repository's address, as set in `_config.yml`, and the address of its pages."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from notebooks.notebook import ROOT

SETTING = re.compile(r'(?m)^(repository:\n(?:[ #].*\n)*?  url: *)"([^"\n]*)"')


def address(root: Path = ROOT) -> str:
    """Return the address set in `_config.yml`, or "" if none is set yet."""
    return setting(root / "_config.yml")[2]


def site_of(repository: str) -> str:
    """Return where GitHub publishes the pages of a repository, or "" for other hosts.

    >>> site_of("https://github.com/Someone/book")
    'https://someone.github.io/book/'
    >>> site_of("https://github.com/someone/someone.github.io")
    'https://someone.github.io/'
    >>> site_of("https://example.org/someone/book"), site_of("")
    ('', '')
    """
    parts = urlsplit(repository)
    owner, _, name = parts.path.strip("/").partition("/")
    if parts.netloc != "github.com" or not name:
        return ""
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def setting(config: Path) -> re.Match[str]:
    """Return the match of the setting in a configuration; group 2 is the address.

    Raises:
        ValueError: if there is no such setting.
    """
    found = SETTING.search(config.read_text(encoding="utf-8"))
    if not found:
        raise ValueError(
            f'repository: {config.name} has no line `url: "…"` under `repository:`'
        )
    return found
