"""Repeated rounds of calls, and the loop that replaces them (chapter 22)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from autograd_lib.program.core.ir import Call, Value
from autograd_lib.program.core.writer import Source
from autograd_lib.program.rewrites.helpers import Again


@dataclass(eq=False)
class Loop(Again):
    """A loop over rounds.

    Attributes:
        rounds: number of rounds.
        rows: the loop variables: a value in `inner`, the array whose rows it takes, and
            the slice of rows.
        starts: the values carried from round to round, with their initial values.
    """

    rounds: int = 0
    rows: tuple[tuple[Value, Value, slice], ...] = ()
    starts: tuple[tuple[Value, Value], ...] = ()

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the loop with ``new(v)`` for each value `v` that it reads."""
        made = super().with_values(new)
        made.rows = tuple((v, new(x), part) for v, x, part in self.rows)
        made.starts = tuple((v, new(first)) for v, first in self.starts)
        return made

    def lines(self, source: Source) -> list[str]:
        """Return the lines of the loop; each call writes into its result's place."""

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
            if step.function is np.where:  # it has no out=
                return f"{out}[...] = {function}({args})"
            told = "out=" if step.function in (np.maximum, np.minimum) else ""
            return f"{function}({args}, {told}{out})"  # theirs is keyword-only

        head = f"{self.head(source)}:  # {self.rounds} times"
        return [*lines, head, *source.indented(self.inner, line)]

    def head(self, source: Source) -> str:
        """Return the `for` line, which unpacks the rows of a round."""
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
    """The argument of a call in all rounds.

    Attributes:
        first: the argument in the first round, and in all rounds if `of` is None.
        of: the array whose rows it takes; or the rounds and the call that makes it.
        start, step: row of the first round, and direction; -1 is the initial value of a
            call's results, which the first round reads.
    """

    first: Any
    of: Any = None
    start: int = 0
    step: int = 1


class Rounds:
    """A sequence of calls that repeats.

    Attributes:
        calls: all calls, from the first round on.
        period: number of calls in a round.
        n: number of rounds.
        operands: the arguments of each call of a round.
        stacked: indices of calls whose results are kept for all rounds.
        stacks: the arrays of these results.
        views: slices of arrays taken for calls on all rounds.
    """

    def __init__(self, calls: Sequence[Call], period: int) -> None:
        self.n, self.period = len(calls) // period, period
        self.calls = calls[: self.n * period]
        self.operands: list[list[Operand]] = []
        self.stacked = set[int]()
        self.stacks = dict[int, Value]()
        self.views = dict[Any, Value]()

    def out(self, k: int, j: int) -> Value:
        """Return the result of call k in round j."""
        return self.calls[j % self.n * self.period + k].out

    def begins(self, k: int) -> Value | None:
        """Return the initial value of call k's results, if it is read."""
        found = (x for several in self.operands for x in several if x.start < 0)
        return next((x.first for x in found if x.of == (self, k)), None)

    def is_regular(self) -> bool:
        """Return whether each carried value has one initial value."""
        carried = {(x.of, x.first) for xs in self.operands for x in xs if x.start < 0}
        errors = {c.origin.errors for c in self.calls}
        return len(carried) == len({of for of, _ in carried}) and len(errors) == 1

    def stack(self, k: int) -> Value:
        """Return the array of the initial value, if any, and all results of call k."""
        if k not in self.stacks:
            v, n = self.out(k, -1), self.n + (self.begins(k) is not None)
            like = np.empty((n, *v.shape), v.dtype)
            self.stacks[k] = Value("result", like, v.name + "_rows")
        return self.stacks[k]

    def groups(self) -> list[list[int]]:
        """Return the strongly connected components of a round's calls.

        They are in topological order.
        """
        needs = [1 << k for k in range(self.period)]
        for k, operands in enumerate(self.operands):
            for m in (x.of[1] for x in operands if self.makes(x)):
                needs[k] |= 1 << m
            for m in (x.of[1] for x in operands if self.carries(x)):
                needs[m] |= 1 << k  # a carried value joins both in one loop
        for m in range(self.period):
            needs = [a | needs[m] if a >> m & 1 else a for a in needs]
        order = sorted(set(needs), key=lambda a: (a.bit_count(), a))
        return [[k for k, a in enumerate(needs) if a == b] for b in order]

    def makes(self, x: Operand) -> bool:
        """Return whether an operand is a result of these rounds."""
        return type(x.of) is tuple and x.of[0] is self

    def carries(self, x: Operand) -> bool:
        """Return whether an operand is a result of the round before."""
        return x.start < 0 and self.makes(x)
