"""Models, optimisers and containers that change between and in compiled calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.optim import SGD, Adam
from autograd_lib.program import PASSES, Refused, compile
from autograd_lib.program.rewrites import REORDER_SUMS

EXACT = tuple(p for p in PASSES if p not in REORDER_SUMS)
Made = tuple[Callable[[Any], Any], Callable[[], Any], Callable[[int], Any]]


def batch(i: int) -> Any:
    return Tensor(np.random.default_rng(i).normal(size=(4, 3)).astype(np.float32))


def state_of(*models: Any) -> Any:
    grads = [p.grad for m in models for p in m.parameters()]
    return [m.state_dict() for m in models], grads


def stays(_: int) -> None:
    """Change nothing between calls."""


def step_of(model: Any, optimizer: Any) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def tied_weights() -> Made:
    first, last = nn.Linear(3, 3, rng=0), nn.Linear(3, 3, rng=1)
    last.weight = first.weight
    model = nn.Sequential(first, nn.Tanh(), last)
    return step_of(model, Adam(model.parameters())), lambda: state_of(model), stays


def generators_that_become_one() -> Made:
    d = {"a": np.random.default_rng(0), "b": np.random.default_rng(1)}

    def f(x: Any) -> Any:
        return x + d["a"].normal(size=3) - d["b"].normal(size=3)

    def change(i: int) -> None:
        d["b"] = d["a"] if i == 2 else d["b"]

    return f, lambda: [g.bit_generator.state for g in d.values()], change


def training_and_not() -> Made:
    layers = nn.Linear(3, 4, rng=0), nn.BatchNorm(4), nn.Dropout(0.5, rng=1)
    model = nn.Sequential(*layers)
    return (
        lambda x: model(x).detach(),
        lambda: state_of(model),
        lambda i: model.train(i % 2 == 0),
    )


def a_parameter_without_gradient() -> Made:
    used, unused = nn.Linear(3, 1, rng=0), nn.Linear(3, 1, rng=1)
    optimizer = SGD([*used.parameters(), *unused.parameters()], 0.1, momentum=0.5)
    memory = [optimizer.memory, optimizer.moves]
    return step_of(used, optimizer), lambda: (state_of(used, unused), memory), stays


def gradients_of_several_calls() -> Made:
    model, own = nn.Linear(3, 1, rng=0), SimpleNamespace(k=0)
    optimizer = Adam(model.parameters(), lr=0.1)

    def f(x: Any) -> Any:
        own.k += 1
        (model(x) ** 2).mean().backward()
        if own.k % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
        return x.data * own.k

    return f, lambda: (state_of(model), own.k, optimizer.moves), stays


def a_parameter_is_replaced() -> Made:
    model = nn.Linear(3, 1, rng=0)

    def f(x: Any) -> Any:
        model.zero_grad()
        (model(x) ** 2).mean().backward()
        for p in model.parameters():
            p.data -= 0.1 * p.grad.data
        return x

    def change(i: int) -> None:
        if i == 2:
            model.weight = Tensor(np.ones((1, 3), np.float32), requires_grad=True)

    return f, lambda: state_of(model), change


def rates_of_all_kinds() -> Made:
    model = nn.Linear(3, 1, rng=0)
    optimizer = SGD(model.parameters(), lr=0.1)
    rates = (0.1, np.float64(0.2), 1, np.float32(0.3), 0.1, 0.05)

    def change(i: int) -> None:
        optimizer.lr = rates[i]

    return step_of(model, optimizer), lambda: state_of(model), change


def a_momentum_that_changes() -> Made:
    model = nn.BatchNorm(3)

    def change(i: int) -> None:
        model.momentum = (0.1, 0.2, 0.3, 0.1, 0.1, 0.5)[i]

    return lambda x: model(x).detach(), lambda: state_of(model), change


def gradients_scaled_in_place() -> Made:
    model = nn.Linear(3, 1, rng=0)
    optimizer = SGD(model.parameters(), lr=0.1)

    def f(x: Any) -> Any:
        (model(x) ** 2).mean().backward()
        for p in model.parameters():
            p.grad *= 0.5
        optimizer.step()
        return x

    return f, lambda: state_of(model), stays


def means_of_parameters() -> Made:
    model = nn.Linear(3, 1, rng=0)
    means = [p.data.copy() for p in model.parameters()]
    step = step_of(model, SGD(model.parameters(), lr=0.1))

    def f(x: Any) -> Any:
        loss = step(x)
        for mean, p in zip(means, model.parameters(), strict=True):
            mean *= 0.9
            mean += 0.1 * p.data
        return loss

    return f, lambda: (state_of(model), means), stays


def a_second_model_that_follows() -> Made:
    model, target = nn.Linear(3, 1, rng=0), nn.Linear(3, 1, rng=1)

    def f(x: Any) -> Any:
        model.zero_grad()
        ((model(x) - target(x).detach()) ** 2).mean().backward()
        pairs = zip(model.parameters(), target.parameters(), strict=True)
        with ag.no_grad():
            for p, q in pairs:
                p -= 0.1 * p.grad
                q *= 0.9
                q += 0.1 * p
        return x

    return f, lambda: state_of(model, target), stays


def an_optimiser_of_ones_own() -> Made:
    model = nn.Linear(3, 1, rng=0)
    moments = [[np.zeros_like(p.data), p.data**2] for p in model.parameters()]
    own = {"moments": moments, "step": 0, "rate": 0.1}

    def f(x: Any) -> Any:
        model.zero_grad()
        (model(x) ** 2).mean().backward()
        own["step"] += 1
        for i, p in enumerate(model.parameters()):
            mean, square = own["moments"][i]
            mean = 0.9 * mean
            mean += 0.1 * p.grad.data  # a write into what is no recorded array at first
            own["moments"][i] = [mean, 0.9 * square + p.grad.data**2]
            p.data -= own["rate"] / own["step"] * mean / np.sqrt(own["moments"][i][1])
        return x

    def change(i: int) -> None:
        own["rate"] = 0.1 / (1 + i // 2)

    return f, lambda: (state_of(model), own), change


def a_list_that_two_names_show() -> Made:
    own = SimpleNamespace(a=[1.0, 2.0], b=[1.0, 2.0])

    def f(x: Any) -> Any:
        own.a[0] += 1
        own.b[1] += own.a[0]
        return x.data * own.b[0], own.a[1]

    def change(i: int) -> None:
        own.b = own.a if i > 2 else own.b

    return f, lambda: (own.a, own.b, own.a is own.b), change


def functions_that_write() -> Made:
    a, b, counts = np.zeros((4, 3)), np.zeros(4), np.zeros(3)

    def f(x: Any) -> Any:
        np.copyto(a, x.data)
        a[x.data > 0] = 1
        a.T[0] -= 2
        np.put(b, [0, 2], x.data[0, :2])
        np.add.at(counts, np.argmax(x.data, axis=1), 1)
        return a * 2, b.sum()

    return f, lambda: (a, b, counts), stays


def one_array_in_two_places() -> Made:
    own = SimpleNamespace(a=np.zeros(3))
    own.b = own.a

    def f(x: Any) -> Any:
        own.a += x.data[0]
        return own.b * 1

    return f, lambda: (own.a, own.b, own.a is own.b), stays


@dataclass(slots=True)
class Slots:
    """A number in a slot."""

    n: int = 0


@dataclass
class Means:
    """Means with their count, and a number behind a property."""

    mean: Any
    n: int = 0
    _k: float = 1.0

    @property
    def k(self) -> float:
        return self._k

    @k.setter
    def k(self, k: float) -> None:
        self._k = k


def objects_of_ones_own() -> Made:
    means, queue, slots = Means(np.zeros(3)), deque([1.0, 2.0]), Slots()

    def f(x: Any) -> Any:
        f.calls += 1  # type: ignore[attr-defined]
        means.mean = means.mean * 0.9 + x.data.mean(axis=0)
        means.n += 1
        means.k = means.k / 2
        slots.n += 2
        queue[0] += means.k / slots.n
        return means.mean / (1 - 0.9**means.n), f.calls  # type: ignore[attr-defined]

    f.calls = 0  # type: ignore[attr-defined]
    return f, lambda: (vars(means), list(queue), vars(f), slots.n), stays


STATES = {
    f.__name__: f
    for f in (
        *(tied_weights, generators_that_become_one, training_and_not),
        *(a_parameter_without_gradient, gradients_of_several_calls),
        *(a_parameter_is_replaced, rates_of_all_kinds, a_momentum_that_changes),
        *(gradients_scaled_in_place, means_of_parameters, a_second_model_that_follows),
        *(
            an_optimiser_of_ones_own,
            functions_that_write,
            a_list_that_two_names_show,
            one_array_in_two_places,
            objects_of_ones_own,
        ),
    )
}


def plain(x: Any) -> Any:
    """Return what tells whether two states are the same."""
    if isinstance(x, tuple | list):
        return list(map(plain, x))
    if isinstance(x, dict):
        return {key: plain(item) for key, item in x.items()}
    if isinstance(x, Tensor):
        return plain(x.data)
    if isinstance(x, np.ndarray | np.generic):
        return type(x).__name__, x.dtype.str, x.shape, x.tobytes()
    return type(x).__name__, repr(x)


@pytest.mark.parametrize("name", STATES)
def test_six_calls_leave_what_the_function_leaves(name: str) -> None:
    (f, state, change), (g, other, other_change) = STATES[name](), STATES[name]()
    compiled = compile(f, passes=EXACT)
    for i in range(6):
        change(i)
        other_change(i)
        assert plain(compiled(batch(i))) == plain(g(batch(i))), i
        assert plain(state()) == plain(other()), i
    assert not compiled.wrong
    many = 6 if name == "gradients_of_several_calls" else 2
    assert len(compiled.programs) <= many, compiled.reasons


def test_memory_that_two_arrays_show_is_refused_and_not_written_into() -> None:
    whole, w = np.zeros(6), Tensor(np.ones(3), requires_grad=True)
    shown, raw = whole[:3], w.data

    def writes_whole(x: Any) -> Any:
        whole[...] = np.concatenate([x, x])
        return shown * 2

    def writes_tensor(x: Any) -> Any:
        w.data -= x
        return raw * 1

    for f in (writes_whole, writes_tensor):
        with pytest.raises(Refused, match="memory that two arrays show"):
            compile(f)(np.ones(3))
    assert not whole.any()
    assert w.data.tolist() == [1.0] * 3


def test_a_checkpoint_that_draws_again_is_refused() -> None:
    w, rng = Tensor(np.ones(3), requires_grad=True), np.random.default_rng(0)

    def f(x: Any) -> Any:
        y = ag.checkpoint(lambda t: t * t * rng.random(3), w * x)
        return ag.grad(y.sum(), w)[0]

    with pytest.raises(Refused, match="set back"):
        compile(f)(np.ones(3))
