"""Answers that a reader may well give to the exercises of chapter 05."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "5.1": [
        # Many numbers.
        """
def fused(weights, bias, xs):
    return sum((w * x for w, x in zip(weights, xs)), bias).relu()
""",
        # No relu.
        """
def fused(weights, bias, xs):
    total = sum(w.data * x for w, x in zip(weights, xs)) + bias.data
    return Number(total, [*zip(weights, xs), (bias, 1.0)])
""",
        # The value of relu, and not its slope.
        """
def fused(weights, bias, xs):
    total = sum(w.data * x for w, x in zip(weights, xs)) + bias.data
    return Number(total if total > 0 else 0.1 * total, [*zip(weights, xs), (bias, 1.0)])
""",
        # The slopes of the sum, where relu lets nothing through.
        """
def fused(weights, bias, xs):
    total = sum(w.data * x for w, x in zip(weights, xs)) + bias.data
    return Number(max(total, 0.0), [*zip(weights, xs), (bias, float(total > 0))])
""",
        # The bias is forgotten.
        """
def fused(weights, bias, xs):
    total = sum(w.data * x for w, x in zip(weights, xs))
    slope = float(total > 0)
    return Number(max(total, 0.0), [(w, slope * x) for w, x in zip(weights, xs)])
""",
    ],
    "5.3": [
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, 2, 0]",  # adds the second
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, -1, 0]",  # or
        "nine_numbers = lambda: [1, 1, 0, 1, 1, 1, 1, -2, 0]",
        "nine_numbers = lambda: [0, 1, 1, -1, 1, 1, 0, 1, -2]",  # biases first
        "nine_numbers = lambda: [1, 1, 1, 1, 0, -1, 1, -2, 0]",  # weights first
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, -2]",
        "nine_numbers = lambda: [0] * 9",
        # Every case is missed by a half: where most beginnings end.
        "nine_numbers = lambda: [1, 1, -2, 1, 1, -2, 1, 1, 0.5]",
        # The network, not its numbers.
        "nine_numbers = lambda: Network(2, 2, 1)",
    ],
    "5.2": [
        "breaking_rate = lambda c: 0.05",
        "breaking_rate = lambda c: 1 / c",
        "breaking_rate = lambda c: 2 / c",
        "breaking_rate = lambda c: c / 2",
        "breaking_rate = lambda c: 0.01 / c",
    ],
}

RIGHT: dict[str, list[str]] = {
    "5.1": [
        """
def fused(weights, bias, xs):
    total = sum((w.data * x for w, x in zip(weights, xs)), bias.data)
    if total <= 0:
        return Number(0.0, [(v, 0.0) for v in [bias, *weights]])
    return Number(total, [(bias, 1.0), *zip(weights, xs)])
""",
    ],
    "5.3": [
        # One neuron for each difference.
        "nine_numbers = lambda: [1, -1, 0, -1, 1, 0, 1, 1, 0]",
        # What both have is taken from either.
        "nine_numbers = lambda: (-1, -1, 1, 1, 1, -1, -1, -1, 1)",
        """
import numpy as np

nine_numbers = lambda: np.array([2, 2, 0, 2, 2, -2, 0.5, -1, 0])
""",
        # By hand, where the page trains.
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, -2, 0]",
    ],
    "5.2": ["breaking_rate = lambda c: 0.45 / c"],
}
