"""Answers that a reader may well give to the exercises of chapter 11."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "11.1": [
        "value_and_grad = lambda f: lambda x: (f(x), grad(f)(x))",  # runs f twice
        """
def value_and_grad(f):
    def both(x):
        vjp, value = make_vjp(f, x)
        return vjp(1.0), value
    return both
""",
        """
def value_and_grad(f):
    def both(x):
        vjp, value = make_vjp(f, x)
        return value, vjp(value)
    return both
""",
        """
def value_and_grad(f):
    def both(x):
        return make_vjp(f, x)[::-1]
    return both
""",
        "value_and_grad = lambda f: grad(f)",
    ],
    "11.2": [
        "wrong_slope = lambda m, n: Term(m + n, m + n - 1)",  # the right slope
        "wrong_slope = lambda m, n: Term(m, m - 1)",
        "wrong_slope = lambda m, n: Term(n, m + n - 1)",
        "wrong_slope = lambda m, n: Term(m, m + n)",
        "wrong_slope = lambda m, n: (m + n - 1, m)",
    ],
    "11.3": [
        "rule = lambda g, ans, x: cumsum(g)",
        "rule = lambda g, ans, x: numpy.cumsum(g[::-1])[::-1]",  # loses a box
        "from autograd_lib.designs import tracing_boxes as b\n"
        "rule = lambda g, ans, x: cumsum(b.getval(g)[::-1])[::-1]",
        "rule = lambda g, ans, x: cumsum(g[::-1])",
        "rule = lambda g, ans, x: np.sum(g) - cumsum(g)",  # without its own
        "rule = lambda g, ans, x: g * ans",
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
        """
def value_and_grad(f):
    def both(x):
        vjp, value = make_vjp(f, x)
        return [value, vjp(numpy.ones_like(value))]
    return both
""",
    ],
    "11.2": [
        "wrong_slope = lambda m, n: (m, m + n - 1)",
        "wrong_slope = lambda m, n: [float(m), float(n + m - 1)]",
    ],
    "11.3": [
        "rule = lambda g, ans, x: np.sum(g) - cumsum(g) + g",
        "rule = lambda g, ans, x: numpy.tri(len(x)).T @ g",
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
