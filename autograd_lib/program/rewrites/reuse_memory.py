"""Plans which results share buffers, by their lifetimes (chapter 22)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.rewrites.helpers import replacing
from autograd_lib.program.rewrites.memory import Memory, fills, is_elementwise

Life: TypeAlias = tuple[int, int]
LEAST = 1024  # bytes; smaller arrays get no slot


def reuse_memory(graph: Graph) -> Graph:
    """Give each intermediate result a slot, and reuse slots. It changes no bit.

    Small arrays get none: NumPy caches blocks of less than a kilobyte, and allocates
    them faster than it parses ``out=``.
    """
    return in_slots(LEAST)(graph)


def in_slots(least: int) -> Callable[[Graph], Graph]:
    """Return the rewrite for arrays of at least `least` bytes."""

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
    """Return the sizes of the slots, and the slot of each value.

    `lives` has the indices of the calls that make each value and read it last.
    """
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
    """Return the graph with operands of outputs computed in the outputs' memory.

    An output has new memory at each call. If it could overwrite an operand, the operand
    can be made in that memory, and needs no slot.
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
    """Return birth and death of each value that can be in a slot."""
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
    """Return whether a result may overwrite an operand that isn't read later.

    It may if each element is computed from the element in the same place.
    """
    alike = (old.shape, old.dtype, old.order) == (new.shape, new.dtype, new.order)
    alone = all(v is old for v in call.operands() if v.owner is old)
    return is_elementwise(call) and fills(call) and alike and alone


def taken(n: int, sizes: list[int], free: dict[int, list[int]]) -> int:
    """Return the most recently used free slot of the best size, or a new one."""
    fitting = [size for size, slots in free.items() if slots and n <= size <= 2 * n]
    if fitting:
        return free[min(fitting)].pop()
    sizes.append(n)
    return len(sizes) - 1
