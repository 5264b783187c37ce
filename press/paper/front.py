"""The front matter: title page and contents."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from press.paper.contents import Page
from press.paper.printing import file_of
from press.site.publishing import TITLE, Edition

STYLE = Path(__file__).with_name("front.css").read_text("utf-8")
ABOUT = "From a float that remembers to a GPT"
ON_PAPER = (
    "On paper there is less than on the pages: code that only imports, prepares or "
    "draws stays away, and nothing runs. Steps through a graph stand as they end, with "
    "all steps in words. Solutions stand at the end of their chapter."
)


def front(
    author: str, edition: Edition, where: str, first: Sequence[tuple[Page, int]]
) -> str:
    """Return the title page and the contents as HTML, for the style of this module.

    Args:
        author: of the book.
        edition: of the book.
        where: the address of the book, empty if it isn't known.
        first: the pages, and the number of the first sheet of each.
    """
    said = f"Edition {edition.version}"
    if edition.day:
        said += f", {edition.day.day} {edition.day:%B %Y}"
    lines = [said, where, "Text: CC BY 4.0. Code: MIT.", ON_PAPER]
    rows, part = [], ""
    for page, number in first:
        if page.part != part:
            part = page.part
            # Pages between the last part and the appendices belong to no part.
            rows.append(f"<p>{escape(part) or '&nbsp;'}</p>")
        rows.append(
            f'<a href="#{file_of(page)}"><span>{escape(page.title)}</span>'
            f"<i></i><span>{number}</span></a>"
        )
    listed = "\n".join(rows)
    return f"""\
<div class="book-title"><h1>{TITLE}</h1><p class="about">{ABOUT}</p>
<p>{escape(author)}</p>
<p class="edition">{"<br>".join(escape(line) for line in lines if line)}</p></div>
<div class="book-contents"><h1>Contents</h1>
{listed}
</div>
"""
