"""A drawing of levels has a box for each level around each value."""

from __future__ import annotations

import matplotlib.pyplot as plt

from autograd_lib.book.boxes_drawn import peeled


def test_each_value_has_a_box_for_each_level_around_it() -> None:
    stages = [
        ("call", [("3", (1,)), ("4", (1, 2))], "x · y"),
        ("peel", [("4", (2,))], "y"),
    ]
    (ax,) = peeled(stages, "title").axes
    assert len(ax.patches) == 1 + 2 + 1
    said = [text.get_text() for text in ax.texts if text.get_text()]
    assert [text for text in said if text in "12"] == ["1", "1", "2", "2"]
    assert {"call", "peel", "x · y", "y"} <= {*said}
    plt.close("all")
