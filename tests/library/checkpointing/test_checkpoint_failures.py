"""What a checkpoint refuses and notices, and what it keeps."""

from __future__ import annotations

import itertools
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.checkpointing import checkpoint
from autograd_lib.checkpointing.samples import Sample
from autograd_lib.checkpointing.saved_tensors import packer, saved_tensors_hooks
from autograd_lib.engine import Tensor, enable_grad, no_grad
from tests.library.helpers.programs import again, leaf, matrix, orders, program

DIFFERS = "it must do the same both times"


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (lambda h: np.exp(np.exp(h)) * 1.001, "returned other results"),
        (lambda h: np.exp(h), "saved 1 arrays where it had saved 2"),
        (lambda h: np.exp(np.exp(np.exp(h))), "saved an array .* had saved nothing"),
        (
            lambda h: np.exp(np.exp(h[:2])),
            r"saved an array of shape \(2,\) and float64 where",
        ),
        (
            lambda h: np.exp(np.exp(h.astype("f"))),
            "saved an array .* float32 where it had saved an array",
        ),
    ],
)
def test_a_function_that_does_something_else_is_an_error(
    second: Callable[[Any], Any], said: str
) -> None:
    runs: list[int] = []

    def f(h: Any) -> Any:
        runs.append(1)
        return np.exp(np.exp(h)) if len(runs) == 1 else second(h)

    x, w = leaf(np.ones(3)), leaf(2.0)
    loss = (checkpoint(f, x) * w).sum()
    with pytest.raises(RuntimeError, match=f"f, which checkpoint ran again, {said}"):
        loss.backward(retain_graph=True)
    assert x.grad is None and w.grad is None
    runs.clear()  # from now on it does what it did the first time
    loss.backward()
    assert x.grad.tolist() == pytest.approx(2 * np.exp(np.e) * np.e * np.ones(3))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("how", ["few others", "other places"])
def test_few_numbers_that_differ_are_noticed(dtype: str, how: str) -> None:
    """A seed that is drawn anew makes each run's numbers others; all runs count."""
    found = 0
    for _ in range(20):
        x = leaf(np.ones(6400, dtype))
        ones = np.arange(6400) > 6

        def f(t: Any, ones: np.ndarray = ones) -> Any:
            rng = np.random.default_rng()
            mask = rng.random(6400) > 0.001 if how == "few others" else ones
            return t * (mask if how == "few others" else rng.permutation(mask))

        with pytest.raises(RuntimeError, match=r"f, which .* returned other results"):
            checkpoint(f, x).sum().backward()
        found += x.grad is None
    assert found == 20


ARRAYS = [
    np.array([]),
    np.array(2.0),
    np.arange(20_000.0),
    np.arange(20_000.0).reshape(100, 200).T[::2],
    np.where(np.arange(20_000) % 3 == 0, np.inf, np.float32(1e38)),
    np.full(5000, np.nan),
    np.full(5000, 1e300),
    np.full(5000, 1.7e308),
    np.arange(9_000) % 7,
    np.arange(9_000) % 7 == 0,
    np.arange(5000) * (1 + 2j),
]


@pytest.mark.parametrize("a", ARRAYS)
def test_a_sample_agrees_with_that_of_the_same_numbers_only(a: np.ndarray) -> None:
    """They may lie elsewhere in memory, and differ by a few last digits."""
    mine = Sample(a)
    assert mine.agrees(Sample(a.copy(order="F")))
    if a.dtype.kind in "fc":
        near = 1 + 5 * np.finfo(a.dtype).eps * np.cos(np.arange(a.size))
        assert mine.agrees(Sample((a * near.reshape(a.shape)).astype(a.dtype)))
    if a.size > 1 and np.isfinite(a).all() and a.max() < 1e154:
        other = a.copy()
        at = a.size // 2 + 1
        other.flat[at] = 1 - other.flat[at] if a.dtype != bool else not other.flat[at]
        assert not mine.agrees(Sample(other))


def test_an_error_in_the_second_run_leaves_all_as_it_was() -> None:
    source = np.random.default_rng(0)
    fails = [False, True, False]

    def f(h: Any) -> Any:
        y = np.exp(h * source.random(3))
        if fails.pop(0):
            raise KeyError("mine")
        return np.exp(y)

    x, w = leaf(np.zeros(3)), leaf(2.0)
    loss = (checkpoint(f, x) * w).sum()
    now = source.bit_generator.state
    with pytest.raises(KeyError, match="mine"):
        loss.backward(retain_graph=True)
    assert x.grad is None and w.grad is None and packer() is None
    assert source.bit_generator.state == now
    loss.backward()
    assert x.grad.tolist() == (2 * np.e * np.random.default_rng(0).random(3)).tolist()


def test_an_error_in_the_first_run_is_the_functions_own() -> None:
    def f(h: Any) -> Any:
        np.exp(h)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        checkpoint(f, matrix(2, 2))
    assert packer() is None and np.exp(matrix(2, 2)).grad_fn is not None


