"""What rules may return, and that nobody's array is written into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import OUTPUT, binary, record, unary
from autograd_lib.engine.tape.tensor import Tensor

# Whole numbers below 2**53 are added exactly, so `==` is used.

Rule = Callable[[Any, Any], Any]


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=float)


def twice(x: Tensor, rule: Rule, saved: Any = None) -> Tensor:
    """Return x + x, as one node with two edges and this rule on both."""
    return record(x.data + x.data, (x, rule, saved), (x, rule, saved))


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2)])
@pytest.mark.parametrize("uses", [2, 3, 4, 5])
@pytest.mark.parametrize("create_graph", [False, True])
def test_every_use_counts(shape: Any, uses: int, create_graph: bool) -> None:
    x = leaf(np.ones(shape))
    w = leaf(np.full(shape, 2.0))
    y = x * w
    for k in range(1, uses):
        y = y + x * float(10**k)
    total = y.sum() if shape else y
    total.backward(create_graph=create_graph)
    right = 2.0 + sum(10**k for k in range(1, uses))
    assert (x.grad.tolist(), w.grad.tolist()) == (
        np.full(shape, right).tolist(),
        np.ones(shape).tolist(),
    )
    assert type(x.grad.data) is np.ndarray
    assert x.grad.shape == shape


@settings(max_examples=60)
@given(st.lists(st.sampled_from("gvsfcr"), min_size=2, max_size=6))
def test_rules_keep_what_is_theirs(kinds: str) -> None:
    """A rule may return what it was given, or an array that it goes on holding."""
    x = leaf([1.0, 2.0])
    held = np.array([5.0, 7.0])
    base = np.array([[1.0, 2.0], [3.0, 4.0]])
    fixed = np.array([8.0, 9.0])
    fixed.flags.writeable = False
    whole = np.array([3, 4])
    before = [a.copy() for a in (held, base, fixed, whole)]
    rules: dict[str, tuple[Rule, Any]] = {
        "g": (lambda g, _: g, np.ones(2)),
        "v": (lambda g, _: base[1], base[1]),
        "s": (lambda g, saved: saved, held),
        "f": (lambda g, _: fixed, fixed),
        "c": (lambda g, _: whole, whole),
        "r": (lambda g, _: np.broadcast_to(g[:1], 2), np.ones(2)),
    }
    seed = Tensor([1.0, 1.0])
    edges = [(x, rules[k][0], held) for k in kinds]
    record(x.data, *edges).backward(seed)
    expected = np.sum([rules[k][1] for k in kinds], axis=0)
    assert x.grad.tolist() == expected.tolist()
    x.grad.data[...] = -1.0
    assert seed.tolist() == [1.0, 1.0]
    for a, b in zip((held, base, fixed, whole), before, strict=True):
        assert a.tolist() == b.tolist()


HELD = np.full(2, 3.0)


def read_only(g: Any, _: Any) -> Any:
    made = np.full(2, 3.0)
    made.flags.writeable = False
    return made


@pytest.mark.parametrize(
    "rule",
    [
        read_only,
        lambda *_: HELD,
        lambda *_: HELD.astype(int),
        lambda *_: np.float32(HELD),
    ],
)
@pytest.mark.parametrize("then", ["array", "part", "part, later", "hook"])
def test_arrays_that_cannot_be_added_to(rule: Rule, then: str) -> None:
    """They are read-only, somebody else's, or of another type."""
    x = leaf([1.0, 2.0])
    half = unary(np.positive, x, lambda g, _: g * 0.5, None)
    made = unary(np.positive, x, rule, None)
    right = [3.5, 3.5]
    if then.startswith("part"):
        made, half, right = x[:1] * 0.5, made, [4.0, 3.0]
    if then == "part, later":
        made, half = half, made
    if then == "hook":
        half.register_hook(lambda g: g)
    (half + made).sum().backward()
    assert (x.grad.tolist(), HELD.tolist()) == (right, [3.0, 3.0])
    x.grad.data[...] = 0.0
    assert x.grad.dtype == np.float64


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("way", ["backward", "grad"])
def test_no_two_gradients_are_one_array(create_graph: bool, way: str) -> None:
    p, q, r, s = (leaf([1.0, 2.0]) for _ in range(4))
    seed = Tensor([1.0, 1.0])
    y = p + q - (-r) + s.reshape(1, 2).reshape(2)
    if way == "backward":
        y.backward(seed, create_graph=create_graph)
        gradients = [t.grad for t in (p, q, r, s)]
    else:
        gradients = list(grad(y, [p, q, r, s, p], seed, create_graph=create_graph))
    arrays = [g.data for g in (*gradients, seed)]
    for i, a in enumerate(arrays):
        assert a.tolist() == [1.0, 1.0]
        assert a.flags.writeable
        assert not any(np.shares_memory(a, b) for b in arrays[:i])


