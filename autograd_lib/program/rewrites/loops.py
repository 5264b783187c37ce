"""Loops, found again in the straight line that a recording is (chapter 24).

A program has no `for`: what a function did in 250 rounds stands there 250 times. Here
the rounds are found by what repeats. Then each call of a round is either made for all
rounds at once, on arrays with a row for each round, or is in a loop, if a round of it
needs the one before. This is how vectorising compilers distribute loops:
R. Allen and K. Kennedy, "Automatic translation of FORTRAN programs to vector form",
ACM TOPLAS 9 (1987).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Origin, Value, values_in
from autograd_lib.program.rewrites.rounds import Loop, Operand, Rounds
from autograd_lib.program.words.naming import wishes

LEAST = 8  # rounds
LONGEST = 256  # calls of a round
ROW = 2**12  # bytes; with larger arrays a call costs little beside its work


def loops(graph: Graph) -> Graph:
    """Find the rounds of loops, and do in one call what rounds do not wait for."""
    written = graph.owners_written()
    codes: dict[Any, int] = {}
    coded = [codes.setdefault(code(c, written), len(codes)) for c in graph.calls]
    found: dict[int, Rounds] = {}
    places: dict[Value, tuple[Rounds, int, int]] = {}
    for start, end, period in repeats(np.array(coded)):
        understood(graph.calls, start, end, period, places, found)
    return rewritten(graph, found, places) if found else graph


def code(call: Call, written: set[Value]) -> Any:
    """Return what calls of different rounds have in common, or the call alone."""
    chooses = call.function is np.where and len(call.args) == 3
    usual = (isinstance(call.function, np.ufunc) or chooses) and not call.options
    if not usual or call.into is not None or len(call.outs) != 1:
        return call
    out, small = call.out, call.out.nbytes <= ROW
    if not out.shape or not small or any(v.owner in written for v in call.operands()):
        return call
    if not out.in_rows:  # as the rows of a stack do, or a later ravel would be a view
        return call
    if out.owner in written or not all(
        type(x) in (Value, int, float) for x in call.args
    ):
        return call
    args = [(x.shape, x.dtype) if type(x) is Value else repr(x) for x in call.args]
    origin = (call.origin.line, call.origin.rule, call.origin.errors)
    return call.function, origin, out.shape, out.dtype, tuple(args)


def repeats(codes: np.ndarray) -> list[tuple[int, int, int]]:
    """Return where codes repeat: start, end and period, in order, not overlapping."""
    found = []
    for period in range(1, min(LONGEST, len(codes) // LEAST) + 1):
        same = np.r_[False, codes[period:] == codes[:-period], False]
        starts, ends = np.flatnonzero(np.diff(same)).reshape(-1, 2).T
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            rounds = (end - start) // period + 1
            if rounds >= LEAST:
                found.append((-rounds * period, period, start))
    taken = np.zeros(len(codes), bool)
    chosen = []
    for size, period, start in sorted(found):  # most calls first, then shortest rounds
        if not taken[start : start - size].any():
            taken[start : start - size] = True
            chosen.append((start, start - size, period))
    return sorted(chosen)


def understood(
    calls: Sequence[Call],
    start: int,
    end: int,
    period: int,
    places: dict[Value, tuple[Rounds, int, int]],
    found: dict[int, Rounds],
) -> None:
    """Note rounds, as many as are alike in what they read, and where results are."""
    while (end - start) // period >= LEAST:
        rounds = Rounds(calls[start:end], period)
        own = {c.out: divmod(i, period) for i, c in enumerate(rounds.calls)}
        first, last = 0, rounds.n
        for k in range(period):
            several = zip(*[c.args for c in rounds.calls[k::period]], strict=True)
            pairs = [operand(rounds, values, own, places) for values in several]
            rounds.operands.append([x for x, _ in pairs if x is not None])
            for x, fits in pairs:
                if x is None:
                    return
                bad = [j for j, right in enumerate(fits) if not right]
                first = max([first, *[j + 1 for j in bad if j < 2]])
                last = min([last, *[j for j in bad if j >= 2]])
        if (first, last) == (0, rounds.n):
            if not rounds.is_regular():
                return
            found[start] = rounds
            for v, (j, k) in own.items():
                places[v] = rounds, k, j
            for k in range(period):
                x = rounds.carried(k)
                if x is not None:
                    places.setdefault(x.first, (rounds, k, -1))
            return
        start, end = start + first * period, start + last * period


def operand(
    rounds: Rounds, values: Any, own: Any, places: Any
) -> tuple[Operand | None, list[bool]]:
    """Return what an argument is in each round, and whether it is so in each."""
    first, second, third = values[:3]
    if type(first) is not Value or all(x is first for x in values):
        return Operand("same", first), []
    if third in own:
        j, k = own[third]
        back = 2 - j
        right = [x is rounds.out(k, t - back) for t, x in enumerate(values)]
        right[0] = first not in own if back else right[0]
        x = Operand("own", first, (rounds, k), back)
        return (x, right) if back in (0, 1) else (None, [])
    (a, k, i), (b, m, j) = places.get(second, (0, 0, 0)), places.get(third, (0, 0, 0))
    if a and (a, k) == (b, m) and abs(j - i) == 1:
        step = j - i
        right = [
            places.get(x) == (a, k, i + step * (t - 1)) for t, x in enumerate(values)
        ]
        return Operand("rows", first, (a, k), 0, i - step, step), right
    alone = not any(x in own for x in values)
    return (Operand("several", first, values=tuple(values)) if alone else None), []


def rewritten(graph: Graph, found: dict[int, Rounds], places: Any) -> Graph:
    """Return the graph with loops in the place of rounds."""
    outside = read_outside(graph, found)
    keep_rows(found, places, outside)
    called = wishes(graph)
    for v in places:
        v.name = called.get(v, v.name)
    calls: list[Call] = []
    new: dict[Value, Value] = {}
    returned = {u for v in graph.outputs for u in v.bases()}
    i = 0
    while i < len(graph.calls):
        if i not in found:
            calls.append(graph.calls[i])
            i += 1
            continue
        rounds = found[i]
        for group in rounds.groups():
            calls += Writing(rounds, group, outside).calls()
        for k, stack in rounds.stacks.items():
            for j in range(rounds.n):
                v = rounds.out(k, j)
                if v in outside:
                    row = v.moved_to(stack, None)
                    index = stack, j + stack.shape[0] - rounds.n
                    calls.append(Call(operator.getitem, "getitem", index, {}, (row,)))
                    if v in returned:
                        calls.append(Call(np.ndarray.copy, "copy", (row,), {}, (v,)))
                    else:
                        new[v] = row
        i += len(rounds.calls)
    return graph.replacing(new, calls)


def keep_rows(found: dict[int, Rounds], places: Any, outside: set[Value]) -> None:
    """Decide which results are kept for all rounds: what is read in another group."""
    for rounds in found.values():
        for group in rounds.groups():
            for k in group:
                for x in rounds.operands[k]:
                    if x.of is None:
                        continue
                    other, m = x.of
                    late = x.back and k > m  # by then it would be that of this round
                    if other is not rounds or m not in group or late:
                        other.stacked.add(m)
    for v in outside:
        rounds, k, j = places.get(v, (None, 0, -1))
        if rounds is not None and -1 < j < rounds.n - 1:
            rounds.stacked.add(k)


def read_outside(graph: Graph, found: dict[int, Rounds]) -> set[Value]:
    """Return the values that are read by themselves, not as one of many rounds."""
    inside = {id(c) for rounds in found.values() for c in rounds.calls}
    read = [v for c in graph.calls if id(c) not in inside for v in c.operands()]
    for rounds in found.values():
        for x in (x for several in rounds.operands for x in several):
            if x.kind in ("same", "several") or x.back:
                read += [v for v in (x.first, *x.values) if type(v) is Value]
    return {u for v in (*read, *graph.outputs) for u in v.bases()}


class Writing:
    """Writes the calls of one group."""

    def __init__(self, rounds: Rounds, group: list[int], outside: set[Value]) -> None:
        self.rounds, self.group, self.outside = rounds, group, outside
        self.before: list[Call] = []

    def calls(self) -> list[Call]:
        """Return the group as one call, a sum, or a loop."""
        made = self.at_once() or self.summed() or self.loop()
        return [*self.before, *made]

    def at_once(self) -> list[Call]:
        """Return one call for all rounds, nothing if they need each other."""
        rounds, (k, *more) = self.rounds, self.group
        call, operands = rounds.calls[k], rounds.operands[k]
        if more or getattr(call.function, "signature", None) is not None:
            return []
        rows = [x for x in operands if x.of is not None]
        flat = any(len(x.first.shape) != len(call.out.shape) for x in rows)
        if not rows or flat or any(x.back or x.kind == "several" for x in operands):
            return []
        args = tuple(self.all_rounds(x) for x in operands)
        out = (rounds.stack(k),)
        return [Call(call.function, call.name, args, {}, out, None, call.origin)]

    def summed(self) -> list[Call]:
        """Return a sum over all rounds, nothing if the group is none."""
        rounds, (k, *more) = self.rounds, self.group
        call, operands = rounds.calls[k], rounds.operands[k]
        if more or call.function is not np.add or k in rounds.stacked:
            return []
        before, each = sorted(operands, key=lambda x: -x.back)
        first = before.first
        if not before.back or each.back or each.of is None:
            return []
        if each.first.shape != first.shape:
            return []
        total = Value("result", np.empty(first.shape, first.dtype))
        rows, last = (self.all_rounds(each),), (rounds.out(k, -1),)
        function, axis = np.add.reduce, {"axis": 0}
        return [
            Call(function, "add.reduce", rows, axis, (total,), None, call.origin),
            Call(np.add, "add", (first, total), {}, last, None, call.origin),
        ]

    def all_rounds(self, x: Operand) -> Any:
        """Return an operand for all rounds, with these as its first axis."""
        if x.of is None:
            return x.first
        rounds, k = x.of
        stack, part = rounds.stack(k), self.part(x)
        if part == slice(None):
            return stack
        key = stack, part.start, part.stop, part.step
        if key not in self.rounds.views:
            view = Value("result", np.empty(stack.shape, stack.dtype)[part], base=stack)
            view.name = stack.name + ("_back" if x.step < 0 else "")
            self.rounds.views[key] = view
            index = stack, part
            self.before.append(Call(operator.getitem, "getitem", index, {}, (view,)))
        return self.rounds.views[key]

    def part(self, x: Operand) -> slice:
        """Return the rows that an operand is."""
        rounds, k = x.of  # type: ignore[misc]
        rows = rounds.stack(k).shape[0]
        first = x.start + rows - rounds.n - x.back
        end = first + x.step * self.rounds.n
        if x.step < 0:
            return slice(first, end if end >= 0 else None, -1)
        return slice(first or None, end if end < rows else None)

    def loop(self) -> list[Call]:
        """Return the group as a loop."""
        rounds, outs, inner = self.rounds, list[Value](), list[Call]()
        self.rows: dict[Any, tuple[Value, Any, slice]] = {}
        for k in self.group:
            call = rounds.calls[k]
            args = tuple(self.one_round(x) for x in rounds.operands[k])
            made = self.made(k)
            if k in rounds.stacked:
                outs.append(rounds.stack(k))
            elif made in self.outside:
                outs.append(made)
            one, origin = (made,), call.origin
            inner.append(Call(call.function, call.name, args, {}, one, None, origin))
        carried = [(k, rounds.carried(k)) for k in self.group]
        starts = tuple(
            (rounds.stack(k) if k in rounds.stacked else self.made(k), x.first)
            for k, x in carried
            if x is not None
        )
        rows = tuple(self.rows.values())
        inside = {*outs, *[c.out for c in inner], *[v for v, _, _ in rows]}
        read = [v for c in inner for v in c.operands()]
        read += [v for _, x, _ in rows for v in values_in((x,))]
        read += [first for _, first in starts]
        args = tuple(dict.fromkeys(v for v in read if v not in inside))
        origin = Origin(errors=rounds.calls[0].origin.errors)
        return [
            Loop(
                *(Loop, "loop", args, {}, tuple(outs), None, origin),
                *(tuple(inner), rounds.n, rows, starts),
            )
        ]

    def made(self, k: int) -> Value:
        """Return what stands for the results of a call in its loop."""
        rounds = self.rounds
        if k not in rounds.stacked:
            return rounds.out(k, -1)
        x = Operand("own", rounds.out(k, 0), (rounds, k))
        return self.row(x)

    def one_round(self, x: Operand) -> Any:
        """Return what stands for an operand in the loop."""
        if x.kind == "same":
            return x.first
        if x.kind == "own" and x.of is not None and x.of[1] in self.group:
            k = x.of[1]
            return self.row(x) if x.back and k in self.rounds.stacked else self.made(k)
        return self.row(x)

    def row(self, x: Operand) -> Value:
        """Return what stands for a row of an array, or for one of several values."""
        if x.of is None:
            key: Any = x.values
            source: Any = x.values
            like, part = x.first, slice(None)
        else:
            rounds, k = x.of
            source, part = rounds.stack(k), self.part(x)
            key, like = (source, part.start, part.step), rounds.out(k, -1)
        if key not in self.rows:
            v = like.moved_to(None, None)
            v.kind = "result"
            v.name += "_before" if x.back else ""
            self.rows[key] = v, source, part
        return self.rows[key][0]
