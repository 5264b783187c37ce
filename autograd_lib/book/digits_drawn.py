"""Figures of digits and of what a model remembers (chapter 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ten_digits(
    images: np.ndarray, captions: Sequence[object], colours: Sequence[str], title: str
) -> Figure:
    """Draw ten images of 8 by 8 pixels in two rows, each with a caption above it."""
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(2, 5, figsize=(4.4, 2.9))
    drawn = zip(axes.flat, images, captions, colours, strict=False)
    for ax, image, caption, colour in drawn:
        ax.imshow(np.reshape(image, (8, 8)), cmap="gray_r")
        ax.set_title(caption, color=colour, fontsize=12, loc="center", pad=3)
        ax.axis("off")
    fig.suptitle(title, fontsize=12)
    return fig


def read_and_repeated(curves: Mapping[str, np.ndarray], title: str) -> Figure:
    """Draw two shares over the epochs: digits read, and wrong labels repeated.

    Args:
        curves: for each way to train an array with a row for each epoch.
        title: what the figure says.
    """
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 2, figsize=(5.4, 3), sharex=True)
    colours = "C1", "C0", "C2", "C4"
    for (name, shares), colour in zip(curves.items(), colours, strict=True):
        epochs = range(1, len(shares) + 1)
        for ax, values in zip(axes, shares.T, strict=True):
            ax.plot(epochs, values, colour)
            at = len(shares) + 2
            ax.text(at, values[-1], name, color=colour, va="center", fontsize=10)
    axes[0].set(title="reads correctly", xlabel="epoch", ylim=(0.77, 0.97))
    axes[0].set(xlim=(0, 78), xticks=[0, 20, 40])
    axes[1].set(title="repeats wrong labels", xlabel="epoch", ylim=(-0.06, 1))
    fig.suptitle(title)
    return fig
