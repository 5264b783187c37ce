"""`python tools/release.py v0.1.0`: is all ready for a release under this tag?

The version of the package, the citation, how to cite and the changelog must be the
tag's, and the changelog's entry must have a date. With `--readme` and the repository's
address, the links of the README are made to work on another site. It runs before
anything is installed.
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
"""Where the version stands; in the changelog, it is that of the first entry."""

DATED = r"^## \S+ \(\d{4}-\d\d-\d\d\)$"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what does not fit the tag; return 1 if anything does not."""
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
    """Return the version that stands in each place, empty where none does."""
    found = {}
    for place, pattern in PLACES.items():
        text = (root / place).read_text(encoding="utf-8")
        match = re.search(pattern, text, re.MULTILINE)
        found[place] = match[1] if match else ""
    return found


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """Return what must be changed before a release under a tag."""
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
    """Return Markdown whose links and pictures lead into the repository."""
    return LINK.sub(
        lambda m: f"{m[1]}[{m[2]}]({url}/{'raw' if m[1] else 'blob'}/main/{m[3]})", text
    )


if __name__ == "__main__":
    sys.exit(main())
