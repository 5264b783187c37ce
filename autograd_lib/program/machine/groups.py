"""Decides which calls are fused into one loop (chapter 23).

A group loops over rows and columns: columns are the last axis, rows all others. It
holds elementwise calls, sums and extremes of rows, and elementwise calls on these; it
may end in sums over rows or over everything. A call joins the first group that can hold
it and that comes after its operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from autograd_lib.engine.ops.choices import kept
from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.machine.scalars import (
    TYPES,
    Element,
    cast_of,
    element_of,
    reports,
)
from autograd_lib.program.rewrites.helpers import owners_written

MAX_CALLS = 256  # calls of a group: a compiler's time grows faster than their number
SMALL = 4096  # elements; beyond, NumPy's vector loops beat C's library
COPIED = 2**16  # bytes; arrays up to here may be copied to be contiguous
REDUCED: dict[Any, str] = {np.add: "sum", np.maximum: "max", np.minimum: "min"}


@dataclass(frozen=True)
class Place:
    """How a value is indexed in the loops.

    Attributes:
        kind: "full", by row and column; "column"; "row"; or "number", not at all.
        array: the value to read from memory: itself, or its base.
    """

    kind: str
    array: Value


@dataclass(eq=False)
class Item:
    """One step of a group.

    Attributes:
        out: its result.
        kind: "full"; "row", a number for each row; "columns", a sum over rows; "sum".
        element: for an elementwise step, its call for one element.
        places: its operands.
        reduced: for a reduction of the first operand, "sum", "max" or "min".
    """

    out: Value
    kind: str
    element: Element | None
    places: tuple[Place | None, ...]
    reduced: str = ""


class Group:
    """Calls that are fused into loops over rows and columns.

    Attributes:
        rows, cols: how many there are.
        calls: the calls of the program, in order.
        items: the steps, in order.
        kind: the kind of each value that is made here, like that of its item.
        broadcast: results of `np.broadcast_to`, read without the broadcast.
    """

    def __init__(self, shape: tuple[int, ...], makers: dict[Value, Call]) -> None:
        single = len(shape) < 2 or shape[-1] == 1
        self.rows = 1 if single else prod(shape[:-1])
        self.cols = prod(shape) if single else shape[-1]
        self.calls: list[Call] = []
        self.items: list[Item] = []
        self.kind: dict[Value, str] = {}
        self.broadcast: set[Value] = set()
        self.makers = makers

    @property
    def is_flat(self) -> bool:
        """Whether one loop over all elements will do."""
        kinds = {i.kind for i in self.items}
        kinds |= {p.kind for i in self.items for p in i.places if p is not None}
        return kinds <= {"full", "number", "sum"}

    def pays(self) -> bool:
        """Whether a loop is faster than its calls, and worth compiling.

        `np.where` takes the time of two calls, and `np.broadcast_to`, which a loop does
        not need, that of three.
        """
        many = sum(not c.is_view for c in self.calls) + 3 * len(self.broadcast)
        return many + sum(c.function in (np.where, kept) for c in self.calls) > 1

    def add(self, call: Call) -> bool:
        """Add a call if it fits, and return whether it did."""
        if len(self.items) >= MAX_CALLS:
            return False
        items = list(self.items_of(call))
        self.items += items
        self.kind |= {i.out: i.kind for i in items}
        if items or self.shows_own(call):
            self.calls.append(call)
            return True
        return False

    def shows_own(self, call: Call) -> bool:
        """Note a view of all elements, in order, of a value made here."""
        own = self.kind.get(dense(call.out)) if call.is_view else None
        if own not in ("full", "row"):
            return False
        self.kind[call.out] = own
        return True

    def items_of(self, call: Call) -> Iterator[Item]:
        """Yield the steps of a call, nothing if it doesn't fit."""
        if call.into is not None or len(call.outs) != 1 or call.is_view:
            return
        element = element_of(call) or cast_of(call)
        if element is not None:
            item = self.element(call.out, element)
        else:
            yield from self.reduction(call)
            return
        if item is not None:
            yield item

    def element(self, out: Value, element: Element) -> Item | None:
        """Return an elementwise step on elements or rows."""
        n, shape = prod(out.shape), out.shape
        full = n == self.rows * self.cols > 1 and (
            self.rows == 1 or shape[-1] == self.cols
        )
        if not out.in_rows or not (full or n == self.rows > 1):
            return None
        if element.scalar.slow and n > SMALL:
            return None
        places = tuple(
            self.place(x, shape) if full else self.of_row(x, shape)
            for x in element.args
        )
        values = [p for x, p in zip(element.args, places, strict=True) if is_value(x)]
        own = any(p is not None and p.array in self.kind for p in values)
        if None in values or not (full or own):
            return None
        return Item(out, "full" if full else "row", element, places)

    def reduction(self, call: Call) -> Iterator[Item]:
        """Yield the steps of a sum, an extreme, a mean or a dot product."""
        function, options = call.function, call.options
        ufunc = getattr(function, "__self__", None)
        plain = set(options) <= {"axis", "keepdims"} and not reports(call)
        if not plain or any(v.dtype not in TYPES for v in call.operands()):
            return
        x, out = call.args[0], call.out
        alike = is_value(x) and x.dtype == out.dtype and x.dtype.kind == "f"
        if not alike or not out.in_rows:
            return
        if function is np.vecdot and len(call.args) == 2 and not options:
            product = Value("result", np.broadcast_to(np.zeros((), x.dtype), x.shape))
            product.strides = np.empty(x.shape, x.dtype).strides
            times = Call(np.multiply, "multiply", call.args, {}, (product,))
            element = element_of(times)
            item = element and self.element(product, element)
            whole = Place("full", product)
            if item and item.kind == "full" and self.rows > 1 < len(x.shape):
                yield item
                yield Item(out, "row", None, (whole,), "sum")
            return
        mean = function is np.mean
        reduces = getattr(function, "__name__", "") == "reduce" and ufunc in REDUCED
        place = self.place(x, x.shape) if mean or reduces else None
        if place is None or len(call.args) != 1:
            return
        which = "sum" if mean else REDUCED[ufunc]
        kind = self.kind_of_sum(place, x, options.get("axis", None if mean else 0))
        if kind is None or (kind != "row" and (mean or which != "sum")):
            return
        if not mean:
            yield Item(out, kind, None, (place,), which)
            return
        total = out.moved_to(None, None)
        many = Value("constant", np.array(self.cols, x.dtype))
        divided = element_of(Call(np.divide, "divide", (total, many), {}, (out,)))
        yield Item(total, "row", None, (place,), "sum")
        places = Place("row", total), Place("number", many)
        yield Item(out, "row", divided, places)

    def kind_of_sum(self, place: Place, x: Value, axis: Any) -> str | None:
        """Return the kind of a reduction of a value along axes."""
        whole = place.kind == "full" and prod(x.shape) == self.rows * self.cols > 1
        if not whole or (self.rows > 1 and x.shape[-1] != self.cols):
            return None
        several = axis if type(axis) is tuple else (axis,)
        last = len(x.shape) - 1
        axes = (
            set(range(last + 1)) if axis is None else {a % (last + 1) for a in several}
        )
        if axes == set(range(last + 1)):
            return "sum"
        if self.rows > 1 and axes == {last}:
            return "row"
        return "columns" if self.rows > 1 and axes == set(range(last)) else None

    def place(self, x: Any, shape: tuple[int, ...]) -> Place | None:
        """Return the place of an operand, given the shape of the result."""
        if not is_value(x):
            return None
        maker, v, given = self.makers.get(x), dense(x), x.shape
        if maker is not None and maker.function is np.broadcast_to and x.base:
            v, given = dense(x.base), x.base.shape
            self.broadcast.add(x)
        if self.kind.get(v) in ("sum", "columns"):
            return None
        if prod(given) == 1:
            return None if v in self.kind else Place("number", v)
        padded = (1,) * (len(shape) - len(given)) + given
        if v in self.kind:
            if self.kind[v] == "full":
                return Place("full", v) if padded == shape else None
            row = padded == (*shape[:-1], 1) and shape[-1] == self.cols
            return Place("row", v) if row else None
        if not v.in_rows and v.nbytes > COPIED:
            return None
        if padded == shape:
            return Place("full", v)
        if shape[-1] != self.cols or self.rows == 1:
            return None
        if padded == (*[1] * (len(shape) - 1), self.cols):
            return Place("column", v)
        return Place("row", v) if padded == (*shape[:-1], 1) else None

    def of_row(self, x: Any, shape: tuple[int, ...]) -> Place | None:
        """Return the place of an operand with one number for each row."""
        if not is_value(x):
            return None
        v = dense(x)
        if v not in self.kind and prod(v.shape) == 1:
            return Place("number", v)
        own = self.kind.get(v, "row") == "row"
        padded = (1,) * (len(shape) - len(x.shape)) + x.shape
        lies = v in self.kind or v.in_rows or v.nbytes <= COPIED
        return Place("row", v) if own and padded == shape and lies else None


