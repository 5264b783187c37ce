"""What a compiled function writes is put where the function puts it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program import PASSES, Refused, compile


def counter() -> Any:
    n = 0

    def f(x: Any) -> Any:
        nonlocal n
        n += 1
        return x * n, n

    return f, lambda: n


def decider() -> Any:
    n = 0

    def f(x: Any) -> Any:  # what it does depends on a number that it changes
        nonlocal n
        n += 1
        return x * 2 if n % 2 else x * 3

    return f, lambda: n


def note() -> Any:
    d: dict[str, Any] = {"sum": 0.0, "name": "none"}
    d["several"] = [np.str_("a"), 1, {"b": np.int8(2), "c": None}]

    def f(x: Any) -> Any:
        d["sum"], d["name"] = x.sum(), "sum"
        text, count, inner = d["several"]
        d["several"] = [text, count + 1, {**inner}]
        return x * 1

    return f, lambda: d


def array() -> Any:
    a = np.zeros(3)

    def f(x: Any) -> Any:
        a[...] = x
        a[1:] += 1
        return a * 2

    return f, lambda: a


def view() -> Any:
    a = np.zeros((2, 3))

    def f(x: Any) -> Any:
        v = a[0]
        v += x
        a[1, :2] = v[1:]
        before = a.sum()
        v *= 2
        return before, a.sum()

    return f, lambda: a


def by_columns() -> Any:
    w = Tensor(np.zeros((3, 2)), requires_grad=True)
    w.data = np.asfortranarray(w.data)

    def f(x: Any) -> Any:
        rows = w.data[1:]
        rows += x[0]
        w.data[0] = rows[1] + x[1]
        return w.data.T.reshape(-1) * 1

    return f, lambda: w


def leaf() -> Any:
    w = Tensor(np.ones(3), requires_grad=True)

    def f(x: Any) -> Any:
        with ag.no_grad():
            w[0] = x[1]
            w.data[1:] *= 2
        (w * x).sum().backward()  # gradients are added up, call by call
        return w.detach() * 1

    return f, lambda: (w, w.grad)


def means() -> Any:
    s = {"m": Tensor(np.zeros(3)), "last": [Tensor(np.zeros(3)), Tensor(np.zeros(3))]}

    def f(x: Any) -> Any:
        m = s["m"] * 0.9 + Tensor(x) * 0.1
        s["last"] = [s["m"] * 1, m * 1]
        s["m"] = m
        return m

    return f, lambda: s


def swap() -> Any:
    d = {"a": np.zeros(3), "b": np.ones(3)}

    def f(x: Any) -> Any:
        d["a"], d["b"] = d["b"] * 1.0, d["a"] + x
        return d["a"]

    return f, lambda: d


def rates() -> Any:
    s = {"lr": 0.5, "k": 1}
    w = Tensor(np.ones(3, np.float32), requires_grad=True)

    def f(x: Any) -> Any:
        s["lr"] *= 0.9
        s["k"] += 2
        w.data -= s["lr"] / s["k"] * w.data
        power = (-2.0) ** s["k"] - s["k"] % 3 + -s["lr"]  # a sign before it is its own
        scaled = x * s["k"] ** 2 + s["lr"] + power
        return scaled, np.where(x > 1, s["lr"], x), np.sqrt(s["k"])

    return f, lambda: (s, w)


def draws() -> Any:
    rng = np.random.default_rng(0)

    def f(x: Any) -> Any:
        unread = rng.normal(size=2)
        del unread
        y = x + rng.normal(size=3) * rng.random()
        return y, rng.integers(0, 5, 2), rng.permutation(4), rng.normal(x)

    return f, lambda: rng.bit_generator.state


def sort() -> Any:
    several = [1, 2, 3]

    def f(x: Any) -> Any:
        several.sort(reverse=True)
        return x * several[0]

    return f, lambda: several


WRITES: dict[str, Callable[[], Any]] = {
    f.__name__: f
    for f in (
        *(counter, decider, note, array, view, by_columns, leaf, means, swap, rates),
        *(draws, sort),
    )
}


def plain(x: Any) -> Any:
    """Return what is written with arrays for tensors, whose graphs do not count."""
    if isinstance(x, tuple | list):
        return type(x)(map(plain, x))
    if isinstance(x, dict):
        return {key: plain(item) for key, item in x.items()}
    return (Tensor, x.data) if isinstance(x, Tensor) else x


@pytest.mark.parametrize("passes", [(), PASSES], ids=["none", "all"])
@pytest.mark.parametrize("name", WRITES)
def test_results_and_what_is_written_are_as_the_function_has_them(
    name: str, passes: Any
) -> None:
    (f, state), (g, other) = WRITES[name](), WRITES[name]()
    compiled = compile(f, passes=passes)
    for i in range(6):
        x = np.arange(3.0) + i
        assert repr(plain(compiled(x))) == repr(plain(g(x)))
        assert repr(plain(state())) == repr(plain(other()))
    assert not compiled.wrong
    assert len(compiled.programs) == {"decider": 2}.get(name, len(compiled.programs))
    assert len(compiled.programs) < 3 or name == "decider", compiled.reasons


def test_what_is_written_goes_into_the_array_that_is_there() -> None:
    w = Tensor(np.ones(3), requires_grad=True)
    mine, shown = w.data, w.data[1:]

    def f(x: Any) -> Any:
        w.data -= x
        return x

    compiled = compile(f)
    for k in (1, 2, 3):
        compiled(np.ones(3))
        assert w.data is mine
        assert shown.tolist() == [1.0 - k] * 2


def test_a_write_is_seen_by_graphs_that_have_saved_what_was_there() -> None:
    w = Tensor(np.ones(3), requires_grad=True)

    def f(x: Any) -> Any:
        w.data -= x
        return x

    compiled = compile(f)
    for _ in range(3):
        loss = (w * w).sum()
        compiled(np.ones(3))
        with pytest.raises(RuntimeError, match="was written into since"):
            loss.backward()


def test_memory_that_is_shared_makes_no_difference() -> None:
    whole = np.ones(6)
    w, v = (ag.from_numpy(a) for a in (whole[:3], whole[3:]))

    def f(x: Any) -> Any:
        w.data[...] = w.data + x
        return v.data * 1

    compiled, x = compile(f), np.ones(3)
    for _ in range(3):
        assert compiled(x).tolist() == [1.0] * 3
    v.data = whole[1:4]  # of which w shows a part
    for _ in range(2):
        f(-x)
        want = f(x).tolist()
        f(-x)
        assert compiled(x).tolist() == want
    assert "shown elsewhere" in compiled.reasons[-1]


def test_a_list_that_is_in_another_twice_is_one_list() -> None:
    own: dict[str, Any] = {}

    def f(x: Any) -> Any:
        own["several"][0][0] += 1
        return x * own["several"][1][0]

    compiled = compile(f)
    for k in (1.0, 2.0, 3.0):
        once = [k, 2.0]
        own["several"] = [once, once]
        assert compiled(np.ones(2)).tolist() == [k + 1] * 2
        assert once == [k + 1, 2.0]


def test_what_is_returned_and_kept_is_one_object() -> None:
    own: dict[str, Any] = {"a": [np.zeros(3)], "t": Tensor(np.zeros(3))}

    def f(x: Any) -> Any:
        own["a"], own["t"] = [x * 2], Tensor(x) * 3
        return own["a"], {"t": own["t"]}, own["a"][0]

    compiled = compile(f)
    for k in range(3):
        several, named, first = compiled(np.full(3, float(k)))
        assert several is own["a"]
        assert named["t"] is own["t"]
        assert first is own["a"][0]
        assert first.tolist() == [2.0 * k] * 3


def test_an_array_without_axes_that_was_written_into_has_views() -> None:
    def f(x: Any) -> Any:
        y = x.copy()
        y *= 2.0
        v = y[None]
        v += 1.0
        return y * 1, v

    for passes in ((), PASSES):
        compiled = compile(f, passes=passes)
        for number in (3.0, 4.0):
            got, shown = compiled(np.array(number))
            assert got == 2 * number + 1
            assert shown.tolist() == [2 * number + 1]


def test_a_generator_may_be_an_argument() -> None:
    def f(rng: Any, x: Any, more: Any = None) -> Any:
        y = x + rng.normal(size=3)
        return y if more is None else y * more["rng"].random(3)

    compiled = compile(f)
    for seed in (0, 1, 1):
        a, b = (np.random.default_rng(seed) for _ in "ab")
        for x in (np.ones(3), np.zeros(3)):
            assert compiled(a, x).tolist() == f(b, x).tolist()
            got = compiled(a, x, more={"rng": a})
            assert got.tolist() == f(b, x, more={"rng": b}).tolist()
        more, same = (np.random.default_rng(7) for _ in "ab")
        got = compiled(a, x, more={"rng": more})
        assert got.tolist() == f(b, x, more={"rng": same}).tolist()
        assert a.bit_generator.state == b.bit_generator.state
    assert len(compiled.programs) == 3


def test_an_error_in_a_call_leaves_everything_as_it_was() -> None:
    w, rng = Tensor(np.ones(3), requires_grad=True), np.random.default_rng(0)

    def f(i: Any) -> Any:
        w.data[...] = w.data + rng.random(3)
        return w.data[i]

    compiled = compile(f)
    compiled(np.array([0]))
    compiled(np.array([1]))
    kept, state = w.data.copy(), rng.bit_generator.state
    f(np.array([1]))
    want = w.data.copy()
    w.data[...], rng.bit_generator.state = kept, state
    with pytest.raises(IndexError):
        compiled(np.array([5]))  # the function runs, and writes before it fails
    assert w.data.tobytes() == want.tobytes()


def test_a_refusal_undoes_what_was_written() -> None:
    w, rng = Tensor(np.ones(3), requires_grad=True), np.random.default_rng(0)
    d, a = {"n": 1, "m": [np.zeros(2)]}, np.zeros(3)
    state = rng.bit_generator.state

    def f(x: Any) -> Any:
        (w * x).sum().backward()
        w.data -= rng.normal(size=3)
        d["n"], d["m"][0] = d["n"] + 1, x * 2
        a[...] = x
        return float(x[0])

    with pytest.raises(Refused, match=r"write \.item\(\)"):
        compile(f)(np.ones(3))
    assert w.data.tolist() == [1, 1, 1]
    assert w.grad is None
    assert rng.bit_generator.state == state
    assert repr((d, a)) == repr(({"n": 1, "m": [np.zeros(2)]}, np.zeros(3)))


def refused() -> dict[str, Any]:
    """Return functions that write what cannot come out of a program."""
    a, b = np.zeros(3), np.ones(3)
    d: Any = {"a": a, "b": b, "t": Tensor(a), "n": [0], "list": [0]}
    rng = np.random.default_rng(0)

    def same_array(x: Any) -> Any:
        d["a"] = d["b"]
        return x

    def same_list(x: Any) -> Any:
        d["n"] = d["list"]
        d["list"][0] += 1
        return x

    def one_list(x: Any) -> Any:
        d["n"] = d["list"] = [x.sum()]
        return x

    def one_memory(x: Any) -> Any:
        y = x * 2
        d["a"], d["b"] = y, y[:]
        return x

    def graph(x: Any) -> Any:
        d["t"] = Tensor(x, requires_grad=True) * 2
        return x

    normal = rng.normal
    return {
        "an array that is elsewhere": same_array,
        "arrays that show one memory": one_memory,
        "a list that is elsewhere": same_list,
        "a list in two places": one_list,
        "a tensor with a graph": graph,
        "shuffle": lambda x: rng.shuffle(x * 1),
        "draws by a method that is kept": lambda x: rng.random(3) * normal(size=3),
        "Python's generators": lambda x: x * random.random(),
        "NumPy's own generator": lambda x: x * np.random.random(3),
        "an argument": lambda x: np.multiply(x, 2, out=x),
    }


@pytest.mark.parametrize("name", refused())
def test_what_cannot_come_out_of_a_program_is_refused(name: str) -> None:
    with pytest.raises(Refused, match=r"compile\("):
        compile(refused()[name])(np.ones(3))
