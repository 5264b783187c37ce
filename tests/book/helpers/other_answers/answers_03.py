"""Answers that a reader may well give to the exercises of chapter 03."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "3.1": [
        "power = lambda x, n: x**n",
        "power = lambda x, n: engine.power(x, getattr(n, 'data', n))",
        """
def power(x, n):
    n = engine.as_number(n)
    z = x.data**n.data
    return Number(z, [(x, n.data * z / x.data), (n, z * math.log(x.data))])
""",
        """
def power(x, n):
    n = engine.as_number(n)
    z = x.data**n.data
    return Number(z, [(x, n.data * z / x.data)])
""",
        """
def power(x, n):  # fails at x⁰, whose slope is made of 0⁻¹
    k = getattr(n, "data", n)
    z = math.pow(x.data, k)
    edges = [(x, k * math.pow(x.data, k - 1))]
    if isinstance(n, Number):
        edges.append((n, z * math.log(x.data)))
    return Number(z, edges)
""",
    ],
    "3.2": [
        """
def many_times(k):
    leaf = result = Micro(1.0)
    for _ in range(k):
        result = result * Micro(1.0)
    return leaf, result
""",
        "many_times = lambda k: (leaf := Micro(float(k)), leaf * leaf)",
        """
def many_times(k):
    leaf, result = Number(1.0), Number(2.0)
    return leaf, result * leaf
""",
    ],
    "3.4": [
        """
def gradients_of_product(factors):
    whole = math.prod(factors)
    return [whole / factor for factor in factors]
""",
        """
def gradients_of_product(factors):
    n = len(factors)
    return [math.prod(factors[:i] + factors[i + 1 :]) for i in range(n)]
""",
        """
import numpy as np

def gradients_of_product(factors):
    return [np.prod(np.delete(factors, i)) for i in range(len(factors))]
""",
        """
def gradients_of_product(factors):
    leaves = [Value(float(factor)) for factor in factors]
    math.prod(leaves).backward()
    return [leaf.grad for leaf in leaves]
""",
    ],
    "3.5": [
        "by_patterns = lambda x, y, z: [y * z, (x + y) * z, (x + y) * y]",
        "by_patterns = lambda x, y, z: [y * z, y * z, (x + y) * y]",
        "by_patterns = lambda x, y, z: [y * z, y * z + (x + y) * y, (x + y) * z]",
    ],
}

RIGHT: dict[str, list[str]] = {
    "3.1": [
        """
def power(x, n):
    edges = [(engine.as_number(n), 0.0)]
    n, moves = getattr(n, "data", n), isinstance(n, Number)
    z = x.data**n
    if moves:
        edges = [(edges[0][0], math.log(x.data) * z)]
    return Number(z, [(x, n * x.data ** (n - 1) if n else 0.0), *edges])
""",
    ],
    "3.2": [
        """
def many_times(k):
    leaf = result = Micro(3.0)
    for _ in range(k - 1):
        result = Micro(0.5) * result
    return leaf, result
""",
    ],
    "3.4": [
        """
def gradients_of_product(factors):
    n = len(factors)
    left, right = [1] * n, [1] * n
    for i in range(1, n):
        left[i] = left[i - 1] * factors[i - 1]
        right[-1 - i] = factors[-i] * right[-i]
    return (a * b for a, b in zip(left, right))
"""
    ],
    "3.5": [
        """
def by_patterns(x, y, z):
    leaves = x, y, z = [Value(number) for number in (x, y, z)]
    (x * y * z + y * y * z).backward()
    return tuple(leaf.grad for leaf in leaves)
"""
    ],
}