def is_value(x: Any) -> bool:
    """Return whether an argument is a value, not a Python number."""
    return type(x) is Value


def dense(v: Value) -> Value:
    """Return the base of a view with all elements in the same order, or the value."""
    while v.base is not None and v.in_rows and v.base.in_rows:
        if (v.nbytes, v.dtype) != (v.base.nbytes, v.base.dtype):
            break
        v = v.base
    return v


def grouped(graph: Graph) -> list[Call | Group]:
    """Return the calls of a graph, with fused calls in groups.

    A view of memory that isn't written into costs nothing, and goes before the first
    step that could read it.
    """
    written = owners_written(graph)
    makers = {v: c for c in graph.calls for v in c.outs}
    steps: list[Call | Group] = []
    groups: list[tuple[int, Group]] = []
    views: dict[int, list[Call]] = {}
    ready: dict[Any, int] = {}  # the first step in which a value, or memory, exists
    shown: dict[Value, int] = {}  # likewise, for a view
    for call in graph.calls:
        touched = {v.owner for v in (*call.operands(), *call.outs)} & written
        keys = [*call.operands(), *(("memory", owner) for owner in touched)]
        first = max([ready.get(key, 0) for key in keys], default=0)
        alone = touched or len(call.outs) != 1
        fits = () if alone else (x for x in groups if x[0] >= first and x[1].add(call))
        at, group = next(iter(fits), (len(steps), None))
        if group is None and call.is_view and not alone:
            first = max([shown.get(v, 0) for v in call.operands()], default=0)
            views.setdefault(first, []).append(call)
            ready[call.out] = shown[call.out] = first
            continue
        if group is None:
            group = None if alone else started(call, makers)
            steps.append(group or call)
            groups += [(at, group)] if group else []
        late = group is None or group.kind[call.out] in ("sum", "columns")
        ready |= dict.fromkeys(call.outs, at + late)
        shown |= dict.fromkeys(call.outs, at + 1)
        ready |= {("memory", owner): at + 1 for owner in touched}
    numbered = [*enumerate(steps), (len(steps), None)]
    return [x for i, step in numbered for x in (*views.get(i, ()), step) if x]


def started(call: Call, makers: dict[Value, Call]) -> Group | None:
    """Return a group that begins with a call, or None."""
    x = call.args[0] if call.args else None
    for shape in dict.fromkeys((call.out.shape, getattr(x, "shape", ()))):
        if prod(shape) > 1:
            group = Group(shape, makers)
            if group.add(call) and group.items[-1].kind in ("full", "row"):
                return group
    return None
