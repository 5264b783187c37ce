"""What a program cannot keep is refused, and left as it was (chapter 22).

An argument that the function writes into, a number that is found by a name
which no code has: each of these once gave another answer. So did what
is done beside functions: callables and classes, errors, and how gradients are recorded.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import threading
from collections import Counter, OrderedDict
from types import SimpleNamespace

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine.leaves.grad_mode import enable_grad, no_grad
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.program import Refused, compile
from tests.library.helpers.same_calls import assert_refused, assert_same_calls

ONES = np.ones(2)
SCALE = 2.0


@dataclasses.dataclass
class Trainer:
    w: np.ndarray
    steps: int = 0
    log: list = dataclasses.field(default_factory=list)

    def step(self, x):
        self.w = self.w - 0.1 * x
        return self.w.sum()

    def log_step(self, x):
        self.log.append(self.w.sum())
        return self.w * x


@dataclasses.dataclass
class Steps:
    n: int = 0

    def count(self, x):
        self.n += 1
        return x * 2

    def count_and_branch(self, x):
        self.n += 1
        return x if x.sum() > 0 else -x


class Weights:
    def __init__(self, w, scale):
        self.w, self.scale = w, scale

    def step(self, x):
        self.w = self.w + x
        return x

    def rescale(self, x):
        self.scale += 1
        return x


class Log(list):
    """A list with a class of its own."""


tree.register(Weights, lambda p: ((p.w,), p.scale), lambda k, ws: Weights(ws[0], k))

GIVEN = {
    "a dataclass of arrays": (Trainer.step, Trainer(np.ones(2))),
    "a list in a dataclass": (Trainer.log_step, Trainer(np.ones(2))),
    "a dataclass of numbers": (Steps.count, Steps()),
    "a registered class": (Weights.step, Weights(np.ones(2), 1.0)),
    "what else a registered class has": (Weights.rescale, Weights(np.ones(2), 1.0)),
    "a Counter": (lambda c, x: (c.update("a"), x)[1], Counter(a=0)),
    "an OrderedDict": (lambda d, x: d.update(w=d["w"] + x), OrderedDict(w=ONES * 2)),
    "a list of a class of its own": (lambda log, x: log.append(x), Log([ONES * 2])),
}


@pytest.mark.parametrize("name", GIVEN)
def test_an_argument_is_not_changed(name):
    f, given = GIVEN[name]
    words = "changes a list, a dictionary or an object that it is given"
    assert_refused(words, compile(f), (given, ONES))


def test_an_argument_is_as_it_was_after_another_refusal():
    assert_refused("branch", compile(Steps.count_and_branch), (Steps(), ONES))


def test_a_dictionary_that_is_an_argument_and_captured():
    weights = {"w": np.ones(2), "k": 3.0}

    def f(given, x):
        weights["k"] = weights["k"] + 1
        return given["w"] * x * given["k"]

    assert_refused("it changes weights", compile(f), (weights, ONES))


# What lies behind an argument, or is found by no name.


@pytest.mark.parametrize("what", ["backward", "grad"])
def test_a_graph_that_was_made_outside(what):
    w, v = Tensor(np.ones(2), requires_grad=True), Tensor(ONES, requires_grad=True)

    def f(h):
        loss = (h * h * v).sum()
        return loss.backward() if what == "backward" else ag.grad(loss, w)[0]

    compiled = compile(f)
    for k in (0.5, 1.0, 2.0):
        h = np.tanh(w * k)
        with pytest.raises(Refused, match="goes on in the graph of an argument"):
            compiled(h)
        assert w.grad is v.grad is h.grad is None
        assert type(w._array) is type(v._array) is type(h._array) is np.ndarray


def found_otherwise():
    """Return functions with what they use, and the words that refuse them."""
    local, seeds = threading.local(), np.random.SeedSequence(0)
    local.scale = 2.0
    rng = np.random.default_rng(0)
    several, objects = (rng, 2.0), np.array([2.0, None])

    def noisy(x, rng=rng):
        return x + rng.normal(size=2)

    def of_a_partial(rng, x):
        return x + rng.normal(size=2)

    def seeded(x):
        return x + np.random.default_rng(seeds.spawn(1)[0]).normal(size=2)

    unseen, unnamed, drawn = (
        "may change unseen",
        "does not name",
        "draws random numbers",
    )
    return {
        "numbers of a thread": (lambda x: x * local.scale, None, unseen),
        "seeds": (seeded, seeds.n_children_spawned, unseen),
        "eval": (lambda x: x * eval("SCALE"), None, unnamed),
        "an environment": (lambda x: x * len(os.environ), None, unnamed),
        "an array of objects": (lambda x: x * objects[0], None, unseen),
        "a generator that is a default": (noisy, rng, drawn),
        "a generator of a partial": (functools.partial(of_a_partial, rng), rng, drawn),
        "a generator in a tuple": (lambda x: x + several[0].normal(size=2), rng, drawn),
    }


FOUND = found_otherwise()


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_unseen(name):
    f, state, words = FOUND[name]
    assert_refused(words, compile(f), (ONES,), state)


def test_a_key_that_is_made_on_the_way():
    class Key:
        pass

    words = "it returns .* the same object at every call"
    assert_refused(words, compile(lambda x: {Key(): x}), (ONES,))


def test_flat_of_what_does_not_lie_row_by_row():
    def f(a):
        covariance = a.T * 2
        covariance.flat[:: len(a) + 1] += 1.0
        return covariance

    assert_refused("flat of an array", compile(f), (np.arange(4.0).reshape(2, 2),))


# What is called otherwise, or goes wrong.


class Layer:
    """Has attributes of names that a compiled function has as well."""

    name, verify = "layer", 1

    def __init__(self, function):
        self.function, self.reasons, self.static = function, ("a", "b"), "x"

    def __call__(self, x):
        return self.function(x) * 2


CALLABLES = (
    np.tanh,
    nn.Tanh(),
    Layer(np.tanh),
    Layer(np.tanh).__call__,
    functools.partial(np.multiply, 2.0),
)
NAMES = ("ufunc", "module", "object", "method", "partial")


def test_an_object_that_is_called():
    def calls(wrap):
        f = wrap(Layer(np.tanh))
        for i in range(4):
            yield f(np.array([1.0, i]))

    assert_same_calls(calls)


@pytest.mark.parametrize("f", CALLABLES, ids=NAMES)
def test_an_attribute_of_a_class_that_is_no_method(f):
    def calls(wrap):
        class Model:
            act = wrap(f)

        for i in range(4):
            yield Model().act(np.array([1.0, i]))

    assert_same_calls(calls)


def test_a_keyword_that_is_called_self():
    def calls(wrap):
        f = wrap(lambda x, **options: x * options["self"])
        for k in (2.0, 2.0, 3.0, 3.0):
            yield f(ONES, self=k)

    assert_same_calls(calls)


class Pair:
    """Is taken apart into containers that are made on the way."""

    def __init__(self, a, b):
        self.a, self.b = a, b


tree.register(
    Pair,
    lambda p: (([p.a], {"b": p.b}), None),
    lambda _, ab: Pair(ab[0][0], ab[1]["b"]),
)


def test_several_results_of_a_registered_class():
    def calls(wrap):
        f = wrap(lambda x: (Pair(x, x + 1), Pair(x * 2, x + 2), Pair(x * 3, x + 3)))
        for i in range(4):
            yield [(p.a, p.b) for p in f(np.array([1.0, i]))]

    assert_same_calls(calls)


def test_gradients_that_are_recorded_inside_only():
    w = Tensor(np.ones(2), requires_grad=True)

    def f(x):
        with enable_grad():
            return w * x

    def calls(wrap):
        g = wrap(f)
        for i in range(4):
            with no_grad():
                y = g(np.array([1.0, i]))
            yield y, y.requires_grad

    assert_same_calls(calls)


def test_a_graph_of_what_is_written_unseen():
    """As plain code does: ``w.data[...] =`` bumps no version."""

    def calls(wrap):
        w = Tensor(np.array([1.0, 2.0]), requires_grad=True)

        def f(x):
            w.data[0] += 1.0

        f = wrap(f)
        for _ in range(5):
            loss = (w * w).sum()
            f(ONES)
            w.grad = None
            loss.backward()
            yield w

    assert_same_calls(calls)


def test_an_open_mesh_of_masks():
    def calls(wrap):
        f = wrap(lambda x, m: x[np.ix_(m, m)].sum())
        for m in ([True, False], [True, False], [False, True], [True, False]):
            yield f(np.array([[1.0, 2.0], [3.0, 5.0]]), np.array(m))

    assert_same_calls(calls)


def test_an_error_of_numbers_that_nobody_reads():
    def f(x):
        with np.errstate(divide="raise"):
            1.0 / x  # no zeros, please
        return x * 2

    compiled = compile(f)
    for _ in range(3):
        assert compiled(ONES).tolist() == [2, 2]
        with pytest.raises(FloatingPointError, match="divide by zero"):
            compiled(np.array([0.0, 2.0]))


def test_an_array_that_became_read_only():
    state, total = SimpleNamespace(n=0), np.zeros(2)

    def f(x):
        state.n += 1
        total[:] = total + x

    compiled = compile(f)
    for i in range(5):
        total.flags.writeable = i < 3
        if i < 3:
            compiled(ONES)
        else:
            with pytest.raises(ValueError, match="read-only"):
                compiled(ONES)
        assert state.n == i + 1
        assert total.tolist() == [min(i + 1, 3)] * 2
