"""One command renumbers chapters, and whatever names them follows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.renumber import main, moves, renumber

FILES = {
    "chapters/04_value.ipynb": "[05](05_order.ipynb#a); chapters 04, 05 and 06.",
    "chapters/05_order.ipynb": '"**Exercise 5.1.** x", "id": "exercise-5-1"',
    "chapters/06_seeing.ipynb": "See exercises 5.1, 5.2 and 6.1, and chapter 5.",
    "chapters/12_tensor.ipynb": "[chapter 05](05_order.ipynb) has 5 rows, or 6.1.",
    "_toc.yml": "  - file: chapters/05_order\n  - file: chapters/06_seeing\n",
    "pages/roads.md": "[From 05](../chapters/05_order.ipynb) to chapter 12.\n",
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


def test_a_chapter_makes_room_and_those_after_it_follow(tree: Path) -> None:
    changed = renumber(tree, 5, 6)
    assert changed == {"05_order": "06_order", "06_seeing": "07_seeing"}
    assert texts(tree) == {
        "chapters/04_value.ipynb": "[06](06_order.ipynb#a); chapters 04, 06 and 07.",
        "chapters/06_order.ipynb": '"**Exercise 6.1.** x", "id": "exercise-6-1"',
        "chapters/07_seeing.ipynb": "See exercises 6.1, 6.2 and 7.1, and chapter 6.",
        "chapters/12_tensor.ipynb": "[chapter 06](06_order.ipynb) has 5 rows, or 6.1.",
        "_toc.yml": "  - file: chapters/06_order\n  - file: chapters/07_seeing\n",
        "pages/roads.md": "[From 06](../chapters/06_order.ipynb) to chapter 12.\n",
        "hints.toml": '[06]\n"order(x)" = "5 of them"\n["6.1"]\n',
        "tests/answers_06.py": 'OTHER = {"6.1": 5, "12.1": "5.0"}  # of chapter 6\n',
        "tests/answers_07.py": 'OTHER = {"7.1": 6}\n',
        "map.svg": '<a aria-label="06: Order"><text x="5.1">06</text><text/></a>',
        "press/site/publishing.py": "MOVED = {\n"
        '    "chapters/05_order": "chapters/06_order",\n'
        '    "chapters/06_seeing": "chapters/07_seeing",\n'
        '    "chapters/03_order": "chapters/06_order",\n}',
        "autograd_lib/text.txt": FILES["autograd_lib/text.txt"],
    }


def test_two_chapters_change_places_in_the_contents_too(tree: Path) -> None:
    renumber(tree, 6, 5)
    found = texts(tree)
    assert (
        found["_toc.yml"]
        == "  - file: chapters/05_seeing\n  - file: chapters/06_order\n"
    )
    assert found["tests/answers_05.py"] == 'OTHER = {"5.1": 6}\n'


def test_only_what_is_in_the_way_makes_room() -> None:
    assert moves(27, 29, {26, 27, 28}) == {27: 29}
    assert moves(12, 13, {12, 13, 14, 16}) == {12: 13, 13: 14, 14: 15}
    assert moves(28, 27, {26, 27, 28}) == {28: 27, 27: 28}


def test_a_number_that_no_chapter_has_is_an_error(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="there is no chapter 9"):
        renumber(tree, 9, 3)
    assert main(["five", "6"]) == 2
    assert "python -m tools.renumber 12 13" in capsys.readouterr().err
