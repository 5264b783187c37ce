"""Which results share memory: a plan of lifetimes (chapter 24).

A value lives from the call that makes it to the last one that reads it, or a view of
it. Then its memory is free for another. So a program needs a few pieces of memory, its
slots, and keeps them from call to call. What it returns is not among them: that is the
caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value

ALIGNED = 64  # bytes: a line of the processor's cache
LEAST = 1024  # bytes of an array that gets a slot
CREATING = (*(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like),)
COPIES = (
    *(np.array, np.asarray, np.ascontiguousarray, np.copy, np.positive),
    *(np.ndarray.copy, np.ndarray.flatten, np.ndarray.astype),
)
SHAPED = (np.ndarray.reshape, np.ndarray.ravel)
WITH_OUT = (np.einsum, np.concatenate, np.stack, np.clip)


@dataclass(frozen=True)
class Lifetime:
    """When a value is needed, and where it lies.

    Attributes:
        value: the value.
        name: what the program calls it.
        birth: the number of the call that makes it.
        death: that of the last call that reads it.
        slot: the number of the piece of memory.
        bytes: how many it takes of that.
    """

    value: Value
    name: str
    birth: int
    death: int
    slot: int
    bytes: int


@dataclass(frozen=True)
class Memory:
    """A plan: the slots, by size, and which value lies in which one.

    Attributes:
        sizes: bytes of each slot.
        slots: the slot of each value that has one.
        lives: birth and death of these values.
    """

    sizes: tuple[int, ...]
    slots: dict[Value, int]
    lives: dict[Value, tuple[int, int]]

    def plan(self, called: dict[Value, str]) -> list[Lifetime]:
        """Return the lives of all values that have a slot, by their names."""
        return [
            Lifetime(v, called[v], *self.lives[v], slot, v.nbytes)
            for v, slot in self.slots.items()
            if v in called
        ]

    def declared(self, called: dict[Value, str]) -> list[str]:
        """Return the lines of a program that make the arrays."""
        if not self.slots:
            return []
        lines = ["", f"slots = [memory(n) for n in {list(self.sizes)}]"]
        for v, slot in self.slots.items():
            if v not in called:
                continue
            order, kind = v.order or (), repr(v.dtype.name)
            shape = tuple(v.shape[i] for i in order)
            back = tuple(order.index(i) for i in range(len(order)))
            turned = "" if v.in_rows else f".transpose{back}"
            lines.append(f"{called[v]} = shown(slots[{slot}], {shape}, {kind}){turned}")
        return lines


def memory(n: int) -> np.ndarray:
    """Return n bytes of memory, which begin at a line of the cache."""
    raw = np.empty(n + ALIGNED, np.uint8)
    skip = -raw.__array_interface__["data"][0] % ALIGNED
    return raw[skip : skip + n]


def shown(slot: np.ndarray, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return the first bytes of a slot as an array."""
    n = int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
    return slot[:n].view(dtype).reshape(shape)


def lying_as(v: Value) -> np.ndarray:
    """Return an array that lies in memory as the value in a slot does."""
    order = v.order or ()
    like = np.empty([v.shape[i] for i in order], v.dtype)
    return like.transpose([order.index(i) for i in range(len(order))])


def reuse_memory(graph: Graph) -> Graph:
    """Give each result that is not returned a slot, and use slots again.

    Small arrays get none: NumPy keeps pieces of less than a kilobyte itself, and gives
    them out faster than ``out=`` is read.
    """
    return in_slots(LEAST)(graph)


def in_slots(least: int) -> Callable[[Graph], Graph]:
    """Return the pass for arrays of so many bytes and more."""
    return lambda graph: planned(graph, least)


def planned(graph: Graph, least: int) -> Graph:
    """Return the graph with a plan of memory, for arrays that are not too small."""
    graph = in_memory_of_outputs(graph, least)
    lives = lifetimes(graph, least)
    sizes: list[int] = []
    free: list[int] = []
    slots: dict[Value, int] = {}
    dying: dict[int, list[Value]] = {}
    for v, (_, death) in lives.items():
        dying.setdefault(death, []).append(v)
    for i, call in enumerate(graph.calls):
        ends = [v for v in dying.get(i, []) if lives[v][0] < i]
        early: list[Value] = []
        for v in [v for v in call.outs if v in lives]:
            early = [u for u in ends if may_be_in_place(call, u, v)][:1]
            free += [slots[u] for u in early]
            slots[v] = taken(v.nbytes, sizes, free)
        free += [slots[v] for v in dying.get(i, []) if v not in early]
    kept = {v: lives[v] for v in slots}
    return Graph(
        graph.inputs, graph.calls, graph.outputs, Memory(tuple(sizes), slots, kept)
    )


