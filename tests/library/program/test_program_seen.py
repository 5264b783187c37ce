"""What changes between two calls is seen: the answer is the function's."""

from __future__ import annotations

import dataclasses
import types
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import compile
from tests.library.program.test_program_promise import (
    One,
    Pair,
    X,
    assert_equal,
    with_attribute,
)


def changed_in_a_gradient() -> tuple[Any, Any]:
    w = Tensor(np.ones(3), requires_grad=True)
    (w * 2).sum().backward()

    def change() -> None:
        w.grad = None
        (w * 5).sum().backward()

    return lambda x: x * (w.detach() - 0.1 * w.grad), change


def gone_from_a_gradient() -> tuple[Any, Any]:
    w = Tensor(np.ones(3), requires_grad=True)
    (w * 2).sum().backward()
    f = lambda x: x if w.grad is None else x * w.grad  # noqa: E731
    return f, lambda: setattr(w, "grad", None)


def moved_in_a_dictionary() -> tuple[Any, Any]:
    p = {"a": 1.0, "b": 2.0}

    def change() -> None:
        p["a"] = p.pop("a")

    return lambda x: x * next(iter(p.values())), change


def moved_in_an_ordered_dictionary() -> tuple[Any, Any]:
    p = OrderedDict(a=1.0, b=2.0)
    return lambda x: x * next(iter(p.values())), lambda: p.move_to_end("a")


def moved_in_an_object() -> tuple[Any, Any]:
    p = SimpleNamespace(a=1.0, b=2.0)

    def change() -> None:
        p.__dict__["a"] = p.__dict__.pop("a")

    return lambda x: x * next(iter(vars(p).values())), change


def other_default() -> tuple[Any, Any]:
    def g(x: Any, k: float = 2.0) -> Any:
        return x * k

    return lambda x: g(x), lambda: setattr(g, "__defaults__", (5.0,))


def other_keyword_default() -> tuple[Any, Any]:
    def g(x: Any, *, k: float = 2.0) -> Any:
        return x * k

    return lambda x: g(x), lambda: setattr(g, "__kwdefaults__", {"k": 5.0})


def other_code() -> tuple[Any, Any]:
    def g(x: Any) -> Any:
        return x * 2

    return lambda x: g(x), lambda: setattr(g, "__code__", (lambda x: x * 5).__code__)


class Five:
    """Has another number."""

    k = 5.0


def method_of_an_object_itself() -> tuple[Any, Any]:
    class Two:
        def scaled(self, x: Any) -> Any:
            return 2 * x

    p: Any = Two()
    return lambda x: p.scaled(x), lambda: setattr(p, "scaled", lambda x: 5 * x)


def other_class() -> tuple[Any, Any]:
    p = One()
    return lambda x: x * p.k, lambda: setattr(p, "__class__", Five)


def attribute_of_a_class_that_comes_later() -> tuple[Any, Any]:
    kind = type("Empty", (), {})
    p = kind()
    f = lambda x: x * getattr(p, "k", 2.0)  # noqa: E731
    return f, lambda: setattr(kind, "k", 5.0)


def attribute_of_a_metaclass() -> tuple[Any, Any]:
    meta = type("Meta", (type,), {"k": 2.0})
    kind: Any = meta("Of", (), {})
    return lambda x: x * kind.k, lambda: setattr(meta, "k", 5.0)


class Hidden:
    """Has a slot that only it can name."""

    __slots__ = ("__k",)

    def __init__(self) -> None:
        self.__k = 2.0

    def times(self, x: Any) -> Any:
        return x * self.__k

    def change(self) -> None:
        self.__k = 5.0


def private_slot() -> tuple[Any, Any]:
    p = Hidden()
    return p.times, p.change


def method_of_a_dictionary() -> tuple[Any, Any]:
    d = {"k": 2.0}
    get = d.get
    return lambda x: x * get("k"), lambda: d.update(k=5.0)


def object_as_a_key() -> tuple[Any, Any]:
    key = One()
    d = {key: 1.0}
    f = lambda x: x * next(iter(d)).k  # noqa: E731
    return f, lambda: setattr(key, "k", 5.0)


class Named(float):
    """A number with an attribute."""

    k = 2.0


def number_with_an_attribute() -> tuple[Any, Any]:
    number = Named(1.0)
    return lambda x: x * number.k, lambda: setattr(number, "k", 5.0)


def name_of_a_module_that_comes_later() -> tuple[Any, Any]:
    module = types.ModuleType("own_module_of_the_promise")
    f = lambda x: x * getattr(module, "later", 2.0)  # noqa: E731
    return f, lambda: setattr(module, "later", 5.0)


def item_of_a_modules_names() -> tuple[Any, Any]:
    module: Any = types.ModuleType("own_names_of_the_promise")
    module.rate = 2.0
    return lambda x: x * vars(module)["rate"], lambda: setattr(module, "rate", 5.0)


