"""An order in which gradients can be passed on."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.graph import topological_order


@st.composite
def graphs(draw):
    """Return the parents of each node, by number; a parent's number is smaller."""
    size = draw(st.integers(1, 12))
    return [
        draw(st.lists(st.integers(0, i - 1), max_size=4)) if i else []
        for i in range(size)
    ]


def reachable(parents, node):
    return {node}.union(*(reachable(parents, p) for p in set(parents[node])))


@given(graphs())
def test_every_node_comes_once_and_after_all_it_was_made_from(parents):
    root = len(parents) - 1
    order = topological_order(root, parents.__getitem__, key=int)
    assert order[-1] == root
    assert sorted(order) == sorted(reachable(parents, root))
    for node in order:
        assert all(order.index(p) < order.index(node) for p in parents[node])


@given(graphs(), st.data())
def test_an_edge_back_to_a_later_node_is_an_error(parents, data):
    root = len(parents) - 1
    late = data.draw(st.sampled_from(sorted(reachable(parents, root))))
    early = data.draw(st.sampled_from(sorted(reachable(parents, late))))
    parents[early].append(late)
    with pytest.raises(ValueError, match="topological_order: a node is made from"):
        topological_order(root, parents.__getitem__, key=int)


@pytest.mark.parametrize(
    ("parents", "lost"),
    [
        ({"root": ["root"]}, 1),
        ({"root": ["a"], "a": ["b"], "b": ["root"]}, 3),
        ({"root": ["a"], "a": ["b"], "b": ["a", "x"], "x": []}, 3),
    ],
    ids=["itself", "long", "below the root"],
)
def test_the_message_of_a_cycle_counts_nodes_and_gives_a_way_out(parents, lost):
    with pytest.raises(ValueError, match=f"{lost} of {len(parents)} .*a new node"):
        topological_order("root", parents.get, key=str)


def test_equal_nodes_are_two_nodes_by_default():
    class Node(float):
        parents = ()

    a, b = Node(1.0), Node(1.0)
    root = Node(2.0)
    root.parents = (a, b)
    order = topological_order(root)
    assert {id(node) for node in order} == {id(a), id(b), id(root)}


def test_key_says_which_nodes_are_one():
    parents = {"y": ["a", "A"], "a": [], "A": []}
    assert topological_order("y", parents.get, key=str.lower) in (
        ["a", "y"],
        ["A", "y"],
    )


def test_parents_may_come_from_a_generator():
    order = topological_order(3, lambda n: (n - 1 for _ in range(min(n, 2))), key=int)
    assert order == [0, 1, 2, 3]


def test_a_chain_of_a_hundred_thousand_nodes_needs_no_recursion():
    depth = 100_000
    order = topological_order(depth, lambda n: [n - 1] if n else [], key=int)
    assert order == list(range(depth + 1))


def test_a_tower_of_diamonds_is_linear_although_its_paths_are_not():
    # 2**500 paths lead from the root to the bottom.
    order = topological_order(500, lambda n: [n - 1] * 2 if n else [], key=int)
    assert order == list(range(501))


def test_a_node_without_parents_is_named_by_python():
    with pytest.raises(AttributeError, match="parents"):
        topological_order(SimpleNamespace(parents=[3.0]))
