"""A program gives the answer that the function would give, or none.

Each of these was once another number: an answer must be the function's, also at the
second call and after what the function uses has changed, or an error in words.
"""

from __future__ import annotations

import dataclasses
import itertools
import types
from array import array
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import grad, tree
from autograd_lib.program import Refused, compile

X = np.array([1.0, 2.0, 3.0])


def assert_equal(got: Any, want: Any) -> None:
    """Assert that two results are the same but for rounding, in shape too."""
    several = [x.data if isinstance(x, Tensor) else np.asarray(x) for x in (got, want)]
    assert several[0].shape == several[1].shape
    np.testing.assert_allclose(*several, rtol=1e-12)


# Values that are written into.


def shifted(t: Any) -> Any:
    h = t * 2
    old = h * 1.0
    h[1:] = h[:-1]
    return h - old


def kept_before_a_write(t: Any) -> Any:
    h = t * 2
    old = h / 1
    h[1:] = 0.0
    return (h - old) ** 2


def minus_before_a_write(t: Any) -> Any:
    h = t * 2
    n = -h
    h[0] = 0.0
    return t + n


def spread_before_a_write(t: Any) -> Any:
    h = t * 2
    wide = np.broadcast_to(h, (2, 3)) * 1
    h[0] = 7.0
    return wide + h


def through_a_view_of_a_sum(t: Any) -> Any:
    m = t.sum()
    v = m.reshape(1)
    v *= 2
    return m


def through_other_views_of_a_sum(t: Any) -> Any:
    made = []
    for view in (lambda m: m[None], lambda m: m[...], np.atleast_1d, np.ravel):
        m = t.sum()
        v = view(m)
        v *= 2
        made.append(m)
    return np.stack(made)


def added_up(t: Any) -> Any:
    loss = t.sum()
    loss += (t * t).sum()
    return loss


def copied_where_it_would_be_shown(t: Any) -> Any:
    wide = np.broadcast_to(t * 1.5, (3, 3))
    return np.sin((wide * 1).reshape(-1))


OF_TENSORS = (
    shifted,
    kept_before_a_write,
    minus_before_a_write,
    spread_before_a_write,
    through_a_view_of_a_sum,
    through_other_views_of_a_sum,
    added_up,
    copied_where_it_would_be_shown,
)


@pytest.mark.parametrize("f", OF_TENSORS, ids=lambda f: f.__name__)
def test_writes_into_results(f: Any) -> None:
    def loss(t: Any) -> Any:
        return (f(t) * np.cos(f(t))).sum()

    for g in (f, grad(loss), grad(lambda t: (grad(loss)(t) ** 2).sum())):
        compiled = compile(g)
        for x in (X, X * 0.3, -X):
            assert_equal(compiled(Tensor(x)), g(Tensor(x)))
        assert compiled.reasons == ["the first call"]


@pytest.mark.parametrize(
    "f", [shifted, spread_before_a_write], ids=lambda f: f.__name__
)
def test_writes_into_results_that_are_arrays(f: Any) -> None:
    compiled = compile(f)
    for x in (X, -X):
        assert_equal(compiled(x), f(x))


def test_memory_is_calculated_before_it_is_read() -> None:
    def f(a: Any) -> Any:
        return np.sin((np.broadcast_to(a * 1.5, (3, 200)) * 1).reshape(-1)).sum()

    a = np.linspace(0, 1, 200)
    for g in (f, grad(f)):
        compiled = compile(g)
        for x in (a, a + 1):
            assert_equal(compiled(x), g(x))


@pytest.mark.parametrize(
    "copied", [lambda b: b * 1.0, lambda b: +b, np.copy, lambda b: b.copy()]
)
def test_what_the_caller_gave_is_not_written_into(copied: Any) -> None:
    def f(b: Any) -> Any:
        v = copied(b)[None]
        v[0] = 7.0
        return v

    b = np.array(3.0)
    compiled = compile(f)
    for _ in range(2):
        assert_equal(compiled(b), [7.0])
        assert b == 3.0


