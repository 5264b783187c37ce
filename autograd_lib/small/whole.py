"""The engine that you write, in the order in which the pages write it.

A line such as ``# %% order: …`` begins what a page adds. A function that has the name
of an earlier one takes its place; what a page takes away is listed below that line.
`autograd_lib.small.cut` makes of this a module for each page: the engine at its end.

A rule is made of recorded operations, and the pass calls it with tensors. That is why a
pass can be recorded, for second derivatives, and why no operation is written twice.

It leaves open, to stay short:

- Numbers: a root of 0 stops, since its slope is infinite. At the step `order`, a second
  `send_back` begins with the sums of the first, which `graph` mends.
- Rules calculate a result again when they need it, as those of exp and tanh do. Where
  infinity meets infinity (`maximum`, large numbers in `gelu`) a gradient is NaN.
- Types are NumPy's: float32 times np.float64(2) is float64, and so are its gradients.
  Of complex numbers the real part is taken, with NumPy's warning.
- `np.asarray(t)` is an array of one object, the tensor; `list(t)` of one number is [];
  `>=`, `<=` and what else has no rule are a TypeError. The labels True and False are 1
  and 0, and an index of -1 is the last, as in NumPy.
- `backward(create_graph=True)` inside `no_grad()` leaves gradients without a history.
- `t.data = a` takes an array of any shape: for another shape, make another tensor.
"""

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


def send_back(v, g=1.0):
    """Add g to v.grad, and send it back along each edge, times the slope."""
    v.grad += g
    for parent, slope in v.edges:
        send_back(parent, slope * g)


# %% order: the number that was made last has its turn first

from itertools import count

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


def send_back(y, g=1.0):
    """Add g to y.grad; then each number sends its grad back, once."""
    y.grad += g
    for v in latest_first(y):
        for parent, slope in v.edges:
            parent.grad += slope * v.grad


# %% graph: the gradients of one pass, and what a leaf keeps of many
# takes away: send_back

import math


def walk(y) -> dict:
    """Return the gradient of y in each number that it was made from."""
    grads = {y: 1.0}
    for v in latest_first(y):
        g = grads[v]
        for parent, slope in v.edges:
            grads[parent] = grads.get(parent, 0.0) + slope * g
    return grads


def backward(y):
    """Add the gradient of y to the grad of each leaf: it has no edges."""
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


def relu(x): return Number(max(x.data, 0.0), [(x, float(x.data > 0))])


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


# %% tensor: arrays for floats, and a rule for a slope
# takes away: Number numbered as_number add multiply divide power relu walk
# takes away: backward sum_to math

from contextlib import contextmanager

import numpy as np

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

# %% numpy: NumPy's names for them, and no gradient that is lost in silence


def exp(x): return record(np.exp(plain(x)), (x, exp_rule, x))
def exp_rule(g, x): return g * exp(x)
def log(x): return record(np.log(plain(x)), (x, divide, x))


def divide(x, y):
    return record(plain(x) / plain(y), (x, divide, y),
                  (y, lambda g, x, y: negative(g * (x / y)) / y, x, y))


def power(x, n): return record(plain(x) ** n, (x, power_rule, x, n))


def power_rule(g, x, n):
    return g * (n * power(x, n - 1 if n else 0))  # not 0 * 0**-1


def no_rule(*_, **__): return NotImplemented


def find(x, function, types, args, options):
    """Do np.sum(x) by our function, or say that there is no rule for it."""
    return operations.get(function, no_rule)(*args, **options)


def find_ufunc(x, ufunc, method, *args, **options):
    """Do np.exp(x) and array * x, but not np.multiply.outer(x, x)."""
    asked = ufunc if method == "__call__" else method
    return find(x, asked, (), args, options)


operations = {
    np.add: add, np.subtract: subtract, np.multiply: multiply,
    np.divide: divide, np.matmul: matmul, np.exp: exp, np.log: log,
    np.tanh: tanh, np.sqrt: lambda x: power(x, 0.5)}
Tensor.__array_function__, Tensor.__array_ufunc__ = find, find_ufunc
Tensor.__truediv__, Tensor.__rtruediv__ = divide, lambda x, y: divide(y, x)
Tensor.__pow__ = power

# %% choices: choose, add up, and a loss


def where(chosen, x, y):
    return record(np.where(plain(chosen), plain(x), plain(y)),
                  (x, lambda g, chosen: where(chosen, g, 0.0), chosen),
                  (y, lambda g, chosen: where(chosen, 0.0, g), chosen))


def maximum(x, y):
    won = np.heaviside(plain(x) - plain(y), 0.5)  # 1, 0; a half in a tie
    return record(np.maximum(plain(x), plain(y)),
                  (x, multiply, won), (y, multiply, 1.0 - won))


def reshape(x, *shape):
    return record(plain(x).reshape(*shape), (x, reshape, x.shape))


