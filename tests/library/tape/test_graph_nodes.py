"""The graph is data: nodes say what they were made from, and can be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.book import draw
from autograd_lib.engine.function import Function
from autograd_lib.engine.joint import JointEdge
from autograd_lib.engine.leaves.hooks import Handle
from autograd_lib.engine.tape.node import (
    LeafExtras,
    Node,
    Saved,
    SavedOutput,
)
from autograd_lib.engine.tape.record import OUTPUT, record, result, unary
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.graph import topological_order


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=float)


def rule(g: Any, saved: Any) -> Any:
    return g


def test_labels_and_parents() -> None:
    x, w, b = leaf(np.ones((3, 2))), leaf(np.ones((2, 4))), leaf(np.ones(4))
    product = x @ w
    y = product + b
    assert [t.node.label for t in (x, product, y)] == [
        "leaf (3, 2)",
        "vjp_left, vjp_right (3, 4)",
        "identity (3, 4)",
    ]
    assert product.node.parents == (x.node, w.node)
    assert y.node.parents == (product.node, b.node)
    assert (x.node.parents, x.node.edges) == ((), ())
    assert isinstance(x.node.extra, LeafExtras)
    assert y.node.extra is None
    assert repr(y.node) == "<Node: identity (3, 4)>"
    y.sum().backward()
    assert repr(y.node) == "<Node: freed (3, 4)>"
    assert y.node.parents == ()


def test_edges_lead_only_to_what_needs_a_gradient() -> None:
    x, w = Tensor([1.0, 2.0]), leaf([3.0, 4.0])
    assert (x * 2 + x).node is None
    ((parent, multiplied, saved),) = (x * w).node.edges
    assert (parent, multiplied.__name__) == (w.node, "times")
    assert saved is x
    ((_, _, saved),) = (w * 2.5).node.edges
    assert saved == 2.5
    assert [edge[0] for edge in (w * w).node.edges] == [w.node, w.node]
    made = record(np.ones(2), (x, rule, 1), (w, rule, 2), (7.0, rule, 3))
    assert made.node.edges == ((w.node, rule, 2),)
    assert record(np.ones(2), (x, rule, 1)).node is None


def test_nodes_keep_no_data() -> None:
    x = leaf([1.0, 2.0])
    y = -x + x.reshape(2, 1).sum()
    saved = [s for v in topological_order(y.node) for _, _, s in v.edges]
    assert not any(isinstance(s, np.ndarray | Tensor | SavedOutput) for s in saved)


def test_out_is_saved_without_its_tensor() -> None:
    x = leaf([1.0, 2.0])
    y = unary(np.exp, x, rule, OUTPUT)
    ((_, _, saved),) = y.node.edges
    assert type(saved) is SavedOutput
    assert saved.array is y.data
    for z in (
        result(np.ones(2), x, rule, Saved(x, OUTPUT, 3)),
        record(np.ones(2), (x, rule, Saved(x, OUTPUT, 3))),
    ):
        ((_, _, saved),) = z.node.edges
        assert saved.items[0] is x
        assert saved.items[1].array is z.data
        assert saved.items[2] == 3
    assert type(record(np.ones(2), (x, rule, OUTPUT)).node.edges[0][2]) is SavedOutput


def test_an_edge_to_several_nodes() -> None:
    class Swap(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor, y: Tensor, z: Tensor) -> Any:
            return y * 1.0, x * 1.0

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            return gradients[1], gradients[0], None

    x, z = leaf([1.0]), leaf([2.0, 3.0])
    first, second = Swap.apply(x, Tensor([1.0]), z)
    joint = first.node.parents[0]
    assert second.node.parents == (joint,)
    assert isinstance(joint.extra, JointEdge)
    assert joint.parents == (x.node, z.node)
    assert joint.label == "Swap.backward with several outputs"
    assert first.node.label == "into_place (1,)"
    order = topological_order((first + second).node)
    assert len(order) == 6
    assert set(order[:2]) == {x.node, z.node}


def test_a_graph_is_drawn() -> None:
    x, w = leaf(np.ones((1, 2))), leaf(np.ones((2, 1)))
    drawn = repr(draw((x @ w + 1.0).node))
    for label in ("leaf (1, 2)", "leaf (2, 1)", "vjp_left, vjp_right (1, 1)"):
        assert label in drawn
    assert drawn.count("->") == 3
    x.grad = Tensor([[7.0, 7.0]])
    assert "7" not in repr(draw(x.node))


def test_an_anonymous_rule_has_a_name_too() -> None:
    x = leaf(1.0)
    y = unary(np.exp, x, lambda g, _: g, None)
    assert "<lambda>" in y.node.label

    class Callable:
        def __call__(self, g: Any, _: Any) -> Any:
            return g

        def __repr__(self) -> str:
            return "a callable"

    assert unary(np.exp, x, Callable(), None).node.label == "a callable ()"


def test_handles_take_hooks_away() -> None:
    x, seen = leaf(1.0), []
    handles = [x.register_hook(seen.append), x.node.register_prehook(seen.append)]
    (x * 2).backward()
    assert len(seen) == 2
    for handle in handles:
        assert isinstance(handle, Handle)
        handle.remove()
        handle.remove()
    (x * 2).backward()
    assert len(seen) == 2
    with pytest.raises(TypeError, match="register_hook: a hook is a function, got 3"):
        x.register_hook(3)  # type: ignore[arg-type]
    for refused in (Tensor(1.0).register_hook, lambda _: Tensor(1.0).retain_grad()):
        with pytest.raises(
            RuntimeError, match="this tensor needs no gradient, so none"
        ):
            refused(print)


def test_a_node_can_be_made_by_hand() -> None:
    """An engine of nodes alone: nothing but edges and a shape is needed."""
    x = leaf(3.0)
    y = Tensor(6.0)
    y.node = Node()
    y.node.edges, y.node.shape, y.node.version = ((x.node, rule, None),) * 2, (), 0
    y.node.stamp = y.node.extra = None
    y.backward()
    assert x.grad.item() == 2.0
