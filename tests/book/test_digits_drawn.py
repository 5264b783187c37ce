"""Figures of the digits, of sizes by layer and of shares show what they are given."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pytest

from autograd_lib.book import digits_drawn


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def test_each_digit_has_its_caption_in_its_colour() -> None:
    images = np.arange(640.0).reshape(10, 64)
    fig = digits_drawn.ten_digits(images, range(10), ["C0"] * 9 + ["C1"], "ten")
    titles = [ax.title for ax in fig.axes]
    assert [title.get_text() for title in titles] == list("0123456789")
    assert [title.get_color() for title in titles][-2:] == ["C0", "C1"]
    assert np.asarray(fig.axes[1].images[0].get_array())[0, 0] == 64


def test_shares_are_drawn_by_epoch_with_their_names_at_the_end() -> None:
    curves = {
        name: np.array([[0.8, 0.1], [0.9, at]])
        for name, at in zip("wxyz", (0.1, 0.2, 0.3, 0.4), strict=True)
    }
    read, repeated = digits_drawn.read_and_repeated(curves, "shares").axes
    assert list(read.lines[0].get_xdata()) == [1, 2]
    assert [line.get_ydata()[-1] for line in repeated.lines] == [0.1, 0.2, 0.3, 0.4]
    assert [text.get_text() for text in repeated.texts] == list("wxyz")
