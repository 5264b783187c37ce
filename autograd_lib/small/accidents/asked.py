"""What the pages ask for: the steps in order, and the line for each name."""

from __future__ import annotations

TITLES = {
    "number": "Start here",
    "order": "A float that remembers",
    "graph": "A graph that is data",
    "copies": "The table that nobody makes",
    "tensor": "The engine",
    "numpy": "NumPy, differentiated",
    "choices": "Why is it NaN?",
    "leaves": "Why is grad None?",
    "steps": "Saved, then written over",
    "layer": "Reading digits",
    "parts": "Convolution",
    "gpt": "A GPT that writes",
}
"""The page of each step, by its title."""

STEPS = tuple(TITLES)
"""The steps of the engine, which are also its modules."""

SCALARS = STEPS[:4]
"""The steps before there is a `Tensor`."""

ASKED = {
    "Number": "Number(data, edges=()), a float with + and *, .data, .edges and .grad",
    "send_back": "send_back(v, g=1.0), which adds to the grad of all v was made from",
    "Number.__radd__": "Number.__radd__ and __rmul__: x + 1.0, 1.0 + x, 2.0 * x",
    "walk": "walk(y), which returns a dictionary: each number's gradient in this pass",
    "backward": "backward(y), which adds the gradients of a pass to the leaves' grad",
    "Number.__sub__": "Number.__sub__ and __rsub__: x - y, 5 - x",
    "Number.__truediv__": "Number.__truediv__ and __rtruediv__: x / y, 6 / x",
    "Number.__pow__": "Number.__pow__: x ** n for a float n",
    "relu": "relu(x), of a Number; np.maximum(x, 0.0) for a tensor",
    "Number.backward": "Number.backward = backward, so that y.backward() works",
    "Number.relu": "Number.relu = relu, so that x.relu() works",
    "sum_to": "sum_to(a, shape), the sum over the copies of an array of this shape",
    "Tensor": "Tensor(data, requires_grad=False, dtype=None), with .data, an array",
    "Tensor.item": "Tensor.item(), the number of a tensor that has one, as a float",
    "grad": "grad(y, xs, gradient=None, create_graph=False), a list",
    "tanh": "tanh(x)",
    "Tensor.T": "Tensor.T, with the axes reversed",
    "Tensor.__array_ufunc__": "Tensor.__array_ufunc__ and __array_function__, so that"
    " np.exp(t), array * t and np.sum(t) find your operations",
    "Tensor.__truediv__": "Tensor.__truediv__ and __rtruediv__: x / y",
    "Tensor.__pow__": "Tensor.__pow__: x ** n for a number n",
    "Tensor.sum": "Tensor.sum(axis=None, keepdims=False), np.sum and np.where",
    "Tensor.mean": "Tensor.mean(axis=None, keepdims=False), np.mean and np.maximum",
    "Tensor.reshape": "Tensor.reshape(*shape)",
    "Tensor.swapaxes": "Tensor.swapaxes(i, j)",
    "cross_entropy": "cross_entropy(scores, labels), the mean of -log p of the labels",
    "Tensor.backward": "Tensor.backward(gradient=None, retain_graph=False), which"
    " frees the graph",
    "Tensor.grad": "Tensor.grad, None at first, which backward adds to and you may set",
    "no_grad": "no_grad(), for `with no_grad():`",
    "Tensor.detach": "Tensor.detach()",
    "hooked": "hooked(x, hook), x for what follows; hook(g) may return another g",
    "Tensor.__isub__": "Tensor.__isub__ and its kin: p -= d under no_grad()",
    "linear": "linear(model, name, x): x @ model[name + '.W'] + model[name + '.b']",
    "new_linear": "new_linear(rng, name, n, m), a dictionary of two leaves",
    "adamw": "adamw(model, memory, rate, decay=0.01): averages by 0.9 and 0.99, and"
    " 1e-8; memory is {} at first, each grad is None afterwards",
    "Tensor.__getitem__": "Tensor.__getitem__: t[index], whose gradient adds up",
    "layer_norm": "layer_norm(model, name, x): (x - mean) / (variance + 1e-5) ** 0.5,"
    " along the last axis, times W, plus b",
    "gpt": "gpt(model, tokens), scores (texts, places, tokens): x = token + place; with"
    " 4 heads, in each block x + attention of norm1, then x + down of gelu of up of"
    " norm2; at last norm, times the turned token",
    "new_gpt": "new_gpt(rng, tokens, context, d=64, depth=2), float32 leaves: token,"
    " place, norm.W, norm.b, and in block 0 0.q, 0.k, 0.v, 0.out, 0.up, 0.down, 0.norm1"
    " and 0.norm2, each with .W and .b",
    "write": "write(model, tokens, more, rng), tokens and as many more",
}
"""A line for each name that an accident needs."""

