"""Trees: taken apart and put together again, with order, classes and static parts."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn, tree
from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor

Point = namedtuple("Point", "x y")


@dataclass(frozen=True)
class Layer:
    weight: Any
    bias: Any
    name: str = field(default="layer", metadata={"static": True})


TREES = [
    1.0,
    [1.0, (2.0, 3.0)],
    {"b": 1.0, "a": [2.0]},
    OrderedDict(z=1.0, y=2.0),
    Point(1.0, [2.0]),
    Layer(1.0, [2.0], "first"),
    [None, 1.0, []],
    {},
]


@pytest.mark.parametrize("value", TREES, ids=repr)
def test_put_together_it_is_what_it_was(value: Any) -> None:
    leaves, structure = tree.flatten(value)
    again = structure.unflatten(leaves)
    assert again == value
    assert type(again) is type(value)
    assert len(structure.paths) == len(leaves)
    assert structure.leaves_of(value) == leaves


def test_leaves_come_from_left_to_right_and_keys_keep_their_order() -> None:
    value = {"b": [1.0, (2.0,)], "a": Point(3.0, Layer(4.0, 5.0))}
    assert tree.leaves(value) == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert list(tree.map(lambda x: x, value)) == ["b", "a"]
    assert tree.flatten(value)[1].paths == [
        *("['b'][0]", "['b'][1][0]"),
        *("['a'].x", "['a'].y.weight", "['a'].y.bias"),
    ]


def test_a_leaf_is_what_nobody_knows_and_strings_and_arrays_are() -> None:
    for value in ("text", {1.0}, np.ones(2), Tensor([1.0, 2.0]), Layer):
        assert tree.leaves(value) == [value] or tree.leaves(value)[0] is value


def test_dictionaries_match_by_key() -> None:
    added = tree.map(lambda x, y: x - y, {"a": 1.0, "b": 2.0}, {"b": 5.0, "a": 3.0})
    assert added == {"a": -2.0, "b": -3.0}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ([1.0, {"a": 2.0}], r"the tree\[1\] should be a dict with \['a'\], \['b'\]"),
        ([1.0], r"should be a list with \[0\], \[1\], got a list with \[0\]"),
        ((1.0, {"a": 1.0, "b": 2.0}), "should be a list"),
        (3.0, "should be a list with .*got 3.0"),
        ([1.0, None], "got a NoneType with nothing in it"),
    ],
)
def test_another_structure_is_named(other: Any, message: str) -> None:
    _, structure = tree.flatten([1.0, {"a": 1.0, "b": 2.0}])
    with pytest.raises(ValueError, match=message):
        structure.leaves_of(other, "the tree")


def test_static_fields_of_dataclasses_stay() -> None:
    doubled = tree.map(lambda x: 2 * x, Layer(1.0, 2.0, "kept"))
    assert doubled == Layer(2.0, 4.0, "kept")


class Named(list[Any]):
    """A list with a name."""

    name = "none"


def test_a_list_of_a_class_of_ones_own_keeps_its_attributes() -> None:
    value = Named([1.0, 2.0])
    value.name = "two"
    made = tree.map(lambda x: 2 * x, value)
    assert (type(made), made, made.name) == (Named, [2.0, 4.0], "two")


def test_a_class_is_registered_once() -> None:
    class Pair:
        def __init__(self, a: Any, b: Any) -> None:
            self.a, self.b = a, b

    tree.register(Pair, lambda p: ((p.a, p.b), "rest"), lambda _, ab: Pair(*ab))
    pair = tree.map(lambda x: -x, [Pair(1.0, 2.0)])[0]
    assert (pair.a, pair.b) == (-1.0, -2.0)
    with pytest.raises(ValueError, match="Pair is known already"):
        tree.register(Pair, lambda p: ((), None), lambda *_: None)
    with pytest.raises(ValueError, match="dict is known already"):
        tree.register(dict, lambda p: ((), None), lambda *_: None)
    with pytest.raises(TypeError, match="needs a class"):
        tree.register(3, lambda p: ((), None), lambda *_: None)  # type: ignore[arg-type]


class Tied(nn.Module):
    """Two layers in a list, one of them twice, a buffer and random numbers."""

    def __init__(self) -> None:
        shared = nn.Linear(2, 2, rng=0, dtype=float)
        self.layers = [shared, nn.BatchNorm(2, dtype=float), shared]
        self.dropout = nn.Dropout(0.5, rng=0)

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return self.dropout(x)


def test_a_module_is_a_tree_of_its_parameters_each_once() -> None:
    model = Tied()
    leaves, structure = tree.flatten(model)
    assert [id(p) for p in leaves] == [id(p) for p in model.parameters()]
    assert structure.paths[0] == "['layers.0.weight']"
    other = tree.map(lambda p: p * 2, model)
    assert other.layers[0] is other.layers[2]
    assert other.layers[0] is not model.layers[0]
    assert other.dropout.rng is model.dropout.rng
    buffers = zip(model.buffers(), other.buffers(), strict=True)
    assert [a is b for a, b in buffers] == [True, True]
    for p, q in zip(model.parameters(), other.parameters(), strict=True):
        np.testing.assert_array_equal(2 * p.data, q.data)


def test_parameters_of_a_copy_are_leaves_that_lead_to_what_made_them() -> None:
    model = nn.Linear(2, 1, rng=0, dtype=float)
    other = tree.map(lambda p: 3 * p, model)
    assert all(p.is_leaf for p in other.parameters())
    assert len(list(other.parameters())) == 2
    first, _ = grad(other(np.ones((1, 2))).sum(), list(model.parameters()))
    assert first is not None
    np.testing.assert_array_equal(first.data, np.full((1, 2), 3.0))


def test_parameters_of_a_copy_of_constants_collect_gradients() -> None:
    model = nn.Linear(2, 1, rng=0, dtype=float)
    with no_grad():
        other = tree.map(lambda p: p - 1.0, model)
    other(np.ones((1, 2))).sum().backward()
    assert [p.grad.shape for p in other.parameters()] == [(1, 2), (1,)]
    assert [p.grad for p in model.parameters()] == [None, None]
