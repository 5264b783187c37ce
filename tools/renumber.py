"""`python -m tools.renumber`: give each chapter the number of its place in `_toc.yml`.

First move chapters there, list new ones with any free number, take out those that are
gone. Then this command renames notebooks, and rewrites what names them or their
exercises: paths, links, `_toc.yml`, "chapters 12 and 13", "exercise 12.1". Old
addresses lead on.

Then look at `git diff`, and `make refresh`. Sentences that count chapters without
saying so are for tests and readers to find.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from notebooks.notebook import ROOT, chapter_paths
from notebooks.order import chapters

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
ADDRESSES = "press/site/publishing.py"
LEAVE = (
    "autograd_lib/text.txt",  # of an edition
    "requirements.lock",
    "tests/tools/test_renumber.py",
    "tools/renumber.py",
)


def main(arguments: list[str] | None = None) -> int:
    """Renumber, and say which chapters have which numbers now."""
    if sys.argv[1:] if arguments is None else arguments:
        print("Numbers follow from _toc.yml: python -m tools.renumber", file=sys.stderr)
        return 2
    try:
        renamed = renumber(ROOT)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for old, new in renamed.items():
        print(f"{old} is {new}")
    return 0


def renumber(root: Path) -> dict[str, str]:
    """Give chapters the numbers of their places; return new names, by the old ones.

    Raises:
        ValueError: if the table of contents and the notebooks are not the same, or two
            have one number; nothing is changed then.
    """
    toc, there = chapters(root), {path.stem for path in chapter_paths(root)}
    numbers = [stem[:2] for stem in toc]
    if {*toc} != there or len({*numbers}) < len(numbers):
        raise ValueError(
            "_toc.yml must list each notebook chapters/NN_name.ipynb once, and no "
            f"number twice: it lists {', '.join(toc)}; "
            f"there are {', '.join(sorted(there))}"
        )
    new = {stem: f"{place:02}{stem[2:]}" for place, stem in enumerate(toc)}
    renamed = {old: to for old, to in new.items() if old != to}
    if not renamed:
        return {}
    change = rewriting(renamed, {int(a[:2]): int(b[:2]) for a, b in renamed.items()})
    written: dict[Path, str] = {}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True)
    for name in listed.stdout.decode().split("\0"):
        path = root / name
        if name in LEAVE or not path.is_file() or b"\0" in path.read_bytes():
            continue
        before = path.read_text(encoding="utf-8")
        after = change(before, path.suffix)
        if name == ADDRESSES:
            led = (f'    "chapters/{a}": "chapters/{b}",\n' for a, b in renamed.items())
            after = after.replace("MOVED = {\n", "MOVED = {\n" + "".join(led))
        to = path.with_name(change(path.name, ""))
        if (path, before) != (to, after):
            path.unlink()
            written[to] = after
    for path, text in written.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return renamed


def rewriting(
    renamed: Mapping[str, str], move: Mapping[int, int]
) -> Callable[[str, str], str]:
    """Return what rewrites the text of a file with a suffix, all in one go."""
    stem = re.compile(rf"\b({'|'.join(renamed)})\b")
    label = re.compile(rf'(?<=[^=]")({"|".join(map(str, move))})(?=\.[1-9]")')

    def number(found: re.Match[str], digits: int = 0) -> str:
        whole, dot, rest = found[0].partition(".")
        new = move.get(int(whole), int(whole))
        return f"{new:0{0 if dot else digits or len(whole)}}{dot}{rest}"

    def numbers(found: re.Match[str]) -> str:
        # Chapter 05, and exercise 5.1 or exercise-5-1.
        digits = 1 if "xercise" in found[0] else 0
        return re.sub(ONE, lambda one: number(one, digits), found[0])

    def change(text: str, suffix: str) -> str:
        text = stem.sub(lambda found: renamed[found[0]], SAID.sub(numbers, text))
        if suffix in SAID_IN:
            text = SAID_IN[suffix].sub(numbers, text)
        return label.sub(lambda found: number(found, 1), text)

    return change


if __name__ == "__main__":
    sys.exit(main())
