"""Answers that a reader may well give to the exercises of chapter 26."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "26.1": [
        # Also what is made on the way.
        """
def moved(lines):
    return [3 * len(lines), 3 + len(lines)]
""",
        # All three inputs, used or not.
        """
def moved(lines):
    left = {line.split(" = ")[0] for line in lines}
    right = " ".join(line.split(" = ")[1] for line in lines)
    used = {name for name in left if name + "," in right or name + ")" in right}
    return [3 * len(lines), 3 + len(left - used)]
""",
        # One result, the last.
        """
def moved(lines):
    right = " ".join(line.split("(")[1] for line in lines)
    return [3 * len(lines), sum(n in right for n in "xab") + 1]
""",
    ],
    "26.2": [
        # NaN on the right is lost.
        """
def smaller(a, b):
    return a if a < b else a if b != b else b
""",
        # NaN on the left is lost.
        """
def smaller(a, b):
    return a if a < b else b
""",
        # The larger one.
        """
def smaller(a, b):
    return a if a > b or a != a else b
""",
    ],
    "26.3": [
        # Nothing is subtracted, and nothing divided.
        """
import math

def softmax_row(x, y):
    for i in range(len(x)):
        y[i] = math.exp(x[i])
""",
        # The sum so far.
        """
import math

def softmax_row(x, y):
    total = 0.0
    for i in range(len(x)):
        y[i] = math.exp(x[i] - max(x))
        total += y[i]
        y[i] /= total
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "26.1": [
        # With sets of names.
        """
import re

def moved(lines):
    left, right = set(), set()
    for line in lines:
        name, *read = re.findall(r"[a-z]\\w*", line.replace("multiply", ""))
        left.add(name)
        right.update(read)
    return [3 * len(lines), len(left ^ right)]
""",
    ],
    "26.2": [
        # NaN first.
        """
def smaller(a, b):
    if a != a:
        return a
    if b != b:
        return b
    return a if a < b else b
""",
    ],
    "26.3": [
        # Two turns: the sum is mended when a larger number comes.
        """
import math

def softmax_row(x, y):
    largest, total = x[0], 0.0
    for v in x:
        if v > largest:
            total, largest = total * math.exp(largest - v), v
        total += math.exp(v - largest)
    for i, v in enumerate(x):
        y[i] = math.exp(v - largest) / total
""",
    ],
}
