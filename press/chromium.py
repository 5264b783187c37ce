"""Find the Chromium that is installed; none is downloaded."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Playwright

# The shell is the same engine without windows: a page opens in a third of the time.
NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "chrome", "msedge"),
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
ARGUMENTS = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "no Chromium was found: install Chromium or Chrome, or set AUTOGRAD_CHROMIUM "
    "to its path"
)


def find_chromium() -> str | None:
    """Return the path of a Chromium that is installed, or None.

    The variable AUTOGRAD_CHROMIUM is tried first, then the path, then the usual places.
    """
    named = os.environ.get("AUTOGRAD_CHROMIUM")
    if named:
        return named
    found = (shutil.which(name) for name in NAMES)
    return next(filter(None, found), None) or next(
        (place for place in PLACES if Path(place).is_file()), None
    )


def launch(
    playwright: Playwright, more: Sequence[str] = (), without: Sequence[str] = ()
) -> Browser:
    """Start the Chromium that is installed, otherwise the one that Playwright brought.

    Args:
        playwright: the running Playwright.
        more: further arguments.
        without: default arguments of Playwright to leave out.

    Raises:
        FileNotFoundError: if there is none.
    """
    path = find_chromium() or playwright.chromium.executable_path
    if not Path(path).is_file():
        raise FileNotFoundError(MISSING)
    # Chromium's sandbox cannot be set up by root, which is what a container runs as.
    is_root = sys.platform != "win32" and os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=path,
        args=[*ARGUMENTS, *more, *(["--no-sandbox"] if is_root else [])],
        ignore_default_args=list(without),
    )
