"""Small programs about leaves, recording and hooks, for any library with these names.

Each gets a library `L`, which makes tensors of float64 and has PyTorch's words, and
returns plain numbers and truth values.
"""

from collections.abc import Callable
from typing import Any

PROGRAMS: dict[str, Callable[[Any], Any]] = {}
FAILURES: dict[str, Callable[[Any], Any]] = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def failure(function):
    PROGRAMS[function.__name__] = FAILURES[function.__name__] = function
    return function


def v(t):
    return None if t is None else t.tolist()


@program
def two_passes(L):
    a = L.leaf(3.0)
    b = a * a
    c = b * 2.0
    c.backward(retain_graph=True)
    c.backward()
    return v(a.grad)


@program
def begun_anew(L):
    a = L.leaf(3.0)
    (a * a * a).backward()
    a.grad = None
    (a * a * a).backward()
    first = v(a.grad)
    del a.grad
    return first, v(a.grad)


@program
def kinds_of_tensors(L):
    x, c = L.leaf(3.0), L.constant(2.0)
    with L.no_grad():
        quiet, inner = x * c, L.leaf(1.0)
    tensors = (x, c, x * c, c * c, quiet, inner, x.detach(), (x * c).detach())
    return [(t.is_leaf, t.requires_grad, t.grad_fn is None) for t in tensors]


@program
def the_result_under_the_same_name(L):
    w = L.leaf(2.0)
    (w * w).backward()
    w = w - 0.1 * w.grad
    (w * w).backward()
    return w.is_leaf, v(w.grad)


@program
def an_update_in_place(L):
    w = L.leaf(2.0)
    (w * w).backward()
    with L.no_grad():
        w -= 0.1 * w.grad
    (w * w).backward()
    return w.is_leaf, v(w), v(w.grad)


@program
def float32_over_passes(L):
    x = L.leaf([1.0, 2.0], "float32")
    for _ in range(3):
        (x * L.constant([0.1, 0.2])).sum().backward()
    return str(x.grad.dtype).removeprefix("torch."), v(x.grad)


@program
def an_older_gradient_after_another_pass(L):
    x = L.leaf(3.0)
    (x * x).backward()
    first = x.grad
    (x * x).backward()
    return v(first), v(x.grad)


@program
def a_recorded_gradient_and_a_plain_pass(L):
    x = L.leaf(3.0)
    y = x * x * x
    y.backward(create_graph=True)
    y.backward()
    return x.grad.requires_grad, v(x.grad)


@program
def create_graph_inside_no_grad(L):
    x = L.leaf(3.0)
    y = x * x * x
    with L.no_grad():
        y.backward(create_graph=True)
        y.backward(create_graph=True)
    return v(x.grad), v(L.grad(x.grad, x)[0])


@program
def one_of_two_uses_detached(L):
    x, w = L.leaf(3.0), L.leaf(2.0)
    h = x * w
    (h * h.detach() + w).backward()
    return v(x.grad), v(w.grad)


@program
def the_middle_under_no_grad(L):
    x, w = L.leaf(3.0), L.leaf(2.0)
    with L.no_grad():
        h = x * w
    (h * w).backward()
    return v(x.grad), v(w.grad)


@program
def frozen_and_thawed(L):
    x = L.leaf(3.0)
    seen = []
    x.register_hook(lambda g: seen.append(v(g)))
    (x * x).backward()
    y, z = x * x, x * 5.0
    x.requires_grad_(False)
    frozen = v(x.grad), (x * x).requires_grad
    z.backward()
    after = v(x.grad)
    x.requires_grad_(True)
    y.backward()
    return frozen, after, v(x.grad), seen


@program
def retained_over_passes(L):
    x = L.leaf(3.0)
    y = x * 2.0
    y.retain_grad()
    y.register_hook(lambda g: g * 10.0)
    z = y * y
    z.backward(retain_graph=True)
    z.backward(retain_graph=True)
    twice = v(y.grad)
    y.grad = None
    z.backward()
    return twice, v(y.grad), v(x.grad)


@program
def retained_through_writes(L):
    x = L.leaf([1.0, 2.0])
    y = x * 2.0
    y.retain_grad()
    (y * 1.0).sum().backward(retain_graph=True)
    y *= 3.0
    y[0] = 4.0
    (y * 5.0).sum().backward()
    return v(y.grad), v(x.grad)
