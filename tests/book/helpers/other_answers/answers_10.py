"""Answers that a reader may well give to the exercises of chapter 10."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "10.1": [
        "roll = lambda x, s: engine.record(lambda a: np.roll(a, s), (x, roll, s))",
        "roll = lambda x, s: engine.record(lambda a: np.roll(a, s), (x, engine.same))",
        "roll = lambda x, s: engine.record(lambda a: np.roll(a, -s), (x, roll, -s))",
        "roll = lambda x, s: engine.Tensor(np.roll(x.data, s))",
        """
def roll(x, shift):  # the rule takes what it gets for a constant
    def rule(g):
        return engine.Tensor(np.roll(g.data, -shift))

    return engine.record(lambda a: np.roll(a, shift), (x, rule))
""",
    ],
    "10.2": [
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
    "10.1": [
        """
def roll(x, shift):
    return engine.record(lambda a: np.roll(a, shift), (x, lambda g: np.roll(g, -shift)))
""",
        """
def roll(x, shift):
    moved = np.roll(np.eye(4), shift, 0)
    column = engine.record(lambda a: a[:, None], (x, lambda g: squeezed(g)))
    return squeezed(moved @ column)


def squeezed(x):
    return engine.record(
        lambda a: a[:, 0], (x, lambda g: engine.record(
            lambda a: a[:, None], (g, squeezed))))
""",
    ],
    "10.2": [
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
