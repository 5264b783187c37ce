"""Programs in the habits of micrograd's clients and of the lecture about it."""

from __future__ import annotations

import copy
import json
import math
import pickle
import random
import weakref
from typing import Any

import pytest

from autograd_lib.graph import topological_order
from autograd_lib.scalar.nn import MLP, Module, Neuron
from autograd_lib.scalar.value import Value


def tanh(v: Value) -> Value:
    """An operation added from outside, in the lecture's form."""
    t = math.tanh(v.data)
    out = Value(t, (v,), "tanh")

    def _backward() -> None:
        v.grad += (1 - t**2) * out.grad

    out._backward = _backward
    return out


class Softer(Value):
    """A subclass with two operations of its own."""

    def exp(self) -> Value:
        x = self
        out = Softer(math.exp(x.data), (x,), "exp")

        def _backward() -> None:
            x.grad += out.data * out.grad

        out._backward = _backward
        return out

    def maximum(self, other: Value) -> Value:
        out = Softer(max(self.data, other.data), _children=(self, other), _op="max")

        def _backward() -> None:
            larger = self if self.data > other.data else other
            larger.grad += out.grad

        out._backward = _backward
        return out


def test_an_operation_from_outside_takes_part_in_a_pass() -> None:
    a, b = Value(0.5), Value(-1.5)
    n = a * b + a
    o = tanh(n) * 3.0
    o.backward()
    slope = 3 * (1 - math.tanh(n.data) ** 2)
    assert a.grad == pytest.approx(slope * (b.data + 1), rel=1e-12)
    assert b.grad == pytest.approx(slope * a.data, rel=1e-12)
    assert tanh(n)._op == "tanh"


def test_a_subclass_with_operations_of_its_own() -> None:
    a, b = Softer(1.0), Softer(2.0)
    e = a.exp()
    m = e.maximum(b)
    (m * m).backward()
    assert (m._prev, m._op) == ({e, b}, "max")
    assert (a.grad, b.grad) == (pytest.approx(2 * math.e**2, rel=1e-12), 0.0)


def test_a_number_given_twice_as_a_child_is_one_parent() -> None:
    a = Value(3.0)
    out = Value(9.0, (a, a), "square")

    def _backward() -> None:
        a.grad += a.data * out.grad
        a.grad += a.data * out.grad

    out._backward = _backward
    (out + a).backward()
    assert (a.grad, len(out._prev)) == (7.0, 1)


def test_children_without_a_backward_end_the_gradient_as_in_micrograd() -> None:
    a = Value(3.0)
    (Value(9.0, (a,), "?") * 2).backward()
    assert a.grad == 0.0


def test_a_second_pass_through_an_operation_from_outside() -> None:
    a = Value(0.5)
    o = tanh(a) * 2
    o.backward()
    once = a.grad
    o.backward()
    assert a.grad == 2 * once


def test_a_backward_that_fails_leaves_the_gradients_of_leaves() -> None:
    a, b = Value(2.0), Value(3.0)
    out = Value(6.0, (a, b), "bad")

    def _backward() -> None:
        a.grad += 1.0
        raise RuntimeError("broken")

    out._backward = _backward
    a.grad = b.grad = 5.0
    with pytest.raises(RuntimeError, match="broken"):
        (out * 2).backward()
    assert (a.grad, b.grad) == (5.0, 5.0)
    (a * b).backward()
    assert (a.grad, b.grad) == (8.0, 7.0)


def test_the_lectures_walk_by_hand() -> None:
    a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)
    e = a * b
    d = e + c
    out = d * f
    out.grad = 1.0
    out._backward()
    d._backward()
    c._backward()  # a leaf's does nothing
    e._backward()
    assert [v.grad for v in (a, b, c, d, e, f)] == [6.0, -4.0, -2.0, -2.0, -2.0, 4.0]


def test_the_lectures_own_order_over_prev() -> None:
    x = Value(0.3)
    o = tanh(x * 2 + x)
    topo: list[Value] = []
    visited: set[Value] = set()

    def build(v: Value) -> None:
        if v not in visited:
            visited.add(v)
            for child in v._prev:
                build(child)
            topo.append(v)

    build(o)
    o.grad = 1.0
    for node in reversed(topo):
        node._backward()
    by_hand = x.grad
    y = Value(0.3)
    tanh(y * 2 + y).backward()
    assert by_hand == y.grad == pytest.approx(3 * (1 - math.tanh(0.9) ** 2), rel=1e-12)


def test_prev_can_be_set() -> None:
    """A client prunes a graph by leaving a child out of it."""
    a, b = Value(2.0), Value(3.0)
    c = a * b
    c._prev = {a}
    assert (c._prev, topological_order(c)) == ({a}, [a, c])
    c._prev = set()
    leaf = Value(1.0)
    leaf._prev = set()
    (c + leaf).backward()
    assert (a.grad, leaf.grad) == (0.0, 1.0)


