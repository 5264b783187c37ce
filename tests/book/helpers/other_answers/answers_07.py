"""Answers that a reader may well give to the exercises of chapter 07."""

from __future__ import annotations


def walk(begin: str, more: str, keep: str) -> str:
    """Return an answer to exercise 7.1, by what it begins with, sends and keeps."""
    return f"""
def walk(y):
    grads = {begin}
    for v in engine.latest_first(y):
        for parent, rule in v.edges:
            more = {more}
            grads[parent] = {keep}
    return grads
"""


BEGIN = "{y: 1.0}"
MORE = "rule(grads[v]) if callable(rule) else rule * grads[v]"
KEEP = "grads.get(parent, 0.0) + more"


IN_PLACE = """
def walk(y):
    grads = {y: 1.0}
    for v in engine.latest_first(y):
        for parent, rule in v.edges:
            more = rule(grads[v]) if callable(rule) else rule * grads[v]
            if parent in grads:
                grads[parent] += more  # both terms of a sum may hold this array
            else:
                grads[parent] = more
    return grads
"""


def squared(forward: str, backward: str) -> str:
    """Return an answer to exercise 7.4, which calculates d = x - y first."""
    return f"""
class Mine(function.Function):
    @staticmethod
    def forward(ctx, x, y):
        d = x.data - y.data; {forward}; return d * d

    @staticmethod
    def backward(ctx, g):
        {backward}


def squared(x, y):
    return Mine.apply(x, y)
"""


WRONG: dict[str, list[str]] = {
    "7.1": [
        walk(BEGIN, "rule * grads[v]", KEEP),
        walk(BEGIN, "rule(grads[v])", KEEP),
        walk(BEGIN, MORE, "more"),
        walk(BEGIN, MORE.replace("rule(grads[v])", "rule(1.0) * grads[v]"), "more"),
        walk("{y: 1.0, **{v: v.grad for v in engine.latest_first(y)}}", MORE, KEEP),
        walk(BEGIN, MORE, KEEP).replace("latest_first(y)", "latest_first(y)[::-1]"),
        IN_PLACE,
    ],
    "7.3": [
        "bad_rows = lambda n: list(range(n))",  # not so many rows
        "bad_rows = lambda n: [0, 0]",
        "bad_rows = lambda n: [k % 5 for k in range(n)]",
    ],
    "7.4": [
        squared(
            "ctx.save_for_backward(x, y)",
            "x, y = ctx.saved_tensors; s = 2 * g * (x - y); return s, -s",
        ),
        squared(
            "ctx.save_for_backward(function.Tensor(d * d))",
            "s = 2 * g.data * np.sqrt(ctx.saved_tensors[0].data); return s, -s",
        ),
        squared(
            "ctx.save_for_backward(function.Tensor(d))",
            "s = 2 * g * ctx.saved_tensors[0]; return s, s",
        ),
        squared(
            "ctx.save_for_backward(function.Tensor(d))",
            "s = g * ctx.saved_tensors[0]; return s, -s",
        ),
        squared(
            "ctx.both = (x.data.copy(), y.data.copy())",
            "s = 2 * g * (ctx.both[0] - ctx.both[1]); return s, -s",
        ),
        squared(
            "ctx.one = np.array([x.data, y.data])",
            "s = 2 * g * (ctx.one[0] - ctx.one[1]); return s, -s",
        ),
        squared("Mine.kept = d", "s = 2 * g * Mine.kept; return s, -s"),
        "squared = lambda x, y: (x - y) ** 2",
        "squared = lambda x, y: (x - y) * (x - y)",
    ],
    "7.2": [
        "breaks = lambda n: ([2.0] * n, [3.0] * n)",  # nothing goes wrong there
        "breaks = lambda n: ([3.0] * n, [0.0] * n)",  # the other's gradient is wrong
        "breaks = lambda n: ([0.0], [3.0])",
        "breaks = lambda n: (list(range(n)), [3.0] * n)",
    ],
}

RIGHT: dict[str, list[str]] = {
    "7.1": [
        walk(BEGIN, MORE, KEEP),
        """
def walk(y):
    grads = dict.fromkeys(engine.latest_first(y), 0.0) | {y: 1.0}
    for v in list(grads):
        for parent, rule in v.edges:
            call = rule if callable(rule) else lambda g: g * rule
            grads[parent] = grads[parent] + call(grads[v])
    return grads
""",
        walk(
            "dict.fromkeys(engine.latest_first(y), 0.0) | {y: 1.0}", MORE, "more"
        ).replace(
            "grads[parent] = more", "grads[parent] += more"
        ),  # the first sum, 0.0 + more, is an array of its own
    ],
    "7.3": [
        "bad_rows = lambda n: [0] * n",
        "bad_rows = lambda n: [k % 2 for k in range(n - 1)] + [0] if n > 2 else [1, 1]",
        "bad_rows = lambda n: np.full(n, 3)",
    ],
    "7.4": [
        squared("ctx.d = d", "s = 2 * g * ctx.d; return s, -s"),
        squared(
            "ctx.save_for_backward(2 * d)",
            "(d,) = ctx.saved_tensors; return g * d, g * -d",
        ),
        squared(
            "ctx.save_for_backward(x - y)",
            "(d,) = ctx.saved_tensors; return 2 * g * d, -2 * g * d",
        ),
    ],
    "7.2": [
        "breaks = lambda n: ([0.0] * n, [7.0] * n)",
        "breaks = lambda n: (np.zeros(n), 1.0 + np.arange(n))",
        "breaks = lambda n: ([0] * n, [-n] * n)",
        "breaks = lambda n: ([1e-200] * n, [1e-200] * n)",  # the product is 0
    ],
}
