"""What the pages for contributors name is there: files, links, modules, commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from notebooks.conventions import anchors
from notebooks.notebook import ROOT
from tests.tools.helpers.tree import files_of_the_repository

GUIDES = [
    *("CONTRIBUTING.md", "README.md", ".github/SECURITY.md"),
    *(".github/PULL_REQUEST_TEMPLATE.md", ".github/CODE_OF_CONDUCT.md"),
    *("course/README.md", "live/README.md", "press/README.md"),
]
MAPS = ["CONTRIBUTING.md", *GUIDES[-3:]]
FILES = list(files_of_the_repository())
FENCED = re.compile(r"(?ms)^```.*?^```$")
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SUFFIXES = "cfg|cjs|css|ipynb|js|json|lock|md|mjs|py|toml|txt|yml"
PATH = re.compile(rf"\.?[\w*-]+(?:/[\w*.-]*)+|[\w*.-]+\.(?:{SUFFIXES})")
ANY = re.compile(r"NN|NAME|FILE|(?<=_)N(?=\.)")
"""Parts of names that a reader replaces."""
MODULE = re.compile(
    r"python -m ((?:autograd_lib|benchmarks|course|live|press|tests|tools)[.\w]*)"
)
MADE = re.compile(
    r"_build/|https?://|handout/|autograder/|grades/|live/offline|sitemap\.xml|mine\.py"
)
"""Beginnings of what is made, or lies elsewhere."""


def text_of(guide: str) -> str:
    return (ROOT / guide).read_text(encoding="utf-8")


def is_there(name: str, folder: Path) -> bool:
    """Return whether a path is there, or for a bare name a file in any folder."""
    if "/" not in name and any(file.name == name for file in FILES):
        return True
    pattern = ANY.sub("*", name.rstrip("/"))
    return any(next(place.glob(pattern), None) for place in (folder, ROOT))


def paths(text: str) -> list[str]:
    """Return the paths that a text names, but for those that commands make."""
    spans = SPAN.findall(FENCED.sub("", text))
    return [span for span in spans if PATH.fullmatch(span) and not MADE.match(span)]


def missing_paths(text: str, folder: Path) -> list[str]:
    """Return the paths that a text names and that are not there."""
    return [name for name in paths(text) if not is_there(name, folder)]


def missing_links(text: str, page: Path) -> list[str]:
    """Return the links of a page that lead to no file, or to no heading of one."""
    found = []
    for target in LINK.findall(FENCED.sub("", text)):
        name, _, anchor = target.partition("#")
        place = page.parent / name if name else page
        known = re.match(r"[a-z]+:", target) or (
            place.exists() and (not anchor or anchor in anchors(place))
        )
        found += [] if known else [target]
    return found


def missing_modules(text: str) -> list[str]:
    """Return the modules that a text runs and that are not there."""
    return [
        name
        for name in MODULE.findall(text)
        if not (ROOT / f"{name.replace('.', '/')}.py").is_file()
        and not (ROOT / name.replace(".", "/") / "__main__.py").is_file()
    ]


@pytest.mark.parametrize("guide", GUIDES)
def test_every_path_and_link_leads_somewhere(guide: str) -> None:
    page = ROOT / guide
    assert guide not in MAPS or len(paths(text_of(guide))) > 20
    assert missing_paths(text_of(guide), page.parent) == []
    assert missing_links(text_of(guide), page) == []
    assert missing_modules(text_of(guide)) == []


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_is_one_of_the_makefile(guide: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = text_of(guide)
    named = re.findall(r"(?:`|(?m:^))make ([a-z]+)", text)
    assert {*named} <= {*re.findall(r"(?m)^([a-z]+):", makefile)}


def test_what_is_not_there_is_found() -> None:
    text = "`tools/none.py`, `chapters/NN_NAME.ipynb`, `x.shape`, `a / b`, `tools/`"
    assert missing_paths(text, ROOT) == ["tools/none.py"]
    page = ROOT / "CONTRIBUTING.md"
    assert missing_links("[a](none.md) [b](#the-map) [c](#none)", page) == [
        "none.md",
        "#none",
    ]
    assert missing_modules("python -m tools.none; python -m tools.check") == [
        "tools.none"
    ]
