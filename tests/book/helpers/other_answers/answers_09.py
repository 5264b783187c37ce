"""Answers that a reader may well give to the exercises of chapter 09."""

from __future__ import annotations


def gradients(begin: str, step: str, end: str) -> str:
    """Return an answer to exercise 9.1, by what it does before, in and after a loop."""
    return f"""
def grad(y, xs, gradient=None):
    ones = np.ones(y.data.shape)
    grads = {{y: {begin}}}
    for t in reversed(topological_order(y, parents)):
        for tensor, grad_fn in t.depends_on:
            {step}
    {end}
"""


BEGIN = "ones if gradient is None else gradient"
STEP = "grads[tensor] = grads.get(tensor, 0.0) + grad_fn(grads[t])"
END = "return [grads[x] for x in xs]"


def squared(forward: str, backward: str) -> str:
    """Return an answer to exercise 9.3, which calculates d = x - y first."""
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
    "9.1": [
        "def grad(y, xs, gradient=None):\n    y.backward()\n"
        "    return [x.grad for x in xs]",
        gradients("ones", STEP, END),
        gradients(BEGIN, "grads[tensor] = grad_fn(grads[t])", END),
        gradients(BEGIN, STEP, "return [g for t, g in grads.items() if t in xs]"),
        gradients(
            BEGIN,
            STEP,
            "for x in xs: x.grad = grads[x]\n    return [x.grad for x in xs]",
        ),
    ],
    "9.2": [
        "bad_rows = lambda n: list(range(n))",  # not so many rows
        "bad_rows = lambda n: [0, 0]",
        "bad_rows = lambda n: [k % 5 for k in range(n)]",
    ],
    "9.3": [
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
}

RIGHT: dict[str, list[str]] = {
    "9.1": [
        gradients(BEGIN, STEP, END),
        """
def grad(y, xs, gradient=None):
    before = {t: t.grad for t in topological_order(y, parents)}
    one = Tensor(1.0 if gradient is None else gradient)
    grads = {y: one.data * np.ones(y.data.shape)}
    for t in topological_order(y, parents)[::-1]:
        for d in t.depends_on:
            grads[d.tensor] = d.grad_fn(grads[t]) + grads.get(d.tensor, 0)
    for t, g in before.items():
        t.grad = g
    return list(map(grads.get, xs))
""",
    ],
    "9.2": [
        "bad_rows = lambda n: [0] * n",
        "bad_rows = lambda n: [k % 2 for k in range(n - 1)] + [0] if n > 2 else [1, 1]",
        "bad_rows = lambda n: np.full(n, 3)",
    ],
    "9.3": [
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
}
