"""Answers that a reader may well give to the exercises of chapter 08."""

from __future__ import annotations


def derivative(start: str, walked: str, found: str) -> str:
    """Return an answer to exercise 8.1, by its leaf, its pass and what it looks up."""
    return f"""
def derivative(f):
    def of_f(x):
        start = {start}
        grads = {walked}
        return {found}
    return of_f
"""


START, WALKED = "engine.Number(x)", "engine.walk(engine.as_number(f(start)))"
FOUND = "grads.get(start, 0.0)"


WRONG: dict[str, list[str]] = {
    "8.1": [
        derivative(START, "f(start).backward()", "start.grad"),
        derivative(START, WALKED, "float(getattr(grads[start], 'data', grads[start]))"),
        derivative("engine.Number(float(getattr(x, 'data', x)))", WALKED, FOUND),
        derivative("x", WALKED, FOUND),
        derivative(START, "engine.walk(f(start))", FOUND),  # fails on a line
        """
def derivative(f):
    return lambda x: (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
""",
    ],
    "8.2": [
        "unlike = lambda f: f",
        "unlike = lambda f: grad_by_level(grad_by_level(f))",  # 0 everywhere
        "unlike = lambda f: lambda x: f(x) * f(x)",
        "unlike = lambda f: lambda x: f(f(x)) * x",
        "unlike = lambda f: np.cos",
    ],
    "8.3": [
        "wrong_slope = lambda m, n: Term(m + n, m + n - 1)",  # the right slope
        "wrong_slope = lambda m, n: Term(m, m - 1)",
        "wrong_slope = lambda m, n: Term(n, m + n - 1)",
        "wrong_slope = lambda m, n: Term(m, m + n)",
        "wrong_slope = lambda m, n: (m + n - 1, m)",
    ],
    "8.4": [
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
    "8.1": [
        derivative(START, WALKED, FOUND),
        """
def derivative(f):
    def of_f(x):
        start = engine.Number(x)
        end = engine.as_number(f(start)) + 0.0 * start
        return engine.walk(end)[start]
    return of_f
""",
    ],
    "8.2": [
        "unlike = lambda f: grad_by_level(f)",
        "unlike = lambda f: lambda x: x * grad_by_level(lambda t: f(t) * t)(x)",
    ],
    "8.3": [
        "wrong_slope = lambda m, n: (m, m + n - 1)",
        "wrong_slope = lambda m, n: [float(m), float(n + m - 1)]",
    ],
    "8.4": [
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