def sum_over(x, axis=None, keepdims=False):
    """Return the sum over an axis, over several or over all."""
    kept = plain(x).sum(axis, keepdims=True)
    sums = kept if keepdims else kept.squeeze(axis)
    return record(sums, (x, spread, kept.shape, x.shape))


def spread(g, kept: tuple, shape: tuple):
    """Give g back the axes that a sum took away, and copy it along them."""
    return broadcast_to(reshape(g, kept), shape)


def mean(x, axis=None, keepdims=False):
    sums = sum_over(x, axis, keepdims)
    return sums / (x.data.size / sums.data.size)


def cross_entropy(scores, labels):
    """Return the mean of -log p of the right classes, which are integers."""
    is_right = np.asarray(labels)[..., None] == np.arange(scores.shape[-1])
    if not np.array_equal(is_right.sum(-1), np.ones(scores.shape[:-1])):
        raise ValueError(f"labels: one class for each of {scores.shape[:-1]}")
    scores = scores - plain(scores).max(-1, keepdims=True)  # so exp is <= 1
    log_p = scores - log(sum_over(exp(scores), -1, True))
    return -mean(sum_over(where(is_right, log_p, 0.0), -1))


def less(x, y): return plain(x) < plain(y)  # an array: it has no slope
def greater(x, y): return plain(x) > plain(y)
def equal(x, y): return plain(x) == plain(y)


operations |= {
    np.where: where, np.maximum: maximum, np.sum: sum_over, np.mean: mean,
    np.less: less, np.greater: greater, np.equal: equal}
Tensor.__lt__, Tensor.__gt__, Tensor.__eq__ = less, greater, equal
Tensor.sum, Tensor.mean, Tensor.reshape = sum_over, mean, reshape
Tensor.swapaxes, Tensor.__bool__ = swapaxes, lambda x: bool(x.data)

# %% leaves: what a leaf collects, and who may look at a gradient

Node.grad, Node.hooks = None, ()


def walk(y, gradient=None, retain_graph=False, create_graph=False, inputs=()):
    """Return the gradient of y in each leaf, and in each node in inputs."""
    with set_grad_enabled(create_graph):
        grads, found = {y.node: seed(y, gradient)}, {}
        turns = latest_first(y.node)
        for v in turns:
            g = hooked(v, grads.pop(v))
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


def hooked(v, g) -> Tensor:
    """Return g, or what the hooks of v make of it."""
    for hook in v.hooks:
        new = hook(g)
        g = g if new is None else like(g, new)
    return g


def backward(y, gradient=None, retain_graph=False, create_graph=False):
    """Add the gradient of y to the grad of each leaf, once all are known."""
    for v, g in walk(y, gradient, retain_graph, create_graph).items():
        v.grad = g + (0.0 if v.grad is None else v.grad)  # a new array


def no_grad(): return set_grad_enabled(False)


def register_hook(x, hook):
    """Call hook(g) once g, the gradient in x, is complete; or change it."""
    x.node.hooks += (hook,)


Tensor.grad = property(lambda x: x.node and x.node.grad,
                       lambda x, g: setattr(x.node, "grad", g))
Tensor.backward, Tensor.register_hook = backward, register_hook
Tensor.detach = lambda x: result(x.data)

# %% steps: nothing saved is ever written into

from copy import deepcopy


def result(data, node=None) -> Tensor:
    """Return a tensor of an array that nobody else has: no copy."""
    t = Tensor.__new__(Tensor)
    t.array, t.node = np.asarray(data), node
    t.array.flags.writeable = False
    return t


def record(data, *inputs) -> Tensor:
    """Return a tensor that remembers its inputs, each (x, rule, *saved).

    The pass calls rule(g, *saved): g is a tensor, and saved what stands here.
    A rule is made of recorded operations, so a pass can be recorded, too.
    """
    edges = []
    for x, rule, *saved in inputs:
        if recording and isinstance(x, Tensor) and x.node:
            edges.append((x.node, rule, *map(snapshot, saved)))
    return result(data, Node(edges, np.shape(data)) if edges else None)


def snapshot(x):
    """Return x as it is now: x -= d, or the caller, may change it."""
    return result(x.data, x.node) if isinstance(x, Tensor) else deepcopy(x)


def set_data(x, data):
    """Give x a copy of data, which nobody can write into."""
    x.array = result(floats(data)).data


def in_place(ufunc):
    """Return what leaf -= d calls: it gives the leaf another array."""
    def update(leaf, d):
        if recording or (leaf.node and leaf.node.edges):
            raise RuntimeError("only a leaf changes in place, with no_grad()")
        new = leaf.data.copy()  # its shape and its type stay
        leaf.data = ufunc(new, plain(d), out=new)
        return leaf
    return update


Tensor.data = property(lambda x: x.array, set_data)
Tensor.__iadd__, Tensor.__isub__ = map(in_place, (np.add, np.subtract))
Tensor.__imul__, Tensor.__itruediv__ = map(in_place, (np.multiply, np.divide))

# %% layer: a layer, and a step by averages of the gradient


