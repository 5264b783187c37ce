"""Answers to the exercises of chapter 02 that a reader may well give."""

from __future__ import annotations

WRONG = {
    "2.1": [
        "length = lambda var: len(remembered(var))",
        "length = lambda var: len(var.parents)",
        "length = lambda var: round(-math.log2(var))",  # of halves only
        "length = lambda var: 1 + length(remembered(var)['val_in'])",
        """
def length(var):  # counts the leaf
    n = 1
    while "val_in" in remembered(var):
        var = remembered(var)["val_in"]
        n += 1
    return n
""",
        """
def length(var):
    return 1 if remembered(var) else 0
""",
    ],
    "2.2": [
        """
def order(y):  # the nearest first
    found = [y]
    for v in found:
        found += [p for p, slope in v.edges if p not in found]
    return found
""",
        """
def order(y):  # a number as often as there are paths to it
    return [y] + [v for parent, slope in y.edges for v in order(parent)]
""",
        """
def order(y):  # calls itself
    down = []

    def visit(v):
        for parent, slope in v.edges:
            if parent not in down:
                visit(parent)
        down.append(v)

    visit(y)
    return down[::-1]
""",
        """
def order(y):  # parents first
    down, met, waiting = [], set(), [(y, False)]
    while waiting:
        v, parents_are_down = waiting.pop()
        if parents_are_down:
            down.append(v)
        elif v not in met:
            met.add(v)
            waiting.append((v, True))
            waiting += [(parent, False) for parent, slope in v.edges]
    return down
""",
        "order = lambda y: [y]",
    ],
    "2.3": [
        "too_late = lambda x, n: x * Number(n)",
        "too_late = lambda x, n: Number(0.0)",
        "too_late = lambda x, n: Number(0.0, [(x, float(n))])",
        """
def too_late(x, n):  # the product is made before the result
    product = x * Number(n)
    return Number(0.0, [(product, 1.0)])
""",
        """
def too_late(x, n):
    z = Number(0.0)
    z.edges = [(x * x, n)]
    return z
""",
    ],
    "2.4": [
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
    "2.5": [
        "bw_inverse = lambda slope: lambda v, out, g: g / slope(v)",
        "bw_inverse = lambda slope: lambda v, out, g: g * slope(out)",
        "bw_inverse = lambda slope: lambda v, out, g: 1 / slope(out)",
        """
def bw_inverse(slope_of_f):
    def bw_func(val_in, val_out, grad_out):
        return grad_out / slope_of_f(val_out)
""",
    ],
    "2.6": [
        "paths = lambda root, leaf: len(latest_first(root))",
        "paths = lambda root, leaf: len(root.edges)",
        """
def paths(root, leaf):  # overwrites
    count = {root: 1}
    for v in latest_first(root):
        for parent, slope in v.edges:
            count[parent] = count[v]
    return count.get(leaf, 0)
""",
        """
def paths(root, leaf):  # fails where no path leads
    count = dict.fromkeys(latest_first(root), 0)
    count[root] = 1
    for v in latest_first(root):
        for parent, slope in v.edges:
            count[parent] += count[v]
    return count[leaf]
""",
    ],
}

RIGHT = {
    "2.1": [
        """
def length(var):
    memory = remembered(var)
    return 1 + length(memory["val_in"]) if memory else 0
""",
        """
def length(var):
    n = 0
    while "backprop" in vars(var):
        cells = zip(var.backprop.__code__.co_freevars, var.backprop.__closure__)
        var = {name: cell.cell_contents for name, cell in cells}["val_in"]
        n += 1
    return n
""",
    ],
    "2.2": [
        """
def order(y):  # counts the uses that lead to y
    uses, waiting = {y: 0}, [y]
    while waiting:
        for parent, slope in waiting.pop().edges:
            if parent not in uses:
                uses[parent] = 0
                waiting.append(parent)
            uses[parent] += 1
    done, ready = [], [y]
    while ready:
        done.append(ready.pop())
        for parent, slope in done[-1].edges:
            uses[parent] -= 1
            if uses[parent] == 0:
                ready.append(parent)
    return done
""",
    ],
    "2.3": [
        """
def too_late(x, n):
    z, late = Number(0.0), x
    for _ in range(n - 1):
        late = late + x
    z.edges = [(late + Number(0.0), 1.0)]
    return z
""",
        """
def too_late(x, n):
    z = Number(1.0)
    z.edges = ((Number(x.data, [(x, n)]), 1.0),)
    return z
""",
    ],
    "2.4": [
        """
def adjoints(x1, x2):
    v1, v2 = x1 * x2, x1 + x2
    of_x = 5 * x2**2 / v2**2, 5 * x1**2 / v2**2
    return [5 / v2, -5 * v1 / v2**2, *of_x]
""",
    ],
    "2.5": [
        "bw_inverse = lambda slope: lambda v, out, g: g / slope(out)",
        "bw_inverse = lambda slope: lambda v, y, g: slope(y) ** -1 * g",
    ],
    "2.6": [
        """
def paths(root, leaf):
    count = {}
    for v in reversed(latest_first(root)):
        above = sum(count[parent] for parent, slope in v.edges)
        count[v] = 1 if v is leaf else above
    return count[root]
""",
        """
def paths(root, leaf, known=None):
    known = {} if known is None else known
    if root is leaf:
        return 1
    if root not in known:
        known[root] = sum(paths(p, leaf, known) for p, slope in root.edges)
    return known[root]
""",
    ],
}
