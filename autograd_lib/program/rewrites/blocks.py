"""Large arrays, a block at a time: calls element by element, in one loop (chapter 24).

A call on an array that is larger than the cache waits for memory, and so does the next
one, on the same elements. In a loop over blocks that fit into the cache all calls see
a block while it is there, and what only they need is never written to memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Again, Call, Graph, Value
from autograd_lib.program.core.writer import Source

LARGE = 2**20  # bytes of an array, from which on blocks are worth a loop
BLOCK = 2**16  # bytes of a block


@dataclass(eq=False)
class InBlocks(Again):
    """Calls that are made block by block.

    Attributes:
        elements: how many elements the arrays have, and
        block: how many of them are in a block.
        local: for each value that nobody else reads the number of the block of memory
            that it lies in, and the type of its elements.
    """

    elements: int = 0
    block: int = 0
    local: dict[Value, tuple[int, Any]] = field(default_factory=dict)

    def lines(self, source: Source) -> list[str]:
        """Return a loop over blocks, each a slice of the elements in their order."""
        slots = {} if source.graph.memory is None else source.graph.memory.slots
        empty = source.function_name(np.empty)
        lines: list[str] = []
        texts: dict[Value, str] = {}
        for v in self.outs:
            if v not in slots:
                lines.append(f"{source.of(v)} = {empty}({v.shape}, {v.dtype.name!r})")
        for v in [v for v in (*self.operands(), *self.outs) if v.shape]:
            flat = source.of(v)
            if len(v.shape) > 1 and v not in texts:
                flat = source.names.new(flat + "_flat")
                lines.append(f"{flat} = {source.of(v)}.reshape(-1)")
            texts.setdefault(v, f"{flat}[block]")
        texts |= self.pieces(source)
        lines.append(
            f"for i in range(0, {self.elements}, {self.block}):"
            f"  # of {self.elements} elements"
        )
        lines.append(f"    block = slice(i, i + {self.block})")

        def argument(x: Any) -> str:
            known = type(x) is Value and x in texts
            return texts[x] if known else source.argument(x)

        def line(step: Call) -> str:
            args = ", ".join(argument(x) for x in step.args)
            function = source.function_name(step.function)
            return f"{function}({args}, out={texts[step.out]})"

        return lines + source.indented(self.inner, line)

    def pieces(self, source: Source) -> dict[Value, str]:
        """Return the names of what lies in a block of memory, which is made once."""
        names: dict[Any, str] = {}
        for number, kind in self.local.values():
            if (number, kind) not in names:
                name = names[number, kind] = source.names.new("piece")
                source.hoisted.append(
                    f"{name} = shown(memory({self.block * kind.itemsize}), "
                    f"({self.block},), {kind.name!r})"
                )
        return {v: names[piece] for v, piece in self.local.items()}


def blocks(graph: Graph) -> Graph:
    """Make calls on the elements of large arrays block by block."""
    return in_blocks(LARGE, BLOCK)(graph)


def in_blocks(large: int, bytes_of_block: int) -> Callable[[Graph], Graph]:
    """Return the pass for arrays of so many bytes and more, and blocks of so many."""

    def improve(graph: Graph) -> Graph:
        written = graph.owners_written()
        left, made = list(graph.calls), []
        while left:
            first = left.pop(0)
            if not by_elements(first, large, written):
                made.append(first)
                continue
            group, before, after = gathered(first, left, large, written)
            made += before
            n = block_of(group, bytes_of_block)
            left = after
            if len(group) < 3 or not n:
                made += group
                continue
            outside = {v for c in (*made, *after) for v in c.operands()}
            outside |= set(graph.outputs)
            made.append(looped(group, {u for v in outside for u in v.bases()}, n))
        return graph.changed(made)

    return improve


def by_elements(call: Call, large: int, written: set[Value]) -> bool:
    """Return whether each element of a large result is made of those in its place."""
    if not isinstance(call.function, np.ufunc) or call.function.signature is not None:
        return False
    if call.into is not None or call.options or len(call.outs) != 1:
        return False
    out = call.out
    if not out.shape or out.nbytes < large or out.owner in written or not out.in_rows:
        return False
    alike = [v.shape == out.shape and v.in_rows for v in call.operands() if v.shape]
    return all(alike) and all(v.owner not in written for v in call.operands())


def gathered(
    first: Call, rest: list[Call], large: int, written: set[Value]
) -> tuple[list[Call], list[Call], list[Call]]:
    """Return the calls for one loop, and those that go before it and after it."""
    group, before, after = [first], list[Call](), list[Call]()
    mine, later = {first.out}, set[Value]()
    for i, c in enumerate(rest):
        if c.into is not None:  # a write: what follows stays behind it
            return group, before, [*after, *rest[i:]]
        owners = {v.owner for v in c.operands()}
        fits = by_elements(c, large, written) and c.out.shape == first.out.shape
        if fits and c.origin.errors == first.origin.errors and not owners & later:
            group.append(c)
            mine.add(c.out)
        elif c.outs and not owners & (mine | later):
            before.append(c)
        else:
            after.append(c)
            later.update(v.owner for v in c.outs)
    return group, before, after


def block_of(group: list[Call], bytes_of_block: int) -> int:
    """Return how many elements a block has, so that blocks come out even, or 0."""
    n = math.prod(group[0].out.shape)
    widest = max(v.dtype.itemsize for c in group for v in (c.out, *c.operands()))
    most = max(1, bytes_of_block // widest)
    even = (k for k in range(min(most, n), most // 4, -1) if n % k == 0)
    return next(even, 0)


def looped(group: list[Call], outside: set[Value], n: int) -> InBlocks:
    """Return calls as one, whose results are what is read outside."""
    made = {c.out for c in group}
    outs = tuple(c.out for c in group if c.out in outside)
    operands = dict.fromkeys(v for c in group for v in c.operands() if v not in made)
    last = {v: i for i, c in enumerate(group) for v in (*c.operands(), c.out)}
    local: dict[Value, tuple[int, Any]] = {}
    free: list[tuple[int, Any]] = []
    pieces = 0
    for i, c in enumerate(group):
        ends = [v for v in dict.fromkeys(c.operands()) if v in local and last[v] == i]
        free += [local[v] for v in ends]
        if c.out in outside:
            continue
        kind = c.out.dtype
        found = next((p for p in reversed(free) if p[1] == kind), None)
        if found is None:
            found, pieces = (pieces, kind), pieces + 1
        else:
            free.remove(found)
        local[c.out] = found
        if last[c.out] == i:
            free.append(found)
    size = math.prod(group[0].out.shape)
    name, args, origin = "in blocks", tuple(operands), group[0].origin
    return InBlocks(
        InBlocks, name, args, {}, outs, None, origin, tuple(group), size, n, local
    )
