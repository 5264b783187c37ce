"""Large arrays, a block at a time: calls element by element, in one loop (chapter 24).

A call on an array that is larger than the cache waits for memory, and so does the next
one, on the same elements. In a loop over blocks that fit into the cache all calls see
a block while it is there, and what only they need is never written to memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Again, Call, Graph, Value, values_in
from autograd_lib.program.core.writer import Source
from autograd_lib.program.rewrites.memory import SCOPE

LARGE = 2**20  # bytes of an array, from which on blocks are worth a loop
BLOCK = 2**17  # bytes of a block


@dataclass(eq=False)
class InBlocks(Again):
    """Calls that are made block by block.

    Attributes:
        elements: how many elements the arrays have, and
        block: how many of them are in a block.
        local: for each value read only here, the number of the block of memory that
            it lies in, and the type of its elements.
    """

    elements: int = 0
    block: int = 0
    local: dict[Value, tuple[int, Any]] = field(default_factory=dict)

    def lines(self, source: Source) -> list[str]:
        """Return a loop over blocks, each a slice of the elements in their order."""
        slots = {} if source.graph.memory is None else source.graph.memory.slots
        empty = source.function_name(np.empty)
        lines: list[str] = []
        body: list[str] = []
        texts: dict[Value, str] = self.pieces(source)
        steps = [c for c in self.inner if not c.is_view]
        uses = Counter(v for c in self.inner for v in (*values_in(c.args), *c.outs))
        for v in self.outs:
            if v not in slots:
                lines.append(f"{source.of(v)} = {empty}({v.shape}, {v.dtype.name!r})")
        for v in dict.fromkeys(v for v in (*self.operands(), *self.outs) if v.shape):
            flat = source.of(v)
            if not any(v.strides):
                texts[v] = source.names.new(f"{flat}_one")
                place = ", ".join("0" for _ in v.shape)
                lines.append(f"{texts[v]} = {flat}[{place}]")
                continue
            if len(v.shape) > 1:
                flat = source.names.new(flat + "_flat")
                lines.append(f"{flat} = {source.of(v)}.reshape(-1)")
            texts[v] = f"{flat}[block]"
            if uses[v] > 1:
                texts[v] = source.names.new(f"{source.of(v)}_block")
                body.append(f"    {texts[v]} = {flat}[block]")
        body += self.views(source, texts)
        lines.append(
            f"for i in range(0, {self.elements}, {self.block}):"
            f"  # of {self.elements} elements"
        )
        lines += [f"    block = slice(i, i + {self.block})", *body]

        def argument(x: Any) -> str:
            known = type(x) is Value and x in texts
            return texts[x] if known else source.argument(x)

        def line(step: Call) -> str:
            if step.function is np.ndarray.astype:
                return f"{texts[step.out]}[:] = {argument(step.args[0])}"
            args = ", ".join(argument(x) for x in step.args)
            made = f"{source.function_name(step.function)}({args}"
            if step.function is np.where:
                return f"{texts[step.out]}[:] = {made})"
            return f"{made}, out={texts[step.out]})"

        return lines + source.indented(steps, line)

    def views(self, source: Source, texts: dict[Value, str]) -> list[str]:
        """Return lines for what is shown as another type, and note the names.

        What lies in a block of memory is shown once, above the program.
        """
        lines = []
        for step in [c for c in self.inner if c.is_view]:
            x, bits = step.args[0], f".view({step.out.dtype.name!r})"
            texts[step.out] = source.names.new(f"{source.of(step.out)}_block")
            made = f"{texts[step.out]} = {texts[x]}{bits}"
            if x.owner in self.local:
                source.hoisted.append(made)
            else:
                lines.append(f"    {made}")
        return lines

    def pieces(self, source: Source) -> dict[Value, str]:
        """Return the names of what lies in a block of memory, which is made once."""
        names: dict[Any, str] = {}
        for number, kind in self.local.values():
            if (number, kind) not in names:
                name = names[number, kind] = source.names.new("piece")
                source.scope |= SCOPE
                source.hoisted.append(
                    f"{name} = shown(memory({self.block * kind.itemsize}), "
                    f"({self.block},), {kind.name!r})"
                )
        return {v: names[piece] for v, piece in self.local.items()}


def blocks(graph: Graph) -> Graph:
    """Make calls on the elements of large arrays block by block."""
    return in_blocks(LARGE, BLOCK)(graph)


def in_blocks(large: int, bytes_of_block: int) -> Callable[[Graph], Graph]:
    """Return the rewrite for a least number of bytes, and for blocks of a size."""

    def improve(graph: Graph) -> Graph:
        graph = without_empties(graph, large)
        written = graph.owners_written()
        left, made = list(graph.calls), []
        while left:
            first = left.pop(0)
            if first.is_view or not by_elements(first, large, written):
                made.append(first)
                continue
            group, before, after = gathered(first, left, large, written)
            made += before
            n = block_of(group, bytes_of_block)
            left = after
            if len(group) < 3 or not n:
                made += group
                continue
            read = {v for c in (*made, *after) for v in c.operands()}
            read |= set(graph.outputs)
            outside = {u for v in read for u in v.bases()}
            made.append(looped(group, outside, n))
            made += [c for c in group if c.is_view and c.out in outside]
        return graph.changed(made)

    return improve


def without_empties(graph: Graph, large: int) -> Graph:
    """Show as another type what would be copied into the bits of an empty array.

    So rules write bits: ``multiply(bits, mask, out=empty.view(int))``.
    """
    made, readers = graph.makers(), graph.readers()
    outputs = {u for v in graph.outputs for u in v.bases()}
    written = Counter(c.into.owner for c in graph.calls if c.into is not None)
    new: dict[Value, Value] = {}
    calls: list[Call] = []
    gone: set[int] = set()
    for c in graph.calls:
        calls.append(c)
        if c.function is not np.copyto or not set(c.options) <= {"casting"}:
            continue
        v, t = c.args
        if type(t) is not Value or v.base is None or v.nbytes < large:
            continue
        e, view = v.base, made[v]
        empty = made.get(e)
        alone = readers[e] == [view] and readers[v] == [c] and written[e] == 1
        fresh = t.kind == "result" and t.base is None and not written[t.owner]
        alike = (t.shape, t.dtype, t.strides) == (v.shape, v.dtype, v.strides)
        if not (alone and fresh and alike and is_bits(view)) or {e, v} & outputs:
            continue
        if empty is None or empty.function not in (np.empty, np.empty_like):
            continue
        new[c.out] = w = c.out.moved_to(t, None)
        w.kind = "result"
        args = (t, w.dtype)
        calls[-1] = Call(np.ndarray.view, "view", args, {}, (w,), None, c.origin)
        gone |= {id(view), id(empty)}
    return graph.replacing(new, [c for c in calls if id(c) not in gone])


def is_bits(call: Call) -> bool:
    """Return whether a call shows all of an array's bits as another type."""
    if call.function is not np.ndarray.view or not call.is_view or call.options:
        return False
    x, y = call.out.base, call.out
    if x is None or x is not call.args[0]:
        return False
    return bool(x.shape == y.shape and x.in_rows and y.in_rows)


