"""Answers that a reader may well give to the exercises of chapter 11."""

from __future__ import annotations


def equip(over: str, power: str, minus: str = "g * -1.0") -> str:
    """Return an answer to exercise 11.1, by three of its rules."""
    return f"""
def equip(Box):
    by = primitive_by_level
    sub = by(operator.sub, lambda g, ans, x, y: g, lambda g, ans, x, y: {minus})
    div = by(operator.truediv, lambda g, ans, x, y: g / y,
             lambda g, ans, x, y: {over})
    power = by(operator.pow, lambda g, ans, x, n: {power})
    Box.__neg__, Box.__pow__ = lambda x: x * -1.0, lambda x, n: power(x, n)
    Box.__sub__, Box.__rsub__ = lambda x, y: sub(x, y), lambda x, y: sub(y, x)
    Box.__truediv__ = lambda x, y: div(x, y)
    Box.__rtruediv__ = lambda x, y: div(y, x)
"""


OVER, POWER = "g * ans / y * -1.0", "g * n * x ** (n - 1.0)"

WRONG: dict[str, list[str]] = {
    "11.1": [
        equip("g * ans / y", POWER),
        equip("ans / y * -1.0", POWER),  # without g
        equip(OVER, "n * x ** (n - 1.0)"),
        equip(OVER, "g * x ** (n - 1.0)"),
        equip(OVER, POWER, "g"),
        equip(OVER, POWER).replace("sub(y, x)", "sub(x, y)"),
        equip(OVER, POWER).replace("    Box.__rtruediv__", "    Box.other"),
        equip(OVER, POWER).replace("primitive_by_level", "lambda f, *_: f"),
    ],
    "11.2": [
        "unlike = lambda f: f",
        "unlike = lambda f: lambda x: f(x) * f(x)",
        "unlike = lambda f: lambda x: f(f(x)) * x",
        "unlike = lambda f: tracing_numpy.cos",
    ],
    "11.3": [
        "wrong_slope = lambda m, n: Term(m + n, m + n - 1)",  # the right slope
        "wrong_slope = lambda m, n: Term(m, m - 1)",
        "wrong_slope = lambda m, n: Term(n, m + n - 1)",
        "wrong_slope = lambda m, n: Term(m, m + n)",
        "wrong_slope = lambda m, n: (m + n - 1, m)",
    ],
    "11.4": [
        """
def taylor(f, n, x):
    coefficients = []
    for k in range(n + 1):
        coefficients.append(f(x))
        f = grad(f)
    return coefficients
""",
        """
def taylor(f, n, x):
    coefficients = []
    for k in range(n):
        coefficients.append(f(x) / math.factorial(k))
        f = grad(f)
    return coefficients
""",
        """
def taylor(f, n, x):
    coefficients = []
    for k in range(n + 1):
        coefficients.append(f(x) / (k or 1))
        f = grad(f)
    return coefficients
""",
        "taylor = lambda f, n, x: [f(x) / math.factorial(k) for k in range(n + 1)]",
    ],
}

RIGHT: dict[str, list[str]] = {
    "11.1": [
        equip("g * x / (y * y) * -1.0", POWER),
        equip(OVER, POWER).replace("x * -1.0, lambda", "sub(0.0, x), lambda"),
    ],
    "11.2": [
        "unlike = lambda f: grad(f)",
        "unlike = lambda f: lambda x: x * grad(lambda t: f(t) * t)(x)",
    ],
    "11.3": [
        "wrong_slope = lambda m, n: (m, m + n - 1)",
        "wrong_slope = lambda m, n: [float(m), float(n + m - 1)]",
    ],
    "11.4": [
        """
def taylor(f, n, x):
    if n == 0:
        return [f(x)]
    rest = taylor(grad(f), n - 1, x)
    return [f(x), *(c / (k + 1) for k, c in enumerate(rest))]
""",
        """
def taylor(f, n, x):
    whole = 1.0
    for k in range(n + 1):
        yield f(x) / whole
        f, whole = grad(f), whole * (k + 1)
""",
    ],
}
