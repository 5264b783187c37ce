"""`python -m tools.renumber`: give each chapter the number of its place in `_toc.yml`.

First move chapters there, add new ones under any free number, and remove those that are
gone. This command then renames notebooks and rewrites references to them and to their
exercises: paths, links, `_toc.yml`, "chapters 12 and 13", "exercise 12.1". Old
addresses redirect.

Check `git diff` and run `make refresh` afterwards. Sentences that count chapters
without naming a number have to be found by tests and readers.
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
    rf"\bARGS=|tools\.refresh |[\">](?={ONE}: )|<summary>(?:After|Before) |"
    rf"\[(?:\w+ )?(?={ONE}(?:, [a-z ]+)?\]\([./a-z]*\d\d_)|"
    rf"^\| (?={ONE} \| \[{ONE}\])){ONE}|(?:\b[Cc]hapters|\b[Ee]xercises|\bthis chapter,"
    rf")\s+{ONE}(?:(?:,\s|,?\sand\s|,?\sor\s|\sto\s|–){ONE})*",
    re.MULTILINE,
)
SAID_IN = {
    ".svg": re.compile(rf">{ONE}(?=</text>)"),
    ".toml": re.compile(rf"^\[{ONE}\]$", re.MULTILINE),
}
ADDRESSES = "press/site/publishing.py"
LEAVE = (
    "autograd_lib/text.txt",  # belongs to an edition
    "requirements.lock",
    "tests/tools/test_renumber.py",
    "tools/renumber.py",
)
SETS = "course/templates/masters/"  # whose exercises are numbered by their own sets


def main(arguments: list[str] | None = None) -> int:
    """Renumber, and print the new names."""
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
    """Give chapters the numbers of their places; return the new names by the old ones.

    Raises:
        ValueError: if the table of contents and the notebooks differ, or if two
            chapters have the same number; then nothing is changed.
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
        after = change(before, path.suffix, not name.startswith(SETS))
        if name == ADDRESSES:
            led = (f'    "chapters/{a}": "chapters/{b}",\n' for a, b in renamed.items())
            after = after.replace("MOVED = {\n", "MOVED = {\n" + "".join(led))
        to = path.with_name(change(path.name, "", True))
        if (path, before) != (to, after):
            path.unlink()
            written[to] = after
    for path, text in written.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return renamed


def rewriting(
    renamed: Mapping[str, str], move: Mapping[int, int]
) -> Callable[[str, str, bool], str]:
    """Return a function that rewrites all numbers at once.

    It gets a text, its file's suffix, and whether exercises have chapters' numbers.
    """
    stem = re.compile(rf"\b({'|'.join(renamed)})\b")
    label = re.compile(rf'(?<=[^=]")({"|".join(map(str, move))})(?=\.[1-9]")')

    def number(found: re.Match[str], digits: int = 0) -> str:
        whole, dot, rest = found[0].partition(".")
        new = move.get(int(whole), int(whole))
        return f"{new:0{0 if dot else digits or len(whole)}}{dot}{rest}"

    def numbers(found: re.Match[str]) -> str:
        # Chapters have two digits (05); exercises (5.1, exercise-5-1), and numbers of
        # code (chapter = 5), do not.
        digits = 1 if "xercise" in found[0] or " = " in found[0] else 0
        return re.sub(ONE, lambda one: number(one, digits), found[0])

    def change(text: str, suffix: str, exercises: bool) -> str:
        def said(found: re.Match[str]) -> str:
            own = "xercise" in found[0] and not exercises
            return found[0] if own else numbers(found)

        text = stem.sub(lambda found: renamed[found[0]], SAID.sub(said, text))
        if suffix in SAID_IN:
            text = SAID_IN[suffix].sub(numbers, text)
        if exercises:
            text = label.sub(lambda found: number(found, 1), text)
        return text

    return change


if __name__ == "__main__":
    sys.exit(main())
