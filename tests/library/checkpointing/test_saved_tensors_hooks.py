"""Hooks on saved tensors: what is packed, and what comes of what is unpacked."""

from __future__ import annotations

import threading
import tracemalloc
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.checkpointing.saved_tensors import packer, saved_tensors_hooks
from autograd_lib.engine import Tensor, grad, no_grad
from autograd_lib.engine.tape.record import watchers


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True)


def copy(t: Tensor) -> Any:
    return t.data.copy()


def identity(x: Any) -> Any:
    return x


def numbers() -> Tensor:
    return leaf(np.random.default_rng(0).normal(size=(4, 3)))


def test_each_array_that_is_saved_is_packed_once_and_unpacked_for_each_rule() -> None:
    packed, unpacked = [], []

    def unpack(kept: Any) -> Any:
        unpacked.append(kept.shape)
        return kept

    x, w = numbers(), leaf(np.eye(3))
    with saved_tensors_hooks(lambda t: packed.append(t.shape) or t.data.copy(), unpack):
        h = np.tanh(x @ w)  # saves its result, which the product saves too
        y = (h @ w * np.ones(3)).sum()
    assert packed == [(4, 3), (3,)] and unpacked == []
    wanted = (np.tanh(z := numbers()) @ np.eye(3)).sum()
    wanted.backward()
    y.backward()
    assert unpacked.count((4, 3)) == 2 and unpacked.count((3,)) == 1
    assert x.grad.tolist() == pytest.approx(z.grad.data, rel=1e-15)


def test_leaves_and_what_is_no_array_stay() -> None:
    x = numbers()
    with saved_tensors_hooks(lambda t: pytest.fail("packed"), identity):
        y = (x * x)[1:].reshape(9).sum()
    y.backward()
    assert x.grad.tolist() == [[0.0] * 3, *(2 * x.data[1:]).tolist()]


def test_views_inside_still_learn_of_writes() -> None:
    x = numbers()
    with saved_tensors_hooks(copy, identity):
        y = np.exp(x)
        v = y.T[1:]
        y[0] = 2.0
        total = (v * v).sum()
    (g,) = grad(total, x)
    assert g is not None
    wanted = 2 * np.exp(2 * x.data)
    wanted[:, 0] = wanted[0] = 0
    assert g.data == pytest.approx(wanted)


def test_what_they_make_is_a_constant_and_is_not_packed_itself() -> None:
    seen: list[Tensor] = []

    def pack(t: Tensor) -> Tensor:
        seen.append(t)
        assert packer() is None
        return t * 2.0

    x = numbers()
    with saved_tensors_hooks(pack, lambda t: t * 0.5):
        y = np.exp(np.exp(x)).sum()
    assert len(seen) == 2 and not any(t.requires_grad for t in seen)
    (g,) = grad(y, x, create_graph=True)
    assert g is not None
    (second,) = grad(g.sum(), x)
    e = np.exp(x.data)
    assert second is not None
    assert second.data == pytest.approx(np.exp(e) * e * (1 + e))
    with pytest.raises(ValueError, match="must not be written to"):
        seen[0][0] = 1.0


def test_results_lead_on_to_the_graph() -> None:
    x = numbers()
    with saved_tensors_hooks(copy, identity):
        y = np.exp(x)
        z = (y * y).sum()
    (slope,) = grad(z, y, create_graph=True)
    assert slope is not None
    (second,) = grad(slope.sum(), x)
    assert second is not None and second.data == pytest.approx(2 * np.exp(x.data))


@pytest.mark.parametrize(
    ("unpack", "said"),
    [
        (lambda a: a[:2], r"shape \(2, 3\) and float64; what was packed had shape"),
        (lambda a: a.astype("f"), r"float32; what was packed had .* float64"),
        (lambda a: None, "returned NoneType"),
        (lambda a: a.tolist(), "returned list"),
    ],
)
def test_what_is_not_what_was_packed_is_an_error(unpack: Any, said: str) -> None:
    x = numbers()
    with saved_tensors_hooks(copy, unpack):
        y = np.exp(x).sum()
    with pytest.raises(RuntimeError, match=f"saved_tensors_hooks: .*{said}"):
        y.backward()
    assert x.grad is None