# Results in tuples of one.


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (lambda i: np.unravel_index(i, (5,))[0] * 2, [np.array([1, 2])]),
        (lambda x: np.meshgrid(x)[0] * 2, [X]),
        (lambda x: np.split(x[:0], 1)[0] * 2, [X]),
        (lambda x: np.nonzero(x)[0] * 2, [X]),
        (lambda x: np.split(x, 1)[0] * 2, [X]),
    ],
    ids=["unravel_index", "meshgrid", "split of nothing", "nonzero", "split"],
)
def test_functions_of_numpy_that_return_tuples_of_one(f: Any, args: Any) -> None:
    compiled = compile(f)
    for _ in range(2):
        assert_equal(compiled(*args), f(*args))


def test_a_sequence_repeated_as_often_as_a_number_says() -> None:
    def f(x: Any, n: Any) -> Any:
        return len([1] * n) * len(n * "ab") * x

    compiled = compile(f)
    for n in (3, 2):
        assert_equal(compiled(X, np.int64(n)), f(X, np.int64(n)))


# What is refused.


class Pair:
    """A registered container."""

    def __init__(self, w: Any, k: float) -> None:
        self.w, self.k = w, k


tree.register(Pair, lambda p: ((p.w,), p.k), lambda k, ws: Pair(ws[0], k))


class One:
    """Has one number."""

    k = 2.0


@dataclasses.dataclass
class Weights:
    """A dataclass that may get attributes."""

    w: Any


def with_attribute(x: Any, k: float) -> Any:
    x.k = k
    return x


def hooked(x: Any) -> Any:
    w = Tensor(np.ones(3), requires_grad=True)
    w.register_hook(lambda g: g * 10)
    return lambda x: ag.grad((w * x).sum(), w)[0]


def returned() -> dict[str, Callable[[Any], Any]]:
    """Return functions whose results would be the same object at each call."""
    return {
        "an object": lambda x: SimpleNamespace(y=x * 2),
        "a set": lambda x: {1, 2},
        "a function": lambda x: lambda: x * 2,
        "a generator": lambda x: (a for a in x),
        "an attribute of a dataclass": lambda x: with_attribute(Weights(x), x * 2),
        "the rest of a container": lambda x: Pair(x, x * 2),
    }


def asked() -> dict[str, Callable[[Any], Any]]:
    """Return functions that look numbers up by their hash."""
    return {
        "a set": lambda x: len(set(x)),
        "in a set": lambda x: x * 2 if x[0] in {1.0, 5.0} else x,
        "get": lambda x: x * {1.0: 2.0}.get(x[0], 3.0),
        "Counter": lambda x: x * len(Counter(x)),
        "fromkeys": lambda x: x * len(dict.fromkeys(x)),
    }


def caught_error_of_numpy(x: Any) -> Any:
    try:
        return np.linalg.inv(np.outer(x, x))
    except np.linalg.LinAlgError:
        return x


def caught_error_of_tensors(x: Any) -> Any:
    try:
        return np.linalg.inv(Tensor(np.zeros((3, 3))) * x)
    except np.linalg.LinAlgError:
        return Tensor(x)


def caught_index(x: Any) -> Any:
    try:
        return x[(x * 9).astype(int)]
    except IndexError:
        return x


def caught_floating_point(x: Any) -> Any:
    try:
        with np.errstate(divide="raise"):
            return 1 / (x - 1)
    except FloatingPointError:
        return x


def caught_refusal(x: Any) -> Any:
    try:
        return x * float(x[0])
    except TypeError:
        return x


