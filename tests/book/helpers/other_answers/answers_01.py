"""Answers to the exercises of chapter 01 that a reader may well give."""

from __future__ import annotations

WRONG = {
    "1.1": [
        "divide = lambda a, b: Number(a.data / b.data, [(a, 1 / b.data), (b, 1.0)])",
        """
def divide(a, b):  # the sign of the second slope
    e = a.data / b.data
    return Number(e, [(a, 1 / b.data), (b, e / b.data)])
""",
        """
def divide(a, b):  # a over b², as if the quotient were 1
    return Number(a.data / b.data, [(a, 1 / b.data), (b, -1 / b.data**2)])
""",
        """
def divide(a, b):  # the slopes of the product
    return Number(a.data / b.data, [(a, b.data), (b, a.data)])
""",
        """
def divide(a, b):  # forgets its edges
    return Number(a.data / b.data)
""",
        """
def divide(a, b):  # the edges the wrong way round
    e = a.data / b.data
    return Number(e, [(b, 1 / b.data), (a, -e / b.data)])
""",
    ],
    "1.2": [
        "blind = lambda n: lambda x: n * x",
        "blind = lambda n: lambda x: n * x * (1 - 10 * x * x)",
        "blind = lambda n: lambda x: x * (1 - 100 * x * x)",  # the slope 1
        "blind = lambda n: lambda x: n * (1 - 100 * x * x)",  # flat at 0
        "blind = lambda n: lambda x: n * np.sin(np.pi * x / 0.1)",  # too steep
        "blind = lambda n: n * 0.1",  # no function
    ],
    "1.4": [
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
        "five_point = lambda g, x, h: central(g, x, h / 100)",
        """
def five_point(g, x, h):  # ignores g
    [g(x) for _ in range(4)]
    return textbook(x)
""",
    ],
    "1.5": [
        "slope = lambda g, x: g(complex(x, 1e-20)).imag",
        "slope = lambda g, x: g(complex(x, 1e-3)).imag / 1e-3",
        "slope = lambda g, x: g(complex(x, 1e-20)).real / 1e-20",
        "slope = lambda g, x: central(g, x, 1e-5)",
        "slope = lambda g, x: (g(x + 1e-8) - g(x)) / 1e-8",
        "slope = lambda g, x: textbook(x)",
    ],
}

RIGHT = {
    "1.1": [
        """
def divide(a, b):
    slopes = 1 / b.data, -a.data / b.data**2
    return Number(a.data / b.data, [*zip((a, b), slopes)])
""",
        """
def divide(a, b):  # a product with the inverse
    inverse = Number(1 / b.data, [(b, -1 / b.data**2)])
    return a * inverse
""",
    ],
    "1.2": [
        "blind = lambda n: lambda x: n * np.sin(np.pi * x / 0.1) * 0.1 / np.pi",
        "blind = lambda n: lambda x: n * x - 1e4 * n * x**5 + 0 * x",
        "blind = lambda n: lambda x: n * (x - 100 * x**3) + 7",
    ],
    "1.4": [
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
def five_point(g, x, h):  # by the page's
    near, far = (central(g, x, s) for s in (h, 2 * h))
    return (4 * near - far) / 3
""",
    ],
    "1.5": [
        "slope = lambda g, x: g(x + 1e-30j).imag * 1e30",
        "slope = lambda g, x: g(complex(x, 1e-9)).imag / 1e-9",
    ],
}
