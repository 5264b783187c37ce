"""Answers to the exercises of chapter 07: wrong ones, and right ones."""

from __future__ import annotations

WRONG = {
    "7.1": [
        # Parameters only.
        "count = lambda nin, a, b, c: (nin + 1) * a + (a + 1) * b + (b + 1) * c",
        # What is made, and no parameters.
        """
def count(nin, a, b, c):
    return a * (2 * nin + 1) + b * (2 * a + 1) + c * 2 * b
""",
        # The last layer has no relu.
        """
def count(nin, a, b, c):
    return a * (3 * nin + 2) + b * (3 * a + 2) + c * (3 * b + 2)
""",
        # No layer has one.
        """
def count(nin, a, b, c):
    return a * (3 * nin + 1) + b * (3 * a + 1) + c * (3 * b + 1)
""",
        # n products need n - 1 sums, but the bias is there too.
        """
def count(nin, a, b, c):
    return a * (3 * nin + 1) + b * (3 * a + 1) + c * 3 * b
""",
        # The inputs are plain numbers.
        """
def count(nin, a, b, c):
    return nin + a * (3 * nin + 2) + b * (3 * a + 2) + c * (3 * b + 1)
""",
        # One output.
        """
def count(nin, a, b, c):
    return a * (3 * nin + 2) + b * (3 * a + 2) + (3 * b + 1)
""",
    ],
    "7.2": [
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, 2, 0]",  # adds the second
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, -1, 0]",  # or
        "nine_numbers = lambda: [1, 1, 0, 1, 1, 1, 1, -2, 0]",
        "nine_numbers = lambda: [0, 1, 1, -1, 1, 1, 0, 1, -2]",  # biases first
        "nine_numbers = lambda: [1, 1, 1, 1, 0, -1, 1, -2, 0]",  # weights first
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, -2]",
        "nine_numbers = lambda: [0] * 9",
        # Every case is missed by a half: where most beginnings end.
        "nine_numbers = lambda: [1, 1, -2, 1, 1, -2, 1, 1, 0.5]",
        # The network, not its numbers.
        "nine_numbers = lambda: Network(2, 2, 1)",
    ],
    "7.3": [
        # Each for itself, so that the direction changes.
        """
def clip(parameters, limit):
    for p in parameters:
        p.grad = max(-limit, min(limit, p.grad))
""",
        # Short gradients are made long.
        """
def clip(parameters, limit):
    length = sum(p.grad**2 for p in parameters) ** 0.5
    for p in parameters:
        p.grad *= limit / length
""",
        # No root.
        """
def clip(parameters, limit):
    length = sum(p.grad**2 for p in parameters)
    if length > limit:
        for p in parameters:
            p.grad *= limit / length
""",
        """
def clip(parameters, limit):
    length = sum(abs(p.grad) for p in parameters)
    if length > limit:
        for p in parameters:
            p.grad *= limit / length
""",
        # The length is taken again while it changes.
        """
def clip(parameters, limit):
    for p in parameters:
        length = sum(q.grad**2 for q in parameters) ** 0.5
        if length > limit:
            p.grad *= limit / length
""",
        # A list of scaled numbers, and nothing is changed.
        """
def clip(parameters, limit):
    length = sum(p.grad**2 for p in parameters) ** 0.5
    return [p.grad * min(1, limit / length) for p in parameters]
""",
        """
def clip(parameters, limit):
    length = sum(p.data**2 for p in parameters) ** 0.5
    if length > limit:
        for p in parameters:
            p.data *= limit / length
""",
    ],
    "7.4": [
        "fused_sum = sum",
        "fused_sum = lambda values: Dot(values, values)",
        "fused_sum = lambda values: Dot([0.0] * len(values), values)",
        "fused_sum = lambda values: Value(sum(v.data for v in values))",
        # relu of the sum.
        """
def fused_sum(values):
    return Dot(Vector([1.0] * len(values)), Vector(values), True)
""",
        # The ones become leaves of the graph.
        """
def fused_sum(values):
    return Dot([Value(1.0) for _ in values], values)
""",
        "fused_sum = lambda values: Vector(values)",
        "fused_sum = lambda values: Dot(values, [v.data for v in values])",
    ],
}

RIGHT = {
    "7.1": [
        """
def count(*sizes):
    pairs = list(pairwise(sizes))
    return sum(m * (3 * n + 2) for n, m in pairs) - sizes[-1]
""",
        # One network, counted as the pass would.
        """
def count(nin, a, b, c):
    model = Network(nin, a, b, c)
    xs = [Value(1.0) for _ in range(nin)]
    for layer in model.layers:
        xs = [neuron(xs) for neuron in layer]
    return len(topological_order(sum(xs))) - nin - c
""",
    ],
    "7.2": [
        # One neuron for each difference.
        "nine_numbers = lambda: [1, -1, 0, -1, 1, 0, 1, 1, 0]",
        # What both have is taken from either.
        "nine_numbers = lambda: (-1, -1, 1, 1, 1, -1, -1, -1, 1)",
        "nine_numbers = lambda: np.array([2, 2, 0, 2, 2, -2, 0.5, -1, 0])",
        # By hand, where the page trains.
        "nine_numbers = lambda: [1, 1, 0, 1, 1, -1, 1, -2, 0]",
    ],
    "7.3": [
        """
def clip(parameters, limit):
    length = np.linalg.norm([p.grad for p in parameters])
    for p in parameters:
        p.grad *= min(1.0, limit / length) if length else 1.0
""",
        """
def clip(parameters, limit):
    squares = 0
    for p in parameters:
        squares += p.grad * p.grad
    if squares <= limit * limit:
        return
    for p in parameters:
        p.grad = p.grad / (squares / limit**2) ** 0.5
""",
    ],
    "7.4": [
        "fused_sum = lambda values: Dot(Vector(values), [1] * len(values))",
        "fused_sum = lambda values: Dot([1] * len(values), values)",
    ],
}