def opaque() -> dict[str, Any]:
    """Return functions that use what changes unseen."""
    d, ones = {"k": 2.0}, iter([2.0, 3.0])
    proxy, values, several = types.MappingProxyType(d), d.values(), array("d", [2.0])
    variable, count = ContextVar("k", default=2.0), itertools.count(2)
    generator, view = (k for k in (2.0, 3.0)), memoryview(bytearray(b"a"))
    objects, inner = {One()}, frozenset([One()])
    rng = np.random.default_rng(0)
    return {
        "proxy": lambda x: x * proxy["k"],
        "values": lambda x: x * next(iter(values)),
        "array": lambda x: x * several[0],
        "variable": lambda x: x * variable.get(),
        "iterator": lambda x: x * next(ones),
        "count": lambda x: x * next(count),
        "generator": lambda x: x * next(generator),
        "memoryview": lambda x: x * view[0],
        "a set of objects": lambda x: x * next(iter(objects)).k,
        "a frozen set of objects": lambda x: x * next(iter(inner)).k,
        "globals": lambda x: x * globals()["X"],
        "eval": lambda x: x * eval("X"),
        "hook": hooked(X),
        "children of a generator": lambda x: x * rng.spawn(1)[0].random(),
    }


REFUSED: dict[str, Any] = {
    **{f"returns {name}": f for name, f in returned().items()},
    **{f"hashes for {name}": f for name, f in asked().items()},
    **{f"uses {name}": f for name, f in opaque().items()},
    "caught error of NumPy": caught_error_of_numpy,
    "caught error of tensors": caught_error_of_tensors,
    "caught index": caught_index,
    "caught floating point": caught_floating_point,
    "caught refusal": caught_refusal,
}


@pytest.mark.parametrize("f", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_seen_or_kept_is_refused(f: Any) -> None:
    compiled = compile(f)
    for _ in range(2):
        with pytest.raises(Refused, match=r"compile\("):
            compiled(X)
    assert not compiled.programs


def test_a_hook_that_comes_later_is_seen() -> None:
    w = Tensor(np.ones(3), requires_grad=True)
    compiled = compile(lambda x: ag.grad((w * x).sum(), w)[0])
    assert_equal(compiled(X), X)
    handle = w.register_hook(lambda g: g * 10)
    assert_equal(compiled(X), X * 10)  # the function runs
    assert "has a hook" in compiled.reasons[-1]
    handle.remove()
    assert_equal(compiled(X), X)


def changing() -> dict[str, tuple[Any, Any]]:
    """Return functions, and what shows whether something has changed."""
    table: dict[str, Any] = {"k": 1.0}
    listed: Any = [1, 2, 3]
    numbers: Any = {1, 2}
    own = SimpleNamespace(k=1.0)
    return {
        "pop": (lambda x: [listed.pop(), x], lambda: list(listed)),
        "insert": (lambda x: [listed.insert(0, x), x], lambda: list(listed)),
        "setdefault": (lambda x: [table.setdefault("j", x), x], lambda: dict(table)),
        "add": (lambda x: [numbers.add(7), x], lambda: set(numbers)),
        "attribute": (lambda x: [setattr(own, "j", x), x], lambda: dict(vars(own))),
        "class": (lambda x: [setattr(One, "j", x), x], lambda: set(vars(One))),
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda several, named: several.append(1),
        lambda several, named: several.reverse(),
        lambda several, named: named.pop("b"),
        lambda several, named: named["a"].insert(0, named["b"]),
    ],
)
def test_lists_and_dictionaries_that_are_arguments_are_not_changed(change: Any) -> None:
    def f(several: Any, named: Any) -> Any:
        change(several, named)
        return several[0] * named["a"][0]

    several, named = [X, 2.0], {"a": [X], "b": 3.0}
    with pytest.raises(Refused, match="it changes a list"):
        compile(f)(several, named)
    assert several[0] is X
    assert (len(several), several[1:], list(named)) == (2, [2.0], ["a", "b"])
    assert len(named["a"]) == 1


@pytest.mark.parametrize(("f", "shows"), changing().values(), ids=changing())
def test_a_refusal_leaves_everything_as_it_was(f: Any, shows: Any) -> None:
    before = shows()
    with pytest.raises(Refused, match="it changes"):
        compile(f)(X)
    assert shows() == before
