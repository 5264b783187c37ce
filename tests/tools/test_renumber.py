"""One command renumbers chapters, and whatever names them follows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from notebooks.notebook import chapter_paths
from notebooks.order import chapters
from tools.renumber import main, renumber, rewriting

START = [f"0{n}_{name}" for n, name in enumerate("abcd")]
TOC = "".join(
    f"      - file: chapters/{name}\n"
    for name in [*START, "04_value", "99_new", "05_order", "06_seeing", "07_tensor"]
)
FILES = dict.fromkeys((f"chapters/{name}.ipynb" for name in START), "") | {
    "chapters/04_value.ipynb": "[05](05_order.ipynb#a); chapters 04, 05 and 06.",
    "chapters/05_order.ipynb": '"**Exercise 5.1.** x", "id": "exercise-5-1"',
    "chapters/06_seeing.ipynb": "See exercises 5.1–5.4, 5.5, 6.1, and chapter 5.",
    "chapters/07_tensor.ipynb": "[chapter 05](05_order.ipynb) has 5 rows, or 6.1.",
    "chapters/99_new.ipynb": '"**Exercise 99.1.** As in chapters 4 and 7."',
    "_toc.yml": "parts:\n  - chapters:\n" + TOC,
    "pages/roads.md": "[05, all of it](../chapters/05_order.ipynb) to chapter 7.\n",
    "course/templates/masters/ps5.md": "**Exercise 5.1.** See chapter 05.\n",
    "hints.toml": '[05]\n"order(x)" = "5 of them"\n["5.1"]\n',
    "tests/answers_05.py": 'OTHER = {"5.1": 5, "12.1": "5.0"}  # of chapter 5\n',
    "tests/answers_06.py": 'OTHER = {"6.1": 6}\n',
    "map.svg": '<a aria-label="05: Order"><text x="5.1">05</text><text/></a>',
    "press/site/publishing.py": "MOVED = {\n"
    '    "chapters/03_order": "chapters/05_order",\n}',
    "autograd_lib/text.txt": "Of an edition: chapter 5.",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small repository."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for step in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *step], cwd=tmp_path, check=True)
    return tmp_path


def texts(root: Path) -> dict[str, str]:
    """Return what is in all files, by name."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in root.rglob("*.*")
        if path.is_file() and ".git" not in path.parts
    }


def test_a_new_chapter_gets_the_number_of_its_place_and_others_make_room(
    tree: Path,
) -> None:
    assert renumber(tree) == {
        "99_new": "05_new",
        "05_order": "06_order",
        "06_seeing": "07_seeing",
        "07_tensor": "08_tensor",
    }
    found = texts(tree)
    assert [path.stem for path in chapter_paths(tree)][4:] == [
        *("04_value", "05_new", "06_order", "07_seeing", "08_tensor")
    ]
    assert found == {f"chapters/{name}.ipynb": "" for name in START} | {
        "chapters/04_value.ipynb": "[06](06_order.ipynb#a); chapters 04, 06 and 07.",
        "chapters/05_new.ipynb": '"**Exercise 5.1.** As in chapters 4 and 8."',
        "chapters/06_order.ipynb": '"**Exercise 6.1.** x", "id": "exercise-6-1"',
        "chapters/07_seeing.ipynb": "See exercises 6.1–6.4, 6.5, 7.1, and chapter 6.",
        "chapters/08_tensor.ipynb": "[chapter 06](06_order.ipynb) has 5 rows, or 6.1.",
        "_toc.yml": found["_toc.yml"],
        "pages/roads.md": "[06, all of it](../chapters/06_order.ipynb) to chapter 8.\n",
        "course/templates/masters/ps5.md": "**Exercise 5.1.** See chapter 06.\n",
        "hints.toml": '[06]\n"order(x)" = "5 of them"\n["6.1"]\n',
        "tests/answers_06.py": 'OTHER = {"6.1": 5, "12.1": "5.0"}  # of chapter 6\n',
        "tests/answers_07.py": 'OTHER = {"7.1": 6}\n',
        "map.svg": '<a aria-label="06: Order"><text x="5.1">06</text><text/></a>',
        "press/site/publishing.py": "MOVED = {\n"
        '    "chapters/99_new": "chapters/05_new",\n'
        '    "chapters/05_order": "chapters/06_order",\n'
        '    "chapters/06_seeing": "chapters/07_seeing",\n'
        '    "chapters/07_tensor": "chapters/08_tensor",\n'
        '    "chapters/03_order": "chapters/06_order",\n}',
        "autograd_lib/text.txt": FILES["autograd_lib/text.txt"],
    }
    assert renumber(tree) == {}
    assert texts(tree) == found


def move(tree: Path, chapter: str, before: str) -> None:
    """Move a chapter in the table of contents."""
    toc = tree / "_toc.yml"
    line = f"      - file: chapters/{chapter}\n"
    text = toc.read_text().replace(line, "")
    above, found, below = text.partition(f"      - file: chapters/{before}\n")
    toc.write_text(above + line + found + below)


def test_order_follows_the_table_before_numbers_do(tree: Path) -> None:
    before = texts(tree)
    move(tree, "06_seeing", "02_c")
    order = [path.stem for path in chapter_paths(tree)]
    assert order[:4] == ["00_a", "01_b", "06_seeing", "02_c"]
    assert order[-3:] == ["99_new", "05_order", "07_tensor"]
    assert chapters(tree) == order
    assert texts(tree) == before | {"_toc.yml": (tree / "_toc.yml").read_text()}
    renamed = renumber(tree)
    assert (renamed["06_seeing"], renamed["02_c"]) == ("02_seeing", "03_c")
    assert texts(tree)["tests/answers_02.py"] == 'OTHER = {"2.1": 6}\n'


def test_chapters_have_two_digits_and_exercises_none_to_spare(tree: Path) -> None:
    change = rewriting({"10_a": "09_a", "09_b": "10_b"}, {10: 9, 9: 10})
    before = 'chapter 10, "10.1", exercises 10.2 and 9.1, exercise-10-1, CH=09, 10_a'
    after = 'chapter 09, "9.1", exercises 9.2 and 10.1, exercise-9-1, CH=10, 09_a'
    assert change(before, "", True) == after
    assert change("chapter = 10\n", ".toml", True) == "chapter = 9\n"


def test_two_chapters_change_places(tree: Path) -> None:
    (tree / "chapters" / "99_new.ipynb").unlink()
    move(tree, "06_seeing", "05_order")
    toc = tree / "_toc.yml"
    toc.write_text(toc.read_text().replace("      - file: chapters/99_new\n", ""))
    assert renumber(tree) == {"06_seeing": "05_seeing", "05_order": "06_order"}
    assert texts(tree)["tests/answers_05.py"] == 'OTHER = {"5.1": 6}\n'


def test_nothing_changes_where_table_and_notebooks_differ(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "chapters" / "06_seeing.ipynb").rename(tree / "chapters" / "05_see.ipynb")
    before = texts(tree)
    with pytest.raises(ValueError, match=r"lists 00_a, .*; there are .*05_see"):
        renumber(tree)
    assert texts(tree) == before
    toc = tree / "_toc.yml"
    toc.write_text(toc.read_text().replace("06_seeing", "05_see"))
    with pytest.raises(ValueError, match="no number twice"):
        renumber(tree)
    assert main(["5", "6"]) == 2
    assert "Numbers follow from _toc.yml" in capsys.readouterr().err
