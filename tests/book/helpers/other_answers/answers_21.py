"""Answers that a reader may well give to the exercises of chapter 21."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "21.1": [
        "longest = lambda m: m // 2",
        "longest = lambda m: m * m // 4",
        "longest = lambda m: (m // 2) ** 2",
        "longest = lambda m: m * (m - 1) // 2",  # one array for each function
        "longest = lambda m: sum((m - k) // 2 for k in range(m))",
        "longest = lambda m: sum((m - k) / 2 for k in range(1, m))",
        "longest = lambda m: sum((m - 1) // 2 for k in range(1, m))",
    ],
    "21.2": [
        "in_steps = lambda f, n, x: in_turn([f] * n, x)",
        "in_steps = lambda f, n, x: checkpoint(in_turn, [f] * n, x)",
        """
def in_steps(f, n, x):  # a piece for each step
    for _ in range(n):
        x = checkpoint(f, x)
    return x
""",
        """
def in_steps(f, n, x):  # the rest is left out
    length = round(n**0.5)
    for _ in range(n // length):
        x = checkpoint(in_turn, [f] * length, x)
    return x
""",
        """
def in_steps(f, n, x):  # a few steps too many
    length = round(n**0.5)
    for _ in range(0, n, length):
        x = checkpoint(in_turn, [f] * length, x)
    return x
""",
        """
def in_steps(f, n, x):  # halves
    x = checkpoint(in_turn, [f] * (n // 2), x)
    return checkpoint(in_turn, [f] * (n - n // 2), x)
""",
        """
def in_steps(f, n, x):  # a checkpoint inside each other: runs too often
    if n == 1:
        return f(x)
    return checkpoint(lambda x: f(in_steps(f, n - 1, x)), x)
""",
    ],
    "21.3": [
        """
def fewest(n, s):  # the runs to the state are forgotten
    if n == 1:
        return 1
    if s == 0:
        return n * (n + 1) // 2
    return min(fewest(n - m, s - 1) + fewest(m, s) for m in range(1, n))
""",
        """
def fewest(n, s):  # the first part has one state less, too
    if n == 1:
        return 1
    if s == 0:
        return n * (n + 1) // 2
    return min(m + fewest(n - m, s - 1) + fewest(m, s - 1) for m in range(1, n))
""",
        """
def fewest(n, s):  # always in the middle
    if n == 1:
        return 1
    if s == 0:
        return n * (n + 1) // 2
    return n // 2 + fewest(n - n // 2, s - 1) + fewest(n // 2, s)
""",
        """
def fewest(n, s):  # the parts swapped
    if n == 1:
        return 1
    if s == 0:
        return n * (n + 1) // 2
    return min(m + fewest(n - m, s) + fewest(m, s - 1) for m in range(1, n))
""",
        "fewest = lambda n, s: 2 * n - 1",  # room for all
        "fewest = lambda n, s: n * (n + 1) // 2",
    ],
}

RIGHT: dict[str, list[str]] = {
    "21.1": [
        "longest = lambda m: (m - 1) ** 2 // 4",
        """
def longest(m):
    length, room = 0, m - 1
    while room > 1:
        length += room // 2
        room -= 1
    return length
""",
    ],
    "21.2": [
        """
def in_steps(f, n, x):  # equal pieces
    for piece in np.array_split(np.arange(n), round(n**0.5)):
        x = checkpoint(in_turn, [f] * len(piece), x)
    return x
""",
        """
def in_steps(f, n, x):
    def some(x, steps):
        for _ in range(steps):
            x = f(x)
        return x

    length = int((n - 1) ** 0.5) + 1
    while n > 0:
        x = checkpoint(some, x, min(length, n))
        n -= length
    return x
""",
    ],
    "21.3": [
        """
def fewest(n, s, known=None):
    known = {} if known is None else known
    if n == 1 or s == 0:
        return n * (n + 1) // 2
    if (n, s) not in known:
        known[n, s] = min(m + fewest(n - m, s - 1, known) + fewest(m, s, known)
                          for m in range(1, n))
    return known[n, s]
""",
    ],
}
