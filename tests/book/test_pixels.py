"""Drawings of pictures, filters and forward mode show each number in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from autograd_lib.book import forward_drawn, pixels, timed


@pytest.fixture
def ax() -> Iterator[Any]:
    yield plt.subplots()[1]
    plt.close("all")


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_cells_have_their_numbers_and_zeros_may_stay_empty(ax: Any) -> None:
    pixels.cells(ax, np.array([[1, 0], [-2, 3]]), hide_zeros=True)
    assert texts(ax) == ["1", "-2", "3"]
    assert len(ax.patches) == 4
    pixels.cells(ax, np.array([[0]]))
    assert texts(ax)[-1] == "0"


def test_a_picture_is_blue_above_0_and_orange_below(ax: Any) -> None:
    pixels.picture(ax, np.array([[2.0, -1.0]]))
    above, below = np.asarray(ax.images[0].get_array())[0]
    assert above[2] > above[0]
    assert below[0] > below[2]
    assert (above[3], below[3]) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("pixel", "weights"),
    [((0, 0), ["1"]), ((0, 1), ["2", "1"]), ((1, 1), ["4", "3", "2", "1"])],
)
def test_each_window_has_the_weight_that_met_the_pixel(
    ax: Any, pixel: tuple[int, int], weights: list[str]
) -> None:
    pixels.windows_over(ax, *pixel, np.array([[1, 2], [3, 4]]))
    assert texts(ax) == weights
    assert ax.get_title().startswith(str(len(weights)))


def test_the_second_window_begins_a_stride_further(ax: Any) -> None:
    pixels.sliding(ax, 6, 3, 2, 0, 1)
    first, second = (patch.get_x() for patch in ax.patches[-2:])
    assert second - first == pytest.approx(2.12)
    assert [len(dots.get_offsets()) for dots in ax.collections] == [9, 9]


def test_a_turned_program_has_its_ends_exchanged(ax: Any) -> None:
    places = {"c": (0.0, 0.0), "× 2": (1.0, 0.0), "+": (2.0, 0.0)}
    arrows = [("c", "× 2"), ("× 2", "+")]
    forward_drawn.turned(ax, places, arrows, ("c", "+"), "gradient", back=True)
    at = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert (at["+"], at["× 2"], at["c"]) == (0.0, 1.0, 2.0)


def test_works_run_in_turn_and_parts_fill_the_bar(ax: Any) -> None:
    ran: list[str] = []
    times = timed.fastest(lambda: ran.append("a"), lambda: ran.append("b"), times=2)
    assert ran == ["a", "b", "a", "b"]
    assert all(0 <= seconds < 1 for seconds in times)
    timed.cut_in_parts(ax, {"x": 0.001, "y": 0.003}, "y", ("C0", "C1"))
    assert texts(ax) == ["x", "y 75%"]
    assert [patch.get_x() for patch in ax.patches] == [0.0, 1.0]
