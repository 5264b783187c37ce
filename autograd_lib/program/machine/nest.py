"""Writes a group as loops over rows and columns (chapter 23).

A row takes another loop over its columns whenever a later step needs a sum or an
extreme of it. Values that a later loop needs again are in a buffer of one row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Value
from autograd_lib.program.core.writer import Source
from autograd_lib.program.machine.build import built as built
from autograd_lib.program.machine.groups import Group, Item, Place
from autograd_lib.program.machine.scalars import SCALARS, TYPES, cast, helpers, literal
from autograd_lib.program.rewrites.helpers import Again

BLOCK = 1024  # columns of a row, where rows make no difference


@dataclass(eq=False)
class Loops(Again):
    """A call of machine code that replaces several calls.

    Attributes:
        text: the function `loops`, as Python for Numba.
        told: a description of the replaced calls.
    """

    text: str = ""
    told: str = ""

    @property
    def steps(self) -> tuple[Any, ...]:
        """No steps: none of it is a NumPy call."""
        return ()

    def lines(self, source: Source) -> list[str]:
        """Return the line of the call, on one-dimensional arrays."""
        slots = () if source.graph.memory is None else source.graph.memory.slots
        lines = []
        made = [v for v in self.outs if v.before is None]
        for v in made:
            if v not in slots:
                empty = source.function_name(np.empty)
                lines.append(f"{source.of(v)} = {empty}({v.shape}, {v.dtype.name!r})")
        given = ", ".join(flat(v, source) for v in (*self.args, *made))
        name = source.function_name(built(self.text, "loops"))
        lines.append(f"{name}({given})  # {self.told}")
        return lines + [
            f"{source.of(v)} = {source.of(v)}[()]" for v in self.outs if v.number
        ]


def flat(v: Value, source: Source) -> str:
    """Return the text of an array as one-dimensional."""
    name = source.of(v)
    if len(v.shape) == 1 and v.in_rows:
        return name
    text = f"{name}.reshape(-1)"
    fixed = v in source.fixed or (v.kind == "constant" and v.base is None)
    if not fixed or not v.in_rows:
        return text
    called: str = source.names.new(f"{name}_flat")
    source.hoisted.append(f"{called} = {text}")
    return called


def in_loop(item: Item) -> bool:
    """Whether it is computed in a loop over columns, not once for a row."""
    return item.kind in ("full", "columns")


def indented(lines: list[str]) -> list[str]:
    """Return indented lines."""
    return [f"    {line}" for line in lines]


def function_of(given: list[str], lines: list[str]) -> str:
    """Return the text of a function `loops`, after its helpers."""
    head = ["@loops", f"def loops({', '.join(given)}):"]
    function = "\n".join([*head, *indented(lines), ""])
    return f"{helpers(function)}\n{function}"


class Text:
    """The text of a group.

    A full value is computed in a loop over columns, number 0, 1, …; a row's number is
    computed after a loop, or before all loops, after number -1.

    Attributes:
        inputs: the arrays that the function reads.
        outs: the arrays that it writes.
        into: the input that its only result overwrites, or None.
        text: the function `loops`.
    """

    def __init__(self, group: Group, outs: Iterable[Value], into: Value | None) -> None:
        self.group = group
        self.outs = list(outs)
        self.flat = group.is_flat
        self.inputs: list[Value] = []
        self.names: dict[Value, str] = {}
        self.time: dict[Value, int] = {}
        self.stored: dict[Value, None] = {}  # in order
        self.long: set[Value] = set()
        for item in group.items:
            self.schedule(item)
        late = any(i.reduced for i in group.items) or max(self.time.values()) > 0
        self.into = None if late else into  # which a later loop may read
        self.top: list[str] = []  # before all rows
        self.begin: list[str] = []  # at the beginning of each row
        self.loops: dict[int, list[str]] = {}
        self.after: dict[int, list[str]] = {}
        self.ends: list[str] = []  # after all rows
        self.loaded: dict[Any, str] = {}
        for item in group.items:
            self.write(item)
        self.text = self.whole()

    # When.

    def schedule(self, item: Item) -> None:
        """Note in which loop, or after which, an item is computed."""
        full, v = item.kind == "full", item.out
        own = [p for p in item.places if p is not None and p.array in self.time]
        # A row's number is there after its loop. What tanh makes is read in a later one
        # too: a processor works at several turns of a loop at once if they are short.
        late = [full and (p.kind == "row" or p.array in self.long) for p in own]
        times = [self.time[p.array] + wait for p, wait in zip(own, late, strict=True)]
        time = max(*times, -1, 0 if in_loop(item) else -1)
        self.time[v] = time
        if item.element is not None and item.element.scalar is SCALARS[np.tanh]:
            self.long.add(v)
        for p in own:
            later = self.time[p.array] < time or not in_loop(item)
            if p.kind == "full" and later:
                self.stored[p.array] = None
        if full and v in self.outs:
            self.stored[v] = None

    # Names.

    def name(self, v: Value) -> str:
        """Return the variable of a value's number."""
        if v not in self.names:
            self.names[v] = f"v{len(self.names)}"
        return self.names[v]

    def array(self, v: Value) -> str:
        """Return the array that holds a value: an argument, or a buffer."""
        if v in self.outs and self.into is not None:
            v = self.into
        if v in self.outs:
            return f"y{self.outs.index(v)}"
        if v in self.time:
            return f"row_{self.name(v)}"
        if v not in self.inputs:
            self.inputs.append(v)
        return f"x{self.inputs.index(v)}"

    def is_buffer(self, v: Value) -> bool:
        """Return whether a full value is in a buffer of one row."""
        return v in self.time and v not in self.outs

    def element(self, v: Value) -> str:
        """Return the indexed array of a full value."""
        return f"{self.array(v)}[{'c' if self.is_buffer(v) else 'o + c'}]"

    def once(self, key: Any, lines: list[str], text: str) -> str:
        """Return a variable for an expression that is read once in a block."""
        if key not in self.loaded:
            self.loaded[key] = f"t{len(self.loaded)}"
            lines.append(f"{self.loaded[key]} = {text}")
        return self.loaded[key]

    # What.

    def operand(self, x: Any, place: Place | None, dtype: Any, time: int) -> str:
        """Return an argument cast to a type, in a loop or after one."""
        if place is None:
            return literal(x, dtype)
        v = place.array
        known = v.kind == "constant" and place.kind == "number" and v.base is None
        text = literal(v.array, v.dtype) if known else self.read(place, time)
        if known and v.dtype == dtype:
            return literal(v.array, dtype)
        return text if v.dtype == dtype else f"({cast(text, dtype)})"

    def read(self, place: Place, time: int) -> str:
        """Return the number at a place."""
        v, kind = place.array, place.kind
        if v in self.time and (kind == "row" or self.time[v] == time):
            return self.name(v)
        if kind == "number":
            return self.once((v, kind), self.top, f"{self.array(v)}[u(0)]")
        if kind == "row":
            return self.once((v, kind), self.begin, f"{self.array(v)}[r]")
        text = f"{self.array(v)}[c]" if kind == "column" else self.element(v)
        return self.once((text, time), self.loops.setdefault(time, []), text)

    def write(self, item: Item) -> None:
        """Write the lines of an item."""
        v, time = item.out, self.time[item.out]
        lines = (self.loops if in_loop(item) else self.after).setdefault(time, [])
        place = item.places[0]
        if item.element is not None:
            given = zip(item.element.args, item.places, item.element.types, strict=True)
            args = [self.operand(x, p, t, time) for x, p, t in given]
            lines.append(f"{self.name(v)} = {item.element.text(args)}")
        elif item.kind == "columns" and place is not None:
            lines.append(f"{self.array(v)}[c] += {self.read(place, time)}")
            self.top.append(f"{self.array(v)}[:] = 0")
        elif place is not None:
            x, of = place.array, TYPES[v.dtype]
            begin = "u(0)" if self.is_buffer(x) else "o"
            made = f"{item.reduced}_{of}({self.array(x)}, {begin}, n)"
            part = f"part_{self.name(v)}"
            if item.kind == "sum":
                self.top.append(f"{part} = np.empty(rows, np.{of})")
                self.ends.append(f"{self.array(v)}[0] = sum_{of}({part}, u(0), rows)")
            to = f"{part}[r]" if item.kind == "sum" else self.name(v)
            lines.append(f"{to} = {made}")
        if v in self.stored:
            lines.append(f"{self.element(v)} = {self.name(v)}")
        if item.kind == "row" and v in self.outs:
            lines.append(f"{self.array(v)}[r] = {self.name(v)}")

    def whole(self) -> str:
        """Return the function. If one loop will do, rows have a fixed size."""
        cols = BLOCK if self.flat else self.group.cols
        head = [f"rows = u({self.group.rows})", f"n = u({cols})"]
        begin = [f"o = r * u({cols})"]
        if self.flat:
            more = f"(size + u({BLOCK - 1})) // u({BLOCK})"
            head = [f"size = u({self.size()})", f"rows = {more}"]
            begin.append(f"n = min(u({BLOCK}), size - o)")
        for v in self.stored:
            if v not in self.outs:
                head.append(f"{self.array(v)} = np.empty({cols}, np.{v.dtype.name})")
        body = [*begin, *self.begin]
        for time in range(-1, 1 + max((*self.loops, *self.after))):
            if time in self.loops:
                body += ["for c in range(n):", *indented(self.loops[time])]
            body += self.after.get(time, [])
        rows = ["for r in range(rows):", *indented(body)]
        given = [f"x{i}" for i in range(len(self.inputs))]
        given += [f"y{i}" for i in range(len(self.outs)) if self.into is None]
        return function_of(given, [*head, *self.top, *rows, *self.ends])

    def size(self) -> str:
        """Return the number of elements: the size of an array that has them all."""
        whole = self.group.rows * self.group.cols
        arrays = (*self.outs, *self.inputs)
        found = next((v for v in arrays if prod(v.shape) == whole), None)
        return str(whole) if found is None else f"{self.array(found)}.size"


def loops_of(group: Group, needed: set[Value], into: Value | None) -> Loops:
    """Return a group as one call.

    Args:
        group: the calls.
        needed: the results that other calls read.
        into: an input that no other call reads, which the only result may overwrite, or
            None.
    """
    text = Text(group, (i.out for i in group.items if i.out in needed), into)
    outs = tuple([v.moved_to(None, text.into) if text.into else v for v in text.outs])
    many = sum(not c.is_view for c in group.calls)
    shape = "elements" if text.flat else f"rows of {group.cols}"
    told = f"{many} call{'s' * (many != 1)} in one loop, over {shape}"
    origin, args = group.calls[0].origin, tuple(text.inputs)
    return Loops(Loops, "loops", args, {}, outs, text.into, origin, (), text.text, told)
