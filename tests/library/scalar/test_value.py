"""Value: micrograd's names and numbers, what adds up, order, depth, memory."""

import gc
import operator

import numpy as np
import pytest

from autograd_lib.book.draw import draw
from autograd_lib.graph import topological_order
from autograd_lib.scalar.value import Value


def gradients(output, *leaves):
    output.backward()
    return [leaf.grad for leaf in leaves]


def test_the_first_example_of_micrograd():
    x = Value(-4.0)
    z = 2 * x + 2 + x
    q = z.relu() + z * x
    h = (z * z).relu()
    y = h + q + q * x
    y.backward()
    assert (y.data, x.grad) == (-20.0, 46.0)


def test_the_long_example_of_micrograd():
    a, b = Value(-4.0), Value(2.0)
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    found = gradients(g, a, b)
    assert (f"{g.data:.4f}", *(f"{v:.4f}" for v in found)) == (
        "24.7041",
        "138.8338",
        "645.5773",
    )


def test_a_network_written_for_micrograd_learns():
    xs = [(2.0, 3.0), (3.0, -1.0), (0.5, 1.0), (1.0, 1.0)]
    ys = [1, -1, -1, 1]
    w, b = [Value(0.1), Value(-0.2)], Value(0)
    losses = []
    for _ in range(50):
        scores = [sum((wi * xi for wi, xi in zip(w, x, strict=True)), b) for x in xs]
        pairs = zip(ys, scores, strict=True)
        loss = sum((1 + -y * score).relu() for y, score in pairs) * (1.0 / len(ys))
        for p in [*w, b]:
            p.grad = 0
        loss.backward()
        for p in [*w, b]:
            p.data -= 0.1 * p.grad
        losses.append(loss.data)
    assert losses[-1] < 0.5 * losses[0]


def test_the_names_are_those_of_micrograd():
    a, b = Value(2), Value(3.0)
    y = a * b
    assert (a.data, a.grad, a._prev, a._op) == (2.0, 0.0, set(), "")
    assert (y.data, y._prev, y._op) == (6.0, {a, b}, "*")
    assert [v._op for v in (a + b, a**2, a.relu())] == ["+", "**2", "ReLU"]
    assert (type(a.data), type(b.data), type((a * 2 - a**3).data)) == (int, float, int)


@pytest.mark.parametrize("kind", [int, float, np.float64, np.float32, np.int64])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow"])
def test_plain_numbers_stand_on_either_side(name, kind):
    f, constant = getattr(operator, name), kind(2)
    x, two = Value(3.0), Value(2.0)
    assert f(x, constant).slopes == f(x, two).slopes[:1]
    assert f(constant, x).slopes == f(two, x).slopes[1:]
    assert (f(x, constant).data, f(constant, x).data) == (f(3.0, 2.0), f(2.0, 3.0))
    assert type(f(x, constant).data) is float


def test_sum_takes_thousands():
    xs = [Value(float(i)) for i in range(5_000)]
    total = sum(x * x for x in xs)
    total.backward()
    assert total.data == sum(i * i for i in range(5_000))
    assert [x.grad for x in xs] == [2.0 * i for i in range(5_000)]


def test_leaves_add_up_and_what_is_between_does_not():
    a = Value(3.0)
    b = a * a
    c = b * 2
    c.backward()
    assert (a.grad, b.grad, c.grad) == (12.0, 2.0, 1.0)
    c.backward()
    assert (a.grad, b.grad, c.grad) == (24.0, 2.0, 1.0)


def test_a_leaf_set_to_zero_starts_anew():
    a = Value(3.0)
    c = a * a * a
    c.backward()
    a.grad = 0
    c.backward()
    assert a.grad == 27.0


def test_a_leaf_is_its_own_derivative():
    x = Value(5.0)
    x.backward()
    x.backward()
    assert x.grad == 2.0


def test_two_outputs_of_one_graph_add_up_in_its_leaves():
    x = Value(2.0)
    shared = x * x
    (shared * 3).backward()
    (shared + x).backward()
    assert (x.grad, shared.grad) == (12.0 + 5.0, 1.0)


