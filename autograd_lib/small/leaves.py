"""The engine as it is at the end of the page on `leaves`, cut from `whole.py`."""

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


# %% copies: where NumPy copies, the gradient is a sum


def sum_to(a, shape: tuple):
    """Return the sum of a over the copies of an array of this shape."""
    front = a.ndim - len(shape)  # so many axes were added in front
    ones = [front + i for i, n in enumerate(shape) if n == 1]
    return a.sum((*range(front), *ones)).reshape(shape)


# %% tensor: arrays for floats, and a rule for a slope


class Tensor:
    """An array of floats, and a node if gradients may be asked for."""

    def __init__(self, data, requires_grad=False, dtype=None):
        array = np.array(data, dtype)  # a copy; whole numbers become floats
        self.array = array if array.dtype.kind == "f" else array.astype(float)
        self.node = Node([], array.shape) if requires_grad else None

    def __repr__(self): return f"Tensor({self.data})"


class Result(Tensor):
    """A tensor that an operation made, which takes its array as it is."""

    def __init__(self, array, node=None):
        self.array, self.node = np.asarray(array), node  # may be a number
        if self.array.dtype == object:
            raise TypeError("a list of tensors would lose their gradients")


class Node:
    """The edges (parent, rule, *saved) of a tensor, but not its data."""

    def __init__(self, edges, shape):
        self.edges, self.shape, self.made = edges, shape, next(clock)
Tensor.requires_grad = property(lambda x: x.node is not None)
Tensor.shape = property(lambda x: x.array.shape)
Tensor.item = lambda x: x.array.item()


def plain(x): return x.array if isinstance(x, Tensor) else x


def node_of(x): return x.node if recording and isinstance(x, Tensor) else None
def detach(x): return Result(x.array) if isinstance(x, Tensor) else x


def snapshot(x):
    """Return x as it is now: later, x.data may be another array."""
    return Result(x.array, x.node) if isinstance(x, Tensor) else plain(x)


def record(function, *inputs) -> Tensor:
    """Return function(x, ...), and remember the inputs: (x, rule, *saved).

    If g is the gradient with respect to the result, then rule(g, *saved) is
    that with respect to x. All are tensors, and a rule is made of
    operations: they are recorded, too, if what they get has a history.
    What it reads of an input is saved: the x around it may be a later one,
    and an array would be a constant.
    """
    data = function(*[plain(x) for x, *_ in inputs])
    edges = [(node_of(x), rule, *map(snapshot, saved))
             for x, rule, *saved in inputs if node_of(x)]
    return Result(data, Node(edges, np.shape(data)) if edges else None)


def alike(a, x) -> Tensor:
    """Return a as a tensor of x's shape; an array is copied, in x's type."""
    if a is None:
        raise ValueError(f"give shape {x.shape} and not None, or take a sum")
    if np.shape(plain(a)) != x.shape:
        raise ValueError(f"shape {np.shape(plain(a))} in place of {x.shape}")
    return a if isinstance(a, Tensor) else Tensor(a, dtype=x.data.dtype)


def set_data(x, a):
    """Give x another array: a copy of a, of x's shape and in x's type."""
    x.array = alike(plain(a), x).array


Tensor.data = property(lambda x: x.array, set_data)




def same(x): return x
def add(x, y): return record(np.add, (x, same), (y, same))
def negative(x): return record(np.negative, (x, negative))
def subtract(x, y): return record(np.subtract, (x, same), (y, negative))


def multiply(x, y):
    return record(np.multiply, (x, multiply, y), (y, multiply, x))


def tanh(x): return record(np.tanh, (x, tanh_rule, x))


def tanh_rule(g, x):
    y = tanh(x)  # once more: saved, y would keep itself alive
    return g * (1.0 - y * y)


def matmul(x, y):
    if np.ndim(plain(x)) < 2 or np.ndim(plain(y)) < 2:
        raise ValueError("x @ y: make a vector a row (1, n) or column (n, 1)")
    return record(np.matmul, (x, left_rule, y), (y, right_rule, x))


def left_rule(g, y): return matmul(g, swapaxes(y, -1, -2))
def right_rule(g, x): return matmul(swapaxes(x, -1, -2), g)


