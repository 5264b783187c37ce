"""Answers to the exercises of chapter 01 that a reader may well give."""

from __future__ import annotations

WRONG = {
    "1.1": [
        "five_point = lambda g, x, h: (g(x + h) - g(x - h)) / (2 * h)",
        """
def five_point(g, x, h):  # the average
    near = (g(x + h) - g(x - h)) / (2 * h)
    far = (g(x + 2 * h) - g(x - 2 * h)) / (4 * h)
    return (near + far) / 2
""",
        """
def five_point(g, x, h):  # as if the error were in h
    near = (g(x + h) - g(x - h)) / (2 * h)
    far = (g(x + 2 * h) - g(x - 2 * h)) / (4 * h)
    return 2 * near - far
""",
        """
def five_point(g, x, h):  # divides by 2h twice
    near = (g(x + h) - g(x - h)) / (2 * h)
    far = (g(x + 2 * h) - g(x - 2 * h)) / (2 * h)
    return (4 * near - far) / 3
""",
        """
def five_point(g, x, h):  # calls too often
    def central(h):
        return (g(x + h) - g(x - h)) / (2 * h)

    best = (4 * central(h) - central(2 * h)) / 3
    return best + 0 * central(h / 2)
""",
        "five_point = lambda g, x, h: central_difference(g, x, h / 100)",
        "five_point = lambda g, x, h: central_difference(g, x)",
        "five_point = lambda g, x, h: complex_step(g, x)",
        """
def five_point(g, x, h):  # ignores g
    [g(x) for _ in range(4)]
    return textbook(x)
""",
    ],
    "1.2": [
        "best_t = lambda a, b: 4 * b / a",
        "best_t = lambda a, b: (b / a) ** 0.5",
        "best_t = lambda a, b: (2 * b / a) ** 0.5",
        "best_t = lambda a, b: 2 * (a / b) ** 0.5",
        "best_t = lambda a, b: 2 * (b / a * 2e-16) ** 0.5",  # the step itself
        "best_t = lambda a, b: 2 * (a * b) ** 0.5",  # the smallest error
    ],
    "1.3": [
        "dual_sqrt = lambda u: Dual(u.value**0.5, 1 / (2 * u.value**0.5))",
        "dual_sqrt = lambda u: Dual(u.value**0.5, u.slope**0.5)",
        "dual_sqrt = lambda u: Dual(u.value**0.5)",
        "dual_sqrt = lambda u: Dual(u.value**0.5, u.slope / (2 * u.value))",
        "dual_sqrt = lambda u: Dual(u.value**0.5, 2 * u.value**0.5 * u.slope)",
        "dual_sqrt = lambda u: (u.value**0.5, u.slope / (2 * u.value**0.5))",
    ],
    "1.4": [
        "length_of_formula = lambda n: 3**n",
        "length_of_formula = lambda n: 3 * 4 ** (n - 1)",  # right up to 2
        "length_of_formula = lambda n: (3**n - 3) // 2",
        "length_of_formula = lambda n: 3 ** (n + 1) - 3",
        "length_of_formula = lambda n: [3, 12, 39, 120, 363, 1092, 3279][n - 1]",
    ],
}

RIGHT = {
    "1.1": [
        """
def five_point(g, x, h):
    a, b, c, d = (g(x + k * h) for k in (-2, -1, 1, 2))
    return (a - 8 * b + 8 * c - d) / (12 * h)
""",
        """
def five_point(g, x, h):
    near, far = ((g(x + s) - g(x - s)) / (2 * s) for s in (h, 2 * h))
    return near + (near - far) / 3
""",
        """
def five_point(g, x, h):  # by the library's
    near, far = (central_difference(g, x, s) for s in (h, 2 * h))
    return (4 * near - far) / 3
""",
    ],
    "1.2": [
        "best_t = lambda a, b: (4 * b / a) ** 0.5",
        "best_t = lambda a, b: np.sqrt(b) / np.sqrt(a) * 2",
    ],
    "1.3": [
        "dual_sqrt = lambda u: Dual(np.sqrt(u.value), u.slope / np.sqrt(4 * u.value))",
        """
def dual_sqrt(u):  # Heron's rounds, in dual numbers
    root = u
    for _ in range(60):
        root = (root + u / root) * Dual(0.5)
    return root
""",
    ],
    "1.4": [
        "length_of_formula = lambda n: sum(3**k for k in range(1, n + 1))",
        "length_of_formula = lambda n: n and 3 * length_of_formula(n - 1) + 3",
        "length_of_formula = lambda n: (3 ** (n + 1) - 3) / 2",
    ],
}
