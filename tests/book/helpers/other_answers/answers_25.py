"""Answers that a reader may well give to the exercises of chapter 25."""

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
    "25.1": [
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
    "25.2": [
        RULES.replace(", broadcasts=True", "")
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return binary(values_of, x, by_first, both, y, by_second, both)
""",
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
        # No rules: right where it is smooth, and NaN at the corner.
        "xlogy = values_of",
    ],
    "25.3": [
        "edge_cases = lambda: [(0.0, 0.0), (1.0, 0.0)]",
        "edge_cases = lambda: [(1.0, 1.0), (0.5, 2.0), (3.0, 0.1), (2.0, 2.0)]",
        "edge_cases = lambda: [(0.0, 0.0), (0.0, -1.0), (3.0, 0.0)]",
        "edge_cases = lambda: [(float(x), float(y)) for x in (0, 1) for y in range(3)]",
        "edge_cases = lambda: [(0.0, 2.0), (3.0, 0.0)]",
        "edge_cases = lambda: []",
    ],
    "25.4": [
        # The scale is forgotten; the sum is over the wrong axis; no sum at all.
        """
def attention_gradients(g, q, k, v, p, y):
    d = p * (g @ v.T - (g * y).sum(1, keepdims=True))
    return d @ k, d.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    s = 1 / np.sqrt(q.shape[-1])
    d = p * (g @ v.T - (g * y).sum(0, keepdims=True).mean()) * s
    return d @ k, d.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    d = p * (g @ v.T) / np.sqrt(q.shape[-1])
    return d @ k, d.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    s = 1 / np.sqrt(q.shape[-1])
    d = p * (g @ v.T - (g * y).sum(1, keepdims=True)) * s
    return d @ k, d @ q, p @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    s = 1 / np.sqrt(len(k))
    d = p * (g @ v.T - (g * y).sum(1, keepdims=True)) * s
    return d @ k, d.T @ q, p.T @ g
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "25.1": [
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
    "25.2": [
        RULES
        + """
def xlogy(x, y):
    both = Saved(x, y)
    return record(values_of(array(x), array(y)), (x, by_first, both),
                  (y, by_second, both), by=xlogy)
""",
        # Operations that are there have all derivatives, if the corner is masked.
        """
def xlogy(x, y):
    flat = np.logical_and(np.equal(x, 0), np.less_equal(y, 0))
    return x * np.log(np.where(flat, 1.0, y))
""",
    ],
    "25.3": [
        "edge_cases = lambda: [(0.0, 2.0), (1.0, 0.0), (0.0, 0.0), (0.0, -1.0)]",
        "edge_cases = lambda: ((0, 0), (0, 0.5), (2, 0))",
        "edge_cases = lambda: [(0.0, 2.0), (0.0, 0.0), (0.0, -1.0)]",
    ],
    "25.4": [
        """
def attention_gradients(g, q, k, v, p, y):
    dp = g @ v.T
    r = np.einsum("ij,ij->i", p, dp)
    ds = p * (dp - r[:, None]) / q.shape[1] ** 0.5
    return ds @ k, ds.T @ q, p.T @ g
""",
        """
def attention_gradients(g, q, k, v, p, y):
    dq, dk = np.zeros_like(q), np.zeros_like(k)
    for i, row in enumerate(p):
        jacobian = np.diag(row) - np.outer(row, row)
        ds = jacobian @ (v @ g[i]) / np.sqrt(q.shape[-1])
        dq[i] = ds @ k
        dk += np.outer(ds, q[i])
    return [dq, dk, p.T @ g]
""",
    ],
}
