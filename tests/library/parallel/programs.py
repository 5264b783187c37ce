"""What ranks calculate, beside what one process does; `test_many_ranks.py` runs it.

Rank 0 prints a line for each comparison: the largest relative difference on any rank.
The reference is the engine on lists: an array of each rank, in one process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from autograd_lib import parallel
from autograd_lib.engine import Tensor, grad
from autograd_lib.forward import jvp
from autograd_lib.nn.layers import GELU, Linear, Sequential, Tanh
from autograd_lib.nn.losses import mse_loss
from autograd_lib.nn.state import load, save
from autograd_lib.optim.algorithms import Adam
from autograd_lib.parallel import world

RANKS = world()
ME, N = RANKS.me, RANKS.size
DIFFER: dict[str, Callable[[], Iterator[tuple[Any, Any]]]] = {}


def comparison(function: Callable[[], Iterator[tuple[Any, Any]]]) -> Any:
    DIFFER[function.__name__] = function
    return function


def cut(x: Any, axis: int, rank: int) -> Any:
    """Return a rank's part of an array or a tensor, as the library cuts."""
    n = x.shape[axis]
    part = slice(rank * n // N, (rank + 1) * n // N)
    return x[part] if axis == 0 else x[:, part]


# Each collective for lists: from the arrays of all ranks to those of all ranks. A
# shared array is a list of the same tensor, which then is counted once.
LISTS: dict[str, Any] = {
    "to_all": lambda xs, axis: xs,
    "sum_of_all": lambda xs, axis: [sum(xs[1:], xs[0])] * N,
    "scatter": lambda xs, axis: [cut(xs[0], axis, r) for r in range(N)],
    "gather": lambda xs, axis: [np.concatenate(xs, axis)] * N,
    "all_gather": lambda xs, axis: [np.concatenate(xs, axis)] * N,
    "reduce_scatter": lambda xs, axis: [
        cut(sum(xs[1:], xs[0]), axis, r) for r in range(N)
    ],
    "all_to_all": lambda xs, axis: [
        np.concatenate([cut(x, axis, r) for x in xs], axis) for r in range(N)
    ],
}
SHARED = {"to_all": True, "scatter": True}  # what takes a shared array
GIVES_SHARED = {"sum_of_all", "gather"}


def a_program(rng: np.random.Generator) -> tuple[bool, tuple[int, int], list[Any]]:
    """Return whether the input is shared, its shape, and steps (name, axis)."""
    shared = first = bool(rng.integers(2))
    shape = start = tuple(int(n) for n in N * rng.integers(1, 3, 2))
    steps = []
    for _ in range(6):
        axis = int(rng.integers(2))
        names = [name for name in LISTS if SHARED.get(name, False) == shared]
        name = str(rng.choice(names))
        size = list(shape)
        if name in ("scatter", "reduce_scatter"):
            size[axis] //= N
        elif name in ("gather", "all_gather"):
            size[axis] *= N
        whole = all(n % N == 0 for n in size)  # so that any step may come next
        if not whole or size[0] * size[1] > 4096:
            continue
        shared, shape = name in GIVES_SHARED, (size[0], size[1])
        steps.append((name, axis))
    if not shared:
        steps.append(("sum_of_all", 0))
    return first, start, steps


def bent(x: Any, rank: int, shared: bool) -> Any:
    """Return a curved function of x, which differs from rank to rank if x does."""
    return np.sin(x * (1.0 if shared else 1 + rank / 10))


def on_ranks(steps: list[Any], x: Any) -> Any:
    for name, axis in steps:
        x = bent(x, ME, name in SHARED)
        options = {} if name in ("to_all", "sum_of_all") else {"axis": axis}
        x = getattr(parallel, name)(x, **options)
    return (np.cos(x) * x).sum()


def on_lists(steps: list[Any], xs: list[Any]) -> Any:
    for name, axis in steps:
        same = name in SHARED
        if same:
            xs = [bent(xs[0], 0, True)] * N
        else:
            xs = [bent(x, r, False) for r, x in enumerate(xs)]
        xs = LISTS[name](xs, axis)
    return (np.cos(xs[0]) * xs[0]).sum()


@comparison
def random_programs() -> Iterator[tuple[Any, Any]]:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        shared, shape, steps = a_program(rng)
        arrays = [rng.normal(size=shape) for _ in range(1 if shared else N)]
        tangents = [rng.normal(size=shape) for _ in arrays]
        mine = 0 if shared else ME
        leaves = [Tensor(a, requires_grad=True) for a in arrays]
        xs = leaves * N if shared else leaves
        (*slopes,) = grad(on_lists(steps, xs), leaves, create_graph=True)
        bend = sum((g * g).sum() for g in slopes)
        second = grad(bend, leaves)

        x = Tensor(arrays[mine], requires_grad=True)
        y = on_ranks(steps, x)
        (g,) = grad(y, x, create_graph=True)
        yield y.data, on_lists(steps, xs).data
        yield g.data, slopes[mine].data
        own = (g * g).sum()
        (h,) = grad(own if shared else parallel.sum_of_all(own), x)
        yield h.data, second[mine].data
        _, moved = jvp(partial(on_ranks, steps), (arrays[mine],), (tangents[mine],))
        pairs = zip(slopes, tangents, strict=True)
        yield moved.data, sum((s.data * t).sum() for s, t in pairs)


@comparison
def transposes_by_their_dot_products() -> Iterator[tuple[Any, Any]]:
    """⟨y, A x⟩ = ⟨Aᵀ y, x⟩, where a shared array is counted once."""
    rng, shape = np.random.default_rng(7), (3 * N + 1, N + 2)

    def inner(a: Any, b: Any, shared: bool) -> Any:
        counts = not shared or ME == 0
        return RANKS.sum(np.array(float((a * b).sum()) * counts), "inner")

    for name in LISTS:
        for axis in 0, 1:
            draw = {r: np.random.default_rng((7, r)) for r in (0, ME)}
            shared = name in SHARED
            x = draw[0 if shared else ME].normal(size=shape)
            options = {} if name in ("to_all", "sum_of_all") else {"axis": axis}
            if name in ("gather", "all_gather"):
                x = cut(x, axis, ME)
            if name == "all_to_all":
                x = rng.normal(size=(2 * N, 3 * N)) * (1 + ME)
            leaf = Tensor(x, requires_grad=True)
            y = getattr(parallel, name)(leaf, **options)
            after = name in GIVES_SHARED
            way = np.random.default_rng((8, 0 if after else ME)).normal(size=y.shape)
            (back,) = grad(y, leaf, way)
            yield inner(way, y.data, after), inner(back.data, x, shared)


def moved(k: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(k)
    return rng.normal(size=(13, 6)), rng.normal(size=(13, 2))


def two_layers(seed: int = 3) -> Sequential:
    first = Linear(6, 9, rng=seed, dtype=np.float64)
    return Sequential(first, Tanh(), Linear(9, 2, rng=seed + 1, dtype=np.float64))


def trained(steps: range, model: Any, optimizer: Any, ranks: Any) -> list[float]:
    """Return the losses of the whole batch, one a step."""
    losses = []
    for k in steps:
        x, y = moved(k)
        part = ranks.part(len(x))
        loss = mse_loss(model(x[part]), y[part])
        optimizer.zero_grad()
        loss.backward()
        count = part.stop - part.start
        parallel.average_gradients(model.parameters(), count, ranks)
        optimizer.step()
        losses.append(float(ranks.sum(loss.data * (count / len(x)), "losses")))
    return losses


ALONE = parallel.Ranks()


def adam(params: Any) -> Adam:
    return Adam(params, lr=0.01, weight_decay=0.1)


@comparison
def a_batch_cut_into_ranks() -> Iterator[tuple[Any, Any]]:
    whole, model = two_layers(), two_layers(3 + ME)
    parallel.share(model.parameters())
    expected = trained(range(20), whole, adam(whole.parameters()), ALONE)
    yield trained(range(20), model, adam(model.parameters()), RANKS), expected
    for p, q in zip(model.parameters(), whole.parameters(), strict=True):
        yield p.data, q.data


@comparison
def sharded_state_and_a_restart() -> Iterator[tuple[Any, Any]]:
    whole, model = two_layers(), two_layers()
    expected = trained(range(20), whole, adam(whole.parameters()), ALONE)
    sharded = parallel.Sharded(adam, model.parameters())
    yield trained(range(10), model, sharded, RANKS), expected[:10]
    kept = sum(a.size for a in sharded.state_dict().values()) - 3
    part = RANKS.part(sum(p.size for p in model.parameters()))
    yield kept, 2 * (part.stop - part.start)
    with TemporaryDirectory() as folder:
        save(model, Path(folder) / "model.npz")
        save(sharded, Path(folder) / f"rank{ME}.npz")
        again = two_layers(50)
        again.load_state_dict(load(Path(folder) / "model.npz"))
        resumed = parallel.Sharded(adam, again.parameters())
        resumed.load_state_dict(load(Path(folder) / f"rank{ME}.npz"))
    yield trained(range(10, 20), again, resumed, RANKS), expected[10:]
    on = trained(range(10, 20), model, sharded, RANKS)
    yield on, expected[10:]
    for p, q in zip(model.parameters(), again.parameters(), strict=True):
        yield np.array_equal(p.data, q.data), True  # the unbroken run, to the last bit


@comparison
def a_layer_cut_into_ranks() -> Iterator[tuple[Any, Any]]:
    whole = two_layers()
    column = parallel.ColumnLinear(whole[0])
    row = parallel.RowLinear(whole[2])
    x, y = moved(0)
    first, second = (Tensor(x, requires_grad=True) for _ in range(2))
    mse_loss(whole(first), y).backward()
    loss = mse_loss(row(np.tanh(column(second))), y)
    loss.backward()
    part = RANKS.part(9)
    yield second.grad.data, first.grad.data
    yield column.weight.grad.data, whole[0].weight.grad.data[part]
    yield column.bias.grad.data, whole[0].bias.grad.data[part]
    yield row.weight.grad.data, whole[2].weight.grad.data[:, part]
    yield row.bias.grad.data, whole[2].bias.grad.data


@comparison
def a_pipeline() -> Iterator[tuple[Any, Any]]:
    sizes = [6, *[5] * (N - 1), 2]
    layers = [
        Sequential(Linear(a, b, rng=r, dtype=np.float64), GELU())
        for r, (a, b) in enumerate(pairwise(sizes))
    ]
    x, y = moved(0)
    mse_loss(Sequential(*layers)(x), y).backward()
    expected = [p.grad.data for p in layers[ME].parameters()]
    mine = layers[ME]
    mine.zero_grad()
    pieces = np.array_split(np.arange(len(x)), 3)

    def stage(h: Any, rows: Any) -> Any:
        out = mine(h)
        if ME < N - 1:
            return out
        return mse_loss(out, y[rows]) * (len(rows) / len(x))

    ends = [parallel.relay(lambda h, i=i: stage(h, i), x[i]) for i in pieces]
    for end in ends:
        end.backward()
    for p, g in zip(mine.parameters(), expected, strict=True):
        yield p.grad.data, g


@comparison
def second_derivatives_through_a_message() -> Iterator[tuple[Any, Any]]:
    """f(x) = sin(3·x²), of which rank 0 has the square and rank 1 the rest."""
    if N == 1:
        return
    point, u = (Tensor(0.7, requires_grad=True) for _ in range(2))
    z = np.sin(3 * u * u)
    (g,) = grad(z, u, create_graph=True)
    (h,) = grad(g, u)
    begun = parallel.token()
    if ME == 0:
        end = parallel.send(point * point, 1)
        (first,) = grad(end, point, end, create_graph=True)
        (second,) = grad(first, point)
        yield first.data, g.data
        yield second.data, h.data
    elif ME == 1:
        end = np.sin(3 * parallel.receive(begun, 0))
        (back,) = grad(end, begun, create_graph=True)
        grad(back, begun)


def apart(got: Any, expected: Any) -> float:
    got, expected = np.asarray(got, float), np.asarray(expected, float)
    if got.shape != expected.shape:
        return float("inf")
    if not got.size:
        return 0.0
    scale = max(1e-9, float(np.abs(expected).max()))
    return float(np.abs(got - expected).max()) / scale


if __name__ == "__main__":
    for name, pairs in DIFFER.items():
        found = [apart(got, expected) for got, expected in pairs()]
        most = RANKS.objects((len(found), max(found, default=0.0)))
        if ME == 0:
            line = json.dumps([name, sum(n for n, _ in most), max(d for _, d in most)])
            print(line)  # noqa: T201 - the test reads it
