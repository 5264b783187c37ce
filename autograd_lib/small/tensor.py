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


class Tensor:
    """An array of floats, and a node if gradients may be asked for."""

    def __init__(self, data, requires_grad=False, dtype=None):
        self.data = floats(data, dtype)
        self.node = Node([], self.shape) if requires_grad else None

    def __repr__(self): return f"Tensor({self.data})"


class Node:
    """The edges (parent, rule, *saved) of a tensor, but not its data."""

    def __init__(self, edges, shape):
        self.edges, self.shape, self.made = edges, shape, next(clock)


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


def record(data, *inputs) -> Tensor:
    """Return a tensor that remembers its inputs, each (x, rule, *saved).

    The pass calls rule(g, *saved): g is a tensor, and saved what stands here.
    A rule is made of recorded operations, so a pass can be recorded, too.
    """
    edges = []
    for x, rule, *saved in inputs:
        if recording and isinstance(x, Tensor) and x.node:
            edges.append((x.node, rule, *saved))
    return result(data, Node(edges, np.shape(data)) if edges else None)


def same(x): return record(plain(x), (x, same))
def negative(x): return record(-plain(x), (x, negative))
def add(x, y): return record(plain(x) + plain(y), (x, same), (y, same))
def subtract(x, y): return add(x, negative(y))


def multiply(x, y):
    return record(plain(x) * plain(y), (x, multiply, y), (y, multiply, x))


def tanh(x): return record(np.tanh(plain(x)), (x, tanh_rule, x))


def tanh_rule(g, x):
    y = tanh(x)  # once more: an edge that holds its own result is a circle
    return g * (1.0 - y * y)


def sum_to(x, shape: tuple):
    """Return the sum of x over the copies of a tensor of this shape."""
    a = plain(x)
    front = a.ndim - len(shape)  # so many axes were added in front
    ones = [front + i for i, n in enumerate(shape) if n == 1]
    sums = a.sum((*range(front), *ones)).reshape(shape)
    return record(sums, (x, broadcast_to, a.shape))


def broadcast_to(x, shape: tuple):
    a = plain(x)
    return record(np.broadcast_to(a, shape), (x, sum_to, np.shape(a)))


@contextmanager
def set_grad_enabled(on):
    """Record inside `with`, or not; afterwards as before, come what may."""
    global recording
    before, recording = recording, on
    try:
        yield
    finally:
        recording = before


def like(t, g) -> Tensor:
    """Return g as a tensor of t's shape; an array is copied, in t's type."""
    g = g if isinstance(g, Tensor) else Tensor(g, dtype=t.data.dtype)
    return broadcast_to(g, t.shape)


def seed(y, gradient) -> Tensor:
    """Return the gradient that a pass begins with: 1 if y is one number."""
    if y.node is None:
        raise RuntimeError("not recorded, or no input has requires_grad=True")
    if gradient is None and y.data.size > 1:
        raise ValueError(f"shape {y.shape}: take its sum, or give a gradient")
    return like(y, 1.0 if gradient is None else gradient)


def walk(y, gradient=None, retain_graph=False, create_graph=False, inputs=()):
    """Return the gradient of y in each leaf, and in each node in inputs."""
    with set_grad_enabled(create_graph):
        grads, found = {y.node: seed(y, gradient)}, {}
        turns = latest_first(y.node)
        for v in turns:
            g = grads.pop(v)
            if not v.edges or v in inputs:
                found[v] = g
            for parent, rule, *saved in v.edges:
                d = rule(g, *saved)
                if d.shape != parent.shape:  # it was copied to fit
                    d = sum_to(d, parent.shape)
                grads[parent] = grads[parent] + d if parent in grads else d
    if not (retain_graph or create_graph):
        free(turns)
    return found


class Freed:
    """The edges of a node that a pass has used."""

    def __iter__(self):
        raise RuntimeError("freed by the pass before: it needs retain_graph")


def free(nodes):
    """Let go of all that rules saved."""
    for v in nodes:
        if v.edges:
            v.edges = Freed()


def grad(y, xs, gradient=None, retain_graph=False, create_graph=False):
    """Return the gradients of y in the tensors xs, in a list."""
    inputs = [x.node for x in xs]
    below = any(v and v.edges for v in inputs)  # x has a graph: it is kept
    found = walk(y, gradient, retain_graph or below, create_graph, inputs)
    if unused := [i for i, v in enumerate(inputs) if v not in found]:
        raise RuntimeError(f"the result does not depend on xs[{unused[0]}]")
    return [found[v] for v in inputs]


def matmul(x, y):
    if np.ndim(plain(x)) < 2 or np.ndim(plain(y)) < 2:
        raise ValueError("x @ y: make a vector a row (1, n) or column (n, 1)")
    return record(plain(x) @ plain(y),
                  (x, lambda g, y: matmul(g, swapaxes(y, -1, -2)), y),
                  (y, lambda g, x: matmul(swapaxes(x, -1, -2), g), x))


def swapaxes(x, i, j):
    return record(plain(x).swapaxes(i, j), (x, swapaxes, i, j))


def transpose(x): return record(plain(x).T, (x, transpose))


Tensor.__add__ = Tensor.__radd__ = add
Tensor.__mul__ = Tensor.__rmul__ = multiply
Tensor.__sub__, Tensor.__rsub__ = subtract, lambda x, y: subtract(y, x)
Tensor.__matmul__, Tensor.__rmatmul__ = matmul, lambda x, y: matmul(y, x)
Tensor.__neg__, Tensor.T = negative, property(transpose)
Tensor.shape = property(lambda x: x.data.shape)
Tensor.item = lambda x: x.data.item()