def test_errors_of_the_hooks_are_their_own() -> None:
    def fails(_: Any) -> Any:
        raise KeyError("mine")

    x = numbers()
    with pytest.raises(KeyError), saved_tensors_hooks(fails, identity):
        np.exp(x)
    assert packer() is None and watchers == []
    with saved_tensors_hooks(copy, fails):
        y = np.exp(x).sum()
    with pytest.raises(KeyError):
        y.backward()
    assert x.grad is None
    for hooks in ((None, identity), (copy, 3)):
        with pytest.raises(TypeError, match=r"saved_tensors_hooks: .*pack is a f"):
            saved_tensors_hooks(*hooks)  # type: ignore[arg-type]


def test_writes_after_packing() -> None:
    def after_a_write(pack: Any) -> Any:
        x = numbers()
        with saved_tensors_hooks(pack, identity):
            y = np.exp(x)
            z = (y * y).sum()
        with no_grad():
            y += 1.0
        z.backward()
        return x.grad.tolist() == (2 * np.exp(x.data) * np.exp(x.data)).tolist()

    assert after_a_write(copy)
    with pytest.raises(RuntimeError, match="packed an array that was written into sin"):
        after_a_write(identity)


def test_an_array_written_into_inside_is_packed_again() -> None:
    x = numbers()
    with saved_tensors_hooks(copy, identity):
        y = x * 1.0
        first = y * y
        y += 1.0
        second = y * y
    (first + second).sum().backward()
    assert x.grad.data == pytest.approx(2 * x.data + 2 * (x.data + 1))


def test_the_innermost_counts_and_no_block_costs_nothing() -> None:
    log: list[str] = []
    outer = saved_tensors_hooks(lambda t: log.append("outer") or copy(t), identity)
    inner = saved_tensors_hooks(lambda t: log.append("inner") or copy(t), identity)
    x = numbers()
    with outer:
        a = np.exp(x)
        with inner:
            b = np.exp(x)
        c = np.exp(x)
    assert log == ["outer", "inner", "outer"] and watchers == []
    np.exp(a + b + c)
    assert len(log) == 3


def test_each_thread_has_its_own() -> None:
    x, packed = numbers(), []
    with saved_tensors_hooks(lambda t: packed.append(1) or copy(t), identity):
        thread = threading.Thread(target=lambda: np.exp(x))
        thread.start()
        thread.join()
    assert packed == []


def test_files_hold_what_memory_does_not(tmp_path: Path) -> None:
    def pack(t: Tensor) -> Path:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.npy"
        np.save(path, t.data)
        return path

    weights = [leaf(np.eye(10) * 0.9) for _ in range(10)]

    def peak_and_gradient(hooks: Any) -> Any:
        x = leaf(np.ones((1000, 10)))
        tracemalloc.start()
        h = x
        with hooks:
            for w in weights:
                h = np.tanh(h @ w)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        h.sum().backward()
        return most / x.data.nbytes, x.grad.data

    plain, wanted = peak_and_gradient(saved_tensors_hooks(identity, identity))
    filed, found = peak_and_gradient(saved_tensors_hooks(pack, np.load))
    # Ten results, and a product on the way; or one result, a product and a buffer.
    assert plain > 10 and filed < 5
    assert found.tolist() == wanted.tolist()


def test_nothing_is_left_of_a_block() -> None:
    kept: list[Any] = []

    def pack(t: Tensor) -> Any:
        made = t.data.copy()
        kept.append(weakref.ref(made))
        return made

    x = numbers()
    hooks = saved_tensors_hooks(pack, identity)
    gone = weakref.ref(hooks)
    with hooks:
        y = np.exp(np.exp(x)).sum()
    del hooks
    assert all(array() is not None for array in kept)
    y.backward()
    assert [array() for array in kept] == [None, None] and gone() is None


def test_masks_and_moments_of_layers_are_packed_too() -> None:
    packed: list[Any] = []

    def pack(t: Tensor) -> Any:
        packed.append(t.shape)
        return t.data.copy()

    layers = nn.Sequential(
        nn.Linear(3, 3, rng=0, dtype=float),
        nn.LayerNorm(3, dtype=float),
        nn.Dropout(0.5, rng=0),
    )
    x = numbers()
    with saved_tensors_hooks(pack, identity):
        y = layers(x).sum()
    # Of the norm x, x̂ and σ; of dropout its factors.
    assert sorted(packed) == [(4, 1), (4, 3), (4, 3), (4, 3)]
    y.backward()
    layers[2].rng = np.random.default_rng(0)
    z = numbers()
    layers(z).sum().backward()
    assert x.grad.tolist() == z.grad.tolist()
