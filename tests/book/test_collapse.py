"""collapse: which nodes become one group, and that nothing is lost on the way."""

from __future__ import annotations

from functools import reduce
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.book.collapse import Group, collapse
from autograd_lib.book.draw import draw
from autograd_lib.graph import topological_order
from autograd_lib.scalar.nn import MLP
from autograd_lib.scalar.value import Value


def node(label: str, *parents: Any, **more: Any) -> Any:
    return SimpleNamespace(label=label, parents=parents, **more)


def nodes(label: str, n: int, *parents: Any) -> list[Any]:
    return [node(label, *parents) for _ in range(n)]


def groups_of(root: Group) -> list[Group]:
    found = [root]
    for group in found:
        found += [p for p in group.parents if p not in found]
    return found


def labels(root: Any) -> list[str]:
    return sorted(group.label for group in groups_of(collapse(root)))


def edges(root: Any) -> set[tuple[str, str]]:
    groups = groups_of(collapse(root))
    return {(p.label, group.label) for group in groups for p in group.parents}


def test_one_node_is_a_group_with_its_label() -> None:
    x = node("x")
    group = collapse(x)
    assert (group.label, group.members, group.parents) == ("x", [x], [])


def test_nodes_of_one_label_from_the_same_groups_are_one() -> None:
    x, w = nodes("x", 3), nodes("w", 3)
    products = [node("*", *pair) for pair in zip(x, w, strict=True)]
    root = node("max", *products)
    assert labels(root) == ["* × 3", "max", "w × 3", "x × 3"]
    assert edges(root) == {("x × 3", "* × 3"), ("w × 3", "* × 3"), ("* × 3", "max")}


def test_the_order_of_parents_does_not_matter_and_neither_does_how_often() -> None:
    x, w = node("x"), node("w")
    root = node("max", node("*", x, w), node("*", w, x), node("*", x, w, w))
    assert labels(root) == ["* × 3", "max", "w", "x"]


def test_one_label_with_parents_of_other_groups_is_not_one_group() -> None:
    x, w = node("x"), node("w")
    root = node("max", node("exp", x), node("exp", w), node("exp", w))
    assert labels(root) == ["exp", "exp × 2", "max", "w", "x"]


def test_other_labels_are_other_groups() -> None:
    x = node("x")
    assert labels(node("+", node("sin", x), node("cos", x))) == ["+", "cos", "sin", "x"]


def test_layers_of_one_label_are_not_merged() -> None:
    layer = nodes("x", 2)
    for size in (3, 4, 3):
        layer = nodes("relu", size, *layer)
    root = node("out", *layer)
    assert labels(root) == ["out", "relu × 3", "relu × 3", "relu × 4", "x × 2"]
    assert edges(root) == {
        ("x × 2", "relu × 3"),
        ("relu × 3", "relu × 4"),
        ("relu × 4", "relu × 3"),
        ("relu × 3", "out"),
    }


def test_a_network_is_a_group_for_each_layer() -> None:
    out = MLP(2, [3, 3, 1])([1.0, 2.0])
    assert labels(out) == ["dot", "input × 25", "relu dot × 3", "relu dot × 3"]


def test_a_long_sum_is_one_group() -> None:
    terms = [node("*", node("x"), node("w")) for _ in range(1_000)]
    root = reduce(lambda total, term: node("+", total, term), terms)
    assert labels(root) == ["* × 1,000", "+ × 999", "w × 1,000", "x × 1,000"]
    assert edges(root) == {
        ("x × 1,000", "* × 1,000"),
        ("w × 1,000", "* × 1,000"),
        ("* × 1,000", "+ × 999"),
    }


def test_a_sum_on_either_side_of_a_plus_goes_on() -> None:
    root = reduce(lambda total, term: node("+", term, total), nodes("x", 5))
    assert labels(root) == ["+ × 4", "x × 5"]


@pytest.mark.parametrize("times", ["twice by one", "by another"])
def test_a_number_that_is_used_again_ends_a_run(times: str) -> None:
    y = node("*", node("x"), node("x"))
    z = node("*", y, y) if times == "twice by one" else node("*", y, node("w"))
    root = node("max", z) if times == "twice by one" else node("max", z, y)
    assert labels(root).count("*") == 2


