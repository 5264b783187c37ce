"""A program sees whatever its function reads and writes, or there is none (chapter 22).

By `super()`, by a setter, by a module that is an argument: each of these was once a
constant of the program, or was written into as the function was recorded.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib
import operator
import sys
from collections import defaultdict
from types import ModuleType
from types import SimpleNamespace as Settings

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.same_calls import assert_same_calls

SCALE, STEPS, RNG = 2.0, 0, np.random.default_rng(0)
ONES = np.ones(2)


def rescale(k):
    global SCALE
    SCALE = k


def named(name, **several):
    """Return a module, as one that is loaded by its path."""
    made = ModuleType(name)
    vars(made).update(several)
    return made


# What is read: a function, and what changes that.


class Base:
    def scaled(self, x):
        return x * SCALE

    def counted(self, x):
        global STEPS
        STEPS += 1
        return x * STEPS

    def drawn(self, x):
        return x + RNG.normal(size=2)


class Model(Base):
    def scaled(self, x):
        return super().scaled(x) + 1

    def counted(self, x):
        return super().counted(x) + 1

    def drawn(self, x):
        return super().drawn(x) + 1


def a_method_that_super_calls():
    return Model().scaled, rescale


class Box:
    content = None

    @property
    def scaled(self):
        return self.content

    @scaled.setter
    def scaled(self, x):
        self.content = x * SCALE


def a_setter():
    box = Box()
    box.content = np.zeros(2)

    def f(x):
        box.scaled = x
        return box.content.sum()

    return f, rescale


def a_wrapper_that_looks_like_numpy():
    @functools.wraps(np.sum)
    def total(x):
        return SCALE * np.sum(x)

    return lambda x: total(x), rescale


def two_modules_of_one_name():
    one, other = named("config", k=2.0), named("config", k=3.0)
    return lambda x: x * one.k + other.k, lambda k: setattr(other, "k", k)


def the_second_of_two_keys_that_look_alike():
    rates = {Tensor(np.zeros(2)): 0.1, Tensor(np.zeros(2)): 0.2}
    first, second = rates
    put = functools.partial(operator.setitem, rates, second)
    return lambda x: x * rates[first] + rates[second], put


def keys_of_a_dictionary_with_defaults():
    losses = defaultdict(float, a=1.0, b=2.0)

    def next_epoch(k):
        losses.clear()
        losses["b" if k > 3 else "a"] = k

    return lambda x: x * sum(losses.values()) + len(losses), next_epoch


READ = (
    a_method_that_super_calls,
    a_setter,
    a_wrapper_that_looks_like_numpy,
    two_modules_of_one_name,
    the_second_of_two_keys_that_look_alike,
    keys_of_a_dictionary_with_defaults,
)
CHANGES = (2.0, 2.0, 5.0, 5.0, 3.0)


@pytest.mark.parametrize("make", READ, ids=lambda f: f.__name__)
def test_what_is_read_may_change_between_calls(make):
    def calls(wrap):
        f, put = make()
        f = wrap(f)
        for k in CHANGES:
            put(k)
            yield f(ONES)

    assert_same_calls(calls)


def test_a_module_that_is_an_argument():
    def calls(wrap):
        config = named("config", k=2.0)
        f = wrap(lambda config, x: x * config.k)
        for config.k in CHANGES:
            yield f(config, ONES)

    assert_same_calls(calls)


FILES = {
    "inside/__init__.py": "",
    "inside/reached.py": "SCALE = 2.0\n",
    "inside/work.py": "def f(x):\n from .reached import SCALE\n return x * SCALE\n",
    "profile.py": "SCALE = 2.0\ndef f(x): return x * SCALE\n",
}


@pytest.fixture
def forget(tmp_path, monkeypatch):
    """Write the files, and return what forgets that they were imported."""
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    tops = {file.partition("/")[0].partition(".")[0] for file in FILES}

    def forget():
        several = [key for key in sys.modules if key.partition(".")[0] in tops]
        return {key: sys.modules.pop(key) for key in several}

    before = forget()
    yield forget
    forget()
    sys.modules.update(before)


@pytest.mark.parametrize(
    ("name", "reached"),
    [("inside.work", "inside.reached"), ("profile", "profile")],
    ids=["by a relative import", "called as one of Python's"],
)
def test_a_module_of_the_readers(name, reached, forget):
    def calls(wrap):
        forget()
        importlib.import_module(reached)
        f = wrap(importlib.import_module(name).f)
        for k in CHANGES:
            if k != 2.0:
                sys.modules[reached].SCALE = k
            yield f(ONES)

    assert_same_calls(calls)


# What is written: a function, and the state that it leaves.


def a_count_of_a_method_that_super_calls(wrap):
    global STEPS
    STEPS = 0
    return wrap(Model().counted), lambda: STEPS


def a_generator_of_a_method_that_super_calls(wrap):
    global RNG
    RNG = np.random.default_rng(0)
    return wrap(Model().drawn), lambda: RNG


def attributes_of_a_decorated_function(wrap):
    @wrap
    def step(x):
        step.calls += 1
        step.last = x * 2
        return x * step.calls

    step.calls, step.last = 0, None
    return step, lambda: (step.calls, step.last)


def a_module_that_is_an_argument(wrap):
    counts = named("counts", n=0)

    def f(module, x):
        module.n += 1
        return x * module.n

    return functools.partial(wrap(f), counts), lambda: counts.n


def a_count_that_is_copied_deeply(wrap):
    state = Settings(counts={"n": 0})

    def f(x):
        state.counts["n"] += 1
        counts = copy.deepcopy(state.counts)
        return x * 100 if counts["n"] > 3 else x * counts["n"]

    return wrap(f), lambda: state


@dataclasses.dataclass
class Count:
    n: int = 0


def a_count_that_becomes_a_dictionary(wrap):
    state = Settings(count=Count())

    def f(x):
        state.count.n += 1
        n = dataclasses.asdict(state.count)["n"]
        return x * 100 if n > 3 else x

    return wrap(f), lambda: state


def what_an_optimiser_knows_of_equal_tensors(wrap):
    w, b = Tensor(np.zeros(2), True), Tensor(np.zeros(2), True)
    speed = {p: np.zeros(2) for p in (w, b)}

    def step(x):
        ((w * x + b) ** 2 + w + 2 * b).sum().backward()
        for p in (w, b):
            speed[p] = 0.9 * speed[p] + p.grad.data
            p.data = p.data - 0.1 * speed[p]
            p.grad = None

    return wrap(step), lambda: [w, b, list(speed.values())]


WRITTEN = (
    a_count_of_a_method_that_super_calls,
    a_generator_of_a_method_that_super_calls,
    attributes_of_a_decorated_function,
    a_module_that_is_an_argument,
    a_count_that_is_copied_deeply,
    a_count_that_becomes_a_dictionary,
    what_an_optimiser_knows_of_equal_tensors,
)


@pytest.mark.parametrize("make", WRITTEN, ids=lambda f: f.__name__)
def test_what_is_written_is_left_as_the_function_leaves_it(make):
    def calls(wrap):
        f, state = make(wrap)
        for i in range(6):
            yield f(np.array([1.0, i])), state()

    assert_same_calls(calls)