def swapaxes(x, i, j):
    return record(lambda a: np.swapaxes(a, i, j), (x, swapaxes, i, j))


def transpose(x): return record(np.transpose, (x, transpose))


def broadcast_to(x, shape: tuple):
    return record(lambda a: np.broadcast_to(a, shape),
                  (x, sum_copies, x.shape))


def sum_copies(x, shape: tuple):
    return record(lambda a: sum_to(a, shape), (x, broadcast_to, x.shape))


Tensor.__add__ = Tensor.__radd__ = add
Tensor.__mul__ = Tensor.__rmul__ = multiply
Tensor.__sub__, Tensor.__rsub__ = subtract, lambda x, y: subtract(y, x)
Tensor.__matmul__, Tensor.__rmatmul__ = matmul, lambda x, y: matmul(y, x)
Tensor.__neg__, Tensor.T = negative, property(transpose)




def walk(y, gradient=None, create_graph=False, asked=()) -> dict:
    """Return y's gradient with respect to leaves, and to nodes in asked."""
    if y.node is None:
        raise RuntimeError("not recorded, or no input has requires_grad=True")
    if gradient is None and y.data.size == 1:
        gradient = np.ones(y.shape)
    grads = {y.node: alike(gradient, y)}  # None is refused
    for v in latest_first(y.node):
        g = grads.pop(v) if v.edges and v not in asked else grads[v]
        for parent, rule, *saved in v.edges:
            d = rule(g, *(saved if create_graph else map(detach, saved)))
            if d.shape != parent.shape:  # it was copied to fit
                d = sum_copies(d, parent.shape)
            grads[parent] = grads[parent] + d if parent in grads else d
    return grads


def grad(y, xs, gradient=None, create_graph=False) -> list:
    """Return the gradients of y with respect to the tensors xs."""
    if isinstance(xs, Tensor):
        raise TypeError("xs is a list of tensors: grad(y, [x])")
    nodes = [x.node for x in xs]
    grads = walk(y, gradient, create_graph, {*nodes})
    if unused := [i for i, v in enumerate(nodes) if v not in grads]:
        raise RuntimeError(f"y does not depend on xs{unused}: requires_grad?")
    return [grads[v] for v in nodes]


# %% numpy: NumPy's names for them, and no gradient that is lost in silence


def exp(x): return record(np.exp, (x, exp_rule, x))
def exp_rule(g, x): return g * exp(x)


def divide(x, y):
    return record(np.divide, (x, divide, y), (y, divisor_rule, x, y))


def divisor_rule(g, x, y): return negative(g * (x / y)) / y
def log(x): return record(np.log, (x, divide, x))


def power(x, n):
    if isinstance(n, Tensor | list):
        raise TypeError("x**n: n is a number or an array; or exp(n * log(x))")
    return record(lambda a: a**n, (x, power_rule, x, n))


def power_rule(g, x, n):
    return g * (n * power(x, n - (n != 0)))  # n is 0: not 0 * x**-1


def find(x, function, types, args, options):
    """NumPy calls this for np.sum(x), to have it done by one of ours."""
    if function not in operations:
        return NotImplemented  # and NumPy refuses, in words
    return operations[function](*args, **options)


def find_ufunc(x, ufunc, method, *args, **options):
    """NumPy calls this for np.exp(x) and array * x, as method "__call__"."""
    if method != "__call__" or options:  # np.add.outer(x, x), array += x
        raise TypeError(f"{ufunc} {method} {[*options]}: no rule; use x.data")
    return find(x, ufunc, (), args, options)


operations = {
    np.add: add, np.subtract: subtract, np.multiply: multiply, np.tanh: tanh,
    np.divide: divide, np.matmul: matmul, np.exp: exp, np.log: log,
    np.negative: negative, np.power: power, np.sqrt: lambda x: power(x, 0.5)}
Tensor.__array_function__, Tensor.__array_ufunc__ = find, find_ufunc
Tensor.__truediv__, Tensor.__rtruediv__ = divide, lambda x, y: divide(y, x)
Tensor.__pow__, Tensor.__rpow__ = power, lambda x, n: power(n, x)


