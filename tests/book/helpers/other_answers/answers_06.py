"""Answers to the exercises of chapter 06: wrong ones, and right ones."""

from __future__ import annotations

WRONG = {
    "6.1": [
        # The slope of the page's own tanh, which is wrong.
        """
def neuron_gradients(x1, x2, w1, w2, b):
    slope = 1 - (w1 * x1 + w2 * x2 + b) ** 2
    return [slope * w1, slope * w2, slope * x1, slope * x2, slope]
""",
        # Nothing is swapped.
        """
def neuron_gradients(x1, x2, w1, w2, b):
    slope = 1 - math.tanh(w1 * x1 + w2 * x2 + b) ** 2
    return [slope * x1, slope * x2, slope * w1, slope * w2, slope]
""",
        # tanh passes everything on.
        "neuron_gradients = lambda x1, x2, w1, w2, b: [w1, w2, x1, x2, 1]",
        """
def neuron_gradients(x1, x2, w1, w2, b):
    o = math.tanh(w1 * x1 + w2 * x2 + b)
    return [o * w1, o * w2, o * x1, o * x2, o]
""",
        # The bias is left out of the sum.
        """
def neuron_gradients(x1, x2, w1, w2, b):
    slope = 1 - math.tanh(w1 * x1 + w2 * x2) ** 2
    return [slope * w1, slope * w2, slope * x1, slope * x2, slope]
""",
        # Four of five.
        """
def neuron_gradients(x1, x2, w1, w2, b):
    slope = 1 - math.tanh(w1 * x1 + w2 * x2 + b) ** 2
    return [slope * w1, slope * w2, slope * x1, slope * x2]
""",
    ],
    "6.2": [
        """
def wrong_slope(grads, pushed):  # an absolute error, for numbers of all sizes
    for i in range(len(grads) - 1):
        if abs(grads[i + 1] - pushed[i + 1]) > 1e-4:
            return i
""",
        # Pushing is never right to the last digit.
        """
def wrong_slope(grads, pushed):
    for i in range(len(grads) - 1):
        if grads[i + 1] != pushed[i + 1]:
            return i
""",
        # The entry, not the slope before it.
        """
def wrong_slope(grads, pushed):
    for i in range(len(grads)):
        if abs(grads[i] - pushed[i]) > 1e-4 * abs(pushed[i]):
            return i
""",
        # The last difference.
        """
def wrong_slope(grads, pushed):
    return max(
        i
        for i in range(len(grads) - 1)
        if abs(grads[i + 1] - pushed[i + 1]) > 1e-4 * abs(pushed[i + 1])
    )
""",
        # The largest difference.
        """
def wrong_slope(grads, pushed):
    apart = [abs(g - p) for g, p in zip(grads, pushed)]
    return apart.index(max(apart)) - 1
""",
        # Only the sizes are compared, so a wrong sign is missed.
        """
def wrong_slope(grads, pushed):
    for i in range(len(grads) - 1):
        if abs(abs(grads[i + 1]) - abs(pushed[i + 1])) > 1e-4 * abs(pushed[i + 1]):
            return i
""",
        # So much room that a tenth is missed.
        """
def wrong_slope(grads, pushed):
    for i in range(len(grads) - 1):
        if abs(grads[i + 1] - pushed[i + 1]) > 0.5 * abs(pushed[i + 1]):
            return i
""",
        # From the input on.
        """
def wrong_slope(grads, pushed):
    for i in reversed(range(len(grads) - 1)):
        if abs(grads[i + 1] - pushed[i + 1]) > 1e-4 * abs(pushed[i + 1]):
            return i
""",
        "wrong_slope = lambda grads, pushed: 0",
    ],
    "6.3": [
        "with_gradients = lambda p, q: ((x := Value(p)), (y := Value(q)), x * y)",
        "with_gradients = lambda p, q: ((x := Value(p)), (y := Value(q)), x + y)",
        "with_gradients = lambda p, q: (Value(p), Value(q), Value(q) * Value(p))",
        # y is used twice, and gets a gradient from both uses.
        """
def with_gradients(p, q):
    x, y = Value(1.0), Value(1.0)
    return x, y, p * x * y + q * y
""",
        # The gradients are written down and not made: the check sets them to 0.
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

RIGHT = {
    "6.1": [
        """
def neuron_gradients(x1, x2, w1, w2, b):
    slope = 1 / math.cosh(w1 * x1 + w2 * x2 + b) ** 2
    return slope * w1, slope * w2, slope * x1, slope * x2, slope
""",
        """
def neuron_gradients(*numbers):
    def o(x1, x2, w1, w2, b):
        return math.tanh(w1 * x1 + w2 * x2 + b)
    return [central_difference(
        lambda n: o(*numbers[:i], n, *numbers[i + 1:]), numbers[i])
        for i in range(5)]
""",
    ],
    "6.2": [
        # Slope by slope, each as the quotient of two neighbours.
        """
def wrong_slope(grads, pushed):
    for i, (g, p) in enumerate(zip(grads, pushed)):
        if not math.isclose(grads[i + 1] / g, pushed[i + 1] / p, rel_tol=1e-3):
            return i
""",
        """
import numpy as np

def wrong_slope(grads, pushed):
    same = np.isclose(grads, pushed, rtol=1e-5, atol=0)
    return int(same.argmin()) - 1
""",
        # How many are right, less one: behind the wrong slope nothing is.
        """
def wrong_slope(grads, pushed):
    return sum(abs(g / p - 1) < 1e-3 for g, p in zip(grads, pushed)) - 1
""",
    ],
    "6.3": [
        """
def with_gradients(p, q):
    x, y = Value(0.0), Value(0.0)
    return x, y, p * x + q * y + 0 * x
""",
        """
def with_gradients(p, q):
    x, y = Value(3.0), Value(-1.0)
    return x, y, node(0.0, "made", x, p - 1.0, y, q) + x
""",
        """
def with_gradients(p, q):
    x, y = Value(p / 2), Value(q / 2)
    return [x, y, x * x + y * y]
""",
    ],
}
