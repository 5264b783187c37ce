"""Answers to the exercises of chapter 03 that a reader may well give."""

from __future__ import annotations

WRONG = {
    "3.1": [
        """
def adjoints(x1, x2):  # the sign of the quotient
    v1, v2 = x1 * x2, x1 + x2
    v1_bar, v2_bar = 5 / v2, 5 * v1 / v2**2
    return v1_bar, v2_bar, v1_bar * x2 + v2_bar, v1_bar * x1 + v2_bar
""",
        """
def adjoints(x1, x2):  # swapped
    v1, v2 = x1 * x2, x1 + x2
    v1_bar, v2_bar = 5 / v2, -5 * v1 / v2**2
    return v1_bar, v2_bar, v1_bar * x1 + v2_bar, v1_bar * x2 + v2_bar
""",
        """
def adjoints(x1, x2):  # the 5 is forgotten
    v1, v2 = x1 * x2, x1 + x2
    v1_bar, v2_bar = 1 / v2, -v1 / v2**2
    return v1_bar, v2_bar, v1_bar * x2 + v2_bar, v1_bar * x1 + v2_bar
""",
        """
def adjoints(x1, x2):  # the second use overwrites
    v1, v2 = x1 * x2, x1 + x2
    v1_bar, v2_bar = 5 / v2, -5 * v1 / v2**2
    return v1_bar, v2_bar, v1_bar * x2, v1_bar * x1
""",
        """
def adjoints(x1, x2):  # by differences, without a trace
    return partial_derivatives(lambda x, y: 5 * x * y / (x + y), (x1, x2))
""",
    ],
    "3.2": [
        "bw_hypot = lambda v, out, g: g * (v[0] + v[1]) / out",
        "bw_hypot = lambda v, out, g: [v[0] / out, v[1] / out]",
        "bw_hypot = lambda v, out, g: [2 * v[0] * g, 2 * v[1] * g]",
        "bw_hypot = lambda v, out, g: [g * v[1] / out, g * v[0] / out]",
        "bw_hypot = lambda v, out, g: [g * v[0] / (2 * out), g * v[1] / (2 * out)]",
        "bw_hypot = lambda a, b, out, g: [g * a / out, g * b / out]",
        "bw_hypot = lambda v, out, g: {g * v[0] / out, g * v[1] / out}",
    ],
    "3.3": [
        """
def depth_first(root):  # seen by value
    order, seen = [], set()

    def visit(number):
        if number not in seen:
            seen.add(number)
            for parent in number.parents:
                visit(parent)
            order.append(number)

    visit(root)
    return order
""",
        """
def depth_first(root):  # writes a number down before its parents
    order, seen = [], set()

    def visit(number):
        if id(number) not in seen:
            seen.add(id(number))
            order.append(number)
            for parent in number.parents:
                visit(parent)

    visit(root)
    return order
""",
        """
def depth_first(root):  # that, reversed
    order, seen = [], set()

    def visit(number):
        if id(number) not in seen:
            seen.add(id(number))
            order.append(number)
            for parent in number.parents:
                visit(parent)

    visit(root)
    return order[::-1]
""",
        """
def depth_first(root):  # nobody is remembered
    return [v for parent in root.parents for v in depth_first(parent)] + [root]
""",
        """
def depth_first(root):
    return [root]
""",
    ],
    "3.4": [
        "paths = lambda root, leaf: len(topological_order(root))",
        "paths = lambda root, leaf: len(root.parents)",
        """
def paths(root, leaf):  # a gradient, which the signs cancel
    root.backprop()
    return leaf.grad
""",
        """
def paths(root, leaf):  # kept by value
    count = {root: 1}
    for number in reversed(topological_order(root)):
        for parent in number.parents:
            count[parent] = count.get(parent, 0) + count[number]
    return count.get(leaf, 0)
""",
        """
def paths(root, leaf):  # overwrites
    count = {id(root): 1}
    for number in reversed(topological_order(root)):
        for parent in number.parents:
            count[id(parent)] = count[id(number)]
    return count.get(id(leaf), 0)
""",
        """
def paths(root, leaf):  # fails where no path leads
    count = {id(number): 0 for number in topological_order(root)}
    count[id(root)] = 1
    for number in reversed(topological_order(root)):
        for parent in number.parents:
            count[id(parent)] += count[id(number)]
    return count[id(leaf)]
""",
    ],
}

RIGHT = {
    "3.1": [
        """
def adjoints(x1, x2):
    v1, v2 = x1 * x2, x1 + x2
    of_x = 5 * x2**2 / v2**2, 5 * x1**2 / v2**2
    return [5 / v2, -5 * v1 / v2**2, *of_x]
""",
        """
def adjoints(x1, x2):
    x1, x2 = multi_var(x1), multi_var(x2)
    v1, v2 = lib.mul(x1, x2), lib.add(x1, x2)
    lib.mul(5, lib.div(v1, v2)).backprop()
    return v1.grad, v2.grad, x1.grad, x2.grad
""",
    ],
    "3.2": [
        "bw_hypot = lambda v, out, g: (v[0] / out * g, v[1] / out * g)",
        "bw_hypot = lambda v, out, g: [g * side / out for side in v]",
        "bw_hypot = lambda v, out, g: [g * s / math.hypot(*v) for s in v]",
    ],
    "3.3": [
        """
def depth_first(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        number, parents_are_in = stack.pop()
        if parents_are_in:
            order.append(number)
        elif id(number) not in seen:
            seen.add(id(number))
            stack.append((number, True))
            stack += [(parent, False) for parent in number.parents]
    return order
""",
        """
def depth_first(root, order=None):
    order = [] if order is None else order
    for parent in root.parents:
        if not any(parent is met for met in order):
            depth_first(parent, order)
    if not any(root is met for met in order):
        order.append(root)
    return order
""",
    ],
    "3.4": [
        """
def paths(root, leaf):
    count = {}
    for number in topological_order(root):
        above = sum(count[id(parent)] for parent in number.parents)
        count[id(number)] = 1 if number is leaf else above
    return count[id(root)]
""",
        """
def paths(root, leaf, known=None):
    known = {} if known is None else known
    if root is leaf:
        return 1
    if id(root) not in known:
        known[id(root)] = sum(paths(p, leaf, known) for p in root.parents)
    return known[id(root)]
""",
    ],
}
