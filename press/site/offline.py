"""Lists the files of the site, for readers who keep the whole book offline.

The page with the control says which edition it is and how large that is. The list,
which has the size and a digest of each file, is fetched once a reader asks.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from html import escape
from pathlib import Path

from press.site.problem import SiteError
from press.site.publishing import Edition

LIST = "live/offline.json"
PAGE = "pages/using.html"
PLACE = '<div id="book-offline"'
PYTHON = re.compile(
    r"live/(pyodide-|licences/|code-[^/]+/(lib/|.+\.(whl|zip|json)$))|_static/mathjax/"
)
"""What only a running page loads, MathJax for what it prints included."""
NOT_KEPT = {
    # A host and a crawler ask for these, a browser keeps its worker itself, and a page
    # that is not there has no address.
    ".nojekyll",
    "404.html",
    "_static/card.png",
    "feed.xml",
    "objects.inv",
    "robots.txt",
    "sbom.cdx.json",
    "service-worker.js",
    "sitemap.xml",
    LIST,
}
DIGITS = 32

Group = dict[str, tuple[int, str]]
"""The size and the digest of each file, by its name."""


def write(html: Path, edition: Edition) -> list[str]:
    """Write the list for the site in `html`, and say on its page how large it is.

    Returns:
        What to say of it: nothing where there are no live pages, whose service worker
        it takes.

    Raises:
        SiteError: if the page has no place for the control.
    """
    if not (html / "live").is_dir():
        return []
    files = contents(html)
    groups = grouped(files)
    # Before the page says it: what it says would change its own digest.
    mark = hashlib.sha256(json.dumps(groups).encode()).hexdigest()[:12]
    sizes = {
        name: [sum(len(zlib.compress(files[file])) for file in group), room(group)]
        for name, group in groups.items()
    }
    about = {
        "edition": mark,
        "version": edition.version,
        "day": str(edition.day or ""),
    }
    said = {**about, "sizes": json.dumps(sizes)}
    attributes = "".join(f' data-{k}="{escape(v)}"' for k, v in said.items())
    page = files[PAGE].decode()
    if page.count(PLACE) != 1:
        raise SiteError(f"{PAGE} has no place for the control that keeps the book")
    files[PAGE] = page.replace(PLACE, PLACE + attributes).encode()
    (html / PAGE).write_bytes(files[PAGE])
    listed = json.dumps({**about, **grouped(files)}, separators=(",", ":"))
    (html / LIST).write_text(listed, "utf-8")
    parts = (
        f"{name} {len(groups[name])} files, {room / 1e6:.1f} MB, compressed "
        f"{sent / 1e6:.1f} MB"
        for name, (sent, room) in sizes.items()
    )
    return [f"To keep offline: {'; '.join(parts)}."]


def contents(html: Path) -> dict[str, bytes]:
    """Return the files that may be kept, by name."""
    paths = sorted(path for path in html.rglob("*") if path.is_file())
    named = ((path.relative_to(html).as_posix(), path) for path in paths)
    return {name: path.read_bytes() for name, path in named if name not in NOT_KEPT}


def grouped(files: Mapping[str, bytes]) -> dict[str, Group]:
    """Return the files of the book, and those of the Python that runs its pages."""
    groups: dict[str, Group] = {"book": {}, "python": {}}
    for name, content in files.items():
        digest = hashlib.sha256(content).hexdigest()[:DIGITS]
        group = groups["python" if PYTHON.match(name) else "book"]
        group[name] = (len(content), digest)
    return groups


def room(group: Group) -> int:
    """Return the bytes that some files take; equal ones are kept once."""
    return sum({digest: size for size, digest in group.values()}.values())
