"""The engine as it is at the end of the page on `choices`, cut from `whole.py`."""

from contextlib import contextmanager
from itertools import count

import numpy as np

# %% order: the number that was made last has its turn first


clock = count()


def latest_first(y) -> list:
    """Return y and all that it was made from, the latest first."""
    waiting, found = [y], set()
    while waiting:
        v = waiting.pop()
        if v not in found:
            found.add(v)
            waiting += [parent for parent, *_ in v.edges]
    return sorted(found, key=lambda v: v.made, reverse=True)


# %% tensor: arrays for floats, and a rule for a slope


recording = True
OUTPUT = "the result"  # saved in its place, since it must not hold itself


class Tensor:
    """An array of floats, and a node if gradients may be asked for."""

    def __init__(self, data, requires_grad=False, dtype=None):
        self.data = floats(data, dtype)
        self.node = Node((), self.data) if requires_grad else None

    def __repr__(self): return f"Tensor({self.data})"


class Node:
    """The edges (parent, rule, saved) of a tensor, but not its data."""

    def __init__(self, edges, data):
        self.edges, self.shape, self.made = edges, data.shape, next(clock)
        asked = any(part is OUTPUT for edge in edges for part in edge)
        self.output = data if asked else None


class Freed:
    """The edges of a node that a pass has used."""

    def __iter__(self):
        raise RuntimeError("freed by the pass before: it needs retain_graph")


def floats(data, dtype=None):
    """Return a new array: float32 stays, whole numbers become float64."""
    array = np.array(data, dtype)
    return array if array.dtype.kind == "f" else array.astype(float)


def plain(x): return x.data if isinstance(x, Tensor) else x


def result(data, node=None) -> Tensor:
    """Return a tensor of an array that nobody else has: no copy."""
    t = Tensor.__new__(Tensor)
    t.data, t.node = np.asarray(data), node
    return t


def record(data, *edges) -> Tensor:
    """Return a result that remembers its inputs: edges (x, rule, saved)."""
    data = np.asarray(data)
    edges = [(x.node, rule, *saved) for x, rule, *saved in edges
             if recording and isinstance(x, Tensor) and x.node]
    return result(data, Node(edges, data) if edges else None)


@contextmanager
def set_grad_enabled(on):
    """Record inside `with`, or not; afterwards as before, come what may."""
    global recording
    before, recording = recording, on
    try:
        yield
    finally:
        recording = before


def seed(y, gradient) -> Tensor:
    """Return the gradient that a pass begins with: 1 if y is one number."""
    if y.node is None:
        raise RuntimeError("not recorded, or no input has requires_grad=True")
    if gradient is None and y.data.size > 1:
        raise ValueError(f"shape {y.shape}: take its sum, or give a gradient")
    if isinstance(gradient, Tensor):
        return broadcast_to(gradient, y.shape)
    return result(np.full_like(y.data, 1 if gradient is None else gradient))


def opened(saved, v):
    """Return what an edge of v saved; OUTPUT becomes a tensor with node v."""
    return [result(v.output, v) if x is OUTPUT else x for x in saved]


def walk(y, gradient=None, retain_graph=False, create_graph=False, inputs=()):
    """Return the gradient of y in each leaf, and in each node in inputs."""
    grads, found = {y.node: seed(y, gradient)}, {}
    turns = latest_first(y.node)
    for i, v in enumerate(inputs):
        if v not in turns:
            raise RuntimeError(f"the result does not depend on input {i}")
    with set_grad_enabled(create_graph):
        for v in turns:
            g = grads.pop(v)
            if not v.edges or v in inputs:
                found[v] = g
            for parent, rule, *saved in v.edges:
                d = sum_to(rule(g, *opened(saved, v)), parent.shape)
                grads[parent] = grads[parent] + d if parent in grads else d
    middle = any(v.edges for v in inputs)  # its own graph is kept
    if not (retain_graph or create_graph or middle):
        for v in turns:
            if v.edges:
                v.edges, v.output = Freed(), None
    return found


def grad(y, xs, gradient=None, retain_graph=False, create_graph=False):
    """Return the gradients of y in the tensors xs, in a list."""
    inputs = [x.node for x in xs]
    found = walk(y, gradient, retain_graph, create_graph, inputs)
    return [found[v] for v in inputs]


def unchanged(g): return g
def negative(x): return record(-plain(x), (x, negative))


def add(x, y):
    return record(plain(x) + plain(y), (x, unchanged), (y, unchanged))


def subtract(x, y):
    return record(plain(x) - plain(y), (x, unchanged), (y, negative))


def multiply(x, y):
    return record(plain(x) * plain(y), (x, multiply, y), (y, multiply, x))


def matmul(x, y):
    if np.ndim(plain(x)) < 2 or np.ndim(plain(y)) < 2:
        raise ValueError("x @ y: make a vector a row (1, n) or column (n, 1)")
    return record(plain(x) @ plain(y),
                  (x, lambda g, y: matmul(g, swapaxes(y, -1, -2)), y),
                  (y, lambda g, x: matmul(swapaxes(x, -1, -2), g), x))


def swapaxes(x, i, j):
    return record(plain(x).swapaxes(i, j), (x, swapaxes, i, j))


def transpose(x): return record(plain(x).T, (x, transpose))


