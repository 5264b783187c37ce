"""Answers that a reader may well give to the exercises of chapter 13."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "13.1": [
        "by_softplus = lambda g, x: 1 / (1 + np.exp(-x))",
        "by_softplus = lambda g, x: g / (1 + np.exp(x))",
        "by_softplus = lambda g, x: g * (1 + np.exp(-x))",
        "by_softplus = lambda g, x: g * np.log1p(np.exp(x))",
        "by_softplus = lambda g, x: g + 1 / (1 + np.exp(-x))",
        # the whole of the check's own slope, without g
        "by_softplus = lambda g, x: 2 * np.log1p(np.exp(x)) / (1 + np.exp(-x))",
    ],
    "13.2": [
        "back_from_roll = lambda g, shift: np.roll(g, shift)",
        "back_from_roll = lambda g, shift: g",
        "back_from_roll = lambda g, shift: np.roll(g, -1)",
        "back_from_roll = lambda g, shift: g[::-1]",
        "back_from_roll = lambda g, shift: -np.roll(g, -shift)",
    ],
    "13.3": [
        "straight = lambda ctx, g: g",
        "straight = lambda ctx, g: g * 0",
        "straight = lambda ctx, g: np.abs(ctx.saved_tensors[0]) <= 2",
        "straight = lambda ctx, g: g * (np.abs(ctx.saved_tensors[0]) > 2)",
        "straight = lambda ctx, g: g * (ctx.saved_tensors[0] <= 2)",
        "straight = lambda ctx, g: np.clip(g, -2, 2)",
        "straight = lambda ctx, g: g * (np.abs(np.rint(ctx.saved_tensors[0])) <= 2)",
    ],
}

RIGHT: dict[str, list[str]] = {
    "13.1": [
        "by_softplus = lambda g, x: g * np.exp(x) / (1 + np.exp(x))",
        "by_softplus = lambda g, x: g * (0.5 + 0.5 * np.tanh(x / 2))",
    ],
    "13.2": [
        "back_from_roll = lambda g, shift: np.roll(g, (4 - shift) % 4)",
        """
def back_from_roll(g, shift):
    return g[(np.arange(4) + shift) % 4]
""",
    ],
    "13.3": [
        """
def straight(ctx, g):
    (x,) = ctx.saved_tensors
    return np.where((x >= -2) & (x <= 2), g, 0.0)
""",
        """
def straight(ctx, g):
    (x,) = ctx.saved_tensors
    return g * (x * x <= 4)
""",
    ],
}
