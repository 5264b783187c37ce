"""Which results share memory: a plan of lifetimes (chapter 24)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.memory import Memory, fills, is_elementwise
from autograd_lib.program.rewrites.shared import replacing

Life: TypeAlias = tuple[int, int]
LEAST = 1024  # bytes of an array that gets a slot


def reuse_memory(graph: Graph) -> Graph:
    """Give each result that is not returned a slot, and use slots again.

    Small arrays get none: NumPy keeps pieces of less than a kilobyte itself, and gives
    them out faster than ``out=`` is read. It changes no bit.
    """
    return in_slots(LEAST)(graph)


def in_slots(least: int) -> Callable[[Graph], Graph]:
    """Return the rewrite for arrays of at least a number of bytes."""

    def planned(graph: Graph) -> Graph:
        graph = in_memory_of_outputs(graph, least)
        lives = lifetimes(graph, least)
        sizes, slots = shared(graph.calls, lives, lambda v: v.nbytes)
        memory = Memory(tuple(sizes), slots, lives)
        return Graph(graph.inputs, graph.calls, graph.outputs, memory)

    return planned


def shared(
    calls: Sequence[Call], lives: dict[Value, Life], bytes_of: Callable[[Value], int]
) -> tuple[list[int], dict[Value, int]]:
    """Return the sizes of slots that values share, and the slot of each, given the
    numbers of the calls that make it and that read it last, and how large it is."""
    sizes: list[int] = []
    slots: dict[Value, int] = {}
    free: dict[int, list[int]] = defaultdict(list)  # by size
    dying: dict[int, list[Value]] = defaultdict(list)
    for v, (_, death) in lives.items():
        dying[death].append(v)

    def give_back(several: list[Value]) -> None:
        for v in several:
            free[sizes[slots[v]]].append(slots[v])

    for i, call in enumerate(calls):
        ends = [v for v in dying[i] if lives[v][0] < i]
        early: list[Value] = []
        for v in [v for v in call.outs if v in lives]:
            early = [u for u in ends if may_be_in_place(call, u, v)][:1]
            give_back(early)
            slots[v] = taken(bytes_of(v), sizes, free)
        give_back([v for v in dying[i] if v not in early])
    return sizes, slots


def in_memory_of_outputs(graph: Graph, least: int) -> Graph:
    """Return the graph with that made in an output's memory which leads to it.

    An output always has new memory at each call. Where it may lie in the
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
        if v is None or v not in returned or v.nbytes < least or not call.takes_out:
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
    return replacing(graph, new, reversed(calls))


def lifetimes(graph: Graph, least: int) -> dict[Value, Life]:
    """Return for each value that a slot can hold when it is made and last read."""
    found: dict[Value, Life] = {}
    returned = {v.owner for v in graph.outputs}
    for i, call in enumerate(graph.calls):
        alone = len(call.outs) == 1 or call.is_loop
        filled = alone and fills(call) and call.into is None
        for v in call.outs if filled else ():
            own = v.base is None and not v.number and v not in returned
            if own and v.nbytes >= max(1, least) and v.order is not None:
                found[v] = (i, i)
        for owner in {v.owner for v in (*call.operands(), *call.outs)}:
            if owner in found:
                found[owner] = (found[owner][0], i)
    return found


def may_be_in_place(call: Call, old: Value, new: Value) -> bool:
    """Return whether a result may lie where an operand lies that is read no more.

    So it is if each element is made of the one in the same place.
    """
    alike = (old.shape, old.dtype, old.order) == (new.shape, new.dtype, new.order)
    alone = all(v is old for v in call.operands() if v.owner is old)
    return is_elementwise(call) and fills(call) and alike and alone


def taken(n: int, sizes: list[int], free: dict[int, list[int]]) -> int:
    """Return a free slot for n bytes, the last used of the best size, or a new one."""
    fitting = [size for size, slots in free.items() if slots and n <= size <= 2 * n]
    if fitting:
        return free[min(fitting)].pop()
    sizes.append(n)
    return len(sizes) - 1