# %% choices: choose, add up, and a loss


def where(chosen, x, y):
    chosen = plain(chosen)
    return record(lambda a, b: np.where(chosen, a, b),
                  (x, lambda g: where(chosen, g, 0.0)),
                  (y, lambda g: where(chosen, 0.0, g)))


def maximum(x, y):
    return record(np.maximum, (x, max_rule, x, y), (y, max_rule, y, x))


def max_rule(g, mine, other):
    """Return g where mine is larger, and half of it in a tie."""
    return where(mine < other, 0.0, where(mine == other, 0.5 * g, g))


def reshape(x, *shape):
    return record(lambda a: a.reshape(*shape), (x, reshape, x.shape))


def sum_over(x, axis=None, keepdims=False):
    """Return the sum over an axis, over several or over all."""
    kept = record(lambda a: a.sum(axis, keepdims=True),
                  (x, broadcast_to, x.shape))
    return kept if keepdims else reshape(kept, kept.data.squeeze(axis).shape)


def mean(x, axis=None, keepdims=False):
    sums = sum_over(x, axis, keepdims)
    return sums / (x.data.size / (sums.data.size or 1))  # no sums: not 0 / 0


def log_softmax(scores):
    """Return log p along the last axis: p is exp(score) over their sum."""
    scores = scores - plain(scores).max(-1, keepdims=True)  # the same p
    return scores - log(sum_over(exp(scores), -1, True))  # no exp is above 1


def cross_entropy(scores, labels):
    """Return the mean of -log p of the right classes, which are integers."""
    labels, n = np.asarray(plain(labels)), scores.shape[-1]
    is_right = labels[..., None] == np.arange(n)  # in each row, one is True
    if labels.shape != scores.shape[:-1] or not is_right.any(-1).all():
        raise ValueError(f"labels: shape {scores.shape[:-1]}, each below {n}")
    return -mean(sum_over(where(is_right, log_softmax(scores), 0.0), -1))


def on_arrays(function):
    """Return what compares arrays: its True and False have no slope."""
    return lambda x, y: function(plain(x), plain(y))


for sign, function in {"lt": np.less, "le": np.less_equal, "eq": np.equal,
                       "gt": np.greater, "ge": np.greater_equal,
                       "ne": np.not_equal}.items():
    operations[function] = on_arrays(function)
    setattr(Tensor, f"__{sign}__", operations[function])

operations |= {np.where: where, np.maximum: maximum}
operations |= {np.sum: sum_over, np.mean: mean, np.reshape: reshape}
Tensor.sum, Tensor.reshape = sum_over, reshape
Tensor.mean, Tensor.swapaxes = mean, swapaxes
Tensor.__bool__ = lambda x: bool(x.data)


# %% leaves: what a leaf collects, and who may look at a gradient


Node.grad = None


def backward(y, gradient=None, retain_graph=False):
    """Add the gradient of y to the grad of each leaf, once all are known."""
    for v, g in walk(y, gradient).items():  # of leaves: none was asked for
        v.grad = g + (0.0 if v.grad is None else v.grad)  # a new array
    if not retain_graph:
        for v in latest_first(y.node):  # let go of all that rules saved
            v.edges = [(parent, freed) for parent, *_ in v.edges]


def freed(g):
    raise RuntimeError("freed by an earlier pass: it needs retain_graph=True")


recording = True


@contextmanager
def no_grad():
    """Record nothing inside `with`; afterwards as before, come what may."""
    global recording
    before, recording = recording, False
    try:
        yield
    finally:
        recording = before


def hooked(x, hook):
    """Return x for what follows: hook(g) may change the gradient in it."""
    def rule(g):
        new = hook(snapshot(g))  # it may set data, and others have g
        return g if new is None else alike(new, g)
    return record(same, (x, rule))


def set_grad(x, g):
    if x.node is None or x.node.edges:
        raise RuntimeError("no leaf: requires_grad=True makes one, not p - d")
    x.node.grad = None if g is None else alike(g, x)


Tensor.grad = property(lambda x: x.node and x.node.grad, set_grad)
Tensor.backward, Tensor.detach = backward, detach
