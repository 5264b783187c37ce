"""Answers to the exercises of chapter 05: wrong ones, and right ones."""

from __future__ import annotations

WRONG = {
    "5.1": [
        "answer_of_naive = lambda a: 4 * a**3 + 3 * a**2",  # the true derivative
        "answer_of_naive = lambda a: 13 * a**3",
        "answer_of_naive = lambda a: 13",
        "answer_of_naive = lambda a: 9 * a**3 + 4 * a**2",
        "answer_of_naive = lambda a: 2 * (4 * a**3 + 3 * a**2)",
    ],
    "5.2": [
        # The leaf may be used as often as you like.
        """
def off_by(k):
    leaf = Value(1.0)
    return leaf, sum([leaf] * k)
""",
        # Doublings multiply.
        """
def off_by(k):
    leaf = Value(1.0)
    result = leaf + 0.0
    for _ in range(k - 1):
        result = result + result
    return leaf, result
""",
        # As the first term, b hands over before it is complete.
        """
def off_by(k):
    leaf = Value(1.0)
    b = result = leaf + 0.0
    for _ in range(k - 1):
        result = b + result
    return leaf, result
""",
        # The right gradient is k, and naive's is k as well.
        """
def off_by(k):
    leaf = Value(1.0)
    return leaf, leaf * k
""",
        """
def off_by(k):
    leaf = Value(1.0)
    b = leaf + 0.0
    result = leaf + 0.0
    for _ in range(k):
        result = result + b
    return leaf, result
""",
    ],
    "5.3": [
        """
def depth(root):
    return 1 + max((depth(p) for p in root.parents), default=-1)
""",
        """
def depth(root, known=None):
    known = {} if known is None else known
    if root not in known:
        deep = [depth(p, known) for p in root.parents]
        known[root] = 1 + max(deep, default=-1)
    return known[root]
""",
        """
def depth(root):
    deep = 0
    while parents := root.parents:
        root, deep = parents[0], deep + 1
    return deep
""",
        "depth = lambda root: len(topological_order(root)) - 1",
        "depth = lambda root: 3 * (len(topological_order(root)) - 1) // 4",
        # Breadth first finds the shortest path.
        """
def depth(root):
    deep, waiting = {root: 0}, [root]
    for v in waiting:
        for parent in v.parents:
            if parent not in deep:
                deep[parent] = deep[v] + 1
                waiting.append(parent)
    return max(deep.values())
""",
        # Level by level, numbers come again and again.
        """
def depth(root):
    level, deep = {root}, -1
    while level:
        level, deep = {p for v in level for p in v.parents}, deep + 1
    return deep
""",
    ],
}

RIGHT = {
    "5.1": ["answer_of_naive = lambda a: a * a * (5 + 8 * a)"],
    "5.2": [
        """
def off_by(k):
    leaf = Value(1.0)
    b = result = leaf * 3.0
    for _ in range(k - 1):
        result = result * b
    return leaf, result
""",
        """
def off_by(k):
    leaf = Value(2.0)
    b = leaf * leaf
    return leaf, sum([b] * k, Value(0.0))
""",
    ],
    "5.3": [
        # From the root on, the longest way to each number.
        """
def depth(root):
    deep = {v: 0 for v in topological_order(root)}
    for v in reversed(topological_order(root)):
        for parent in v.parents:
            deep[parent] = max(deep[parent], deep[v] + 1)
    return max(deep.values())
""",
        """
def depth(root):
    deep, waiting = {}, [(root, root.parents)]
    while waiting:
        v, parents = waiting[-1]
        rest = [p for p in parents if p not in deep]
        if rest:
            waiting.append((rest[-1], rest[-1].parents))
        else:
            waiting.pop()
            deep[v] = 1 + max((deep[p] for p in parents), default=-1)
    return deep[root]
""",
    ],
}
