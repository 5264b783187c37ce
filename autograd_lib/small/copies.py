"""The engine as it is at the end of the page on `copies`, cut from `whole.py`."""

import math
from itertools import count

# %% number: a float that remembers what it was made from


class Number:
    """A float, and an edge (parent, slope) to each one it was made from."""

    def __init__(self, data, edges=()):
        self.data, self.edges, self.grad = data, edges, 0.0

    def __add__(self, other):
        return Number(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        edges = [(self, other.data), (other, self.data)]
        return Number(self.data * other.data, edges)


# %% order: the number that was made last has its turn first


clock = count()


def numbered(v, data, edges=()):
    """Do what Number.__init__ did, and note when v was made."""
    v.data, v.edges, v.grad, v.made = data, edges, 0.0, next(clock)


Number.__init__ = numbered


def latest_first(y) -> list:
    """Return y and all that it was made from, the latest first."""
    waiting, found = [y], set()
    while waiting:
        v = waiting.pop()
        if v not in found:
            found.add(v)
            waiting += [parent for parent, *_ in v.edges]
    return sorted(found, key=lambda v: v.made, reverse=True)


# %% graph: the gradients of one pass, and what a leaf keeps of many


def walk(y) -> dict:
    """Return y's gradient with respect to each number it was made from."""
    grads = {y: 1.0}
    for v in latest_first(y):
        g = grads[v]
        for parent, slope in v.edges:
            grads[parent] = grads.get(parent, 0.0) + slope * g
    return grads


def backward(y):
    """Add y's gradient to the grad of each leaf, a number without edges."""
    for v, g in walk(y).items():
        if not v.edges:
            v.grad += g


def as_number(x): return x if isinstance(x, Number) else Number(x)


def add(x, y):
    x, y = as_number(x), as_number(y)
    return Number(x.data + y.data, [(x, 1.0), (y, 1.0)])


def multiply(x, y):
    x, y = as_number(x), as_number(y)
    return Number(x.data * y.data, [(x, y.data), (y, x.data)])


def divide(x, y):
    x, y = as_number(x), as_number(y)
    z = x.data / y.data
    return Number(z, [(x, 1.0 / y.data), (y, -z / y.data)])


def power(x, n):
    slope = n * math.pow(x.data, n - 1) if n else 0.0  # x**0 is 1 everywhere
    return Number(math.pow(x.data, n), [(x, slope)])


def relu(x):
    slope = 0.0 if x.data <= 0 else 1.0  # 1 for NaN, which stays NaN
    return Number(max(x.data, 0.0), [(x, slope)])


Number.__add__ = Number.__radd__ = add
Number.__mul__ = Number.__rmul__ = multiply
Number.__neg__ = lambda x: x * -1.0
Number.__sub__, Number.__rsub__ = lambda x, y: x + -y, lambda x, y: y + -x
Number.__truediv__, Number.__rtruediv__ = divide, lambda x, y: divide(y, x)
Number.__pow__, Number.relu = power, relu
Number.backward = backward


# %% copies: where NumPy copies, the gradient is a sum


def sum_to(a, shape: tuple):
    """Return the sum of a over the copies of an array of this shape."""
    front = a.ndim - len(shape)  # so many axes were added in front
    ones = [front + i for i, n in enumerate(shape) if n == 1]
    return a.sum((*range(front), *ones)).reshape(shape)