def test_a_node_joins_only_a_parent_of_its_own_label() -> None:
    x = node("x")
    assert labels(node("sin", node("cos", node("sin", x)))) == [
        "cos",
        "sin",
        "sin",
        "x",
    ]
    assert labels(node("sin", node("sin", node("sin", x)))) == ["sin × 3", "x"]


def test_nodes_without_a_label_are_called_input_where_they_are_many() -> None:
    assert labels(node("sum", *nodes("", 2_000))) == ["input × 2,000", "sum"]
    assert labels(node("sum", node(""))) == ["", "sum"]


def test_a_group_of_one_shows_its_value_and_gradient_and_one_of_many_does_not() -> None:
    x, w = Value(3.0, "x"), [Value(2.0, "w"), Value(5.0, "w")]
    y = x * w[0] * x + x * w[1]
    y.backward()
    drawn = repr(draw(collapse(y)))
    assert 'label="x\n3\ngrad 17"' in drawn
    assert 'label="w × 2"' in drawn
    assert edges(y) == {("x", "* × 3"), ("w × 2", "* × 3"), ("* × 3", "+")}
    assert drawn.count("->") == 3
    assert repr(draw(collapse(x))) == repr(draw(x))
    assert (collapse(x).data, collapse(x).grad) == (3.0, 17.0)
    assert collapse(node("x")).data is None


steps = st.tuples(
    st.sampled_from("ab"), st.lists(st.integers(0, 9), min_size=0, max_size=3)
)


@given(st.lists(steps, min_size=1, max_size=12))
def test_every_node_is_in_one_group_and_every_edge_between_groups(program: Any) -> None:
    made: list[Any] = []
    for label, places in program:
        parents = [made[-1 - p % len(made)] for p in places if made]
        made.append(node(label, *parents))
    root = node("root", *made[-3:])
    groups = groups_of(collapse(root))
    order = topological_order(root)
    members = [id(v) for group in groups for v in group.members]
    assert sorted(members) == sorted(map(id, order))
    home = {id(v): group for group in groups for v in group.members}
    assert groups[0] is home[id(root)]
    assert all(v.label == home[id(v)].name for v in order)
    used = {(id(home[id(p)]), id(home[id(v)])) for v in order for p in v.parents}
    drawn = {(id(p), id(group)) for group in groups for p in group.parents}
    assert drawn == {(p, group) for p, group in used if p != group}
    for group in groups:
        assert len(group.parents) == len(set(map(id, group.parents)))


def test_a_chain_of_a_hundred_thousand_needs_no_recursion() -> None:
    x = Value(1.0, "x")
    y = x
    for i in range(100_000):
        y = y + 1.0
        y.label = "sin" if i < 50_000 and i % 2 else "+"
    group, sizes = collapse(y), []
    while group.parents:
        sizes.append(len(group.members))
        [group] = group.parents
    assert sizes == [50_000] + [1] * 50_000
    assert group.members == [x]


@pytest.mark.parametrize("below", [0, 1, 2])
def test_a_cycle_made_by_hand_ends(below: int) -> None:
    x = node("x")
    a = node("a", x)
    b = node("b", a)
    root = node("root", b)
    a.parents = ((a, b, root)[below], x)
    assert labels(root) == ["a", "b", "root", "x"]
    assert collapse(root).members == [root]


@pytest.mark.parametrize("name", ["parents", "label"])
def test_what_is_no_node_is_refused(name: str) -> None:
    broken = node("x")
    delattr(broken, name)
    for root in (broken, node("+", node("y"), broken)):
        with pytest.raises(TypeError, match=rf"collapse: namespace.* has no {name}; a"):
            collapse(root)
    with pytest.raises(TypeError, match=r"collapse: 3\.0 has no parents; a node needs"):
        collapse(3.0)


def test_no_group_is_made_from_itself() -> None:
    x = Value(2.0, "x")
    topological_order(collapse((x + 1) + (x + 2) * 3))
    neurons = [[Value(1.0)] * 2, [Value(1.0)] * 3]
    for inputs in neurons:
        topological_order(collapse(reduce(lambda y, v: (y + v) * (y + 1), inputs)))


def test_a_layer_of_one_neuron_is_no_run() -> None:
    root = collapse(MLP(2, [3, 1, 1])([1.0, 2.0]))
    assert [p.label for p in root.parents] == ["input × 15", "relu dot"]