def test_a_leafs_own_gradient_is_not_the_one_given() -> None:
    x, seed = leaf([1.0]), Tensor([3.0])
    for create_graph in (False, True):
        x.grad = None
        x.backward(seed, create_graph=create_graph)
        assert x.grad is not seed
        assert not np.shares_memory(x.grad.data, seed.data)
    old = x.grad
    (x * 2).sum().backward()
    assert (old.tolist(), x.grad.tolist()) == ([3.0], [5.0])


@pytest.mark.parametrize("create_graph", [False, True])
def test_one_gradient_alone_is_the_leafs_too(create_graph: bool) -> None:
    """Where nothing is added: what a rule made read-only, or goes on holding."""
    held = np.array([5.0, 7.0])
    for by in (read_only, lambda g, _: held, lambda g, _: from_numpy(held)):
        if create_graph or by(held, None).__class__ is np.ndarray:
            x = leaf([1.0, 2.0])
            y = unary(np.positive, x, by, None).sum()
            y.backward(create_graph=create_graph)
            assert x.node.grad is None
            x.grad.data[...] = 0.0
    assert held.tolist() == [5.0, 7.0]


def undeclared(g: Any, result: Any) -> Any:
    """Return a tensor or an array where the pass is recorded."""
    return Tensor(result) if type(g) is Tensor and np.ndim(result) == 2 else result


@rule(broadcasts=True)
def declared(g: Any, result: Any) -> Any:
    return undeclared(g, result)


WRONG: list[tuple[Rule, Any, str]] = [
    (undeclared, np.ones(2), r"shape \(2,\); .* input's shape, \(3, 1\). Correct the"),
    (undeclared, np.ones((3, 4)), r"shape \(3, 4\); .*, \(3, 1\). Correct"),
    (undeclared, np.ones(()), r"shape \(\); "),
    (undeclared, 1.0, r"shape \(\); "),
    (undeclared, None, "None; a gradient"),
    (undeclared, "1", "str; a gradient"),
    (undeclared, [1.0], "list; a gradient"),
    (declared, np.ones((3, 3)), r"\(3, 3\); .*\(3, 1\) or of the output's, \(3, 4\)"),
    (declared, np.ones(4), r"\(4,\); .* or of the output's"),
    (declared, None, "None; a gradient"),
]


@pytest.mark.parametrize(("rule", "result", "words"), WRONG)
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_wrong_rule_is_named(
    rule: Rule, result: Any, words: str, create_graph: bool
) -> None:
    x, other = leaf(np.ones((3, 1))), leaf(1.0)
    y = unary(lambda a: a + np.zeros((3, 4)), x, rule, result).sum() + other
    words = rf"the rule {rule.__name__} of \S*test_backward_rules returned .*{words}"
    with pytest.raises(RuntimeError, match=words):
        y.backward(create_graph=create_graph)
    assert (x.grad, other.grad) == (None, None)


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_declared_rule_is_summed_over_copies(create_graph: bool) -> None:
    x, y = leaf(np.ones((3, 1))), leaf(np.ones(()))
    for result in (np.full((3, 4), 2.0), np.full((3, 1), 8.0)):
        x.grad = None
        z = unary(lambda a: a + np.zeros((3, 4)), x, declared, result) * y
        z.backward(np.ones((3, 4)), create_graph=create_graph)
        assert x.grad.tolist() == [[8.0]] * 3
    assert y.grad.item() == 24.0


def test_numbers_are_taken_for_arrays_of_no_axes() -> None:
    for result in (2.0, np.float64(2), np.array(2.0), np.float32(2)):
        x = leaf(1.0)
        twice(x, lambda g, r: r, result).backward()
        assert x.grad.item() == 4.0
        assert x.grad.dtype == np.float64


def test_what_is_saved_comes_as_arrays_or_as_tensors() -> None:
    seen = []

    def rule(g: Any, saved: Any) -> Any:
        seen.append((type(g), type(saved)))
        return g * saved

    x = leaf([1.0, 2.0])
    constant = np.ones(2)
    y = unary(np.exp, x, rule, x) + unary(np.exp, x, rule, OUTPUT)
    z = binary(np.add, y, rule, constant, 1.0, rule, None).sum()
    z.backward(retain_graph=True)
    assert set(seen) == {(np.ndarray, np.ndarray)}
    seen.clear()
    z.backward(create_graph=True)
    assert sorted(t.__name__ for _, t in seen) == ["Tensor", "Tensor", "ndarray"]
    assert {g for g, _ in seen} == {Tensor}
