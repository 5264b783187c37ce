"""Rounds that were found in a program, and the loop made of them (chapter 24)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from autograd_lib.program.core.graph import Again, Call, Value, replaced
from autograd_lib.program.core.writer import Source


@dataclass(eq=False)
class Loop(Again):
    """Calls that are made again and again.

    Attributes:
        rounds: how many there are.
        rows: what a round reads or makes of its own: a value in `inner`, and the array
            whose rows it is, or a part of that, or a tuple of values.
        starts: what is carried from round to round, and the value that it begins with.
    """

    rounds: int = 0
    rows: tuple[tuple[Value, Any, slice], ...] = ()
    starts: tuple[tuple[Value, Value], ...] = ()

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the loop with others in the place of the values that it reads."""
        made = super().with_values(new)
        made.rows = tuple((v, replaced(x, new), part) for v, x, part in self.rows)
        made.starts = tuple((v, new(first)) for v, first in self.starts)
        return made

    def lines(self, source: Source) -> list[str]:
        """Return a loop over rounds; each call is told where its result goes."""
        empty = source.function_name(np.empty)
        lines = [
            f"{source.of(v)} = {empty}({v.shape}, {v.dtype.name!r})"
            for v in self.outs
            if v not in source.fixed
        ]
        for v, first in self.starts:
            place = "..." if v.shape == first.shape else "0"
            lines.append(f"{source.of(v)}[{place}] = {source.of(first)}")
        rows = [v for v, _, _ in self.rows]
        for c in self.inner:
            if c.out not in (*rows, *self.outs):
                made = f"{empty}({c.out.shape}, {c.out.dtype.name!r})"
                source.hoisted.append(f"{source.of(c.out)} = {made}")
        lines.append(f"{self.head(source)}:  # {self.rounds} times")

        def line(step: Call) -> str:
            args = ", ".join(map(source.argument, step.args))
            function, out = source.function_name(step.function), source.of(step.out)
            if step.function is np.where:  # which cannot be told where its result goes
                return f"{out}[...] = {function}({args})"
            return f"{function}({args}, {out})"

        return lines + source.indented(self.inner, line)

    def head(self, source: Source) -> str:
        """Return what goes through the rounds, with what each has of its own."""
        if not self.rows:
            return f"for _ in range({self.rounds})"
        parts = ", ".join(rows_of(x, part, source) for _, x, part in self.rows)
        several = f"list(zip({parts}))" if self.rows[1:] else f"list({parts})"
        if all(x in source.fixed for _, x, _ in self.rows):
            name = source.names.new("rounds")
            source.hoisted.append(f"{name} = {several}")
            several = name
        return f"for {', '.join(source.of(v) for v, _, _ in self.rows)} in {several}"


def rows_of(x: Any, part: slice, source: Source) -> str:
    """Return rows of an array as text."""
    if type(x) is not Value:
        return source.argument(list(x))
    whole = part == slice(None)
    return source.of(x) if whole else f"{source.of(x)}[{source.index(part)}]"


@dataclass(frozen=True)
class Operand:
    """What an argument of a call is in each round.

    Attributes:
        kind: "same" in all; "own": made in this round or, if `back` is 1, in the one
            before; "rows": made in the rounds of an earlier loop; "several" others.
        first: what it is in the first round.
        of: the rounds of which it is, and which call of these.
        start, step: the round of these that the first one takes, and which way it goes.
        values: what it is in all rounds.
    """

    kind: str
    first: Any
    of: tuple[Rounds, int] | None = None
    back: int = 0
    start: int = 0
    step: int = 1
    values: tuple[Any, ...] = ()


@dataclass(eq=False)
class Rounds:
    """Calls that repeat.

    Attributes:
        calls: all of them, from the first of the first round on.
        period: how many make a round.
        operands: what the arguments of the calls of a round are.
        stacked: which calls of a round have their results kept for all rounds.
        stacks: the arrays of these.
        views: parts of such arrays that were taken for calls for all rounds.
    """

    calls: Sequence[Call]
    period: int
    operands: list[list[Operand]] = field(default_factory=list)
    stacked: set[int] = field(default_factory=set)
    stacks: dict[int, Value] = field(default_factory=dict)
    views: dict[Any, Value] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many rounds there are."""
        return len(self.calls) // self.period

    def out(self, k: int, j: int) -> Value:
        """Return what call k makes in round j."""
        return self.calls[j % self.n * self.period + k].out

    def carried(self, k: int) -> Operand | None:
        """Return the operand that is call k in the round before, if there is one."""
        found = (x for xs in self.operands for x in xs if x.back)
        return next((x for x in found if x.of == (self, k)), None)

    def is_regular(self) -> bool:
        """Return whether all that is carried begins with one value."""
        carried = {(x.of, x.first) for xs in self.operands for x in xs if x.back}
        errors = {c.origin.errors for c in self.calls}
        return len(carried) == len({of for of, _ in carried}) and len(errors) == 1

    def stack(self, k: int) -> Value:
        """Return the array of all results of call k, after what it begins with."""
        if k not in self.stacks:
            v, n = self.out(k, 0), self.n + (self.carried(k) is not None)
            like = np.empty((n, *v.shape), v.dtype)
            self.stacks[k] = Value("result", like, self.out(k, -1).name + "_rows")
        return self.stacks[k]

    def groups(self) -> list[list[int]]:
        """Return the calls of a round, those together that need each other's results.

        What a group needs stands before it.
        """
        needs = [1 << k for k in range(self.period)]
        for k, operands in enumerate(self.operands):
            for x in operands:
                if x.kind == "own" and x.of is not None:
                    needs[k] |= 1 << x.of[1]
                    needs[x.of[1]] |= x.back << k  # what is carried: in one loop
        for m in range(self.period):
            needs = [a | needs[m] if a >> m & 1 else a for a in needs]
        order = sorted(set(needs), key=lambda a: (a.bit_count(), a))
        return [[k for k, a in enumerate(needs) if a == b] for b in order]
