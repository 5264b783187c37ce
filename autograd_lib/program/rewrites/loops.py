"""Rolls repeated calls up into loops again, and vectorises them (chapter 22).

A recording has no `for`: a loop of 250 rounds is recorded as 250 copies of its body.
Here the rounds are found as repetitions. Then each call of a round is either executed
for all rounds at once, on arrays with a row for each round, or in a loop, if a round
needs the one before. This is the loop distribution of vectorising compilers:
R. Allen and K. Kennedy, "Automatic translation of FORTRAN programs to vector form",
ACM TOPLAS 9 (1987).
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Origin, Value
from autograd_lib.program.rewrites.helpers import changed, owners_written, replacing
from autograd_lib.program.rewrites.rounds import Loop, Operand, Rounds
from autograd_lib.program.words.naming import wishes

LEAST = 8  # rounds
LONGEST = 256  # calls of a round
ROW = 2**12  # bytes; for larger arrays the overhead of a call is small


def loops(graph: Graph) -> Graph:
    """Find loops, and execute calls that don't depend on other rounds all at once.

    A sum over rounds may change its order; otherwise no bit changes.
    """
    written = owners_written(graph)
    rows = [c for c in graph.calls if is_row(c, written)]
    places = {c.out: (c.args[0], c.args[1]) for c in rows}
    calls = [*rows, *[c for c in graph.calls if not is_row(c, written)]]
    codes: dict[Any, int] = {}
    coded = [codes.setdefault(code(c, written), len(codes)) for c in calls]
    found: dict[int, Rounds] = {}
    for start, end, period in repeats(np.array(coded)):
        rounds = first_understood(calls, start, end, period, places)
        rounds = rounds or first_understood(calls, start, end, 2 * period, places)
        if rounds is not None:
            found[calls.index(rounds.calls[0], start)] = rounds
            note(rounds, places)
    return rewritten(changed(graph, calls), found, places) if found else graph


def is_row(call: Call, written: set[Value]) -> bool:
    """Return whether a call takes a row of an input or constant."""
    if call.function is not operator.getitem or not call.is_view:
        return False
    x, index = call.args
    there = x.kind in ("input", "constant") and x is call.out.base
    return there and x not in written and type(index) is int and index >= 0


def code(call: Call, written: set[Value]) -> Any:
    """Return a key that is equal for the same call in different rounds."""
    chooses = call.function is np.where and len(call.args) == 3
    usual = (isinstance(call.function, np.ufunc) or chooses) and not call.options
    if not usual or call.into is not None or len(call.outs) != 1:
        return call
    out, args = call.out, call.args
    values = [x for x in args if type(x) is Value]
    plain = len(values) + sum(type(x) in (int, float) for x in args) == len(args)
    if any(v.owner in written for v in (out, *values)) or not plain:
        return call
    if not out.shape or out.nbytes > ROW or not out.in_rows:  # like rows of a stack
        return call
    read = [(x.shape, x.dtype) if type(x) is Value else repr(x) for x in args]
    origin = (call.origin.line, call.origin.rule, call.origin.errors)
    return call.function, origin, out.shape, out.dtype, tuple(read)


def repeats(codes: np.ndarray) -> list[tuple[int, int, int]]:
    """Return start, end and period of disjoint repetitions of codes, in order."""
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


def first_understood(
    calls: list[Call], start: int, end: int, period: int, places: dict[Value, Any]
) -> Rounds | None:
    """Return the rounds whose operands follow one pattern, or None if too few do."""
    while (end - start) // period >= LEAST:
        rounds = Rounds(calls[start:end], period)
        first, last = understood(rounds, places)
        if (first, last) == (0, rounds.n):
            return rounds
        start, end = start + first * period, start + last * period
    return None


def understood(rounds: Rounds, places: dict[Value, Any]) -> tuple[int, int]:
    """Note the operands of the calls of a round, and return which rounds fit them."""
    mine = {c.out: i for i, c in enumerate(rounds.calls)}

    def place(v: Value) -> Any:
        """Return the array, or the rounds and call, that a value is a row of; which."""
        if v in mine:
            j, k = divmod(mine[v], rounds.period)
            return (rounds, k), j
        return places.get(v, (None, 0))

    def operand(values: tuple[Any, ...]) -> tuple[Operand | None, list[bool]]:
        if type(values[0]) is not Value or all(x is values[0] for x in values):
            return Operand(values[0]), []
        (of, i), (other, j) = place(values[1]), place(values[2])
        step = j - i
        x = Operand(values[0], of, i - step, step)
        own = rounds.makes(x)
        if of is None or of != other or step not in ((1,) if own else (1, -1)):
            return None, []
        fits = [place(v) == (of, i + t * step) for t, v in enumerate(values, -1)]
        if own and x.start == -1:
            fits[0] = values[0] not in mine
        return x if not own or x.start in (0, -1) else None, fits

    first, last = 0, rounds.n
    for k in range(rounds.period):
        several = zip(*[c.args for c in rounds.calls[k :: rounds.period]], strict=True)
        found = [operand(values) for values in several]
        rounds.operands.append([x for x, _ in found if x is not None])
        for x, fits in found:
            bad = [j for j, right in enumerate(fits) if not right]
            first = max([first, *[j + 1 for j in bad if j < 2]])
            last = min([last, *[j for j in bad if j >= 2]]) if x is not None else 0
    regular = (first, last) != (0, rounds.n) or rounds.is_regular()
    return (first, last) if regular else (0, 0)


def note(rounds: Rounds, places: dict[Value, Any]) -> None:
    """Note the places of the results of rounds, and of their initial values."""
    for i, c in enumerate(rounds.calls):
        j, k = divmod(i, rounds.period)
        places[c.out] = (rounds, k), j
    for k in range(rounds.period):
        begun = rounds.begins(k)
        if begun is not None:
            places.setdefault(begun, ((rounds, k), -1))


def rewritten(graph: Graph, found: dict[int, Rounds], places: Any) -> Graph:
    """Return the graph with loops in place of rounds."""
    outside = read_outside(graph, found)
    keep_rows(found, places, outside)
    called = wishes(graph)
    for v in places:
        v.name = called.get(v, v.name)
    calls: list[Call] = []
    new: dict[Value, Value] = {}
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
                if v not in outside:
                    continue
                row = v.moved_to(stack, None)
                index = stack, j + stack.shape[0] - rounds.n
                calls.append(Call(operator.getitem, "getitem", index, {}, (row,)))
                new[v] = row
        i += len(rounds.calls)
    return replacing(graph, new, calls)


def keep_rows(found: dict[int, Rounds], places: Any, outside: set[Value]) -> None:
    """Decide which results are kept for all rounds: those read in another group."""
    for rounds in found.values():
        for group in rounds.groups():
            for k in group:
                for x in (x for x in rounds.operands[k] if type(x.of) is tuple):
                    other, m = x.of
                    late = x.start < 0 and k > m  # it would be overwritten by then
                    if other is not rounds or m not in group or late:
                        other.stacked.add(m)
    for v in outside:
        of, j = places.get(v, (None, 0))
        if type(of) is tuple and -1 < j < of[0].n - 1:
            of[0].stacked.add(of[1])


def read_outside(graph: Graph, found: dict[int, Rounds]) -> set[Value]:
    """Return the values that are read individually, outside of loops."""
    inside = {id(c) for rounds in found.values() for c in rounds.calls}
    read = [v for c in graph.calls if id(c) not in inside for v in c.operands()]
    for rounds in found.values():
        for x in (x for several in rounds.operands for x in several):
            if type(x.first) is Value and (x.of is None or x.start < 0):
                read.append(x.first)
    return {u for v in (*read, *graph.outputs) for u in v.bases()}


class Writing:
    """Writes the calls of one group."""

    def __init__(self, rounds: Rounds, group: list[int], outside: set[Value]) -> None:
        self.rounds, self.group, self.outside = rounds, group, outside
        self.before: list[Call] = []
        self.rows: dict[Any, tuple[Value, Value, slice]] = {}

    def calls(self) -> list[Call]:
        """Return the group as one call for all rounds, a sum, or a loop."""
        alone = self.at_once() or self.summed() if len(self.group) == 1 else []
        made = alone or [self.loop()]
        return [*self.before, *made]

    def at_once(self) -> list[Call]:
        """Return one call for all rounds, or nothing if rounds depend on each other."""
        rounds, (k,) = self.rounds, self.group
        call, operands = rounds.calls[k], rounds.operands[k]
        if getattr(call.function, "signature", None) is not None:
            return []
        rows = [x for x in operands if x.of is not None]
        flat = any(len(x.first.shape) != len(call.out.shape) for x in rows)
        if not rows or flat or any(map(rounds.carries, operands)):
            return []
        args = tuple(self.all_rounds(x) for x in operands)
        out = (rounds.stack(k),)
        return [replace(call, args=args, outs=out)]

    def summed(self) -> list[Call]:
        """Return a sum over all rounds, or nothing if the group isn't a sum."""
        rounds, (k,) = self.rounds, self.group
        call = rounds.calls[k]
        if call.function is not np.add or k in rounds.stacked:
            return []
        before, each = sorted(rounds.operands[k], key=lambda x: x.start)
        first = before.first
        if not rounds.carries(before) or rounds.carries(each) or each.of is None:
            return []
        none = np.empty((0, *each.first.shape), each.first.dtype)
        total = Value("result", np.add.reduce(none))
        if (total.shape, total.dtype) != (first.shape, first.dtype):
            return []  # it accumulates in another dtype
        rows, last = (self.all_rounds(each),), (rounds.out(k, -1),)
        function, axis = np.add.reduce, {"axis": 0}
        return [
            Call(function, "add.reduce", rows, axis, (total,), None, call.origin),
            Call(np.add, "add", (first, total), {}, last, None, call.origin),
        ]

    def all_rounds(self, x: Operand) -> Any:
        """Return an operand for all rounds, as its first axis."""
        if x.of is None:
            return x.first
        stack, part = self.part(x)
        if part == slice(None):
            return stack
        key = stack, part.start, part.step
        if key not in self.rounds.views:
            view = Value("result", np.empty(stack.shape, stack.dtype)[part], base=stack)
            view.name = stack.name + ("_back" if x.step < 0 else "")
            self.rounds.views[key] = view
            index = stack, part
            self.before.append(Call(operator.getitem, "getitem", index, {}, (view,)))
        return self.rounds.views[key]

    def part(self, x: Operand) -> tuple[Value, slice]:
        """Return the array whose rows an operand takes, and the slice of rows."""
        stack, first = x.of, x.start
        if type(x.of) is tuple:
            stack = x.of[0].stack(x.of[1])
            first += stack.shape[0] - x.of[0].n
        end = first + x.step * self.rounds.n
        if x.step < 0:
            return stack, slice(first, end if end >= 0 else None, -1)
        return stack, slice(first or None, end if end < stack.shape[0] else None)

    def loop(self) -> Loop:
        """Return the group as a loop."""
        rounds, outs, inner = self.rounds, list[Value](), list[Call]()
        starts: dict[Value, Value] = {}
        for k in self.group:
            call, begun = rounds.calls[k], rounds.begins(k)
            args, made = tuple(map(self.one_round, rounds.operands[k])), self.made(k)
            whole = rounds.stack(k) if k in rounds.stacked else made
            if k in rounds.stacked or made in self.outside:
                outs.append(whole)
            starts |= {} if begun is None else {whole: begun}
            origin = call.origin
            inner.append(
                Call(call.function, call.name, args, {}, (made,), None, origin)
            )
        rows = tuple(self.rows.values())
        inside = {*outs, *[c.out for c in inner], *[v for v, _, _ in rows]}
        read = [*[v for c in inner for v in c.operands()], *[x for _, x, _ in rows]]
        read = [v for v in (*read, *starts.values()) if v not in inside]
        args = tuple(dict.fromkeys(read))
        origin = Origin(errors=rounds.calls[0].origin.errors)
        return Loop(
            *(Loop, "loop", args, {}, tuple(outs), None, origin),
            *(tuple(inner), rounds.n, rows, tuple(starts.items())),
        )

    def made(self, k: int) -> Value:
        """Return the loop's variable for the results of a call."""
        last = self.rounds.out(k, -1)
        kept = k in self.rounds.stacked
        return self.row(Operand(last, (self.rounds, k))) if kept else last

    def one_round(self, x: Operand) -> Any:
        """Return the loop's variable for an operand."""
        if x.of is None:
            return x.first
        if not self.rounds.makes(x) or x.of[1] not in self.group:
            return self.row(x)
        k = x.of[1]
        return self.row(x) if x.start < 0 and k in self.rounds.stacked else self.made(k)

    def row(self, x: Operand) -> Value:
        """Return the loop's variable for a row of an array."""
        source, part = self.part(x)
        key = source, part.start, part.step
        if key not in self.rows:
            like = x.of[0].out(x.of[1], -1) if type(x.of) is tuple else x.first
            v = like.moved_to(None, None)
            v.kind = "result"
            v.name += "_before" if self.rounds.carries(x) else ""
            self.rows[key] = v, source, part
        return self.rows[key][0]
