"""Runs elementwise calls on large arrays block by block (chapter 22).

A call on an array larger than the cache waits for memory, and so does the next call on
the same elements. In a loop over blocks that fit into the cache, all calls process a
block while it is cached, and intermediate results never go to memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.core.writer import Source
from autograd_lib.program.rewrites.helpers import Again, changed, owners_written
from autograd_lib.program.rewrites.memory import SCOPE, is_elementwise
from autograd_lib.program.rewrites.reuse_memory import shared

LARGE = 2**20  # bytes of an array, from which on blocks are worth a loop
BLOCK = 2**17  # bytes of a block


def blocks(graph: Graph) -> Graph:
    """Run elementwise calls on large arrays block by block. It changes no bit."""
    return in_blocks(LARGE, BLOCK)(graph)


def in_blocks(large: int, bytes_of_block: int) -> Callable[[Graph], Graph]:
    """Return the rewrite for arrays of at least `large` bytes, and a block size.

    If more than an eighth of the results is read outside the loop, the calls stay as
    they are, since together they would need more cache than one by one. For ``large=0``
    this limit is off.
    """

    def improve(graph: Graph) -> Graph:
        written = owners_written(graph)
        left, made, tried = list(graph.calls), list[Call](), set[Call]()
        while left:
            first = left.pop(0)
            if first in tried or not by_elements(first, large, written):
                made.append(first)
                continue
            group, before, after = gathered(first, left, large, written)
            n = block_of(group, bytes_of_block)
            read = {v for c in (*made, *before, *after) for v in c.operands()}
            outside = {u for v in (*read, *graph.outputs) for u in v.bases()}
            few = not large or 8 * sum(c.out in outside for c in group) <= len(group)
            if n and len(group) > 2 and few:
                made += [*before, looped(group, outside, n)]
                left = after
            else:
                made.append(first)
                tried.update(group)
        return changed(graph, made)

    return improve


def by_elements(call: Call, large: int, written: set[Value]) -> bool:
    """Return whether a call on large arrays can run block by block."""
    if call.into is not None or call.options or not is_elementwise(call):
        return False
    out, operands = call.out, [v for v in call.operands() if not is_one(v)]
    largest = max(v.nbytes for v in (out, *operands))
    if len(call.outs) > 1 or largest < large or is_one(out):
        return False
    full = all(v.shape == out.shape and v.in_rows for v in (out, *operands))
    return full and not any(v.owner in written for v in (out, *call.operands()))


def is_one(v: Value) -> bool:
    """Return whether all elements of an array are one element in memory."""
    return math.prod(v.shape) == 1 or not any(v.strides)


def gathered(
    first: Call, rest: list[Call], large: int, written: set[Value]
) -> tuple[list[Call], list[Call], list[Call]]:
    """Return the calls for one loop, and those to run before and after it."""
    group, before, after = [first], list[Call](), list[Call]()
    mine, later = {first.out}, set[Value]()
    for i, c in enumerate(rest):
        if c.into is not None:  # a write: later calls stay after it
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
    """Return the number of elements in a block, which divides the array's, or 0."""
    n = math.prod(group[0].out.shape)
    widest = max(v.dtype.itemsize for c in group for v in (c.out, *c.operands()))
    most = max(1, bytes_of_block // widest)
    even = (k for k in range(min(most, n), most // 4, -1) if n % k == 0)
    return next(even, 0)


def looped(group: list[Call], outside: set[Value], n: int) -> InBlocks:
    """Return calls as one loop, whose results are those read outside.

    The other results are in buffers of one block, which are reused like slots.
    """
    made = {c.out for c in group}
    operands = dict.fromkeys(v for c in group for v in c.operands() if v not in made)
    last = {v: i for i, c in enumerate(group) for v in (*c.operands(), c.out)}
    births = enumerate(c.out for c in group)
    lives = {v: (i, last[v]) for i, v in births if v not in outside}
    _, slots = shared(group, lives, lambda v: n * v.dtype.itemsize)
    local = {v: (slot, v.dtype) for v, slot in slots.items()}
    outs = tuple(c.out for c in group if c.out in outside)
    size, origin = math.prod(group[0].out.shape), group[0].origin
    args = tuple(operands)
    return InBlocks(
        *(InBlocks, "in blocks", args, {}, outs, None, origin),
        *(tuple(group), size, n, local),
    )


@dataclass(eq=False)
class InBlocks(Again):
    """Calls in a loop over blocks.

    Attributes:
        elements: number of elements of the arrays.
        block: number of elements in a block.
        local: buffer number and dtype of each value that is only read in the loop.
    """

    elements: int = 0
    block: int = 0
    local: dict[Value, tuple[int, Any]] = field(default_factory=dict)

    def lines(self, source: Source) -> list[str]:
        """Return the lines of the loop; a block is a slice of the flat array."""
        empty = source.function_name(np.empty)
        lines = [
            f"{source.of(v)} = {empty}({v.shape}, {v.dtype.name!r})"
            for v in self.outs
            if v not in source.fixed
        ]
        body = [f"    block = slice(i, i + {self.block})"]
        texts = self.pieces(source)
        for v in dict.fromkeys(v for v in (*self.operands(), *self.outs) if v.shape):
            name = source.of(v)
            if is_one(v):
                texts[v] = source.names.new(f"{name}_one")
                lines.append(f"{texts[v]} = {name}[{', '.join('0' for _ in v.shape)}]")
                continue
            texts[v] = source.names.new(f"{name}_block")
            flat = name
            if len(v.shape) > 1:
                flat = source.names.new(f"{name}_flat")
                lines.append(f"{flat} = {name}.reshape(-1)")
            body.append(f"    {texts[v]} = {flat}[block]")
        of = f"{self.elements}, {self.block}):  # of {self.elements} elements"
        lines.append(f"for i in range(0, {of}")

        def argument(x: Any) -> str:
            known = type(x) is Value and x in texts
            return texts[x] if known else source.argument(x)

        def line(step: Call) -> str:
            out = texts[step.out]
            if step.function is np.ndarray.astype:
                return f"{out}[:] = {argument(step.args[0])}"
            args = ", ".join(map(argument, step.args))
            made = f"{source.function_name(step.function)}({args}"
            where = step.function is np.where  # which takes no out=
            return f"{out}[:] = {made})" if where else f"{made}, out={out})"

        return [*lines, *body, *source.indented(self.inner, line)]

    def pieces(self, source: Source) -> dict[Value, str]:
        """Return the names of the block buffers, which are allocated once."""
        names: dict[Any, str] = {}
        source.scope |= SCOPE
        for number, kind in self.local.values():
            if (number, kind) not in names:
                name = names[number, kind] = source.names.new("piece")
                bytes_of = self.block * kind.itemsize
                shape = f"({self.block},), {kind.name!r}"
                source.hoisted.append(f"{name} = shown(memory({bytes_of}), {shape})")
        return {v: names[piece] for v, piece in self.local.items()}
