"""Render formulas when the book is built, so that pages need no program for them.

MathJax renders them, as in live pages, with the same look and the same text for screen
readers. It runs in the Node that comes with Playwright, once for all formulas of
the book, which takes about a second. A formula that is wrong fails the build.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from press.site import mathjax
from press.site.problem import SiteError

PROGRAM = Path(__file__).with_name("formulas.cjs")
FONTS = "fonts"
"""Where the style sheet looks for the fonts, from where it lies itself."""
MATH = re.compile(
    r'(<(span|div) class="math [^>]*>)\s*\\([(\[])(.*?)\\[)\]]\s*(</\2>)', re.DOTALL
)
UNREAD = re.compile(r'<(?:span|div) class="math [^>]*>(?!<mjx-container)')

Job = tuple[str, bool]
"""A formula in TeX, and whether it stands on lines of its own."""


def with_formulas(pages: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return the pages with their formulas rendered, and the style sheet of these.

    Raises:
        SiteError: if a formula cannot be rendered; the message names its page.
    """
    where = {
        job_of(found): page for page in pages for found in MATH.finditer(pages[page])
    }
    rendered, style = render(where)
    wrong = [
        f"{where[job]}: {why}: {job[0]}"
        for job, (_, why) in zip(where, rendered.values(), strict=True)
        if why
    ]
    if wrong:
        raise SiteError("\n".join(["Formulas that MathJax does not read:", *wrong]))

    def put(found: re.Match[str]) -> str:
        return f"{found[1]}{rendered[job_of(found)][0]}{found[5]}"

    finished = {page: MATH.sub(put, text) for page, text in pages.items()}
    for page, text in finished.items():
        if left := UNREAD.search(text):
            raise SiteError(f"{page}: no formula in {text[left.start() :][:200]}")
    return finished, style


def job_of(found: re.Match[str]) -> Job:
    """Return the formula to be rendered for a match of `MATH`."""
    return html.unescape(found[4]).strip(), found[3] == "["


def render(jobs: Iterable[Job]) -> tuple[dict[Job, tuple[str, str]], str]:
    """Render formulas; return the HTML or the error of each, and the style sheet.

    Raises:
        SiteError: if the program itself fails.
    """
    wanted = list(dict.fromkeys(jobs))
    done = subprocess.run(
        [str(node()), str(PROGRAM), str(mathjax.folder()), FONTS],
        input=json.dumps(wanted).encode(),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise SiteError(f"MathJax failed: {done.stderr.decode(errors='replace')}")
    answer = json.loads(done.stdout)
    rendered = {
        job: (one.get("html", ""), one.get("error", ""))
        for job, one in zip(wanted, answer["rendered"], strict=True)
    }
    return rendered, answer["style"]


def node() -> Path:
    """Return the path of Node: Playwright's own, or the one that it is told to use.

    Raises:
        SiteError: if there is none.
    """
    name = "node.exe" if sys.platform == "win32" else "node"
    named = os.environ.get("PLAYWRIGHT_NODEJS_PATH")
    path = Path(named) if named else Path(str(files("playwright")), "driver", name)
    if not path.is_file():
        raise SiteError("Node is missing: install what requirements.lock lists")
    return path
