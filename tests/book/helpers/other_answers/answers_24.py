"""Answers that a reader may well give to the exercises of chapter 24."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "24.1": [
        # The mean of means.
        """
def mean_of_all(means, counts):
    return sum(means) / len(means)
""",
        # The mean of the ranks that have any.
        """
def mean_of_all(means, counts):
    return sum(means) / sum(n > 0 for n in counts)
""",
        # The sum of all.
        """
def mean_of_all(means, counts):
    return sum(m * n for m, n in zip(means, counts))
""",
        # By the largest part.
        """
def mean_of_all(means, counts):
    return sum(m * n for m, n in zip(means, counts)) / (max(counts) * len(counts))
""",
    ],
    "24.2": [
        # The shift itself.
        """
def shift_vjp(y_bar):
    n = len(y_bar)
    return [2 * y_bar[r] + y_bar[r - 1] for r in range(n)]
""",
        # The other factor.
        """
def shift_vjp(y_bar):
    n = len(y_bar)
    return [y_bar[r] + 2 * y_bar[(r + 1) % n] for r in range(n)]
""",
        # The last rank has no neighbour.
        """
def shift_vjp(y_bar):
    return [2 * a + b for a, b in zip(y_bar, [*y_bar[1:], 0.0])]
""",
        # Only what goes straight.
        """
def shift_vjp(y_bar):
    return [2 * g for g in y_bar]
""",
    ],
    "24.3": [
        # Always its own.
        """
def place(r, t, n):
    return r
""",
        # The other way round.
        """
def place(r, t, n):
    return (r + t) % n
""",
        # One round too early.
        """
def place(r, t, n):
    return (r - t - 1) % n
""",
        # The same place on all ranks.
        """
def place(r, t, n):
    return t
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "24.1": [
        # All numbers again, each the mean of its rank.
        """
def mean_of_all(means, counts):
    numbers = [m for m, n in zip(means, counts) for _ in range(n)]
    return sum(numbers) / len(numbers)
""",
    ],
    "24.2": [
        # By the transpose of the table.
        """
import numpy as np

def shift_vjp(y_bar):
    n = len(y_bar)
    table = 2 * np.eye(n) + np.roll(np.eye(n), 1, axis=0)
    return list(table.T @ np.array(y_bar))
""",
        # Round the circle.
        """
def shift_vjp(y_bar):
    return [2 * a + b for a, b in zip(y_bar, y_bar[1:] + y_bar[:1])]
""",
    ],
    "24.3": [
        # Back round the circle without a remainder.
        """
def place(r, t, n):
    return r - t if r >= t else r - t + n
""",
    ],
}