def parameter(array): return Tensor(array, True, np.float32)


def new_layer(name, W) -> dict:
    """Return W and a bias of zeros, as parameters by name."""
    b = np.zeros(W.shape[-1])
    return {name + ".W": parameter(W), name + ".b": parameter(b)}


def new_linear(rng, name, n, m) -> dict:
    """Return a layer, n by m: a sum of n terms is no larger than a term."""
    return new_layer(name, rng.uniform(-1.0, 1.0, (n, m)) / n**0.5)


def linear(model, name, x):
    return x @ model[name + ".W"] + model[name + ".b"]


def adamw(model, memory, rate, decay=0.01):
    """Move each parameter by averages of g and g * g, kept in memory."""
    if unused := [name for name, p in model.items() if p.grad is None]:
        raise RuntimeError(f"adamw: no gradient in {', '.join(unused)}")
    for name, p in model.items():
        g, (k, mean_g, mean_gg) = p.grad.data, memory.get(name, (0, 0.0, 0.0))
        k, mean_g = k + 1, 0.9 * mean_g + 0.1 * g
        mean_gg = 0.99 * mean_gg + 0.01 * g * g
        memory[name] = k, mean_g, mean_gg  # they begin with 0, and grow
        size = (mean_gg / (1 - 0.99**k)) ** 0.5 + 1e-8
        with no_grad():
            p -= rate * (mean_g / (1 - 0.9**k) / size + decay * p.data)
        p.grad = None


# %% parts: a part of an array, and where its gradient belongs


def take(x, index):
    return record(plain(x)[index], (x, put, x.shape, index))


def put(x, shape: tuple, index):
    """Return zeros of this shape, with x added at the places of index."""
    sums = np.zeros(shape, plain(x).dtype)
    np.add.at(sums, index, plain(x))  # twice, if a place is there twice
    return record(sums, (x, take, index))


Tensor.__getitem__ = take

# %% gpt: a model that writes


def layer_norm(model, name, x):
    x = x - mean(x, -1, True)
    x = x * (mean(x * x, -1, True) + 1e-5) ** -0.5
    return x * model[name + ".W"] + model[name + ".b"]


def gelu(x):
    """Return x times, nearly, the share of normal numbers below x."""
    inner = x * (0.7978846 + 0.0356774 * x * x)  # the first is sqrt(2 / pi)
    return 0.5 * x * (1.0 + tanh(inner))


def softmax(scores):
    """Return shares along the last axis: positive, and 1 in all."""
    e = exp(scores - plain(scores).max(-1, keepdims=True))
    return e * sum_over(e, -1, True) ** -1.0


def attention(model, name, x, heads):
    """Let each place look at itself and at earlier ones, in several ways."""
    texts, places, d = x.shape
    q, k, v = (linear(model, name + part, x)
               .reshape(texts, places, heads, d // heads).swapaxes(1, 2)
               for part in (".q", ".k", ".v"))
    scores = q / (d / heads) ** 0.5 @ k.swapaxes(2, 3)
    earlier = np.tri(places, dtype=bool)  # True in row i up to i
    shares = softmax(where(earlier, scores, -np.inf))
    found = (shares @ v).swapaxes(1, 2).reshape(texts, places, d)
    return linear(model, name + ".out", found)


def gpt(model, tokens, heads=4):
    """Return scores for the token after each of tokens, (texts, places)."""
    x = model["token"][tokens] + model["place"][np.arange(tokens.shape[1])]
    for i in map(str, range(sum(".up.W" in name for name in model))):
        x = x + attention(model, i, layer_norm(model, i + ".norm1", x), heads)
        up = linear(model, i + ".up", layer_norm(model, i + ".norm2", x))
        x = x + linear(model, i + ".down", gelu(up))
    return layer_norm(model, "norm", x) @ model["token"].T


def new_gpt(rng, tokens, context, d=64, depth=2) -> dict:
    """Return first weights by name; token and place are tables of rows."""
    model = {"token": parameter(0.05 * rng.normal(size=(tokens, d))),
             "place": parameter(0.05 * rng.normal(size=(context, d)))}
    sizes = {".q": (d, d), ".k": (d, d), ".v": (d, d), ".out": (d, d),
             ".up": (d, 4 * d), ".down": (4 * d, d)}
    for i in map(str, range(depth)):
        for name, (n, m) in sizes.items():
            model |= new_linear(rng, i + name, n, m)
        for name in (".norm1", ".norm2"):
            model |= new_layer(i + name, np.ones(d))
    return model | new_layer("norm", np.ones(d))


def write(model, tokens, more, rng, heads=4) -> list:
    """Return tokens and as many more, each drawn by the model's shares."""
    tokens = list(tokens)
    for _ in range(more):
        seen = np.array([tokens[-len(model["place"].data):]])
        with no_grad():
            p = softmax(gpt(model, seen, heads)).data[0, -1].astype(float)
        tokens.append(rng.choice(len(p), p=p / p.sum()))
    return tokens
