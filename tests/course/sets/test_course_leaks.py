"""Nothing that a master keeps back is published, and the search for it can find it."""

from __future__ import annotations

import html
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="masters are judged on a POSIX system")

from course.sets.create import created, plant_canary
from course.sets.leaks import canaries, leaks, published, secrets_of
from course.sets.questions import Set, read_set
from course.sets.selection import masters
from notebooks.notebook import read, write
from tests.course.helpers.masters import master
from tests.tools.helpers.tree import copy_of_the_tree

LINE = "    return [attempt(upstream, x), attempt(-upstream, x)]"


@pytest.fixture
def asked(tmp_path: Path) -> Set:
    """Return a master with its canary."""
    path = master(tmp_path)
    notebook = read(path)
    plant_canary(notebook)
    write(notebook, path)
    return read_set(path)


def as_page(place: Path, text: str) -> None:
    cut = html.escape(text).replace("attempt", '<span class="n">attempt</span>')
    place.write_text(f"<html><pre>{cut}</pre></html>", encoding="utf-8")


def as_data(place: Path, text: str) -> None:
    place.write_text(f"window.data={json.dumps(['a', text])};", encoding="utf-8")


def as_zip(place: Path, text: str) -> None:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("inside/key.py", text)


def as_tar(place: Path, text: str) -> None:
    (place.parent / "key.py").write_text(text, encoding="utf-8")
    with tarfile.open(place, "w:gz") as made:
        made.add(place.parent / "key.py", "key.py")
    (place.parent / "key.py").unlink()


KINDS: dict[str, Callable[[Path, str], None]] = {
    "page.html": as_page,
    "search.js": as_data,
    "book.whl": as_zip,
    "book-0.1.0.tar.gz": as_tar,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_line_of_the_key_is_found_in_every_form(
    asked: Set, tmp_path: Path, name: str
) -> None:
    place = tmp_path / "published" / name
    place.parent.mkdir()
    for text in (LINE, f"\n{LINE}\n    x = 1\n", next(canaries(asked.notebook))):
        KINDS[name](place, text)
        assert any(f"{name}" in said for said in leaks([asked], [place]))
    KINDS[name](place, "def scaled(upstream, x):\n    ...\n")
    assert list(leaks([asked], [place])) == []


def test_every_set_has_a_canary_that_the_book_does_not_hold(tmp_path: Path) -> None:
    created(tmp_path)
    sets = [read_set(path) for path in masters(tmp_path)]
    for one in sets:
        assert len({*canaries(one.notebook)}) == 1, one.name
        assert len(secrets_of(one.notebook)) > 9, one.name
    assert list(leaks(sets, [*published(), *packages(tmp_path / "packed")])) == []


def packages(folder: Path) -> list[Path]:
    """Return the wheel and the sdist that are built from the working tree."""
    source = copy_of_the_tree(folder / "source")
    for kind in ("sdist", "wheel"):
        build = f"from setuptools import build_meta; build_meta.build_{kind}('..')"
        subprocess.run(
            [sys.executable, "-c", build], cwd=source, check=True, capture_output=True
        )
    made = [p for p in folder.iterdir() if p.is_file()]
    assert {p.suffix for p in made} == {".gz", ".whl"}
    return made
