"""`python tools/release.py v0.1.0`: check that a release under this tag is ready.

The package, the citation file, the page that says how to cite and the changelog must
have the version of the tag, and the entry in the changelog needs a date. With
`--readme` and the repository's address, the links of the README are made absolute. It
needs only the standard library.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = {
    "autograd_lib/__init__.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    "pages/using.md": r"version = \{(.+)\}",
    "CHANGELOG.md": r"^## (\S+) \(.+\)$",
}
"""The files that state the version; in the changelog, it is that of the first entry."""

DATED = r"^## \S+ \(\d{4}-\d\d-\d\d\)$"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what does not match the tag; return 1 if there is anything."""
    parser = argparse.ArgumentParser(prog="python tools/release.py")
    parser.add_argument("tag", help="such as v0.1.0")
    parser.add_argument("--readme", metavar="URL", help="the repository's address")
    options = parser.parse_args(arguments)
    found = faults(options.tag)
    for fault in found:
        print(fault, file=sys.stderr)
    if options.readme and not found:
        readme = ROOT / "README.md"
        text = with_whole_links(readme.read_text("utf-8"), options.readme)
        readme.write_text(text, encoding="utf-8", newline="\n")
    return int(bool(found))


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version in each file, or "" where there is none."""
    found = {}
    for place, pattern in PLACES.items():
        text = (root / place).read_text(encoding="utf-8")
        match = re.search(pattern, text, re.MULTILINE)
        found[place] = match[1] if match else ""
    return found


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """Return the changes that a release under a tag still needs."""
    said = [
        f"{place}: the version is {version or 'missing'}, and the tag is {tag}"
        for place, version in versions(root).items()
        if f"v{version}" != tag
    ]
    news = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    first = next(line for line in news.splitlines() if line.startswith("## "))
    if not re.search(DATED, first):
        said.append(f"CHANGELOG.md: the first entry has no date: {first}")
    return said


def with_whole_links(text: str, url: str) -> str:
    """Return Markdown with absolute links and pictures, into the repository."""
    return LINK.sub(
        lambda m: f"{m[1]}[{m[2]}]({url}/{'raw' if m[1] else 'blob'}/main/{m[3]})", text
    )


if __name__ == "__main__":
    sys.exit(main())
