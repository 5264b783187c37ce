"""Answers that a reader may well give to the exercises of chapter 04."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "4.1": [
        # By the clock, which the check turns back.
        "by_counting = lambda y: sorted(uses(y), key=lambda v: v.made, reverse=True)",
        # In the order in which they are met.
        """
def by_counting(root):
    turns = [root]
    for v in turns:
        turns += [parent for parent, _ in v.edges if parent not in turns]
    return turns
""",
        # One less for a number, and not for an arrow.
        """
def by_counting(root):
    pending, ready, turns = uses(root), [root], []
    while ready:
        v = ready.pop()
        turns.append(v)
        for parent in {parent for parent, _ in v.edges}:
            pending[parent] -= 1
            if pending[parent] == 0:
                ready.append(parent)
    return turns
""",
        # The inputs first.
        """
def by_counting(root):
    pending, ready, turns = uses(root), [root], []
    while ready:
        v = ready.pop()
        turns.append(v)
        for parent, _ in v.edges:
            pending[parent] -= 1
            if pending[parent] == 0:
                ready.append(parent)
    return turns[::-1]
""",
        "by_counting = lambda root: list(uses(root))",
        "by_counting = lambda root: sorted(uses(root), key=uses(root).get)",
    ],
    "4.2": [
        # The leaf may be used as often as you like.
        """
def off_by(k):
    leaf = Number(1.0)
    return leaf, sum([leaf] * k)
""",
        # Doublings multiply.
        """
def off_by(k):
    leaf = Number(1.0)
    result = leaf + 0.0
    for _ in range(k - 1):
        result = result + result
    return leaf, result
""",
        # As the first term, b hands over before it is complete.
        """
def off_by(k):
    leaf = Number(1.0)
    b = result = leaf + 0.0
    for _ in range(k - 1):
        result = b + result
    return leaf, result
""",
        # The right gradient is k, and naive's is k as well.
        """
def off_by(k):
    leaf = Number(1.0)
    return leaf, leaf * k
""",
        """
def off_by(k):
    leaf = Number(1.0)
    b = leaf + 0.0
    result = leaf + 0.0
    for _ in range(k):
        result = result + b
    return leaf, result
""",
    ],
    "4.4": [
        """
def wrong_slope(grads, nudged):  # an absolute error, for numbers of all sizes
    for i in range(len(grads) - 1):
        if abs(grads[i + 1] - nudged[i + 1]) > 1e-4:
            return i
""",
        # Nudging is never right to the last digit.
        """
def wrong_slope(grads, nudged):
    for i in range(len(grads) - 1):
        if grads[i + 1] != nudged[i + 1]:
            return i
""",
        # The entry, not the slope before it.
        """
def wrong_slope(grads, nudged):
    for i in range(len(grads)):
        if abs(grads[i] - nudged[i]) > 1e-4 * abs(nudged[i]):
            return i
""",
        # The last difference.
        """
def wrong_slope(grads, nudged):
    return max(
        i
        for i in range(len(grads) - 1)
        if abs(grads[i + 1] - nudged[i + 1]) > 1e-4 * abs(nudged[i + 1])
    )
""",
        # The largest difference.
        """
def wrong_slope(grads, nudged):
    apart = [abs(g - p) for g, p in zip(grads, nudged)]
    return apart.index(max(apart)) - 1
""",
        # Only the sizes are compared, so a wrong sign is missed.
        """
def wrong_slope(grads, nudged):
    for i in range(len(grads) - 1):
        if abs(abs(grads[i + 1]) - abs(nudged[i + 1])) > 1e-4 * abs(nudged[i + 1]):
            return i
""",
        # So much room that a tenth is missed.
        """
def wrong_slope(grads, nudged):
    for i in range(len(grads) - 1):
        if abs(grads[i + 1] - nudged[i + 1]) > 0.5 * abs(nudged[i + 1]):
            return i
""",
        # From the input on.
        """
def wrong_slope(grads, nudged):
    for i in reversed(range(len(grads) - 1)):
        if abs(grads[i + 1] - nudged[i + 1]) > 1e-4 * abs(nudged[i + 1]):
            return i
""",
        "wrong_slope = lambda grads, nudged: 0",
    ],
    "4.5": [
        "with_gradients = lambda p, q: ((x := Value(p)), (y := Value(q)), x * y)",
        "with_gradients = lambda p, q: ((x := Value(p)), (y := Value(q)), x + y)",
        "with_gradients = lambda p, q: (Value(p), Value(q), Value(q) * Value(p))",
        # y is used twice, and gets a gradient from both uses.
        """
def with_gradients(p, q):
    x, y = Value(1.0), Value(1.0)
    return x, y, p * x * y + q * y
""",
        # The gradients are written down and not made.
        """
def with_gradients(p, q):
    x, y = Value(1.0), Value(1.0)
    x.grad, y.grad = p, q
    return x, y, x + y
""",
        "with_gradients = lambda p, q: (Value(q) * Value(p))",
        # x is used once.
        """
def with_gradients(p, q):
    x, y = Value(q), Value(p)
    return x, y, x * y
""",
        # The other way round: y is used twice.
        """
def with_gradients(p, q):
    x, y = Value(q - 2 * p), Value(p)
    return x, y, (x + y) * y
""",
        # Each use of x brings p.
        """
def with_gradients(p, q):
    x, y = Value(q), Value(p)
    return x, y, x * y + x * y
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "4.1": [
        # First come, first served.
        """
def by_counting(root):
    pending, turns = uses(root), [root]
    for v in turns:
        for parent, _ in v.edges:
            pending[parent] -= 1
            turns += [parent] * (not pending[parent])
    return turns
""",
    ],
    "4.2": [
        """
def off_by(k):
    leaf = Number(1.0)
    b = result = leaf * 3.0
    for _ in range(k - 1):
        result = result * b
    return leaf, result
""",
        """
def off_by(k):
    leaf = Number(2.0)
    b = leaf * leaf
    return leaf, sum([b] * k, Number(0.0))
""",
    ],
    "4.4": [
        # Slope by slope, each as the quotient of two neighbours.
        """
def wrong_slope(grads, nudged):
    for i, (g, p) in enumerate(zip(grads, nudged)):
        if not math.isclose(grads[i + 1] / g, nudged[i + 1] / p, rel_tol=1e-3):
            return i
""",
        """
import numpy as np

def wrong_slope(grads, nudged):
    same = np.isclose(grads, nudged, rtol=1e-5, atol=0)
    return int(same.argmin()) - 1
""",
        # How many are right, less one: behind the wrong slope nothing is.
        """
def wrong_slope(grads, nudged):
    return sum(abs(g / p - 1) < 1e-3 for g, p in zip(grads, nudged)) - 1
""",
    ],
    "4.5": [
        """
def with_gradients(p, q):
    x, y = Value(0.0), Value(0.0)
    return x, y, p * x + q * y + 0 * x
""",
        """
def with_gradients(p, q):
    x, y = Value(3.0), Value(-1.0)
    return x, y, Value(0.0, [(x, p - 1.0), (y, q)]) + x
""",
        """
def with_gradients(p, q):
    x, y = Value(p / 2), Value(q / 2)
    return [x, y, x * x + y * y]
""",
    ],
}
