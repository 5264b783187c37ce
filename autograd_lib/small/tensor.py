"""The engine as it is at the end of the page on `tensor`, cut from `whole.py`."""

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
