"""List the files of the site, for readers who keep the whole book offline.

The page with the control names the edition and its size. The list, with the size and a
digest of each file, is fetched when a reader asks for it.
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
    # Hosts and crawlers ask for these, a browser keeps its worker itself, and the page
    # for missing pages has no address.
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
    """Write the list for the site in `html`, and its size into the page of the control.

    Returns:
        Notes for the build: none if there are no live pages, since the service worker
        is theirs.

    Raises:
        SiteError: if the page has no place for the control.
    """
    if not (html / "live").is_dir():
        return []
    files = contents(html)
    groups = grouped(files)
    # Calculated before the page names it, since the name changes the page's digest.
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
    """Return the bytes that files take; equal files are kept once."""
    return sum({digest: size for size, digest in group.values()}.values())
