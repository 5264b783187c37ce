"""Turn invalid HTML of Sphinx and its extensions into valid HTML.

After that the Nu HTML checker reports nothing on any page but CSS that it does not know
yet: `container-type` and `@container`.
"""

from __future__ import annotations

import re
from urllib.parse import quote

TITLE = re.compile(r'<p( class="(?:collapsed|expanded) admonition-title")>(.*?)</p>')
CODE = re.compile(r"`([^`<]+)`")
LABEL = ' aria-label="Toggle hidden content"'
FOLDED_CELL = re.compile(r"<td><p>((?:(?!</td>).)*?<details.*?)</p></td>", re.DOTALL)
DRAWING = re.compile(r"'data:image/svg\+xml;charset=utf-8,[^']*'")
ESCAPED = {ord(sign): quote(sign) for sign in '<>" \n{}|\\^`'}
FIELD = re.compile(r'\n *id="search-input"')


def valid(page: str) -> str:
    """Return a page that looks the same and breaks no rule of HTML.

    A fold is named by a phrase and gets no label that would hide it; code in it is
    marked as in other text. No fold stands in a paragraph, no address has brackets or
    spaces, and no two fields share a name.
    """
    page = TITLE.sub(_named, page.replace(LABEL, ""))
    page = FOLDED_CELL.sub(r"<td>\1</td>", page)
    page = DRAWING.sub(_escaped, page)
    first = FIELD.search(page)
    if first is None:
        return page
    return page[: first.end()] + FIELD.sub("", page[first.end() :])


def _named(title: re.Match[str]) -> str:
    text = CODE.sub(r"<code>\1</code>", title[2])
    return f"<span{title[1]}>{text}</span>"


def _escaped(address: re.Match[str]) -> str:
    return address[0].translate(ESCAPED)
