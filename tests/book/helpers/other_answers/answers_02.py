"""Answers to the exercises of chapter 02 that a reader may well give."""

from __future__ import annotations

WRONG = {
    "2.1": [
        "bw_softplus = lambda v, out, g: g / (1 + math.exp(-v))",  # overflows
        "bw_softplus = lambda v, out, g: g * math.exp(v) / (1 + math.exp(v))",
        "bw_softplus = lambda v, out, g: math.exp(v - out)",  # no grad_out
        "bw_softplus = lambda v, out, g: g if v > 0 else 0.0",  # relu's
        "bw_softplus = lambda v, out, g: g * math.exp(-out)",
        "bw_softplus = lambda v, out, g: g * math.exp(out - v)",
        "bw_softplus = lambda v, out, g: g * out * (1 - out)",  # the sigmoid's
    ],
    "2.2": [
        "power = lambda n: lambda x: x**n",
        "power = lambda n: lib.float_var(n)",
        """
def power(n):
    return lib.autograd_chainer(lambda v: v**n, lambda v, out, g: n * v ** (n - 1))
""",
        """
def power(n):
    return lib.autograd_chainer(lambda v: v**n, lambda v, out, g: g * n * v**n)
""",
        """
def power(n):
    return lib.autograd_chainer(lambda v: v**n, lambda v, out, g: g * n * out / v)
""",
        """
def power(n):
    lib.autograd_chainer(lambda v: v**n, lambda v, out, g: g * n * v ** (n - 1))
""",
    ],
    "2.3": [
        "length = lambda var: len(remembered(var))",
        "length = lambda var: len(var.parents)",
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
    "2.4": [
        "bw_inverse = lambda slope: lambda v, out, g: g / slope(v)",
        "bw_inverse = lambda slope: lambda v, out, g: g * slope(out)",
        "bw_inverse = lambda slope: lambda v, out, g: 1 / slope(out)",
        """
def bw_inverse(slope_of_f):
    def bw_func(val_in, val_out, grad_out):
        return grad_out / slope_of_f(val_out)
""",
    ],
}

RIGHT = {
    "2.1": [
        "bw_softplus = lambda v, out, g: g * (1 - math.exp(-out))",
        "bw_softplus = lambda v, out, g: g * (1 + math.tanh(v / 2)) / 2",
        """
def bw_softplus(val_in, val_out, grad_out):
    small = math.exp(-abs(val_in))
    return grad_out * (1 if val_in > 0 else small) / (1 + small)
""",
        """
def bw_softplus(val_in, val_out, grad_out):
    return grad_out * lib.sigmoid(val_in)
""",
    ],
    "2.2": [
        """
def power(n):
    @lib.chained(lambda v, out, g: g * n * v ** (n - 1))
    def nth_power(v):
        return v**n
    return nth_power
""",
        """
def power(n):  # n - 1 products, as one primitive
    def slope(v):
        return sum(v ** (n - 1) for _ in range(n))
    return lib.autograd_chainer(
        lambda v: math.prod([v] * n), lambda v, out, g: slope(v) * g)
""",
        """
def power(n):
    return lib.autograd_chainer(
        lambda v: v**n, lambda v, out, g: g * (n * out / v if v else float(n == 1)))
""",
    ],
    "2.3": [
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
    "2.4": [
        "bw_inverse = lambda slope: lambda v, out, g: g / slope(out)",
        "bw_inverse = lambda slope: lambda v, y, g: slope(y) ** -1 * g",
    ],
}
