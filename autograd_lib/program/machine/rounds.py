"""A loop that was found in a program, with its rounds in machine code (chapter 26).

What is carried from round to round is carried element by element: all arrays of a round
have one shape, or a single element. So the rounds go outside and the elements inside,
and a round's results between its calls never leave the processor.
"""

from __future__ import annotations

from math import prod

from autograd_lib.program.core.graph import Call, Value
from autograd_lib.program.machine.nest import Loops
from autograd_lib.program.machine.scalars import (
    Element,
    cast,
    element_of,
    helpers,
    literal,
)
from autograd_lib.program.rewrites.rounds import Loop

MANY = 2**16  # elements of a round, from which on NumPy's calls cost little


def in_machine_code(call: Call) -> Call:
    """Return a loop as machine code, if all that it does is done to elements."""
    if not isinstance(call, Loop):
        return call
    elements = [element_of(c) for c in call.inner]
    n = prod(call.inner[0].out.shape)
    used = [v for c in call.inner for v in (*c.operands(), c.out)]
    used += [v for _, v in call.starts if v not in call.outs]
    rows = {v for v, _, _ in call.rows}
    fits = all(prod(v.shape) in (1, n) for v in used) and 0 < n < MANY
    fits = fits and all(prod(c.out.shape) == n for c in call.inner)
    lies = all(v.in_rows or v in rows for v in used)
    if None in elements or not (fits and lies):
        return call
    return Rounds(call, [e for e in elements if e is not None], n).loops()


class Rounds:
    """The text of a loop with its rounds.

    Args:
        loop: a loop of a program.
        elements: what its calls do to elements.
        n: how many elements each of their results has.
    """

    def __init__(self, loop: Loop, elements: list[Element], n: int) -> None:
        self.loop, self.elements, self.n = loop, elements, n
        self.rows = {v: (x, part) for v, x, part in loop.rows}
        self.carried = {v: first for v, first in loop.starts if v not in loop.outs}
        self.carried |= {
            v: first
            for v, first in loop.starts
            if v in loop.outs and v.shape == first.shape
        }
        self.inputs: list[Value] = []
        self.names: dict[Value, str] = {}
        self.top: list[str] = []

    def array(self, v: Value) -> str:
        """Return which array a value lies in."""
        if v in self.loop.outs:
            return f"y{self.loop.outs.index(v)}"
        if v not in self.inputs:
            self.inputs.append(v)
        return f"x{self.inputs.index(v)}"

    def name(self, v: Value) -> str:
        """Return what a value's number is called."""
        return self.names.setdefault(v, f"v{len(self.names)}")

    def begin(self, v: Value) -> str:
        """Return where the row of a round begins, given what stands for it."""
        x, part = self.rows[v]
        rows, size = x.shape[0], prod(v.shape)
        first, _, step = part.indices(rows)
        back = f"u({first * size}) - t * u({size})"
        return back if step < 0 else f"u({first * size}) + t * u({size})"

    def read(self, v: Value, made: set[Value], lines: list[str]) -> str:
        """Return a value's number in a round."""
        if v in made:
            return self.name(v)
        if v in self.carried:
            return f"{self.state(v)}[i]"
        if v.kind == "constant" and v.base is None and not v.shape:
            return literal(v.array, v.dtype)
        one = "u(0)" if prod(v.shape) == 1 < self.n else "i"
        if v in self.rows:
            self.place(v, lines)
            return f"{self.array(self.rows[v][0])}[at_{self.name(v)} + {one}]"
        return f"{self.array(v)}[{one}]"

    def state(self, v: Value) -> str:
        """Return the array of what is carried."""
        return self.array(v) if v in self.loop.outs else f"state_{self.name(v)}"

    def place(self, v: Value, lines: list[str]) -> None:
        """Note where a row begins, once in a round."""
        line = f"at_{self.name(v)} = {self.begin(v)}"
        if line not in lines:
            lines.append(line)

    def loops(self) -> Loops:
        """Return all rounds as one call."""
        loop, begin, body, made = self.loop, list[str](), list[str](), set[Value]()
        for v, first in loop.starts:
            if v in self.carried:
                if v not in loop.outs:
                    made_ = f"np.empty({self.n}, np.{v.dtype.name})"
                    self.top.append(f"{self.state(v)} = {made_}")
                one = "u(0)" if prod(first.shape) == 1 < self.n else "i"
                self.top += [
                    f"for i in range(u({self.n})):",
                    f"    {self.state(v)}[i] = {self.array(first)}[{one}]",
                ]
            else:
                self.top += [
                    f"for i in range(u({self.n})):",
                    f"    {self.array(v)}[i] = {self.array(first)}[i]",
                ]
        for call, element in zip(loop.inner, self.elements, strict=True):
            args = []
            for x, dtype in zip(element.args, element.types, strict=True):
                if type(x) is not Value:
                    args.append(literal(x, dtype))
                    continue
                text = self.read(x, made, begin)
                args.append(text if x.dtype == dtype else f"({cast(text, dtype)})")
            v = call.out
            body.append(f"{self.name(v)} = {element.text(args)}")
            made.add(v)
            if v in self.rows:
                self.place(v, begin)
                where = f"{self.array(self.rows[v][0])}[at_{self.name(v)} + i]"
                body.append(f"{where} = {self.name(v)}")
            if v in self.carried or v in loop.outs:
                body.append(f"{self.state(v)}[i] = {self.name(v)}")
        lines = [*self.top, f"for t in range(u({loop.rounds})):"]
        lines += [f"    {line}" for line in begin]
        lines += [f"    for i in range(u({self.n})):", *[f"        {x}" for x in body]]
        names = [f"x{i}" for i in range(len(self.inputs))]
        names += [f"y{i}" for i in range(len(loop.outs))]
        head = ["@loops", f"def loops({', '.join(names)}):"]
        function = "\n".join([*head, *[f"    {line}" for line in lines], ""])
        text = f"{helpers(function)}\n{function}"
        told = f"{loop.rounds} rounds of {len(loop.inner)} calls in one loop"
        given, outs, origin = tuple(self.inputs), loop.outs, loop.origin
        return Loops(Loops, "loops", given, {}, outs, None, origin, (), text, told)