def test_what_is_no_function_or_runs_later_is_refused() -> None:
    def later(h: Any) -> Any:
        yield h

    for f in (matrix(2, 2), None, later):
        with pytest.raises(TypeError, match="checkpoint: needs a function whose body"):
            checkpoint(f, matrix(2, 2))  # type: ignore[arg-type]


def test_an_input_written_into_since_is_noticed() -> None:
    w = matrix(3, 3)
    for inner in (False, True):
        x = w * 2.0
        f = again(np.exp) if inner else np.exp
        loss = checkpoint(lambda h, f=f: f(np.exp(h)), x).sum()
        x += 1.0
        with pytest.raises(RuntimeError, match=r"an input of .* written into since"):
            loss.backward()
        assert w.grad is None


def test_a_parameter_written_into_since_is_noticed() -> None:
    for f in (lambda h, w: np.exp(h @ w), lambda h, w: np.exp(np.exp(h) + w)):
        w = matrix(3, 3)
        loss = checkpoint(lambda h, f=f, w=w: f(h, w), matrix(3, 3)).sum()
        with no_grad():
            w -= 0.01
        with pytest.raises(RuntimeError, match=f"written into since|{DIFFERS}"):
            loss.backward()


def test_a_saved_array_that_the_function_writes_into_is_noticed() -> None:
    def f(h: Any) -> Any:
        y = np.exp(h)
        z = y * y
        with no_grad():
            y += 1.0
        return z

    x = matrix(3, 3)
    with pytest.raises(RuntimeError, match="wrote into it later"):
        checkpoint(f, x).sum().backward()
    assert x.grad is None


def test_a_function_that_changes_what_was_there_is_refused() -> None:
    norm = nn.BatchNorm(3, dtype=float)
    counter = Tensor(0.0)

    def counts(h: Any) -> Any:
        counter.__iadd__(1.0)
        return h * counter

    def writes(h: Any) -> Any:
        h += 1.0
        return h * h

    x = matrix(4, 3)
    for f in (nn.Sequential(nn.Linear(3, 3, dtype=float), norm), counts, writes):
        with pytest.raises(RuntimeError, match=r"wrote into a tensor .* there"):
            checkpoint(f, x * 1.0)
    norm.eval()
    assert checkpoint(norm, x).shape == (4, 3)


def test_what_others_write_meanwhile_is_their_own_business() -> None:
    other = Tensor(0.0)

    def f(h: Any) -> Any:
        thread = threading.Thread(target=lambda t: t.fill(1.0), args=(next(box),))
        thread.start()
        thread.join()
        return np.exp(np.exp(h))

    box = itertools.repeat(other)  # where nobody looks
    x = leaf([0.0])
    checkpoint(f, x).sum().backward()
    assert x.grad.item() == pytest.approx(np.e)


def test_threads_have_their_own_runs() -> None:
    wanted = orders(program(1))
    found: list[Any] = [None] * 4
    start = threading.Barrier(4)

    def work(i: int) -> None:
        start.wait()
        for _ in range(10):
            found[i] = orders(again(program(1)) if i % 2 else program(1))
            assert packer() is None

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4


def test_it_records_again_under_whatever_the_pass_runs() -> None:
    x = leaf([0.5])
    with enable_grad():
        y = checkpoint(lambda h: np.exp(np.exp(h)), x)
    with no_grad():
        y.backward()
    assert x.grad.item() == pytest.approx(np.exp(np.exp(0.5)) * np.exp(0.5))


def test_within_hooks_on_saved_tensors_inputs_are_packed_too() -> None:
    packed: list[Any] = []
    x = matrix(3, 3)
    h = x * 1.0
    with saved_tensors_hooks(lambda t: packed.append(t.shape) or t.data.copy(), id_):
        y = checkpoint(lambda t: np.exp(np.exp(t)), h)
    alive = weakref.ref(h.data)
    del h
    assert packed == [(3, 3)] and alive() is None
    y.sum().backward()
    wanted = matrix(3, 3)
    np.exp(np.exp(wanted)).sum().backward()
    assert x.grad.tolist() == wanted.grad.tolist()


def id_(x: Any) -> Any:
    return x


def test_a_networks_memory_is_that_of_its_segments() -> None:
    x = Tensor(np.ones((1000, 10)))
    weights = [leaf(np.eye(10) * 0.9) for _ in range(16)]

    def layers(h: Any, some: Any) -> Any:
        for w in some:
            h = np.tanh(h @ w)
        return h

    def peak(run: Callable[..., Any]) -> float:
        h = x
        tracemalloc.start()
        for i in range(0, 16, 4):
            h = run(layers, h, weights[i : i + 4])
        h.sum().backward()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most / x.nbytes

    # Three states and four arrays of a segment; gradient, its next and a temporary;
    # weights' gradients, nodes and parcels are less than another.
    assert peak(lambda f, *inputs: f(*inputs)) > 16
    assert 6 < peak(checkpoint) < 11


def test_nothing_is_left_of_a_run() -> None:
    x = matrix(3, 3)
    y = checkpoint(program(2), x, x)
    gone = weakref.ref(y.data), weakref.ref(y.grad_fn)
    del y
    assert [r() for r in gone] == [None, None]
