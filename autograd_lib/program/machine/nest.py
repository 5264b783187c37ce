"""A group written down as loops over rows and columns (chapter 26).

Each row is gone through as often as a sum or an extreme of it is needed for what comes
next. What is needed again in a later loop lies in a buffer of one row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Again, Value
from autograd_lib.program.core.writer import Source
from autograd_lib.program.machine.build import built as built
from autograd_lib.program.machine.groups import Group, Item, Place
from autograd_lib.program.machine.scalars import SCALARS, TYPES, cast, helpers, literal

LONG = SCALARS[np.exp], SCALARS[np.tanh]
BLOCK = 1024  # columns of a row, where rows make no difference


@dataclass(eq=False)
class Loops(Again):
    """Calls that machine code makes, element by element.

    Attributes:
        text: the function `loops`, as Python that Numba compiles.
        told: what it stands for, in words.
    """

    text: str = ""
    told: str = ""

    @property
    def steps(self) -> tuple[Any, ...]:
        """None: nothing of it is a call of NumPy."""
        return ()

    def lines(self, source: Source) -> list[str]:
        """Return the call, with arrays of one axis for what it reads and makes."""
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
    """Return an array as one of a single axis, as text."""
    name = source.of(v)
    if len(v.shape) == 1 and v.in_rows:
        return name
    text = f"{name}.reshape(-1)"
    fixed = v in source.fixed or (v.kind == "constant" and v.base is None)
    if not fixed or not v.in_rows:
        return text
    called = source.names.new(f"{name}_flat")
    source.hoisted.append(f"{called} = {text}")
    return called


class Text:
    """The text of a group.

    A full value belongs to a loop over columns, number 0, 1, …, and a number of a row
    comes after a loop, or before all of them, after number -1.

    Attributes:
        inputs: what the function is given, and
        outs: what it makes, which it is given too.
        into: the input in whose place it writes the one that it makes, or None.
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
        self.cut = any(i.reduced for i in group.items) or max(self.time.values()) > 0
        self.into = None if self.cut else into  # else it may be read in a later loop
        self.top: list[str] = []  # before all rows
        self.begin: list[str] = []  # at the beginning of each row
        self.loops: dict[int, list[str]] = {}
        self.after: dict[int, list[str]] = {}
        self.loaded: dict[Any, str] = {}
        for item in group.items:
            self.write(item)
        self.text = self.whole()

    # When.

    def schedule(self, item: Item) -> None:
        """Note in which loop, or after which, something is made."""
        own = [p for p in item.places if p is not None and p.array in self.time]
        times = [self.time[p.array] + self.waits(item, p) for p in own]
        time = max(times, default=-1)
        if item.kind in ("full", "columns"):
            time = max(time, 0)
        self.time[item.out] = time
        for p in own:
            if p.kind == "full" and (
                self.time[p.array] < time or not self.in_loop(item)
            ):
                self.stored[p.array] = None
        if item.kind == "full" and item.out in self.outs:
            self.stored[item.out] = None
        if item.element is not None and item.element.scalar in LONG:
            self.long.add(item.out)

    def waits(self, item: Item, place: Place) -> bool:
        """Whether something is read in a later loop than that which makes it.

        What `exp` makes is, too: a processor works at several turns of a loop at once
        if each of them is short.
        """
        return item.kind == "full" and (place.kind == "row" or place.array in self.long)

    def in_loop(self, item: Item) -> bool:
        """Whether it is made in a loop over columns, not of a whole row at once."""
        return item.kind in ("full", "columns")

    # Names.

    def name(self, v: Value) -> str:
        """Return what a value's number is called."""
        if v not in self.names:
            self.names[v] = f"v{len(self.names)}"
        return self.names[v]

    def array(self, v: Value) -> str:
        """Return which array a value lies in: one that is given, or a buffer."""
        if v in self.outs and self.into is not None:
            return self.array(self.into)
        if v in self.outs:
            return f"y{self.outs.index(v)}"
        if v in self.time:
            return f"row_{self.name(v)}"
        if v not in self.inputs:
            self.inputs.append(v)
        return f"x{self.inputs.index(v)}"

    def offset(self, v: Value) -> str:
        """Return where the row begins in the array of a full value."""
        return "u(0)" if v in self.time and v not in self.outs else "o"

    def once(self, key: Any, lines: list[str], text: str) -> str:
        """Return the name of something that is read once, in some lines."""
        if key not in self.loaded:
            self.loaded[key] = f"t{len(self.loaded)}"
            lines.append(f"{self.loaded[key]} = {text}")
        return self.loaded[key]

    # What.

    def operand(self, x: Any, place: Place | None, dtype: Any, time: int) -> str:
        """Return an argument as a number of a type, in a loop or after one."""
        if place is None:
            return literal(x, dtype)
        v = place.array
        if v.kind == "constant" and place.kind == "number" and v.base is None:
            return (
                literal(v.array, dtype)
                if v.dtype == dtype
                else self.cast(literal(v.array, v.dtype), dtype)
            )
        text = self.read(place, time)
        return text if v.dtype == dtype else self.cast(text, dtype)

    def cast(self, text: str, dtype: Any) -> str:
        return f"({cast(text, dtype)})"

    def read(self, place: Place, time: int) -> str:
        """Return the number at a place."""
        v, kind = place.array, place.kind
        if v in self.time and (kind == "row" or self.time[v] == time):
            return self.name(v)
        array = self.array(v)
        if kind == "number":
            return self.once((v, kind), self.top, f"{array}[u(0)]")
        if kind == "row":
            return self.once((v, kind), self.begin, f"{array}[r]")
        if kind == "lead":
            key = v, kind, place.size
            return self.once(key, self.begin, f"{array}[o // u({place.size})]")
        if kind == "column":
            index = "c"
        elif kind == "part":
            start = self.once(place.size, self.begin, f"o % u({place.size})")
            index = f"{start} + c"
        else:
            index = "c" if self.offset(v) == "u(0)" else "o + c"
        lines = self.loops.setdefault(time, [])
        return self.once((v, index, time), lines, f"{array}[{index}]")

    def write(self, item: Item) -> None:
        """Write down what makes a value."""
        v, time = item.out, self.time[item.out]
        loop = self.in_loop(item)
        lines = (self.loops if loop else self.after).setdefault(time, [])
        if item.element is not None:
            given = zip(item.element.args, item.places, item.element.types, strict=True)
            args = [self.operand(x, p, t, time) for x, p, t in given]
            lines.append(f"{self.name(v)} = {item.element.text(args)}")
            if v in self.stored:
                index = "c" if self.offset(v) == "u(0)" else "o + c"
                lines.append(f"{self.array(v)}[{index}] = {self.name(v)}")
            if item.kind == "row" and v in self.outs:
                lines.append(f"{self.array(v)}[r] = {self.name(v)}")
            return
        place = item.places[0]
        if place is None:
            return
        if item.kind == "columns":
            lines.append(f"{self.array(v)}[c] += {self.read(place, time)}")
            self.top.append(f"{self.array(v)}[:] = 0")
            return
        x, of = place.array, TYPES[v.dtype]
        made = f"{item.reduced}_{of}({self.array(x)}, {self.offset(x)}, n)"
        if item.kind == "sum":
            self.top.append(f"part_{self.name(v)} = np.empty(rows, np.{of})")
            lines.append(f"part_{self.name(v)}[r] = {made}")
            return
        lines.append(f"{self.name(v)} = {made}")
        if v in self.outs:
            lines.append(f"{self.array(v)}[r] = {self.name(v)}")

    def whole(self) -> str:
        """Return the function."""
        rows, cols = self.group.rows, self.group.cols
        size = self.size()
        buffers = [v for v in self.stored if v not in self.outs]
        head = [f"size = u({size})"] if self.flat else []
        if self.flat and self.cut:
            cols = BLOCK
            head.append(f"rows = (size + u({BLOCK - 1})) // u({BLOCK})")
        elif self.flat:
            head.append("rows = u(1)")
        else:
            head += [f"rows = u({rows})", f"n = u({cols})"]
        head += [
            f"{self.array(v)} = np.empty({cols}, np.{v.dtype.name})" for v in buffers
        ]
        each = [] if self.flat and not self.cut else [f"o = r * u({cols})"]
        if self.flat:
            each += (
                [f"n = min(u({cols}), size - o)"]
                if self.cut
                else ["o = u(0)", "n = size"]
            )
        body = [*each, *self.begin]
        for time in range(-1, 1 + max((*self.loops, *self.after))):
            if time in self.loops:
                body.append("for c in range(n):")
                body += [f"    {line}" for line in self.loops[time]]
            body += self.after.get(time, [])
        ends = []
        for v in (i.out for i in self.group.items if i.kind == "sum"):
            made = f"sum_{TYPES[v.dtype]}(part_{self.name(v)}, u(0), rows)"
            ends.append(f"{self.array(v)}[0] = {made}")
        given = [f"x{i}" for i in range(len(self.inputs))]
        given += [f"y{i}" for i in range(len(self.outs)) if self.into is None]
        lines = [
            *head,
            *self.top,
            "for r in range(rows):",
            *[f"    {x}" for x in body],
            *ends,
        ]
        function = "\n".join(
            [
                "@loops",
                f"def loops({', '.join(given)}):",
                *[f"    {x}" for x in lines],
                "",
            ]
        )
        return f"{helpers(function)}\n{function}"

    def size(self) -> str:
        """Return how many elements there are: of an array that has all, if one has."""
        whole = self.group.rows * self.group.cols
        arrays = (*self.outs, *self.inputs)
        found = next((v for v in arrays if prod(v.shape) == whole), None)
        return str(whole) if found is None else f"{self.array(found)}.size"


def loops_of(group: Group, needed: set[Value], into: Value | None) -> Loops:
    """Return a group as one call that makes what others need of it.

    Args:
        group: the calls.
        needed: which of their results others read.
        into: an input that nobody else reads, in whose place the only result may be
            written, or None.
    """
    outs = [i.out for i in group.items if i.out in needed]
    text = Text(group, outs, into)
    if text.into is not None:
        outs = [v.moved_to(None, into) for v in outs]
    many = sum(not c.is_view for c in group.calls)
    shape = "elements" if text.flat else f"rows of {group.cols}"
    told = f"{many} call{'s' * (many != 1)} in one loop, over {shape}"
    origin = group.calls[0].origin
    name, args, made = "loops", tuple(text.inputs), tuple(outs)
    return Loops(Loops, name, args, {}, made, text.into, origin, (), text.text, told)