def is_elementwise(call: Call) -> bool:
    """Return whether each element of a result is made of those in its place."""
    f = call.function
    if f is np.where:
        return len(call.args) == 3
    if f is np.ndarray.astype:
        return len(call.args) == 2
    return isinstance(f, np.ufunc) and f.signature is None


def by_elements(call: Call, large: int, written: set[Value]) -> bool:
    """Return whether a call on large arrays can be made a block at a time."""
    if not (is_elementwise(call) or is_bits(call)):
        return False
    if call.into is not None or call.options or len(call.outs) != 1:
        return False
    out, operands = call.out, [v for v in call.operands() if v.shape]
    widest = max(v.nbytes for v in (out, *operands))
    if not out.shape or widest < large or out.owner in written or not out.in_rows:
        return False
    if any(v.shape != out.shape or v.owner in written for v in operands):
        return False
    return all(v.in_rows or not any(v.strides) for v in operands)


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
        fits = fits and (not c.is_view or c.args[0].owner in mine)
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
    outs = tuple(c.out for c in group if c.out in outside and not c.is_view)
    operands = dict.fromkeys(v for c in group for v in c.operands() if v not in made)
    last = {v.owner: i for i, c in enumerate(group) for v in (*c.operands(), c.out)}
    local: dict[Value, tuple[int, Any]] = {}
    free: list[tuple[int, Any]] = []
    pieces = 0
    for i, c in enumerate(group):
        owners = dict.fromkeys(v.owner for v in c.operands())
        free += [local[v] for v in owners if v in local and last[v] == i]
        if c.out in outside or c.is_view:
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
