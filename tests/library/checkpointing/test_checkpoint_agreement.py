"""Checkpoints and hooks on saved tensors beside PyTorch's, which does not re-enter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.checkpointing import checkpoint
from autograd_lib.checkpointing.saved_tensors import saved_tensors_hooks
from autograd_lib.checkpointing.schedules import checkpoint_sequential
from autograd_lib.engine import Tensor, grad

torch = pytest.importorskip(
    "torch",
    reason="PyTorch is not installed, so checkpoints are not compared with it here; "
    "pip install torch==2.13.0",
)
theirs = torch.utils.checkpoint
ROWS = np.random.default_rng(0).normal(size=(4, 3))


class Ours:
    tanh, grad = staticmethod(np.tanh), staticmethod(grad)
    hooks = saved_tensors_hooks

    @staticmethod
    def leaf(data: Any) -> Any:
        return Tensor(data, requires_grad=True)

    @staticmethod
    def checkpoint(f: Any, *inputs: Any) -> Any:
        return checkpoint(f, *inputs)


class Theirs:
    tanh, grad = staticmethod(torch.tanh), staticmethod(torch.autograd.grad)
    hooks = torch.autograd.graph.saved_tensors_hooks

    @staticmethod
    def leaf(data: Any) -> Any:
        return torch.tensor(data, requires_grad=True)

    @staticmethod
    def checkpoint(f: Any, *inputs: Any) -> Any:
        return theirs.checkpoint(f, *inputs, use_reentrant=False)


def closed_over(L: Any) -> Any:
    x, w = L.leaf(ROWS), L.leaf(ROWS[:3])
    y = L.checkpoint(lambda h: L.tanh(h @ w) * h, x)
    return L.grad((y * y).sum(), [x, w])


def second_order(L: Any) -> Any:
    x, w = L.leaf(ROWS), L.leaf(ROWS[:3])
    y = L.checkpoint(lambda h: L.tanh(h @ w) * h, x)
    (g,) = L.grad((y * y).sum(), [x], create_graph=True)
    return L.grad((g * g).sum(), [x, w])


def nested(L: Any) -> Any:
    x, w = L.leaf(ROWS), L.leaf(ROWS[:3])

    def inner(h: Any) -> Any:
        return L.tanh(L.tanh(h @ w) @ w)

    y = L.checkpoint(lambda h: L.checkpoint(inner, L.checkpoint(inner, h) * h), x)
    return L.grad((y * y).sum(), [x, w])


def calls_in_two_passes(L: Any) -> Any:
    calls: list[int] = []

    def f(h: Any) -> Any:
        calls.append(1)
        return L.tanh(L.tanh(h))

    x = L.leaf(ROWS)
    loss = L.checkpoint(f, x).sum()
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=True)
    return [x.grad, np.array(len(calls))]


def doubled_when_unpacked(L: Any) -> Any:
    x = L.leaf(ROWS)
    kept = []

    def pack(t: Any) -> Any:
        kept.append(t)
        return len(kept) - 1

    with L.hooks(pack, lambda i: kept[i] * 2.0):
        y = (L.tanh(x) * 3.0).sum()
    y.backward()
    return [x.grad]


@pytest.mark.parametrize(
    "program",
    [closed_over, second_order, nested, calls_in_two_passes, doubled_when_unpacked],
)
def test_programs_agree(program: Any) -> None:
    found, wanted = program(Ours), program(Theirs)
    for a, b in zip(found, wanted, strict=True):
        assert np.asarray(getattr(a, "data", a)) == pytest.approx(np.asarray(b))


def test_a_chain_in_segments_agrees() -> None:
    layers = [nn.Linear(3, 3, rng=i, dtype=float) for i in range(4)]
    others = [torch.nn.Linear(3, 3, dtype=float) for _ in layers]
    for ours, other in zip(layers, others, strict=True):
        other.load_state_dict(
            {k: torch.from_numpy(a) for k, a in ours.state_dict().items()}
        )
    x, z = Ours.leaf(ROWS), Theirs.leaf(ROWS)
    y = checkpoint_sequential(layers, 2, x)
    y.sum().backward()
    t = theirs.checkpoint_sequential(others, 2, z, use_reentrant=False)
    t.sum().backward()
    assert x.grad.data == pytest.approx(z.grad.numpy())
    for ours, other in zip(layers, others, strict=True):
        assert ours.weight.grad.data == pytest.approx(other.weight.grad.numpy())


def test_running_means_move_twice_there_and_are_refused_here() -> None:
    norm = torch.nn.BatchNorm1d(3, dtype=float)
    y = theirs.checkpoint(
        lambda h: norm(h) * 2.0, Theirs.leaf(ROWS), use_reentrant=False
    )
    before = norm.running_mean.clone()
    (y * y).sum().backward()
    assert not torch.equal(norm.running_mean, before)
    with pytest.raises(RuntimeError, match="BatchNorm"):
        checkpoint(nn.BatchNorm(3, dtype=float), Ours.leaf(ROWS))
