"""Answers that a reader may well give to the exercises of chapter 11."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "11.1": [
        "wrong = lambda g, x: g * np.exp(x)",  # it is right
        "wrong = lambda g, x: np.exp(x)",  # trains notices
        "wrong = lambda g, x: g * np.exp(x) * 2",  # at_ones notices
        "wrong = lambda g, x: -g * np.exp(x)",
        "wrong = lambda g, x: engine.sum_to(g * np.exp(x), ())",  # its shape
    ],
    "11.3": [
        "transposed = lambda f, n, u: f(u)",
        "transposed = lambda f, n, u: np.array([f(e) for e in np.eye(n)]) * u.sum()",
        "transposed = lambda f, n, u: np.array([f(e).sum() for e in np.eye(n)])",
        "transposed = lambda f, n, u: f(np.ones(n)) @ u * np.ones(n)",
    ],
    "11.2": [
        "logaddexp = lambda x, y: np.log(np.exp(x) + np.exp(y)) * 1.0001",
        """
def logaddexp(x, y):  # saves arrays, so the second derivative is lost
    a, b = engine.plain(x), engine.plain(y)
    z = np.logaddexp(a, b)
    return engine.record(
        np.logaddexp, (x, engine.multiply, np.exp(a - z)),
        (y, engine.multiply, np.exp(b - z)))
""",
        """
def logaddexp(x, y):  # g forgotten
    return engine.record(
        np.logaddexp, (x, lambda g, x, y: np.exp(x - np.logaddexp(x, y)), x, y),
        (y, lambda g, x, y: np.exp(y - np.logaddexp(x, y)), x, y))
""",
        """
def logaddexp(x, y):  # the slopes swapped
    return engine.record(
        np.logaddexp, (x, lambda g, x, y: g * np.exp(y - np.logaddexp(x, y)), x, y),
        (y, lambda g, x, y: g * np.exp(x - np.logaddexp(x, y)), x, y))
""",
        """
def logaddexp(x, y):  # no slope in y
    return engine.record(
        np.logaddexp, (x, lambda g, x, y: g * np.exp(x - np.logaddexp(x, y)), x, y),
        (y, lambda g, y: g * (0.0 * y), y))
""",
    ],
    "11.4": [
        "kinks = lambda f, x: x != x",
        "kinks = lambda f, x: abs((f(x + 1e-6) - f(x - 1e-6)) / 2e-6) > 0.01",
        """
def kinks(f, x, h=1e-2):  # the step is so long that bends count
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return np.abs(right - left) > 0.01
""",
        """
def kinks(f, x, h=1e-6):  # only large ones
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return np.abs(right - left) > 1
""",
        """
def kinks(f, x, h=1e-6):  # only those that bend upward
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return right - left > 0.01
""",
        """
def kinks(f, x, h=1e-15):  # the step drowns in rounding
    left, right = (f(x) - f(x - h)) / h, (f(x + h) - f(x)) / h
    return np.abs(right - left) > 0.01
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "11.1": [
        "wrong = lambda g, x: g * np.exp(1.0)",
    ],
    "11.3": [
        """
def transposed(f, n, u):
    J = np.stack([f(np.eye(n)[k]) for k in range(n)], axis=1)
    return J.T @ u
""",
        """
def transposed(f, n, u):
    found = []
    for k in range(n):
        v = np.zeros(n)
        v[k] = 1.0
        found.append(float(np.dot(f(v), u)))
    return found
""",
    ],
    "11.2": [
        "logaddexp = lambda x, y: np.log(np.exp(x) + np.exp(y))",
        """
def logaddexp(x, y):
    return engine.record(
        np.logaddexp, (x, lambda g, x, y: g / (1.0 + np.exp(y - x)), x, y),
        (y, lambda g, x, y: g / (1.0 + np.exp(x - y)), x, y))
""",
    ],
    "11.4": [
        """
def kinks(f, x, h=1e-7):
    return abs(f(x + h) - 2 * f(x) + f(x - h)) / h > 0.01
""",
        """
def kinks(f, x, h=1e-6):
    return [abs(f(a + h) - 2 * f(a) + f(a - h)) / h > 0.01 for a in x]
""",
    ],
}
