"""A drawing of a row times tables, bracketed from the left and from the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from autograd_lib.book.arrays_drawn import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Factor(NamedTuple):
    """A matrix in a product: its name, its rows and columns, and if it is a result."""

    name: str
    rows: int
    columns: int
    made: bool = False


def products(
    names: Sequence[str], sizes: Sequence[int], from_the_left: bool
) -> Iterator[tuple[Factor, Factor, int]]:
    """Yield the products of a chain: both factors, and how many numbers are multiplied.

    >>> [n for *_, n in products(["y", "A", "B"], [1, 10, 10, 10], True)]
    [100, 100]
    >>> [n for *_, n in products(["y", "A", "B"], [1, 10, 10, 10], False)]
    [1000, 100]

    Args:
        names: of the factors.
        sizes: the rows of the first factor, then the columns of each.
        from_the_left: whether the first two factors are multiplied first, or the last.
    """
    shapes = pairwise(sizes)
    left = [Factor(name, *shape) for name, shape in zip(names, shapes, strict=True)]
    while len(left) > 1:
        at = 0 if from_the_left else len(left) - 2
        a, b = left[at : at + 2]
        yield a, b, a.rows * a.columns * b.columns
        left[at : at + 2] = [Factor(a.name + b.name, a.rows, b.columns, made=True)]


def bracketed(names: Sequence[str], sizes: Sequence[int], title: str) -> Figure:
    """Draw both ways to multiply a row and tables, a product beside the other.

    Args:
        names: of the factors.
        sizes: 1, then the columns of each factor.
        title: what the drawing shows.
    """
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(4.8, 3.4))
    for y, colour, said in ((2.4, "C1", "left"), (0, "C0", "right")):
        total = 0
        for k, (a, b, count) in enumerate(products(names, sizes, said == "left")):
            x, total = 2.5 * k, total + count
            _matrix(ax, x, y, a, colour)
            words(ax, x + 0.62, y, "·", "black")
            _matrix(ax, x + 1.24, y, b, colour)
            words(ax, x + 0.62, y - 0.75, f"{count:,}", colour)
        head = f"from the {said}: {total:,} multiplications"
        ax.text(-0.5, y + 0.75, head, fontsize=9, color=colour)
    ax.set(xlim=(-0.6, 2.5 * len(names) - 3.1), ylim=(-1, 3.5), title=title)
    ax.set_aspect("equal")
    ax.axis("off")
    return fig


def _matrix(ax: Axes, x: float, y: float, factor: Factor, colour: str) -> None:
    """Draw a row as a strip, and a table as a square."""
    from matplotlib.patches import Rectangle

    high = 0.13 if factor.rows == 1 else 1.0
    fill = (colour, 0.25) if factor.made else "none"
    corner = x - 0.5, y - high / 2
    ax.add_patch(Rectangle(corner, 1.0, high, ec="black", lw=0.8, fc=fill))
    words(ax, x, y + 0.25 * (factor.rows == 1), factor.name, "black")