def sum_to(x, shape: tuple):
    """Return the sum of x over the copies of a tensor of this shape."""
    a = plain(x)
    if a.shape == shape:
        return x
    front = a.ndim - len(shape)  # so many axes were added in front
    ones = [front + i for i, n in enumerate(shape) if n == 1]
    a = a.sum((*range(front), *ones)).reshape(shape)
    return record(a, (x, broadcast_to, x.shape))


def broadcast_to(x, shape: tuple):
    a = plain(x)
    return record(np.broadcast_to(a, shape), (x, sum_to, np.shape(a)))


def tanh_rule(g, y): return g * (1.0 - y * y)
def tanh(x): return record(np.tanh(plain(x)), (x, tanh_rule, OUTPUT))


Tensor.__add__ = Tensor.__radd__ = add
Tensor.__mul__ = Tensor.__rmul__ = multiply
Tensor.__sub__, Tensor.__rsub__ = subtract, lambda x, y: subtract(y, x)
Tensor.__matmul__, Tensor.__rmatmul__ = matmul, lambda x, y: matmul(y, x)
Tensor.__neg__, Tensor.T = negative, property(transpose)
Tensor.shape = property(lambda x: x.data.shape)
Tensor.item = lambda x: x.data.item()


# %% numpy: NumPy's names for them, and no gradient that is lost in silence


def exp(x): return record(np.exp(plain(x)), (x, multiply, OUTPUT))
def log(x): return record(np.log(plain(x)), (x, divide, x))


def divisor_rule(g, x, y): return g * -(x / y) / y


def divide(x, y):
    quotient = plain(x) / plain(y)
    return record(quotient, (x, divide, y), (y, divisor_rule, x, y))


def power_rule(g, x, n): return g * (n * power(x, n - 1))


def power(x, n):
    if isinstance(n, Tensor | np.ndarray):
        raise TypeError("x ** n: n is a number; else np.exp(n * np.log(x))")
    edges = [(x, power_rule, x, n)] if n else []  # x**0 is 1 everywhere
    return record(plain(x) ** n, *edges)


def answer(x, function, types, args, options):
    """Do what NumPy asks of a tensor, or say that there is no rule for it."""
    known = operations.get(function)
    return known(*args, **options) if known else NotImplemented


def answer_ufunc(x, function, method, *args, **options):
    """Do np.exp(x) and array * x, but not np.multiply.outer(x, x)."""
    asked = function if method == "__call__" and not options else None
    return answer(x, asked, (), args, options)


def refuse(x, *_, **__):
    raise TypeError("an array has no node: for its numbers, write x.data")


operations = {
    np.add: add, np.subtract: subtract, np.multiply: multiply,
    np.divide: divide, np.negative: negative, np.power: power,
    np.matmul: matmul, np.exp: exp, np.log: log, np.tanh: tanh,
    np.sqrt: lambda x: power(x, 0.5)}
Tensor.__array_function__, Tensor.__array_ufunc__ = answer, answer_ufunc
Tensor.__truediv__, Tensor.__rtruediv__ = divide, lambda x, y: divide(y, x)
Tensor.__pow__, Tensor.__array__ = power, refuse


# %% choices: choose, add up, and a loss


def where(chosen, x, y):
    return record(np.where(chosen, plain(x), plain(y)),
                  (x, lambda g, chosen: where(chosen, g, 0.0), chosen),
                  (y, lambda g, chosen: where(chosen, 0.0, g), chosen))


def maximum(x, y):
    a, b = plain(x), plain(y)
    share = np.heaviside(a - b, 0.5)  # 1, 0, and a half where they are equal
    return record(np.maximum(a, b), (x, multiply, share),
                  (y, multiply, 1.0 - share))


def reshape(x, *shape):
    return record(plain(x).reshape(*shape), (x, reshape, x.shape))


def total(x, axis=None, keepdims=False):
    """Return the sum over an axis, over several or over all."""
    sums = plain(x).sum(axis, keepdims=True)
    y = record(sums, (x, broadcast_to, x.shape))
    return y if keepdims else reshape(y, sums.squeeze(axis).shape)


def mean(x, axis=None, keepdims=False):
    y = total(x, axis, keepdims)
    return y / (x.data.size / y.data.size)


def cross_entropy(scores, labels):
    """Return the mean of -log p of the right classes, which are integers."""
    right = np.eye(scores.shape[-1], dtype=bool)[labels]
    if right.shape != scores.shape:
        raise ValueError(f"labels must have the shape {scores.shape[:-1]}")
    below = scores - plain(scores).max(-1, keepdims=True)  # exp is at most 1
    log_p = below - log(total(exp(below), -1, True))
    return -mean(total(where(right, log_p, 0.0), -1))


def compared(function):
    """Return a comparison of tensors; it has no slope, and gives an array."""
    return lambda x, y: function(plain(x), plain(y))


signs = {"lt": np.less, "le": np.less_equal, "eq": np.equal,
         "gt": np.greater, "ge": np.greater_equal, "ne": np.not_equal}
for sign, function in signs.items():
    operations[function] = compared(function)
    setattr(Tensor, f"__{sign}__", compared(function))
operations |= {
    np.where: where, np.maximum: maximum, np.sum: total, np.mean: mean,
    np.reshape: reshape, np.swapaxes: swapaxes, np.transpose: transpose}
Tensor.sum, Tensor.mean, Tensor.reshape = total, mean, reshape
Tensor.swapaxes, Tensor.__bool__ = swapaxes, lambda x: bool(x.data)
