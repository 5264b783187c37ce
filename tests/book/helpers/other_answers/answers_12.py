"""Answers that a reader may well give to the exercises of chapter 12."""

from __future__ import annotations

LOGISTIC = """
def rule(g, s):
    return {rule}

def logistic(x):
    return unary(lambda a: 1 / (1 + np.exp(-a)), x, rule, {saved})
"""
ORDERS = """
def orders(f, z):
    def slope(z):
        x = Tensor(z, requires_grad=True)
        return grad({after}, x)[0].item()

    def value(z):
        x = Tensor(z)
        return ({after}).item()

    x = Tensor(z, requires_grad=True)
    (first,) = grad({after}, x, create_graph={graph})
    right = abs(first.item() - central_difference(value, z)) < 1e-5
    {second}
    again = abs(second.item() - central_difference(slope, z)) < 1e-5
    return {answer}
"""
SECOND = "(second,) = grad(first, x)"
IN_TURN = "2 if right and again else 1 if right else 0"


def logistic(rule: str, saved: str) -> str:
    """Return a logistic function with a rule, and what its rule needs."""
    return LOGISTIC.format(rule=rule, saved=saved)


def orders(
    after: str, answer: str = IN_TURN, graph: str = "True", second: str = SECOND
) -> str:
    """Return a search for faults: what comes after f, and what is answered."""
    return ORDERS.format(after=after, answer=answer, graph=graph, second=second)


WRONG: dict[str, list[str]] = {
    "12.1": [
        logistic("s * (1 - s)", "OUTPUT"),  # no g
        logistic("g * s * (1 + s)", "OUTPUT"),
        logistic("g * s", "1 / (1 + np.exp(-x.data)) ** 2 * np.exp(-x.data)"),
        # right derivatives, from a second array
        """
def by_argument(g, x):
    s = logistic(x)
    return g * (s - s * s)

def logistic(x):
    return unary(lambda a: 1 / (1 + np.exp(-a)), x, by_argument, x)
""",
        "logistic = lambda x: 1 / (1 + np.exp(-x))",
        "logistic = lambda x: 0.5 + 0.5 * tanh(0.5 * x)",
    ],
    "12.2": [
        "held = lambda n, k, h, m: n * m + n * h + h * m + n * k + k * h",
        "held = lambda n, k, h, m: n * m + n * h + n * k",
        "held = lambda n, k, h, m: 2 * n * m + 2 * n * h + h * m + n * k",
        "held = lambda n, k, h, m: n * m + n * h + h * m + n * k + h + m",
        "held = lambda n, k, h, m: n * m + n * h + h * m",
        "held = lambda n, k, h, m: n * h + h * m + n * k",
    ],
    "12.3": [
        orders("f(x)"),  # where a forgotten g is not noticed
        orders("f(x) * f(x)", "2 if again else 0"),
        orders("f(x) * f(x)", "2 if right else 0"),
        orders("f(x) * f(x)", "int(right) + int(again) or 1"),
        orders(
            "f(x) * f(x)", graph="False", second="second = Tensor(0.0)"
        ),  # nothing recorded
        orders("f(x) * 5.0"),  # refused: a saved slope leaves nothing recorded
        "orders = lambda f, z: 2 if f(Tensor(z)).item() == z**3 else 0",
    ],
}

RIGHT: dict[str, list[str]] = {
    "12.1": [
        logistic("g * s * (1 - s)", "OUTPUT"),
        logistic("g * s + -(g * s * s)", "OUTPUT"),
        """
def forward(a):
    return 0.5 + 0.5 * np.tanh(a / 2)

logistic = lambda x: unary(forward, x, lambda g, s: g * (s + -(s * s)), OUTPUT)
""",
    ],
    "12.2": ["held = lambda n, k, h, m: n * (m + h + k) + h * m"],
    "12.3": [
        orders("f(x) * f(x) * f(x)"),
        orders("f(x) * f(x)", "int(right) + int(right and again)"),
    ],
}
