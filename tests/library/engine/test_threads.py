"""Several threads, and several tasks, at once: right, or refused with a sentence."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor, enable_grad, grad, is_grad_enabled, no_grad
from autograd_lib.engine.tape.walk import _running
from autograd_lib.program import compile

PATIENCE = 30.0  # seconds after which a test that waits in vain fails


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True)


class Slow:
    """A backward pass in a thread of its own, which stops in the middle until told."""

    def __init__(self, y: Tensor) -> None:
        self.inside, self.go = threading.Event(), threading.Event()
        self.error: BaseException | None = None
        y.register_hook(self._wait)
        self._thread = threading.Thread(target=self._run, args=(y.backward,))
        self._thread.start()
        assert self.inside.wait(PATIENCE)

    def _wait(self, _: Tensor) -> None:
        self.inside.set()
        assert self.go.wait(PATIENCE)

    def _run(self, backward: Callable[[], None]) -> None:
        try:
            backward()
        except BaseException as error:
            self.error = error
            self.inside.set()

    def end(self) -> None:
        self.go.set()
        self._thread.join(PATIENCE)


def test_what_one_thread_calculates_is_recorded_while_another_walks_back() -> None:
    a, w = leaf(2.0), leaf(3.0)
    other = Slow(a * a)
    part = w * w
    other.end()
    (part + w).backward()
    assert w.grad is not None and w.grad.item() == 7.0
    assert a.grad is not None and a.grad.item() == 4.0


def test_passes_that_overlap_leave_recording_on() -> None:
    first, second = leaf(1.0), leaf(1.0)
    one = Slow(first * 2.0)
    two = Slow(second * 2.0)
    one.end()
    two.end()
    assert is_grad_enabled()
    assert [t.grad.item() for t in (first, second) if t.grad] == [2.0, 2.0]
    assert not _running


def test_a_switch_is_of_its_own_thread() -> None:
    seen = []
    with no_grad():
        look = threading.Thread(target=lambda: seen.append(is_grad_enabled()))
        look.start()
        look.join()
        seen.append(is_grad_enabled())
    assert seen == [True, False]


def test_one_decorated_function_in_two_threads() -> None:
    inside, go = threading.Event(), threading.Event()
    after = []

    @no_grad()
    def wait() -> None:
        inside.set()
        assert go.wait(PATIENCE)

    @enable_grad()
    def nothing() -> None:
        pass

    def run() -> None:
        wait()
        after.append(is_grad_enabled())

    thread = threading.Thread(target=run)
    thread.start()
    assert inside.wait(PATIENCE)
    with no_grad():
        nothing()
        go.set()
        thread.join(PATIENCE)
        assert not is_grad_enabled()
    assert after == [True]


def test_two_passes_through_one_graph_are_refused_and_leave_it_whole() -> None:
    x = leaf([1.0, 2.0])
    shared = x * x
    with_hook, other = shared.sum(), (shared * 3.0).sum()
    slow = Slow(with_hook)
    with pytest.raises(RuntimeError, match="another thread is in a backward pass"):
        other.backward()
    slow.end()
    assert slow.error is None
    assert x.grad is not None and x.grad.tolist() == [2.0, 4.0]
    assert is_grad_enabled() and not _running


def test_a_leaf_in_two_passes_gets_both_or_the_second_is_refused() -> None:
    w = leaf(1.0)
    slow = Slow(w * 2.0)
    with pytest.raises(RuntimeError, match="another thread"):
        (w * 3.0).backward()
    slow.end()
    (w * 3.0).backward()
    assert w.grad is not None and w.grad.item() == 5.0


def test_threads_that_train_each_a_model_of_their_own() -> None:
    def train(seed: int, end: list[float]) -> None:
        data = np.random.default_rng(seed).normal(size=(16, 3))
        w = leaf(np.zeros(3))
        for _ in range(200):
            ((Tensor(data) @ w - data[:, 0]) ** 2).mean().backward()
            with no_grad():
                w -= 0.1 * w.grad
            w.grad = None
        end.extend(w.tolist())

    alone: list[list[float]] = [[] for _ in range(4)]
    together: list[list[float]] = [[] for _ in range(4)]
    for seed in range(4):
        train(seed, alone[seed])
    threads = [
        threading.Thread(target=train, args=(seed, together[seed])) for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert together == alone
    assert is_grad_enabled()


def test_threads_that_share_leaves_lose_no_gradient() -> None:
    w = leaf(np.zeros(3))
    done: list[int] = []

    def work() -> None:
        for _ in range(300):
            try:
                (w * 1.0).sum().backward()
            except RuntimeError as error:
                assert "another thread is in a backward pass" in str(error)
            else:
                done.append(1)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert w.grad is not None and w.grad.tolist() == [float(len(done))] * 3


def test_a_task_that_waits_under_no_grad_leaves_the_others_alone() -> None:
    seen = {}

    async def evaluate(ready: asyncio.Event) -> None:
        with no_grad():
            ready.set()
            await asyncio.sleep(0)
            seen["evaluating"] = is_grad_enabled()

    async def train(ready: asyncio.Event) -> None:
        await ready.wait()
        seen["training"] = is_grad_enabled()

    async def both() -> None:
        ready = asyncio.Event()
        await asyncio.gather(evaluate(ready), train(ready))

    asyncio.run(both())
    assert seen == {"evaluating": False, "training": True}


def test_a_pass_in_a_hook_still_gives_the_nodes_back() -> None:
    x = leaf(3.0)
    y = x * x

    def inner(_: Tensor) -> None:
        assert grad(y, x, retain_graph=True)[0] is not None

    z = y * 2.0
    z.register_hook(inner)
    (z + y).backward(retain_graph=True)
    assert x.grad is not None and x.grad.item() == 18.0


def test_one_block_that_two_tasks_share() -> None:
    block, seen = no_grad(), []

    async def use(first: asyncio.Event, second: asyncio.Event) -> None:
        with block:
            first.set()
            await second.wait()
        seen.append(is_grad_enabled())

    async def both() -> None:
        a, b = asyncio.Event(), asyncio.Event()
        await asyncio.gather(use(a, b), use(b, a))

    asyncio.run(both())
    assert seen == [True, True] and is_grad_enabled()


def test_a_stale_view_in_two_threads() -> None:
    x = leaf(np.ones(3))
    for _ in range(200):
        y = x * 1.0
        v = y[1:]
        y[0] = 2.0
        errors: list[BaseException] = []

        def use(v: Tensor = v, errors: list[BaseException] = errors) -> None:
            try:
                assert (v * 2.0).requires_grad
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=use) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert not errors


def test_a_thread_that_assigns_data_during_a_recording_hears_of_it() -> None:
    """Its assignment would be undone when the recording ends."""
    w, said = leaf([1.0, 2.0, 3.0]), SimpleQueue[str]()
    before = w.data

    def assigns() -> None:
        try:
            w.data = np.zeros(3)
        except RuntimeError as error:
            said.put(str(error))

    def f(x: Any) -> Any:
        thread = threading.Thread(target=assigns)
        thread.start()
        thread.join()
        return (x * w).sum()

    assert compile(f)(before) == 14.0
    assert "by another thread; " in said.get_nowait()
    assert w.data is before
    w.data = np.zeros(3)
    assert w.data.tolist() == [0.0] * 3
