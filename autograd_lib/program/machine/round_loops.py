"""A loop over rounds in machine code (chapter 23).

All arrays of a round have one shape, or a single element, so values are carried from
round to round element by element. The loop over rounds is outside and the loop over
elements inside, and intermediate results of a round stay in registers.
"""

from __future__ import annotations

from math import prod
from typing import Any

from autograd_lib.program.core.ir import Call, Value
from autograd_lib.program.machine.nest import Loops, function_of, indented
from autograd_lib.program.machine.scalars import Element, cast, element_of, literal
from autograd_lib.program.rewrites.rounds import Loop

MANY = 2**16  # elements of a round; beyond, the overhead of NumPy's calls is small


def in_machine_code(call: Call) -> Call:
    """Return a loop as machine code, if all its calls are elementwise."""
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
    return RoundLoop(call, [e for e in elements if e is not None], n).loops()


class RoundLoop:
    """The text of a loop with its rounds.

    Args:
        loop: a loop of a program.
        elements: its calls for one element.
        n: number of elements of each result.
    """

    def __init__(self, loop: Loop, elements: list[Element], n: int) -> None:
        self.loop, self.elements, self.n = loop, elements, n
        self.rows = {v: (x, part) for v, x, part in loop.rows}
        self.carried = {
            v for v, x in loop.starts if v not in loop.outs or v.shape == x.shape
        }
        self.inputs: list[Value] = []
        self.names: dict[Value, str] = {}

    def array(self, v: Value) -> str:
        """Return the array that holds a value."""
        if v in self.loop.outs:
            return f"y{self.loop.outs.index(v)}"
        if v in self.carried:
            return f"state_{self.name(v)}"
        if v not in self.inputs:
            self.inputs.append(v)
        return f"x{self.inputs.index(v)}"

    def name(self, v: Value) -> str:
        """Return the variable of a value's number."""
        return self.names.setdefault(v, f"v{len(self.names)}")

    def begin(self, v: Value) -> str:
        """Return the offset of a round's row, given its variable."""
        x, part = self.rows[v]
        first, _, step = part.indices(x.shape[0])
        size, sign = prod(v.shape), "-" if step < 0 else "+"
        return f"at_{self.name(v)} = u({first * size}) {sign} t * u({size})"

    def element(self, v: Value) -> str:
        """Return the indexed array of a value."""
        one = "u(0)" if prod(v.shape) == 1 < self.n else "i"
        if v in self.rows:
            return f"{self.array(self.rows[v][0])}[at_{self.name(v)} + {one}]"
        return f"{self.array(v)}[{one}]"

    def operand(self, x: Any, dtype: Any, made: set[Value]) -> str:
        """Return an argument cast to a type."""
        if type(x) is not Value:
            return literal(x, dtype)
        if x in made:
            text = self.name(x)
        elif x.kind == "constant" and x.base is None and not x.shape:
            text = literal(x.array, x.dtype)
        else:
            text = self.element(x)
        return text if x.dtype == dtype else f"({cast(text, dtype)})"

    def loops(self) -> Loops:
        """Return all rounds as one call."""
        loop, body, made = self.loop, list[str](), set[Value]()
        head: list[str] = []
        for v, first in loop.starts:
            if v not in loop.outs:
                empty = f"np.empty({self.n}, np.{v.dtype.name})"
                head.append(f"{self.array(v)} = {empty}")
            head.append(f"for i in range(u({self.n})):")
            head.append(f"    {self.array(v)}[i] = {self.element(first)}")
        for call, element in zip(loop.inner, self.elements, strict=True):
            v = call.out
            given = zip(element.args, element.types, strict=True)
            args = [self.operand(x, dtype, made) for x, dtype in given]
            body.append(f"{self.name(v)} = {element.text(args)}")
            made.add(v)
            if v in self.rows or v in self.carried or v in loop.outs:
                body.append(f"{self.element(v)} = {self.name(v)}")
        once = [self.begin(v) for v in self.rows]
        inside = [*once, f"for i in range(u({self.n})):", *indented(body)]
        lines = [*head, f"for t in range(u({loop.rounds})):", *indented(inside)]
        names = [f"x{i}" for i in range(len(self.inputs))]
        names += [f"y{i}" for i in range(len(loop.outs))]
        told = f"{loop.rounds} rounds of {len(loop.inner)} calls in one loop"
        given_, outs, text = tuple(self.inputs), loop.outs, function_of(names, lines)
        return Loops(
            Loops, "loops", given_, {}, outs, None, loop.origin, (), text, told
        )
