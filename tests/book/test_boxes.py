"""Boxes in figures look like those of graphs, and stand where they are put."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import nbformat
import pytest

from autograd_lib.book.boxes import arrow, boxes
from autograd_lib.book.plot import STYLE
from notebooks.notebook import ROOT

OWN = re.compile(r"\b(arrowprops|arrowstyle|boxstyle|bbox ?=|FancyArrow|FancyBbox)")
DRAWN = "autograd_lib/book/boxes.py", "autograd_lib/book/boxes_drawn.py"
"""The modules that draw boxes; the second one boxes in boxes."""


def test_no_figure_draws_boxes_or_arrows_of_its_own() -> None:
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in ROOT.joinpath("autograd_lib").rglob("*.py")
    }
    for path in (ROOT / "index.ipynb", *ROOT.glob("chapters/*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        sources[path.name] = "\n".join(code)
    assert all(OWN.search(sources.pop(name)) for name in DRAWN)
    assert [name for name, source in sources.items() if OWN.search(source)] == []


def test_boxes_stand_at_their_places_and_arrows_join_them() -> None:
    with plt.style.context(STYLE):
        fig, ax = plt.subplots()
        boxes(ax, {"a": (0, 0), "b": (2, 1), "a ": (1, 1)}, [("a", "b")], {"b": "C1"})
    texts = [t for t in ax.texts if t.get_text()]
    assert [(t.get_text(), t.get_position()) for t in texts] == [
        ("a", (0, 0)),
        ("b", (2, 1)),
        ("a", (1, 1)),
    ]
    edges = [t.get_bbox_patch().get_edgecolor() for t in texts]
    assert edges[0] == (0, 0, 0, 1)
    assert edges[1] != edges[0]
    assert len(ax.texts) == 4
    assert not ax.axison
    plt.close(fig)


def test_an_arrow_to_no_box_is_an_error() -> None:
    fig, ax = plt.subplots()
    with pytest.raises(KeyError):
        boxes(ax, {"a": (0, 0)}, [("a", "b")])
    arrow(ax, (0, 0), (1, 1), "C1")
    assert ax.texts[-1].xy == (1, 1)
    for begin, end, side in (((0, 0), (2, 0), "bottom"), ((2, 0), (0, 0), "top")):
        arrow(ax, begin, end, label="called")
        assert ax.texts[-1].xy == (1, 0)
        assert ax.texts[-1].get_verticalalignment() == side
    plt.close(fig)
