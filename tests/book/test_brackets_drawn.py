"""A row times tables is bracketed both ways, with what each product costs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest

from autograd_lib.book.brackets_drawn import bracketed, products

NAMES, SIZES = ["ȳ", "C", "B", "A"], [1, 2, 3, 4, 5]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.parametrize("from_the_left", [True, False])
def test_what_it_counts_is_what_the_products_multiply(from_the_left: bool) -> None:
    shapes = list(pairwise(SIZES))
    arrays = dict(zip(NAMES, (np.ones(shape) for shape in shapes), strict=True))
    for a, b, count in products(NAMES, SIZES, from_the_left):
        left, right = arrays[a.name], arrays[b.name]
        assert left.shape == (a.rows, a.columns)
        assert (a.made, b.made) == (len(a.name) > 1, len(b.name) > 1)
        assert count == (left[:, :, None] * right[None]).size
        arrays[a.name + b.name] = left @ right
    assert arrays["ȳCBA"].shape == (1, 5)


def test_each_product_is_drawn_with_its_cost_and_each_way_with_the_sum() -> None:
    fig = bracketed(NAMES, SIZES, "title")
    said = [text.get_text() for text in fig.axes[0].texts]
    left, right = (
        [(a.name, "·", b.name, f"{n:,}") for a, b, n in products(NAMES, SIZES, way)]
        for way in (True, False)
    )
    of_left = "from the left: 38 multiplications"
    of_right = "from the right: 100 multiplications"
    assert said == [*sum(left, ()), of_left, *sum(right, ()), of_right]
