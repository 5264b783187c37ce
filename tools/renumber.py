"""`python -m tools.renumber 12 13`: chapter 12 becomes 13, and others make room.

The chapter that has the number goes one on, as do those after it, up to the first free
number: so `12 13` leaves 12 free for a new chapter, and `28 27` lets these two change
places. Notebooks are renamed, and what names them or their exercises is rewritten:
paths, links, `_toc.yml`, "chapters 12 and 13", "exercise 12.1". Old addresses lead on.

Then look at `git diff`, and `make refresh`. What counts chapters without saying so, and
the order of rows in the table of the rule of growth, are for tests to name.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.notebooks import ROOT, chapter_paths

ONE = r"\d{1,2}(?:\.\d+)?(?![\d.]*\d)"
SAID = re.compile(
    rf"(?:\b[Cc]hapter(?: =)?[\s-]+|\b[Ee]xercise[ -]|\*\*Exercise |\banswers_|\bCH=|"
    rf"\bARGS=|tools\.refresh |[\">](?={ONE}: )|\[(?:\w+ )?(?={ONE}\]\([./a-z]*\d\d_)|"
    rf"^\| (?={ONE} \| \[{ONE}\])){ONE}|(?:\b[Cc]hapters|\b[Ee]xercises|\bthis chapter,"
    rf")\s+{ONE}(?:(?:,|,? and|,? or| to)\s{ONE})*",
    re.MULTILINE,
)
SAID_IN = {
    ".svg": re.compile(rf">{ONE}(?=</text>)"),
    ".toml": re.compile(rf"^\[{ONE}\]$", re.MULTILINE),
}
IN_TOC = re.compile(r"(?m)^ *- file: chapters/\d\d_\w+$")
ADDRESSES = "press/site/publishing.py"
LEAVE = (
    "autograd_lib/text.txt",  # of an edition
    "requirements.lock",
    "tests/tools/test_renumber.py",
    "tools/renumber.py",
)


def main(arguments: list[str] | None = None) -> int:
    """Renumber, and say which chapters have which numbers now."""
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 2 or not all(number.isdecimal() for number in given):
        print("Say which: python -m tools.renumber 12 13", file=sys.stderr)
        return 2
    for old, new in renumber(ROOT, *map(int, given)).items():
        print(f"{old} is {new}")
    return 0


def moves(old: int, new: int, taken: set[int]) -> dict[int, int]:
    """Return the new number of each chapter that gets one."""
    found = {old: new}
    while new in taken and new != old:
        found[new] = new = new + 1
    return found


def renumber(root: Path, old: int, new: int) -> dict[str, str]:
    """Give a chapter another number; return the new names of notebooks, by the old.

    Raises:
        ValueError: if there is no such chapter.
    """
    stems = {int(path.stem[:2]): path.stem for path in chapter_paths(root)}
    if old not in stems:
        raise ValueError(f"there is no chapter {old}")
    move = moves(old, new, set(stems))
    renamed = {
        stems[n]: f"{to:02}{stems[n][2:]}" for n, to in move.items() if n in stems
    }
    change = rewriting(renamed, move)
    written: dict[Path, str] = {}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True)
    for name in listed.stdout.decode().split("\0"):
        path = root / name
        if name in LEAVE or not path.is_file() or b"\0" in path.read_bytes():
            continue
        before = path.read_text(encoding="utf-8")
        after = change(before, path.suffix)
        if name == "_toc.yml":
            after = in_order(after)
        elif name == ADDRESSES:
            led = (f'    "chapters/{a}": "chapters/{b}",\n' for a, b in renamed.items())
            after = after.replace("MOVED = {\n", "MOVED = {\n" + "".join(led))
        to = path.with_name(change(path.name, ""))
        if (path, before) != (to, after):
            path.unlink()
            written[to] = after
    for path, text in written.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return renamed


def in_order(toc: str) -> str:
    """Return a table of contents with the chapters by their numbers."""
    order = iter(sorted(IN_TOC.findall(toc)))
    return IN_TOC.sub(lambda _: next(order), toc)


def rewriting(
    renamed: Mapping[str, str], move: Mapping[int, int]
) -> Callable[[str, str], str]:
    """Return what rewrites the text of a file with a suffix, all in one go."""
    stem = re.compile(rf"\b({'|'.join(renamed)})\b")
    label = re.compile(rf'(?<=[^=]")({"|".join(map(str, move))})(?=\.[1-9]")')

    def number(found: re.Match[str]) -> str:
        whole, dot, rest = found[0].partition(".")
        return str(move.get(int(whole), int(whole))).zfill(len(whole)) + dot + rest

    def numbers(found: re.Match[str]) -> str:
        return re.sub(ONE, number, found[0])

    def change(text: str, suffix: str) -> str:
        text = stem.sub(lambda found: renamed[found[0]], SAID.sub(numbers, text))
        if suffix in SAID_IN:
            text = SAID_IN[suffix].sub(numbers, text)
        return label.sub(number, text)

    return change


if __name__ == "__main__":
    sys.exit(main())
