"""Answers that a reader may well give to the exercises of chapter 15."""

from __future__ import annotations

RULES = """
from autograd_lib.engine.tape.record import Saved, array, binary, record
from autograd_lib.engine.rules import rule


@rule("elementwise", broadcasts=True)
def by_first(g, saved):
    return gradients_of(g, *saved)[0]


@rule("elementwise", broadcasts=True)
def by_second(g, saved):
    return gradients_of(g, *saved)[1]

"""

WRONG: dict[str, list[str]] = {
    "15.1": [
        # With a threshold, as PyTorch has it: off in the ninth digit above 20.
        """
def softplus(x):
    return np.where(x.data > 20, x, np.log(1.0 + np.exp(np.where(x.data > 20, 0.0, x))))
""",
        # Overflows, or has a slope without its slope.
        """
def softplus(x):
    return np.log(1.0 + np.exp(x))
""",
        """
def softplus(x):
    slope = 0.5 + 0.5 * np.tanh(0.5 * x.data)
    log = lambda a: np.logaddexp(0.0, a)
    return engine.record(log, (x, lambda g: g * slope))
""",
        """
def softplus(x):
    log = lambda a: np.logaddexp(0.0, a)
    return engine.record(log, (x, lambda g, x: 0.5 + 0.5 * np.tanh(0.5 * x) + 0 * g, x))
""",
        """
def softplus(x):
    log = lambda a: np.logaddexp(0.0, a)
    return engine.record(log, (x, lambda g, x: g * np.tanh(x), x))
""",
        # Of operations that are there: bent by 0 at 0, where two maxima have a tie.
        """
def softplus(x):
    size = np.maximum(x, -1.0 * x)
    return np.maximum(x, 0.0) + np.log(1.0 + np.exp(-1.0 * size))
""",
        "softplus = lambda x: np.maximum(x, 0.0)",
    ],
    "15.2": [
        # Without a mask, and with three that are too wide or stand only outside.
        "xlogy_gradients = lambda g, x, y: (g * np.log(y), g * x / y)",
        """
def xlogy_gradients(g, x, y):
    dead = x == 0
    return np.where(dead, 0.0, g * np.log(y)), np.where(dead, 0.0, g * x / y)
""",
        """
def xlogy_gradients(g, x, y):
    flat = (x == 0) & (y <= 0)
    return np.where(flat, 0.0, g * np.log(y)), np.where(flat, 0.0, g * x / y)
""",
        """
def xlogy_gradients(g, x, y):
    flat = (x == 0) & (y <= 0)
    by_x = np.where(flat, 0.0, g * np.log(np.where(flat, 1.0, y)))
    zero = x == 0
    return by_x, np.where(zero, 0.0, g * x / np.where(zero, 1.0, y))
""",
        # NaN in y is hidden.
        """
def xlogy_gradients(g, x, y):
    dead = (x == 0) & ~(y > 0)
    safe = np.where(dead, 1.0, y)
    return np.where(dead, 0.0, g * np.log(safe)), g * x / safe
""",
        # Infinities are made finite.
        """
def xlogy_gradients(g, x, y):
    safe = np.maximum(y, 1e-12)
    return g * np.log(safe), g * x / safe
""",
        # The gradient that arrives is forgotten, or its place in the pair.
        """
def xlogy_gradients(g, x, y):
    flat, both = (x == 0) & (y <= 0), (x == 0) & (y == 0)
    by_x = np.where(flat, 0.0, np.log(np.where(flat, 1.0, y)))
    return by_x, x / np.where(both, 1.0, y)
""",
        """
def xlogy_gradients(g, x, y):
    flat, both = (x == 0) & (y <= 0), (x == 0) & (y == 0)
    by_x = g * np.where(flat, 0.0, np.log(np.where(flat, 1.0, y)))
    return g * x / np.where(both, 1.0, y), by_x
""",
    ],
    "15.3": [
        RULES.replace(", broadcasts=True", "")
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return binary(values_of, x, by_first, both, y, by_second, both)
""",
        RULES
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return binary(values_of, x, by_second, both, y, by_first, both)
""",
        RULES
        + """
def xlogy(x, y):
    both = Saved(x.data, y.data)
    return binary(values_of, x, by_first, both, y, by_second, both)
""",
        RULES.replace("by_second", "by_y")
        .replace("def by_y(g, saved):", "def by_y(g, saved):\n    x, y = saved")
        .replace("gradients_of(g, *saved)[1]", "g * x / y")
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return binary(values_of, x, by_first, both, y, by_y, both)
""",
        # Right in all rows and in both orders, but of five nodes.
        """
def xlogy(x, y):
    flat = np.logical_and(np.equal(x, 0), np.less_equal(y, 0))
    return x * np.log(np.where(flat, 1.0, y))
""",
        # Wrong in two rows: masked wherever x is 0.
        """
def xlogy(x, y):
    return np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, y)))
""",
        # No rules: right where it is smooth, and NaN at the corner.
        "xlogy = values_of",
    ],
    "15.4": [
        "edge_cases = lambda: [(0.0, 0.0), (1.0, 0.0)]",
        "edge_cases = lambda: [(1.0, 1.0), (0.5, 2.0), (3.0, 0.1), (2.0, 2.0)]",
        "edge_cases = lambda: [(0.0, 0.0), (0.0, -1.0), (3.0, 0.0)]",
        "edge_cases = lambda: [(float(x), float(y)) for x in (0, 1) for y in range(3)]",
        "edge_cases = lambda: [(0.0, 2.0), (3.0, 0.0)]",
        "edge_cases = lambda: []",
    ],
}

RIGHT: dict[str, list[str]] = {
    "15.1": [
        """
def softplus(x):
    def rule(g, x):
        return g * (1.0 - np.exp(-1.0 * softplus(x)))

    return engine.record(lambda a: np.logaddexp(0.0, a), (x, rule, x))
""",
    ],
    "15.2": [
        # With one mask for both, where the quotient is not differentiated.
        """
def xlogy_gradients(g, x, y):
    flat = (x == 0) & (y <= 0)
    safe = np.where(flat, 1.0, y)
    return np.where(flat, 0.0, g * np.log(safe)), g * x / safe
""",
        # log 1 is 0, so no second mask is needed.
        """
def xlogy_gradients(g, x, y):
    flat = (x == 0) & (y <= 0)
    safe = np.where(flat, 1.0, y)
    return [np.log(safe) * g, g * (x * (1 / safe))]
""",
    ],
    "15.3": [
        # Without a kind, which only forward mode needs.
        RULES.replace('"elementwise", ', "")
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return binary(values_of, x, by_first, both, y, by_second, both)
""",
        RULES
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return record(values_of(array(x), array(y)), (x, by_first, both),
                  (y, by_second, both), by=xlogy)
""",
        # The copies of a number are added up by hand, and no value is hidden.
        RULES
        + """
def xlogy(x, y):
    return binary(lambda a, b: np.where((a == 0) & ~np.isnan(b), 0.0,
                                        a * np.log(b)),
                  x, by_first, Saved(x, y), y, by_second, Saved(x, y))
""",
    ],
    "15.4": [
        "edge_cases = lambda: [(0.0, 2.0), (1.0, 0.0), (0.0, 0.0), (0.0, -1.0)]",
        "edge_cases = lambda: ((0, 0), (0, 0.5), (2, 0))",
        "edge_cases = lambda: [(0.0, 2.0), (0.0, 0.0), (0.0, -1.0)]",
    ],
}
