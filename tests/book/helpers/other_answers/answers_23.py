"""Answers that a reader may well give to the exercises of chapter 23."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "23.1": [
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
    "23.2": [
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
    "23.3": [
        # Two sums for different maxima are added.
        """
def merged(left, right):
    return max(left[0], right[0]), left[1] + right[1], left[2] + right[2]
""",
        # The sums are mended, and the values' sums are not.
        """
import math

def merged(left, right):
    m = max(left[0], right[0])
    if m == -math.inf:
        return left
    a, b = math.exp(left[0] - m), math.exp(right[0] - m)
    return m, a * left[1] + b * right[1], left[2] + right[2]
""",
        # Without any score, NaN.
        """
import math

def merged(left, right):
    m = max(left[0], right[0])
    a, b = math.exp(left[0] - m), math.exp(right[0] - m)
    return m, a * left[1] + b * right[1], a * left[2] + b * right[2]
""",
        # The left maximum, whichever is larger: exp overflows.
        """
import math

def merged(left, right):
    m = left[0]
    if m == -math.inf:
        return right
    b = math.exp(right[0] - m)
    return m, left[1] + b * right[1], left[2] + b * right[2]
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "23.1": [
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
    "23.2": [
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
    "23.3": [
        # The one with the larger score first.
        """
import math

def merged(left, right):
    (m, s, f), (low, s_low, f_low) = sorted([left, right], reverse=True)
    if s_low == 0.0:
        return [m, s, f]
    mend = math.exp(low - m)
    return [m, s + mend * s_low, f + mend * f_low]
""",
    ],
}