def in_memory_of_outputs(graph: Graph, least: int) -> Graph:
    """Return the graph with that made in an output's memory which leads to it.

    An output has new memory at each call, whatever is planned. Where it may lie in the
    place of an operand, this one can be made there, and needs no memory of its own.
    """
    last = {v.owner: i for i, c in enumerate(graph.calls) for v in c.operands()}
    returned = {v.owner for v in graph.outputs}
    fresh = {v for c in graph.calls if c.into is None and c.takes_out for v in c.outs}
    new: dict[Value, Value] = {}
    calls: list[Call] = []
    for i, call in reversed(list(enumerate(graph.calls))):
        calls.append(call)
        v = call.out if len(call.outs) == 1 and call.into is None else None
        if v is None or v not in returned or v.nbytes < least:
            continue
        for u in call.operands():
            dies = u in fresh and u not in returned and last[u] == i
            alike = u.strides == v.strides and not u.number
            if dies and alike and may_be_in_place(call, u, v):
                returned.add(u)
                new[v] = v.moved_to(None, u)
                options = {k: x for k, x in call.options.items() if k != "order"}
                calls[-1] = replace(call, options=options, outs=(new[v],), into=u)
                break
    return graph.replacing(new, reversed(calls)) if new else graph


def lifetimes(graph: Graph, least: int) -> dict[Value, tuple[int, int]]:
    """Return for each value that a slot can hold when it is made and last read."""
    found: dict[Value, tuple[int, int]] = {}
    returned = {v.owner for v in graph.outputs}
    for i, call in enumerate(graph.calls):
        alone = len(call.outs) == 1 or call.is_loop
        for v in call.outs if alone and call.into is None else ():
            held = fills(call) and not v.number and v not in returned
            large = v.nbytes >= max(1, least)
            if held and large and v.base is None and v.order is not None:
                found[v] = (i, i)
        for v in (*call.operands(), *call.outs):
            owner = v.owner
            if owner in found:
                found[owner] = (found[owner][0], i)
    return found


def fills(call: Call) -> bool:
    """Return whether a call can be told where to put its result."""
    if call.is_loop or copied(call) is not None:
        return True
    if call.takes_out:
        return call.function.__name__ not in ("accumulate", "outer", "reduceat")
    return call.function in CREATING or call.function in WITH_OUT


def copied(call: Call) -> Value | None:
    """Return what a call only copies, if it does: into memory that lies row by row,
    where it gives it another shape."""
    if call.function not in (*COPIES, *SHAPED) or len(call.outs) != 1 or call.is_view:
        return None
    x, y = call.args[0], call.out
    if type(x) is not Value or x.dtype != y.dtype or x.number or y.number:
        return None
    shaped = y.in_rows and not {str, type(None)} & set(map(type, call.args[1:]))
    return x if x.shape == y.shape or (shaped and not call.options) else None


def may_be_in_place(call: Call, old: Value, new: Value) -> bool:
    """Return whether a result may lie where an operand lies that is read no more.

    So it is if each element is made of the one in the same place.
    """
    if not isinstance(call.function, np.ufunc) or call.function.signature is not None:
        return False
    alike = (old.shape, old.dtype, old.order) == (new.shape, new.dtype, new.order)
    return alike and all(v is old for v in call.operands() if v.owner is old)


def taken(n: int, sizes: list[int], free: list[int]) -> int:
    """Return a free slot for n bytes, the last used of the best size, or a new one."""
    fitting = [k for k in free if n <= sizes[k] <= 2 * n]
    if not fitting:
        sizes.append(n)
        return len(sizes) - 1
    best = min(sizes[k] for k in fitting)
    slot = next(k for k in reversed(free) if sizes[k] == best)
    free.remove(slot)
    return slot
