"""Steps as people write them: they compile, or the refusal says what to do (24)."""

from __future__ import annotations

from collections import deque
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib import Tensor, compile, grad, nn
from autograd_lib.optim import Adam
from autograd_lib.program import Refused

ONES = np.ones(2)


class Config(dict):  # type: ignore[type-arg]
    __getattr__ = dict.__getitem__  # raises no AttributeError


class Ring(deque):  # type: ignore[type-arg]
    def __init__(self, n: int) -> None:
        super().__init__([np.zeros(2)] * n, maxlen=n)


class Trainer:
    def __init__(self) -> None:
        self.loader, self.w = iter([1, 2]), ONES  # the step does not use it

    def __call__(self, x: Any) -> Any:
        return x * self.w


def of_a_config() -> Any:
    config = Config(lr=0.1)
    return lambda x: x * config.lr


def of_a_class_with_a_signature_of_its_own() -> Any:
    ring = Ring(3)
    return lambda x: x + sum(ring)


def set_to_a_constant() -> Any:
    state = SimpleNamespace(h=np.zeros(2))

    def step(x: Any) -> Any:
        state.h = state.h + x
        y = state.h * 1
        state.h = np.full(2, 0.5)
        return y

    return step


def of_a_set_of_parameters() -> Any:
    parameters = [Tensor(ONES, True), Tensor(2 * ONES, True)]
    slow = {parameters[1]}
    return lambda x: sum(p.data * (x if p in slow else 2 * x) for p in parameters)


def of_a_model_that_is_remembered() -> Any:
    @cache
    def model() -> Any:
        return SimpleNamespace(w=Tensor(ONES, True))

    model()

    def step(x: Any) -> Any:
        w = model().w
        (g,) = grad((w * x).sum(), [w])
        w.data = w.data - 0.1 * g.data
        return w.data * 1

    return step


def in_training() -> Any:
    model = nn.Sequential(nn.Linear(2, 2, rng=0, dtype=float), nn.Dropout(0.5, rng=1))

    def step(x: Any) -> Any:
        model.train()
        return np.sum(model(x.reshape(1, 2))).data

    return step


@pytest.mark.filterwarnings("error")
def of_a_constant_that_is_written_into() -> Any:
    w = Tensor(ONES + 1, True)

    def step(x: Any) -> Any:
        y = Tensor(np.zeros(3))
        y[0] = (w * x).sum()
        y[1:] = w * w
        return grad((y * y).sum(), w)[0].data

    return step


def of_a_constant_that_is_added_to() -> Any:
    w = Tensor(ONES + 1, True)

    def step(x: Any) -> Any:
        y = Tensor(x) * 2.0
        y += w * x
        return grad((y * y).sum(), w)[0].data

    return step


@pytest.mark.parametrize(
    "made",
    [
        *(Trainer, of_a_config, of_a_class_with_a_signature_of_its_own),
        *(set_to_a_constant, of_a_set_of_parameters),
        *(of_a_constant_that_is_written_into, of_a_constant_that_is_added_to),
        in_training,
    ],
)
def test_a_step_compiles_as_it_is_written(made: Any) -> None:
    plain, compiled = made(), compile(made())
    for k in range(4):
        want = plain(ONES * k)
        assert np.asarray(compiled(ONES * k)).tolist() == np.asarray(want).tolist()
    assert compiled.reasons[0] == "the first call"
    assert not any("uncompiled" in reason for reason in compiled.reasons)


def test_a_model_in_a_cache_is_refused_and_left_as_it_was() -> None:
    step = of_a_model_that_is_remembered()
    with pytest.raises(
        Refused, match="assigns the data of a tensor where no program looks"
    ):
        compile(step)(ONES)
    assert step(ONES).tolist() == of_a_model_that_is_remembered()(ONES).tolist()


@pytest.mark.parametrize("shown", [lambda y: y[:1], lambda y: (y, y._array)])
def test_a_constant_that_something_else_shows_is_not_written_into(shown: Any) -> None:
    """Compiled or not: it would not know of the gradient."""
    w = Tensor(ONES, True)

    def step(x: Any) -> Any:
        y = Tensor(x) * 2.0
        other = shown(y)
        y += w
        return y, other

    for f in (step, compile(step)):
        with pytest.raises(RuntimeError, match="show the same memory"):
            f(ONES)


class Layer:
    def __init__(self) -> None:
        self.w = ONES

    @cached_property
    def table(self) -> Any:
        return np.arange(2.0)

    def __call__(self, x: Any) -> Any:
        self.out = x * self.w  # an attribute that is not there before
        return self.out + self.table


def with_a_dictionary_of_its_own() -> Any:
    logs: Any = {}
    kept: Any = {}

    def step(x: Any) -> Any:
        logs["loss"] = x.sum()
        if x.shape not in kept:
            kept[x.shape] = {"m": np.zeros_like(x), "steps": 0}
        kept[x.shape]["m"] = 0.5 * kept[x.shape]["m"] + x
        kept[x.shape]["steps"] += 1
        return kept[x.shape]["m"] * kept[x.shape]["steps"] + logs["loss"]

    step.state = logs, kept  # type: ignore[attr-defined]
    return step


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("made", [Layer, with_a_dictionary_of_its_own])
def test_what_a_step_makes_anew_is_there_afterwards(made: Any) -> None:
    """At the first call; the second, which finds it, has a program of its own."""
    function, other = made(), made()
    compiled = compile(function)
    for k in range(1, 6):
        want = other(ONES * k)
        assert compiled(ONES * k).tolist() == want.tolist()
        assert repr(state_of(function)) == repr(state_of(other))
    assert not any("uncompiled" in reason for reason in compiled.reasons)


def state_of(x: Any) -> Any:
    return vars(x) if isinstance(x, Layer) else x.state


def with_a_graph(state: Any, x: Any) -> None:
    state.w = state.p * x


def the_argument(state: Any, x: Any) -> None:
    state.w = x


@pytest.mark.parametrize(
    ("body", "way"),
    [
        (with_a_graph, r"put t.detach\(\) there"),
        (the_argument, "put a copy there"),
    ],
)
def test_a_refused_write_says_what_to_do(body: Any, way: str) -> None:
    state = SimpleNamespace(w=ONES, p=Tensor(ONES, True))

    def step(x: Any) -> Any:
        body(state, x)
        return x * 2

    before = dict(vars(state))
    with pytest.raises(Refused, match=way):
        compile(step)(2 * ONES)
    assert vars(state) == before


def test_a_result_that_no_program_returns_is_named_by_its_type() -> None:
    class Out:
        def __init__(self, loss: Any) -> None:
            self.loss = loss

        def __repr__(self) -> str:
            return f"{self.loss:.3f}"  # asks a recorded array

    with pytest.raises(Refused, match="it returns something of the type Out"):
        compile(lambda x: Out(x.sum()))(ONES)


def test_adam_moves_a_parameter_without_axes() -> None:
    p = Tensor(np.array(-2.0), requires_grad=True)
    optimizer = Adam([p], lr=0.1)

    def step() -> Any:
        optimizer.zero_grad()
        loss = np.exp(p)
        loss.backward()
        optimizer.step()
        return loss.data

    assert step() == np.exp(-2.0)
    assert p.data.shape == ()
    assert float(p.data) == pytest.approx(-2.1, rel=1e-6)  # lr times the sign, at first
