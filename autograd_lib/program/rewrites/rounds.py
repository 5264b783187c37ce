"""Rounds that were found in a program, and the loop made of them (chapter 24)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from autograd_lib.program.core.graph import Call, Value
from autograd_lib.program.core.writer import Source
from autograd_lib.program.rewrites.shared import Again


@dataclass(eq=False)
class Loop(Again):
    """Calls that are made again and again.

    Attributes:
        rounds: how many there are.
        rows: what a round reads or makes of its own: a value in `inner`, the array
            whose rows it is, and which of these.
        starts: what is carried from round to round, and the value that it begins with.
    """

    rounds: int = 0
    rows: tuple[tuple[Value, Value, slice], ...] = ()
    starts: tuple[tuple[Value, Value], ...] = ()

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the loop with others in the place of the values that it reads."""
        made = super().with_values(new)
        made.rows = tuple((v, new(x), part) for v, x, part in self.rows)
        made.starts = tuple((v, new(first)) for v, first in self.starts)
        return made

    def lines(self, source: Source) -> list[str]:
        """Return a loop over rounds; each call is told where its result goes."""

        def empty(v: Value) -> str:
            made = f"{source.function_name(np.empty)}({v.shape}, {v.dtype.name!r})"
            return f"{source.of(v)} = {made}"

        lines = [empty(v) for v in self.outs if v not in source.fixed]
        for v, first in self.starts:
            place = "..." if v.shape == first.shape else "0"
            lines.append(f"{source.of(v)}[{place}] = {source.of(first)}")
        known = {*self.outs, *[v for v, _, _ in self.rows]}
        source.hoisted += [empty(c.out) for c in self.inner if c.out not in known]

        def line(step: Call) -> str:
            args = ", ".join(map(source.argument, step.args))
            function, out = source.function_name(step.function), source.of(step.out)
            if step.function is np.where:  # which cannot be told where its result goes
                return f"{out}[...] = {function}({args})"
            told = "out=" if step.function in (np.maximum, np.minimum) else ""
            return f"{function}({args}, {told}{out})"  # NumPy wants a name for theirs

        head = f"{self.head(source)}:  # {self.rounds} times"
        return [*lines, head, *source.indented(self.inner, line)]

    def head(self, source: Source) -> str:
        """Return what goes through the rounds, with what each has of its own."""
        if not self.rows:
            return f"for _ in range({self.rounds})"
        parts = [source.of(x) for _, x, _ in self.rows]
        for i, (_, _, part) in enumerate(self.rows):
            parts[i] += "" if part == slice(None) else f"[{source.index(part)}]"
        several = f"zip({', '.join(parts)})" if self.rows[1:] else parts[0]
        several = f"list({several})"
        if all(x in source.fixed for _, x, _ in self.rows):
            name = source.names.new("rounds")
            source.hoisted.append(f"{name} = {several}")
            several = name
        return f"for {', '.join(source.of(v) for v, _, _ in self.rows)} in {several}"


@dataclass(frozen=True)
class Operand:
    """What an argument of a call is in each round.

    Attributes:
        first: what it is in the first round, and in all if there is no `of`.
        of: an array whose rows it is; or rounds, and the call whose results it is.
        start, step: the row of the first round, and which way it goes; -1 is the value
            that a call's results begin with, which the first round reads.
    """

    first: Any
    of: Any = None
    start: int = 0
    step: int = 1


class Rounds:
    """Calls that repeat.

    Attributes:
        calls: all of them, from the first of the first round on.
        period: how many make a round, and
        n: how many rounds there are.
        operands: what the arguments of the calls of a round are.
        stacked: which calls of a round have their results kept for all rounds, and
        stacks: the arrays of these, and
        views: parts of arrays that were taken for calls for all rounds.
    """

    def __init__(self, calls: Sequence[Call], period: int) -> None:
        self.n, self.period = len(calls) // period, period
        self.calls = calls[: self.n * period]
        self.operands: list[list[Operand]] = []
        self.stacked = set[int]()
        self.stacks = dict[int, Value]()
        self.views = dict[Any, Value]()

    def out(self, k: int, j: int) -> Value:
        """Return what call k makes in round j."""
        return self.calls[j % self.n * self.period + k].out

    def begins(self, k: int) -> Value | None:
        """Return what call k has made before the first round, if that is read."""
        found = (x for several in self.operands for x in several if x.start < 0)
        return next((x.first for x in found if x.of == (self, k)), None)

    def is_regular(self) -> bool:
        """Return whether all that is carried begins with one value."""
        carried = {(x.of, x.first) for xs in self.operands for x in xs if x.start < 0}
        errors = {c.origin.errors for c in self.calls}
        return len(carried) == len({of for of, _ in carried}) and len(errors) == 1

    def stack(self, k: int) -> Value:
        """Return the array of all results of call k, after what it begins with."""
        if k not in self.stacks:
            v, n = self.out(k, -1), self.n + (self.begins(k) is not None)
            like = np.empty((n, *v.shape), v.dtype)
            self.stacks[k] = Value("result", like, v.name + "_rows")
        return self.stacks[k]

    def groups(self) -> list[list[int]]:
        """Return the calls of a round, those together that need each other's results.

        What a group needs stands before it.
        """
        needs = [1 << k for k in range(self.period)]
        for k, operands in enumerate(self.operands):
            for m in (x.of[1] for x in operands if self.makes(x)):
                needs[k] |= 1 << m
            for m in (x.of[1] for x in operands if self.carries(x)):
                needs[m] |= 1 << k  # what is carried: in one loop
        for m in range(self.period):
            needs = [a | needs[m] if a >> m & 1 else a for a in needs]
        order = sorted(set(needs), key=lambda a: (a.bit_count(), a))
        return [[k for k, a in enumerate(needs) if a == b] for b in order]

    def makes(self, x: Operand) -> bool:
        """Return whether an operand is made in these rounds."""
        return type(x.of) is tuple and x.of[0] is self

    def carries(self, x: Operand) -> bool:
        """Return whether it is what the round before has made, of these rounds."""
        return x.start < 0 and self.makes(x)
