"""What is done to recorded calls before they are written down (chapter 24).

Each pass is a function of a graph that returns another one, which calculates the same.
`compile` takes them in any order, so that one can be left out and its gain seen.

What a pass may not do: change a result by more than rounding, also for infinite numbers
and NaN; so 0·x stays, which is NaN where x is infinite. Nor may it move what is read
behind a write into it: memory that a call writes into is left alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value, values_in
from autograd_lib.program.core.memory import COPIES, reuse_memory
from autograd_lib.program.core.numpy_calls import Picked
from autograd_lib.program.rewrites.blocks import blocks
from autograd_lib.program.rewrites.layout import layout
from autograd_lib.program.rewrites.loops import loops

Pass: TypeAlias = Callable[[Graph], Graph]

MOST = 2**24  # up to which float32 has all whole numbers
ROW = 2**10  # elements that a product adds up without losing digits
SMALL = 2**16  # bytes; larger constants are calculated again, which is no slower


def dead_code(graph: Graph) -> Graph:
    """Leave out the calls that no output and no check depends on.

    What looks for elements by numbers that are given fails if there is none. Such a
    call stays, unless another one looks for the same.
    """
    needed: set[Value] = {u for v in graph.outputs for u in v.bases()}
    looked: set[Any] = set()
    kept = []
    for call in reversed(graph.calls):
        place = looked_up(call)
        dead = call.outs and not any(v in needed for v in call.outs)
        if dead and (place is None or place in looked):
            continue
        looked.add(place)
        kept.append(call)
        needed.update(u for v in call.operands() for u in v.bases())
    return graph.changed(reversed(kept))


def looked_up(call: Call) -> Any:
    """Return what an index may find missing: the index, and in what shape."""
    if call.function not in (operator.getitem, operator.setitem, np.take):
        if getattr(call.function, "__module__", "") == "numpy.linalg":
            return call  # a matrix may be singular
        return None
    given = [v for v in values_in(call.args[1]) if v.kind != "constant"]
    whole = call.args[0]
    shape = whole.shape if type(whole) is Value else None
    return (shape, key_of(call.args[1])) if given else None


def no_copies(graph: Graph) -> Graph:
    """Read what was copied in the place of the copy, where neither is written into."""
    written = graph.owners_written()
    new: dict[Value, Value] = {}
    calls = []
    for call in graph.calls:
        if call.function in COPIES and len(call.outs) == 1:
            x, y = call.args[0], call.out
            if type(x) is Value and x.dtype == y.dtype and not y.number:
                alone = x.owner not in written and y.owner not in written
                if alone and x.shape == y.shape and x.strides == y.strides:
                    new[y] = x
                    continue
                flat = call.function is np.ndarray.flatten and not call.args[1:]
                if alone and flat and x.in_rows:
                    new[y] = y.moved_to(x, None)
                    call = Call(np.ndarray.reshape, "reshape", (x, -1), {}, (new[y],))
        if call.is_view and nothing_new(call):
            new[call.out] = call.out.base  # type: ignore[assignment]
            continue
        calls.append(call)
    return graph.replacing(new, calls) if new else graph.changed(calls)


def nothing_new(call: Call) -> bool:
    """Return whether a view shows the whole of what it is of, as that is."""
    x, y = call.out.base, call.out
    if x is None or (x.shape, x.strides, x.dtype) != (y.shape, y.strides, y.dtype):
        return False
    return call.function in (np.ndarray.view, np.ndarray.reshape, np.ndarray.transpose)


def constants(graph: Graph) -> Graph:
    """Calculate now what depends on no input, where it is small."""
    written = graph.owners_written()
    new: dict[Value, Value] = {}
    arrays: dict[Value, Any] = {}

    def of(v: Value) -> Any:
        return arrays.get(v, v.array)

    calls = []
    for call in graph.calls:
        known = all(v in arrays or v.kind == "constant" for v in call.operands())
        fixed = known and not call.is_loop and len(call.outs) == 1 and call.into is None
        if fixed and call.out.nbytes <= SMALL and call.out.owner not in written:
            with np.errstate(all="ignore"):
                arrays[call.out] = call.run(of)
            new[call.out] = Value("constant", arrays[call.out])
        else:
            calls.append(call)
    return graph.replacing(new, calls) if new else graph


def common(graph: Graph) -> Graph:
    """Calculate once what is calculated twice, and look once what is checked twice."""
    written = graph.owners_written()
    new: dict[Value, Value] = {}
    first: dict[Any, Call] = {}
    calls = []
    for call in graph.calls:
        call = call.with_values(lambda v: new.get(v, v))
        single = len(call.outs) <= 1 and call.into is None and not call.is_loop
        fresh = [v for v in call.outs if v.base is None]
        if single and not any(v.owner in written for v in fresh):
            key = key_of((call.function, call.args, call.options, call.origin.errors))
            before = first.setdefault(key, call)
            if before is not call:
                new.update(zip(call.outs, before.outs, strict=True))
                continue
        calls.append(call)
    return graph.replacing(new, calls) if new else graph


def key_of(x: Any) -> Any:
    """Return something by which equal arguments are found."""
    if isinstance(x, tuple | list):
        return type(x), tuple(map(key_of, x))
    if isinstance(x, dict):
        return tuple((k, key_of(v)) for k, v in sorted(x.items()))
    if isinstance(x, slice):
        return slice, x.start, x.stop, x.step
    if isinstance(x, Picked):
        return key_of(x.function), x.k
    if isinstance(x, Value) and x.kind == "constant":
        return bytes_of(x.array)
    return type(x), x if isinstance(x, Value) or callable(x) else repr(x)


def bytes_of(a: np.ndarray) -> Any:
    """Return an array of few bytes as something that can be compared, else itself."""
    small = a.nbytes <= 64
    return (a.shape, a.dtype, a.strides, a.tobytes()) if small else id(a)


def numbers(graph: Graph) -> Graph:
    """Make arrays of numbers once, of which NumPy makes one at each call.

    A number of Python takes the type of the array beside it, so the result is the same.
    """
    made: dict[Any, Value] = {}
    calls = []
    for call in graph.calls:
        beside = [v.dtype for v in values_in(call.args)]
        known = call.function in OF_NUMBERS and not call.options and call.into is None
        wide = len(beside) == 1 and beside[0].kind == "f" and beside[0].itemsize > 2
        if known and wide and call.out.shape:
            args = tuple(as_value(x, beside[0], made) for x in call.args)
            call = replace(call, args=args)
        calls.append(call)
    return graph.changed(calls)


OF_NUMBERS = (
    *(np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum),
    *(np.greater, np.less, np.equal, np.not_equal, np.greater_equal, np.less_equal),
)
NAMES = {0.0: "zero", 0.5: "half", 1.0: "one", 2.0: "two", 3.0: "three"}


def as_value(x: Any, dtype: np.dtype[Any], made: dict[Any, Value]) -> Any:
    """Return a number as a constant of a type, if nothing of it is lost by that."""
    if type(x) not in (int, float) or not abs(x) < MOST:
        return x
    key = (repr(float(x)), dtype)
    if key not in made:
        name = NAMES.get(float(x), "number")
        made[key] = Value("constant", np.array(x, dtype), name)
    return made[key]


def products(graph: Graph) -> Graph:
    """Sum by products of matrices: of two arrays, without one of their products; of
    one array along an axis, as a product with ones.

    The terms are the same, added in another order: a difference of rounding. NumPy's
    reductions take some 30 ns for each row or element of the result.
    """
    made, readers = graph.makers(), graph.readers()
    outputs = {u for v in graph.outputs for u in v.bases()}
    written = graph.owners_written()
    calls, gone = [], set()
    new: dict[Value, Value] = {}
    fixed: dict[Any, Value] = {}
    for call in graph.calls:
        inner = made.get(call.args[0]) if is_sum(call) else None
        if inner is None or inner.function is not np.multiply or inner.options:
            calls += with_ones(call, fixed)
            continue
        p = inner.out
        x, y = inner.args
        full = all(type(v) is Value and v.shape == p.shape for v in (x, y))
        only = readers[p] == [call] and p not in outputs and p.owner not in written
        clean = full and not any(v.owner in written for v in (x, y))
        shorter = summed(call, x, y) if only and clean and p.dtype.kind == "f" else None
        if shorter is None or inner.origin.errors != call.origin.errors:
            calls += with_ones(call, fixed)
            continue
        gone.add(inner)
        new |= {call.out: shorter[-1].out} if shorter[-1].out is not call.out else {}
        calls += shorter
    return graph.replacing(new, [c for c in calls if c not in gone])


def is_sum(call: Call) -> bool:
    """Return whether a call sums along one axis."""
    if call.name != "add.reduce" or call.into is not None or not call.args[0].shape:
        return False
    usual = set(call.options) <= {"axis", "keepdims"}
    return usual and type(call.options["axis"]) is int


def with_ones(call: Call, fixed: dict[Any, Value]) -> list[Call]:
    """Return calls for a sum or mean as a product with ones, or the call as it is.

    Long rows are left to NumPy, which adds them in pairs, and so more exactly.
    """
    axis = summed_axis(call)
    if axis is None:
        return [call]
    x, y = call.args[0], call.out
    n, kind = x.shape[axis], x.dtype
    column = axis and len(y.shape) == len(x.shape)
    shape = (n, 1) if column else (n,)
    if (shape, kind) not in fixed:
        fixed[shape, kind] = Value("constant", np.ones(shape, kind), "ones")
    ones = fixed[shape, kind]
    args = (x, ones) if axis else (ones, x)
    if call.function is not np.mean:
        return [Call(np.matmul, "matmul", args, {}, (y,), None, call.origin)]
    total, number = Value("result", y, y.name), as_value(n, kind, fixed)
    return [
        Call(np.matmul, "matmul", args, {}, (total,), None, call.origin),
        Call(np.divide, "divide", (total, number), {}, (y,), None, call.origin),
    ]


def summed_axis(call: Call) -> int | None:
    """Return along which axis a call sums, if a product can do that as well."""
    if not is_sum(call) and call.function is not np.mean:
        return None
    x, axis = call.args[0], call.options.get("axis")
    axis = axis[0] if type(axis) is tuple and len(axis) == 1 else axis
    usual = set(call.options) <= {"axis", "keepdims"} and not call.args[1:]
    if not usual or type(axis) is not int or type(x) is not Value:
        return None
    axis, last = axis % len(x.shape), len(x.shape) - 1
    float_rows = x.dtype in (np.float32, np.float64) and x.in_rows and x.nbytes
    whole = axis == last and x.shape[axis] <= ROW
    first = axis == 0 and last == 1 and not call.options.get("keepdims")
    return axis if last and float_rows and (whole or first) else None


def summed(call: Call, x: Value, y: Value) -> list[Call] | None:
    """Return calls for the sum of x·y along an axis, None where nothing is gained."""
    axis, keepdims = call.options["axis"], "keepdims" in call.options
    if axis == len(x.shape) - 1:
        if not keepdims:
            return [Call(np.vecdot, "vecdot", (x, y), {}, call.outs, None, call.origin)]
        dot = Value("result", np.empty(x.shape[:-1], call.out.dtype))
        column = call.out.moved_to(dot, None)
        index = (dot, (..., None))
        return [
            Call(np.vecdot, "vecdot", (x, y), {}, (dot,), None, call.origin),
            Call(operator.getitem, "getitem", index, {}, (column,), None, call.origin),
        ]
    if axis == 0 and len(x.shape) == 2 and not keepdims:
        function = np.einsum
        args = ("ij,ij->j", x, y)
        return [Call(function, "einsum", args, {}, call.outs, None, call.origin)]
    return None


PASSES: tuple[Pass, ...] = (
    *(dead_code, no_copies, constants, common, dead_code, numbers),
    *(loops, products, dead_code, blocks, layout, reuse_memory),
)
REORDER_SUMS: tuple[Pass, ...] = (loops, products, layout)
"""What may add the terms of a sum in another order. All others change nothing: what
they leave calculates the same to the last bit."""