def test_what_the_output_was_not_made_from_keeps_its_gradient():
    x = Value(2.0)
    aside = x * x
    aside.grad = 7.0
    (x * 3).backward()
    assert (x.grad, aside.grad) == (3.0, 7.0)


def test_a_number_speaks_after_all_who_used_it():
    a = Value(1.0)
    b = a * a
    c = (b + a) * b
    assert gradients(c, a) == [7.0]


def test_a_chain_of_a_million_links():
    x = Value(1.0)
    y = x
    for _ in range(1_000_000):
        y = y + 1.0
    y.backward()
    assert (y.data, x.grad) == (1_000_001.0, 1.0)


def test_ten_thousand_doublings():
    x = Value(3.0)
    y = x
    for _ in range(10_000):
        y = (y + y) * 0.5
    y.backward()
    assert (y.data, x.grad) == (3.0, 1.0)


def test_a_graph_is_freed_without_the_collector():
    def alive():
        return sum(type(thing) is Value for thing in gc.get_objects())

    x = Value(0.5)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        before = alive()
        y = ((x * x).exp() / (x + 2)) ** x - abs(x).sqrt().sigmoid()
        held = alive()
        y.backward()
        y.backward()
        del y
        assert alive() == before < held
    finally:
        if was_enabled:
            gc.enable()


def test_slopes_are_those_of_the_time_of_the_calculation():
    x, w = Value(3.0), Value(4.0)
    y = x * w
    x.data, w.data = 100.0, 200.0
    assert y.data == 12.0
    assert gradients(y, x, w) == [4.0, 3.0]


def test_a_graph_can_be_printed_ordered_and_drawn():
    x, w = Value(2.0, "x"), Value(3.0, label="w")
    y = (x * w).tanh()
    assert y.parents[0].parents == (x, w)
    assert (y.parents[0].slopes, x.parents, x.slopes) == ((3.0, 2.0), (), ())
    assert (x + 1).slopes == (1.0,)
    assert (x * x).parents == (x, x)
    assert [v.label for v in topological_order(y)] == ["x", "w", "*", "tanh"]
    picture = repr(draw(y))
    assert all(f'label="{name}\n' in picture for name in ("x", "w", "*", "tanh"))


def test_a_label_can_be_given_later():
    y = Value(2.0) + 1
    assert y.label == "+"
    y.label = "y"
    assert (y.label, y._op) == ("y", "+")


def test_repr_says_what_there_is():
    x = Value(2.0, label="speed")
    (x * 3).backward()
    assert repr(x) == "Value(data=2.0, grad=3.0, label='speed')"
    assert repr(Value(-0.5)) == "Value(data=-0.5, grad=0.0)"


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge"])
@pytest.mark.parametrize("other", [1, 2.0, 3, np.float64(2.0), np.int64(1)])
def test_comparisons_look_at_the_numbers(name, other):
    f, x = getattr(operator, name), Value(2.0)
    assert f(x, other) is bool(f(2.0, other))
    assert f(other, x) is bool(f(other, 2.0))
    assert f(x, Value(other)) is bool(f(2.0, other))


def test_values_sort_and_have_a_largest():
    xs = [Value(v) for v in (2.0, -1.0, 3.0)]
    assert [v.data for v in sorted(xs)] == [-1.0, 2.0, 3.0]
    assert max(xs) is xs[2]


def test_equal_numbers_are_two_nodes():
    a, b = Value(2.0), Value(2.0)
    assert a == a
    assert a != b
    assert a != 2.0
    assert len({a, b, a}) == 2
    assert gradients(a * a * b, a, b) == [8.0, 4.0]


@pytest.mark.parametrize("data", [0.0, -0.0, 1.0, -2.0, float("nan")])
def test_a_number_is_true_as_any_object_is(data):
    """micrograd's clients write `bias or Value(1.0)`, and mean "if there is one"."""
    assert bool(Value(data))
