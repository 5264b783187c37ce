"""The API reference names for each module the chapter that introduces it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from notebooks.notebook import ROOT
from tests.book.helpers.contents import CONTENTS, introduced_in

PAGES = sorted((ROOT / "pages").glob("api*.md"))
BUILT = re.compile(r"Built in \[chapter (\d+)\]\(\.\./chapters/(\w+)\.ipynb\)")
MODULE = re.compile(r"(?m)^\.\. automodule:: (\S+)$")


def sections() -> Iterator[tuple[str, str, str]]:
    """Yield from each section that names a chapter its title, chapter and text."""
    for page in PAGES:
        for room in re.split(r"(?m)^## ", page.read_text(encoding="utf-8"))[1:]:
            for text in re.split(r"(?m)^### ", room):
                for number, notebook in BUILT.findall(text):
                    assert int(number) == int(notebook[:2])
                    of = text if MODULE.search(text) else room
                    yield text.splitlines()[0], notebook, of


def test_there_are_such_sections() -> None:
    assert len(PAGES) == 3
    assert len(list(sections())) > 30


@pytest.mark.parametrize(
    ("notebook", "text"),
    [pytest.param(notebook, text, id=title) for title, notebook, text in sections()],
)
def test_the_chapter_is_that_of_the_contents(notebook: str, text: str) -> None:
    homes = {
        module: CONTENTS[place].notebook
        for module in MODULE.findall(text)
        for place in introduced_in(module)
    }
    assert homes
    assert set(homes.values()) == {notebook}, homes
