"""The map of PyTorch leads to names that exist: ours, and PyTorch's where it is."""

from __future__ import annotations

import importlib
from functools import reduce
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from notebooks.notebook import ROOT
from tests.library.beside_pytorch.page import page
from tests.library.beside_pytorch.parts import Part, groups, parts, version

PARTS = parts()
IDS = [part.name for part in PARTS]


def site() -> Path:
    """Where PyTorch of the map's version is installed; else the test is skipped."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip(f"PyTorch is not installed; pip install torch=={version()}")
    torch = importlib.import_module("torch")
    if torch.__version__.partition("+")[0] != version():
        pytest.skip(f"the map is of PyTorch {version()}")
    return Path(spec.origin).parent.parent


def reached(path: str) -> Any:
    """Return what a dotted name stands for, importing as much of it as is modules."""
    names = path.split(".")
    for k in range(len(names), 0, -1):
        try:
            module = importlib.import_module(".".join(names[:k]))
        except ImportError:
            continue
        return reduce(getattr, names[k:], module)
    raise ImportError(path)


@pytest.mark.parametrize("part", PARTS, ids=IDS)
def test_our_names_exist(part: Part) -> None:
    for place in part.ours:
        module, name = place.split(":")
        assert reduce(getattr, name.split("."), importlib.import_module(module))


@pytest.mark.parametrize("part", PARTS, ids=IDS)
def test_pytorchs_names_exist(part: Part) -> None:
    folder = site()
    for file, text in part.headers:
        assert text in (folder / "torch" / "include" / file).read_text("utf-8")
    for file, text in part.sources:
        assert text in (folder / file).read_text("utf-8")
    for path in part.python:
        reached(path)


@pytest.mark.parametrize("part", PARTS, ids=IDS)
def test_every_part_says_where_it_is_and_can_be_checked(part: Part) -> None:
    assert part.headers or part.sources or part.python
    assert part.file
    assert part.differs.endswith(".")
    assert part.group in groups()
    assert len(part.differs.split()) <= 45


def test_every_header_is_one_of_the_file_that_is_named() -> None:
    for part in PARTS:
        stems = {Path(f.strip()).stem for f in part.file.split(",")}
        stems |= {Path(f).name for f in part.file.split(",")}
        named = [Path(file).stem for file, _ in part.headers]
        if "functorch" in part.file or not named:
            continue
        # What stands in a .cpp is declared in the header of the same name.
        assert stems & set(named), part.name


def test_groups() -> None:
    assert {part.group for part in PARTS} == set(groups())
    assert sum(len(parts(group)) for group in groups()) == len(PARTS)
    with pytest.raises(ValueError, match="no group"):
        parts("engine")


def test_the_version_is_that_of_the_makefile() -> None:
    makefile = ROOT / "Makefile"
    assert f"torch=={version()}" in makefile.read_text("utf-8")


def test_the_page_names_every_part() -> None:
    text = page()
    for part in PARTS:
        assert f"- {part.entry}\n" in text
    assert "- **`Node`**, node.h. Here: `Node`, engine/tape/node.py. A class" in text
