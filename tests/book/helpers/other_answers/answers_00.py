"""Answers that a reader may well give to the exercises of chapter 00."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "0.1": [
        "caught = lambda n: (5.0, 5.0)",
        "caught = lambda n: (2.0, n + 2.0)",
        "caught = lambda n: (float(n), 1.0)",
    ],
    "0.2": [
        "minus = lambda a, b: Number(a.data - b.data, [(a, 1), (b, 1)])",
        "minus = lambda a, b: Number(a.data + b.data, [(a, 1), (b, -1)])",
        "minus = lambda a, b: Number(a.data - b.data)",
        "minus = lambda a, b: Number(a.data - b.data, [(b, 1), (a, -1)])",
    ],
    "0.3": [
        "number_of_calls = lambda n: 2**n",
        "number_of_calls = lambda n: 2 * n + 1",
        "number_of_calls = lambda n: n + 1",
    ],
}

RIGHT: dict[str, list[str]] = {
    "0.1": ["caught = lambda n: (0.0, -float(n))"],
    "0.2": ["minus = lambda a, b: a + b * Number(-1.0)"],
    "0.3": ["number_of_calls = lambda n: sum(2**k for k in range(n + 1))"],
}
