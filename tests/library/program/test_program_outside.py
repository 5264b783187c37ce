"""What a compiled function uses from outside its arguments is seen (chapter 22)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import value_and_grad
from autograd_lib.program import compile
from tests.library.program.test_program import assert_same, numbers

settings = SimpleNamespace(rate=2.0)


# What a function uses besides.

PACKAGE = """
from collections import deque
rate = 2.0
rates, several = deque([2.0]), {1, 2}
def scaled(x): return x * rate
scaled.by = 2.0
class Base:
    rate = 2.0
    def __matmul__(self, x): return scaled(x)
class Derived(Base): pass
"""
USES: dict[str, tuple[Any, Any]] = {
    "a function in it": (
        lambda x, p: p.inner.scaled(x),
        lambda p: setattr(p.inner, "rate", 5.0),
    ),
    "a module in an attribute": (
        lambda x, p: p.held.it.scaled(x),
        lambda p: setattr(p.inner, "rate", 5.0),
    ),
    "what a class has from another": (
        lambda x, p: x * p.inner.Derived.rate,
        lambda p: setattr(p.inner.Base, "rate", 5.0),
    ),
    "a class of which an object is made": (
        lambda x, p: x * p.inner.Derived().rate,
        lambda p: setattr(p.inner.Base, "rate", 5.0),
    ),
    "an operator": (
        lambda x, p: p.inner.Derived() @ x,
        lambda p: setattr(p.inner, "rate", 5.0),
    ),
    "code inside": (
        lambda x, p: sum(x * p.inner.rate for _ in range(2)),
        lambda p: setattr(p.inner, "rate", 5.0),
    ),
    "an attribute of a function": (
        lambda x, p: x * p.inner.scaled.by,
        lambda p: setattr(p.inner.scaled, "by", 5.0),
    ),
    "a set": (
        lambda x, p: x * len(p.inner.several),
        lambda p: p.inner.several.add(3),
    ),
    "a queue": (
        lambda x, p: x * p.inner.rates[0],
        lambda p: p.inner.rates.appendleft(5.0),
    ),
}


@pytest.mark.parametrize("use", USES)
def test_modules_of_ones_own_are_followed(
    use: str, tmp_path: Path, monkeypatch: Any
) -> None:
    folder = tmp_path / "outer_of_guards"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "inner.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    inner = importlib.import_module("outer_of_guards.inner")
    outer: Any = sys.modules["outer_of_guards"]
    outer.held = SimpleNamespace(it=inner)
    # The function as it stands in a file without this test's own global names.
    function, change = USES[use]
    f = FunctionType(function.__code__, {}, argdefs=(outer,))
    f.__module__ = outer.__name__
    try:
        x = numbers(3)
        before, compiled = f(x), compile(f)
        assert_same(compiled(x), before)
        change(outer)
        for _ in range(2):
            assert_same(compiled(x), f(x))
        assert len(compiled.programs) == 2
        assert not np.array_equal(f(x), before)
    finally:
        for name in ("outer_of_guards", "outer_of_guards.inner"):
            del sys.modules[name]


def test_what_a_compiled_function_inside_has_recorded_does_not_matter() -> None:
    inner = compile(lambda x: x * 2)
    outer, x = compile(lambda x: inner(x) + 1), numbers(3)
    for shape in ((3,), (2, 2), (4,)):
        inner(numbers(*shape))
        assert_same(outer(x), x * 2 + 1)
    assert len(outer.programs) == 1, outer.reasons


def test_a_module_imported_inside_is_followed(monkeypatch: Any) -> None:
    own: Any = ModuleType("imported_inside_of_guards")
    own.rate = 2.0
    monkeypatch.setitem(sys.modules, own.__name__, own)

    def f(x: Any) -> Any:
        from imported_inside_of_guards import rate

        return x * rate

    compiled, x = compile(f), numbers(3)
    assert_same(compiled(x), x * 2)
    own.rate = 3.0
    assert_same(compiled(x), x * 3)


class Rates:
    """Numbers that a class has, and methods of all kinds."""

    rate = 2.0
    table = np.array([1.0, 2.0, 3.0])

    @classmethod
    def of_class(cls) -> float:
        return cls.rate

    @staticmethod
    def of_nobody() -> float:
        return 3.0

    @property
    def half(self) -> float:
        return self.rate / 2

    def __call__(self, x: Any) -> Any:
        return x * self.of_class() + self.of_nobody() * self.half


class Derived(Rates):
    """Inherits all of it."""


def changes(monkeypatch: Any) -> Iterator[Callable[[], None]]:
    """Yield what changes something that `Derived` uses."""
    yield lambda: monkeypatch.setattr(Rates, "rate", 5.0)
    yield lambda: monkeypatch.setattr(Derived, "rate", 7.0, raising=False)


def test_the_data_of_a_class_is_seen_and_stays_what_it_is(monkeypatch: Any) -> None:
    f, x = Derived(), numbers(3)
    for g in (f, lambda x: f(x)):
        with monkeypatch.context() as patch:
            compiled = compile(g)
            for k, change in enumerate(changes(patch), start=1):
                for _ in range(2):
                    assert_same(compiled(x), g(x))
                assert len(compiled.programs) == k, compiled.reasons
                change()
            assert_same(compiled(x), g(x))


def test_a_class_and_a_namespace_that_are_closed_over(monkeypatch: Any) -> None:
    kind, own = Rates, SimpleNamespace(rate=1.0, deep={"rates": [2.0, (3.0,)]})

    def f(x: Any) -> Any:
        return x * kind.rate * own.rate * settings.rate * own.deep["rates"][1][0]

    compiled, x = compile(f), numbers(3)

    def deeper() -> None:
        own.deep["rates"][1] = (5.0,)

    for change in (
        lambda: None,
        lambda: monkeypatch.setattr(Rates, "rate", 4.0),
        lambda: setattr(own, "rate", 3.0),
        lambda: setattr(settings, "rate", 7.0),
        deeper,
    ):
        change()
        for _ in range(2):
            assert_same(compiled(x), f(x))
    assert len(compiled.programs) == 5
    monkeypatch.undo()
    settings.rate = 2.0


@pytest.mark.parametrize(
    ("before", "after"),
    [(1.0, np.nan), (0.0, -0.0), (1, 1.0), (1, True), (np.float32(1), 1.0), ("a", "b")],
)
def test_other_numbers_are_seen(before: Any, after: Any) -> None:
    held = {"it": before}

    def f(x: Any) -> Any:
        return x * (len(held["it"]) if isinstance(held["it"], str) else held["it"])

    compiled, x = compile(f), numbers(3)
    assert compiled(x).tobytes() == f(x).tobytes()
    held["it"] = after
    assert compiled(x).tobytes() == f(x).tobytes()
    assert len(compiled.programs) == 2


def test_equal_numbers_that_are_other_objects_are_no_change() -> None:
    held: dict[str, Any] = {}

    def f(x: Any) -> Any:
        return x * held["rate"] * held["scale"] + held["steps"]

    compiled, x = compile(f), numbers(3)
    for _ in range(3):
        held |= {"rate": float("0.1"), "scale": np.float64("0.3")}
        held["steps"] = int("100000")
        assert_same(compiled(x), f(x))
    assert len(compiled.programs) == 1


def test_an_array_that_is_closed_over_is_given_when_it_has_changed_a_bit() -> None:
    whole = numbers(4)
    seen = whole[1:]
    seen.flags.writeable = False

    def f(x: Any) -> Any:
        return x * seen

    compiled, x = compile(f), numbers(3, seed=1)
    assert_same(compiled(x), f(x))
    whole[0] = 5.0  # which is not shown
    assert_same(compiled(x), f(x))
    assert len(compiled.programs) == 1
    for number in (-whole[2], 7.0, np.nan, 0.0, -0.0):
        whole[2] = number
        assert compiled(x).tobytes() == f(x).tobytes()
    assert len(compiled.programs) == 2


def test_a_tensor_that_is_closed_over_may_be_replaced_by_one_like_it() -> None:
    held = {"w": Tensor(numbers(3), requires_grad=True)}

    def f(x: Any) -> Any:
        return ag.grad((held["w"] ** 2 * x).sum(), held["w"])

    compiled, x = compile(f), numbers(3)
    for seed in range(3):
        held["w"] = Tensor(numbers(3, seed=seed), requires_grad=True)
        assert_same(compiled(x), f(x))
    assert len(compiled.programs) == 1
    held["w"] = Tensor(numbers(1), requires_grad=True)
    assert_same(compiled(x), f(x))
    assert len(compiled.programs) == 2


def test_parts_of_a_module_that_change_are_seen() -> None:
    model = nn.Sequential(nn.Linear(3, 3, rng=0), nn.ReLU())
    x = from_numpy(numbers(2, 3).astype(np.float32))

    def loss(model: Any, x: Any) -> Any:
        return (model(x) ** 2).sum()

    step, eager = compile(value_and_grad(loss)), value_and_grad(loss)
    assert_same(step(model, x), eager(model, x))
    for change in (
        lambda: model.layers.append(nn.Tanh()),
        lambda: model.layers.__setitem__(1, nn.GELU()),
        lambda: setattr(model.layers[0], "bias", None),
    ):
        change()
        for _ in range(2):
            assert_same(step(model, x), eager(model, x))
    assert len(step.programs) == 4