def test_slopes_of_an_operation_from_outside_can_be_read() -> None:
    a, b = Softer(1.0), Softer(2.0)
    m = a.maximum(b)
    a.grad, m.grad = 7.0, 5.0
    assert (m.parents, m.slopes) == ((a, b), (0.0, 1.0))
    assert (a.grad, b.grad, m.grad) == (7.0, 0.0, 5.0)


def test_a_momentum_and_a_name_are_kept_on_a_number() -> None:
    p: Any = Value(1.0)
    p.v, p.name = 0.0, "bias"
    for _ in range(3):
        p.grad = 0.0
        (p * p).backward()
        p.v = 0.9 * p.v + p.grad
        p.data -= 0.1 * p.v
    assert p.name == "bias"
    assert p.data == pytest.approx(0.062, abs=1e-12)
    assert weakref.ref(p)() is p


def test_an_object_is_true_when_it_holds_zero() -> None:
    bias = Value(0.0)
    out = Value(1.0) * 2 + (bias or Value(9.0))
    assert out.data == 2.0
    assert sum(1 for v in (Value(0), Value(1)) if v) == 2


def test_integers_stay_integers() -> None:
    n = Value(3)
    assert [0] * n.data == [0, 0, 0]
    kinds = [type(v.data) for v in (n * n, n + 1, 2 * n, n - 5, -n, n**2, n.relu())]
    assert kinds == [int] * 7
    assert type((n / 3).data) is type((n * 0.5).data) is float
    y = n**2 * 2
    y.backward()
    assert (y.data, n.grad) == (18, 12.0)


def test_integers_beyond_a_floats_are_floats() -> None:
    n = Value(2**52)
    assert (n + n).data == 2**53
    assert type((n * n).data) is float
    assert Value(3) ** 5_000 is not None
    assert (Value(3) ** 5_000).data == math.inf
    with pytest.raises(OverflowError, match="larger than any float"):
        Value(10**400)


def test_names_that_code_generators_test() -> None:
    x, w = Value(2.0), Value(-1.0)
    y = (x * w + 1.0).relu() ** 2
    ops = {v._op for v in topological_order(y)}
    assert ops == {"", "*", "+", "ReLU", "**2"}
    assert Value(1.0, (x,), "ReLU")._op == "ReLU"


def test_parameters_of_a_neuron_are_a_list_that_can_be_replaced() -> None:
    class Tanh(Neuron):
        def __call__(self, x: Any) -> Any:
            total = sum((w * xi for w, xi in zip(self.w, x, strict=True)), self.b)
            return tanh(total)

        def parameters(self) -> list[Value]:
            return self.w + [self.b]  # noqa: RUF005, written as clients write it

    random.seed(1)
    n = Tanh(2)
    n.w, n.b = [Value(0.5), Value(-0.25)], Value(0.1)
    out = n([1.0, 2.0])
    out.backward()
    slope = 1 - math.tanh(0.1) ** 2
    found = [p.grad for p in n.parameters()]
    assert found == pytest.approx([slope, 2 * slope, slope], rel=1e-12)


def test_weights_loaded_from_json() -> None:
    random.seed(2)
    model = MLP(2, [3, 1])
    stored = json.dumps([p.data for p in model.parameters()])
    random.seed(3)
    other = MLP(2, [3, 1])
    for p, data in zip(other.parameters(), json.loads(stored), strict=True):
        p.data = data
    assert other([0.5, -1.0]).data == model([0.5, -1.0]).data


def test_one_layer_shared_by_two_neurons() -> None:
    first, second = Neuron(1, nonlin=False), Neuron(1, nonlin=False)
    second.w = first.w
    second.b = first.b
    y = second([first([2.0])])
    y.backward()
    w, b = first.w[0], first.b
    assert w.grad == pytest.approx(2 * 2 * w.data + b.data, rel=1e-12)
    assert b.grad == pytest.approx(1 + w.data, rel=1e-12)


def test_copies_and_pickles_keep_what_a_program_added() -> None:
    a: Any = Value(2.0)
    a.v = 0.5
    y = a * a
    for twin in (copy.deepcopy(y), pickle.loads(pickle.dumps(y))):
        (parent,) = twin._prev
        twin.backward()
        assert (parent.grad, parent.v) == (4.0, 0.5)


def test_a_module_of_the_clients_own() -> None:
    class Polynomial(Module):
        def __init__(self) -> None:
            self.c = [Value(0.0) for _ in range(3)]

        def __call__(self, x: float) -> Any:
            return sum(c * x**i for i, c in enumerate(self.c))

        def parameters(self) -> list[Value]:
            return self.c

    model, points = Polynomial(), [-1.0, -0.5, 0.0, 0.5, 1.0]
    for _ in range(400):
        loss = sum((model(x) - (x**2 - x)) ** 2 for x in points)
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data += -0.1 * p.grad
    assert [p.data for p in model.c] == pytest.approx([0.0, -1.0, 1.0], abs=1e-3)


def test_a_child_that_is_no_value_is_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"a child must be a Value, got 2.0; make one"):
        Value(1.0, (2.0,), "+")  # type: ignore[arg-type]