NAMES = {
    "latest_first": "latest_first(y), y and all it was made from, the latest first",
    "Number.edges": "Number.edges, the pairs (parent, slope)",
    "Number.made": "Number.made, its place in the order in which numbers were made",
    "Tensor.array": "Tensor.array, which .data gives",
    "Tensor.node": "Tensor.node, None where nothing is recorded",
    "Tensor.node.edges": "Node.edges, tuples (parent, rule, *saved); a leaf has none",
    "Tensor.node.made": "Node.made, its place in the order in which nodes were made",
    "average": "average(memory, key, value, share), a corrected mean of values so far",
    "backward": "backward(y, gradient=None, retain_graph=False)",
    "clock": "clock, of which each node takes the next number",
    "cross_entropy": ASKED["cross_entropy"],
    "detach": "detach(x), x without its node",
    "divisor_rule": "divisor_rule(g, x, y), which np.divide's edge of y has",
    "exp_rule": "exp_rule(g, x), which the edge of exp(x) has",
    "hooked": ASKED["hooked"],
    "left_rule": "left_rule(g, y), which the edge of x in x @ y has",
    "operations": "operations, a dictionary: NumPy's function, and yours",
    "parameter": "parameter(array), a leaf of float32",
    "power_rule": "power_rule(g, x, n), which the edge of x ** n has",
    "put": "put(x, shape, index), zeros with x added at the places of index",
    "record": "record(function, *inputs), each input as (x, rule, *saved)",
    "send_back": ASKED["send_back"],
    "set_data": "set_data(x, a), which sets .data",
    "snapshot": "snapshot(x), what an edge saves of x",
    "softmax": "softmax(scores), the shares along the last axis",
    "sum_copies": "sum_copies(x, shape), a tensor: sum_to with a rule",
    "sum_to": ASKED["sum_to"],
    "tanh": "tanh(x)",
    "tanh_rule": "tanh_rule(g, x), which the edge of tanh(x) has",
    "transpose": "transpose(x), which is its own rule",
    "walk": "walk(y, gradient=None, create_graph=False), a dictionary by nodes",
}
"""A line for each name that a page uses and no accident up to it asks for."""

USED = {
    "order": ("Number.edges", "latest_first", "send_back"),
    "graph": ("Number.edges", "send_back"),
    "after graph": ("Number.edges", "Number.made", "latest_first"),
    "tensor": ("Tensor.node", "Tensor.node.edges", "latest_first", "tanh", "walk"),
    "numpy": ("operations", "record"),
    "after numpy": (
        "divisor_rule",
        "exp_rule",
        "left_rule",
        "operations",
        "power_rule",
        "sum_copies",
        "sum_to",
        "tanh",
        "tanh_rule",
        "transpose",
        "walk",
    ),
    "choices": ("Tensor.node", "Tensor.node.edges", "cross_entropy", "latest_first"),
    "leaves": ("clock", "hooked"),
    "steps": ("Tensor.array", "Tensor.node", "set_data", "snapshot"),
    "after steps": (
        "Tensor.node",
        "Tensor.node.edges",
        "Tensor.node.made",
        "backward",
        "detach",
        "hooked",
        "latest_first",
        "sum_copies",
    ),
    "layer": ("average", "cross_entropy", "parameter"),
    "after layer": ("parameter",),
    "parts": ("Tensor.node", "cross_entropy", "latest_first", "parameter", "put"),
    "gpt": ("cross_entropy", "softmax"),
}
"""Those names, of each page: one that adds a step, or those after a step."""
