"""Answers that a reader may well give to the exercises of chapter 04."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "4.1": [
        "by_patterns = lambda x, y, z: [y * z, (x + y) * z, (x + y) * y]",
        "by_patterns = lambda x, y, z: [y * z, y * z, (x + y) * y]",
        "by_patterns = lambda x, y, z: [y * z, y * z + (x + y) * y, (x + y) * z]",
    ],
    "4.2": [
        "leaky_relu = lambda v: v if v >= 0 else v / 100",  # at 0
        "leaky_relu = lambda v: v.relu()",
        "leaky_relu = lambda v: Value(v.data if v > 0 else v.data / 100)",
        "leaky_relu = lambda v: node(max(v.data, v.data / 100), 'leaky', v, 1.0)",
        "leaky_relu = lambda v: v.relu() - 0.01 * (-v).relu()",  # at 0
    ],
    "4.3": [
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
    "4.4": [
        """
def gradient(root, leaf):
    if root is leaf:
        return 1.0
    pairs = zip(root.parents, root.slopes)
    return sum(slope * gradient(parent, leaf) for parent, slope in pairs)
""",
        """
def gradient(root, leaf):
    root.grad = 1.0
    for v in reversed(topological_order(root)):
        for parent, slope in zip(v.parents, v.slopes):
            parent.grad += slope * v.grad
    return leaf.grad
""",
        """
def gradient(root, leaf):
    root.backward()
    return leaf.grad
""",
        """
def gradient(root, leaf):
    grad = {v: 0.0 for v in topological_order(root)}
    grad[root] = 1.0
    for v in reversed(topological_order(root)):
        for parent, slope in zip(v.parents, v.slopes):
            grad[parent] = slope * grad[v]
    return grad[leaf]
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "4.1": [
        """
def by_patterns(x, y, z):
    leaves = x, y, z = [Value(number) for number in (x, y, z)]
    (x * y * z + y * y * z).backward()
    return tuple(leaf.grad for leaf in leaves)
"""
    ],
    "4.2": ["leaky_relu = lambda v: v if v > 0 else v / 100"],
    "4.3": [
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
    "4.4": [
        """
def gradient(root, leaf):
    rate = {}
    for v in topological_order(root):
        pairs = zip(v.parents, v.slopes)
        rate[v] = 1.0 if v is leaf else sum(s * rate[p] for p, s in pairs)
    return rate[root]
""",
        """
def gradient(root, leaf, known=None):
    known = {leaf: 1.0} if known is None else known
    if root not in known:
        pairs = zip(root.parents, root.slopes)
        known[root] = sum(s * gradient(p, leaf, known) for p, s in pairs)
    return known[root]
""",
    ],
}
