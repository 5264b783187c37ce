"""The drawings of arrays show each array, each gradient and each slope once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from autograd_lib.book.arrays_drawn import painted, there_and_back


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def texts(fig: Any) -> list[str]:
    return [text.get_text() for text in fig.axes[0].texts if text.get_text()]


def test_each_array_has_a_gradient_of_its_shape_and_the_loss_has_1() -> None:
    arrays = [("x", "(2,)"), ("y", "(3,)"), ("loss", "()")]
    found = texts(there_and_back(arrays, ["@ W", "sum"], ["W_bar", ""], "title"))
    assert found[:5] == ["x\n(2,)", "y\n(3,)", "y_bar\n(3,)", "loss\n()", "1"]
    assert found[5:] == ["@ W", "W_bar", "sum"]


def test_slopes_that_are_0_stay_empty() -> None:
    slopes = np.array([[1.5, 0.0], [1e-9, 2.0]])
    found = texts(painted(slopes, ["a", "b"], ["c", "d"], "title", 0))
    assert found == ["1.5", "2", "a", "b", "c", "d"]