SEEN = (
    changed_in_a_gradient,
    gone_from_a_gradient,
    moved_in_a_dictionary,
    moved_in_an_ordered_dictionary,
    moved_in_an_object,
    other_default,
    other_keyword_default,
    attribute_of_a_class_that_comes_later,
    private_slot,
    method_of_an_object_itself,
    method_of_a_dictionary,
)


LATER = (
    other_code,
    other_class,
    attribute_of_a_metaclass,
    object_as_a_key,
    number_with_an_attribute,
    name_of_a_module_that_comes_later,
    item_of_a_modules_names,
)
"""Changes that only the net notices: at calls 2, 4, 8, 16 and so on."""


@pytest.mark.parametrize("made", LATER, ids=lambda f: f.__name__)
def test_other_changes_are_seen_by_the_net(made: Any) -> None:
    f, change = made()
    compiled, before = compile(f), f(X)
    for _ in range(5):
        assert_equal(compiled(X), before)
    change()
    with pytest.warns(RuntimeWarning, match="call 8 of a program returned"):
        several = [compiled(X) for _ in range(3)]
    for x, want in zip(several, (before, before, f(X)), strict=True):
        assert_equal(x, want)
    assert_equal(compiled(X), f(X))


@pytest.mark.parametrize("made", SEEN, ids=lambda f: f.__name__)
def test_changes_are_seen(made: Any) -> None:
    f, change = made()
    compiled, before = compile(f), f(X)
    for _ in range(2):
        assert_equal(compiled(X), before)
    change()
    assert not np.array_equal(
        getattr(f(X), "data", f(X)), getattr(before, "data", before)
    )
    for _ in range(2):
        assert_equal(compiled(X), f(X))


# Arguments that are trees.

FACTOR = 2.0


@dataclasses.dataclass
class Weights:
    """A dataclass with a method that uses a global name."""

    w: Any

    def times(self) -> Any:
        return self.w * FACTOR


class Table(dict[str, Any]):
    """A dictionary with an attribute."""

    k = 2.0


class Several(list[Any]):
    """A list with an attribute."""

    k = 2.0


def test_what_a_container_holds_besides_its_parts_is_seen() -> None:
    for f, make in (
        (lambda p: p.w * p.k, lambda k: Pair(X, k)),
        (lambda p: p.w * p.k, lambda k: with_attribute(Weights(X), k)),
        (lambda p: p["x"] * p.k, lambda k: with_attribute(Table(x=X), k)),
        (lambda p: X * p.k, lambda k: with_attribute(Several([1]), k)),
        (lambda p: p[0] * p.k, lambda k: with_attribute(Several([X]), k)),
        (lambda p: X * p.k, lambda k: with_attribute(Named(2.0), k)),
    ):
        compiled = compile(f)
        for k in (2.0, 5.0, 2.0):
            assert_equal(compiled(make(k)), f(make(k)))


def test_numbers_that_were_one_object_are_given_each_by_itself() -> None:
    own = SimpleNamespace(a=np.float64(1), b=None)
    own.b = own.a
    f = lambda x: x * own.a + own.b  # noqa: E731
    compiled = compile(f)
    for a, b in ((1.0, None), (2.0, None), (3.0, 4.0), (5.0, 5.0)):
        own.a = np.float64(a)
        own.b = own.a if b is None else np.float64(b)
        assert_equal(compiled(X), f(X))
    assert len(compiled.programs) == 2


def test_a_key_that_is_equal_and_of_another_type_is_seen() -> None:
    d: dict[Any, float] = {1: 2.0}
    compiled = compile(lambda x: x * (5.0 if type(next(iter(d))) is bool else 2.0))
    assert_equal(compiled(X), X * 2)
    d.clear()
    d[True] = 2.0
    assert_equal(compiled(X), X * 5)


def test_methods_of_arguments_are_looked_at(monkeypatch: Any) -> None:
    compiled = compile(lambda p: p.times())
    assert_equal(compiled(Weights(X)), X * 2)
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert_equal(compiled(Weights(X)), X * 5)


def test_tensors_that_a_function_puts_in_the_place_of_others() -> None:
    class Of:
        w = Tensor(X)

    held, kept = {"w": Tensor(X)}, [Tensor(X)]
    w = Tensor(X)

    def f(x: Any) -> Any:
        nonlocal w
        Of.w = Of.w - x
        held["w"] = held["w"] - x
        kept[0] = kept[0] * x
        w = w + x
        return Of.w.sum()

    compiled = compile(f)
    for k in range(1, 4):
        assert_equal(compiled(X), (X - k * X).sum())
        assert_equal(Of.w, X - k * X)
        assert_equal(held["w"], X - k * X)
        assert_equal(kept[0], X ** (k + 1))
        assert_equal(w, X + k * X)
    assert len(compiled.programs) == 1


def test_a_list_of_arrays_is_read_and_its_change_is_seen() -> None:
    several = [np.zeros(3), np.ones(3)]
    compiled = compile(lambda x: x * several[0] + several[1])
    x = np.arange(3.0)
    assert compiled(x).tolist() == [1.0, 1.0, 1.0]
    several[0] = np.full(3, 2.0)
    assert compiled(x).tolist() == [1.0, 3.0, 5.0]
