"""Boxes in figures look like those of graphs, and stand where they are put."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from autograd_lib.book.boxes import arrow, boxes
from autograd_lib.book.plot import STYLE


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
