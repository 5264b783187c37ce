"""A pass for wanted tensors does not walk through what was before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import Function, functional, nn, tree
from autograd_lib.engine import Tensor, grad
from autograd_lib.engine.tape.node import Node

X = np.linspace(0, 1, 4)


def leaf(a: Any) -> Tensor:
    return Tensor(a, requires_grad=True)


class One:
    """Steps of one result after another, of w - rate * g."""

    def __init__(self) -> None:
        self.w = leaf(np.ones(4))

    def step(self) -> None:
        loss = ((self.w * X - 1) ** 2).sum()
        self.w = self.w - 0.01 * grad(loss, self.w)[0]


class Several:
    def __init__(self) -> None:
        self.w = [leaf(np.ones(4)) for _ in range(3)]

    def step(self) -> None:
        a, b, c = self.w
        slopes = grad((np.tanh(a * X + b) * c).sum(), self.w)
        self.w = [w - 0.01 * g for w, g in zip(self.w, slopes, strict=True)]


class Model:
    def __init__(self) -> None:
        self.model = nn.Sequential(nn.Linear(4, 3, rng=0), nn.Linear(3, 1, rng=0))

    def step(self) -> None:
        slopes = functional.grad(lambda m: (m(X.astype("f")) ** 2).mean())(self.model)
        self.model = tree.map(lambda p, g: p - 0.01 * g, self.model, slopes)


@pytest.mark.parametrize("make", [One, Several, Model])
def test_a_step_looks_at_as_many_nodes_however_long_its_history(
    make: Callable[[], Any], monkeypatch: Any
) -> None:
    parents, looked_at = Node.parents.fget, [0]  # type: ignore[attr-defined]

    def counted(node: Node) -> Any:
        looked_at[0] += 1
        return parents(node)

    monkeypatch.setattr(Node, "parents", property(counted))
    loop, counts = make(), []
    for _ in range(60):
        looked_at[0] = 0
        loop.step()
        counts.append(looked_at[0])
    assert max(counts[3:]) <= 1.1 * counts[3]


def through(x: Any, w: Any) -> Any:
    """Return derivatives by hand of (x² w).sum() with x = 3 w."""
    return 2 * x * w, x * x + 6 * x * w


def test_a_wanted_tensor_that_leads_to_another_has_its_path_followed() -> None:
    w = leaf(X + 1) * 1.0
    for _ in range(3):  # and in later passes, whose clock is ahead
        x = 3 * w
        found = grad((x * x * w).sum(), [x, w])
        for g, expected in zip(found, through(x.data, w.data), strict=True):
            np.testing.assert_allclose(g.data, expected)  # type: ignore[union-attr]
        w = leaf(X + 2) * 1.0


def test_what_was_written_into_is_followed_too() -> None:
    w = leaf(X + 1) * 1.0
    grad((w * (w * 2)).sum(), [w, w * 1.0], allow_unused=True)  # advances the clock
    x = w * 3.0
    x[0] = 5.0
    y = x * 2.0
    y += x
    first, second = grad((y * y).sum(), [x, w])
    np.testing.assert_allclose(first.data, 18 * x.data)  # type: ignore[union-attr]
    rest = np.where(np.arange(4) == 0, 0, 54 * x.data)
    np.testing.assert_allclose(second.data, rest)  # type: ignore[union-attr]


class Twice(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2.0, x * 3.0

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        return 2.0 * g + 3.0 * h


def test_an_operation_with_two_results_is_followed_too() -> None:
    w = leaf(X + 1) * 1.0
    for _ in range(2):
        a, b = Twice.apply(w)
        found = grad((a * b).sum(), [a, b, w])
        expected = b.data, a.data, 12 * w.data
        for g, e in zip(found, expected, strict=True):
            np.testing.assert_allclose(g.data, e)  # type: ignore[union-attr]


def test_a_leaf_behind_a_result_is_found() -> None:
    w = leaf(X + 1)
    x = w * 2.0
    for _ in range(2):
        both = grad((x * x).sum(), [x, w], retain_graph=True)
        np.testing.assert_allclose(both[0].data, 2 * x.data)  # type: ignore[union-attr]
        np.testing.assert_allclose(both[1].data, 4 * x.data)  # type: ignore[union-attr]
