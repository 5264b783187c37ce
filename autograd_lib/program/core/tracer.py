"""A tracer of NumPy calls, for one run of a function (chapter 22).

The forward and the backward pass are computed with NumPy, and the rules are pure. So
recording every NumPy call on traced arrays captures both, without a table of operations
or a second set of rules. A call is recorded with the current values of its arrays; its
result is a new value, or a view if it shares memory with an operand. Where the library
asks for a concrete number, the program gets a check that the number is still the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, update_wrapper
from inspect import signature
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from autograd_lib.engine.arrays import Making, maker
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.program.core.array import TracedArray, item, plain
from autograd_lib.program.core.ir import Call, Picked, Value, applied, values_in


class Refused(TypeError):
    """Says why a function can't be compiled, and what to write instead."""


class Changed(Exception):
    """Raised by a program whose recorded checks fail for these numbers."""


class Tracer:
    """Executes and records the calls on traced arrays.

    A subclass decides which writes and questions are allowed, and what else is traced.
    """

    def __init__(self, name: str, origins: Any) -> None:
        self.calls: list[Call] = []
        self.name, self.origins = name, origins
        self.constants: dict[int, tuple[Any, Value]] = {}

    @contextmanager
    def making(self) -> Iterator[None]:
        """Record the arrays that the library creates in this thread."""
        functions = {name: f for name, f in vars(Making).items() if callable(f)}
        made = {name: partial(self.made, f) for name, f in functions.items()}
        token = maker.set(SimpleNamespace(**made))  # type: ignore[arg-type]
        try:
            yield
        finally:
            maker.reset(token)

    # Values.

    def value(self, x: Any) -> Any:
        """Return an argument with values in place of all arrays."""
        if type(x) is TracedArray:
            return self.seen(x)
        if isinstance(x, np.ndarray):
            known = self.constants.get(id(x))
            if known is None or (x.flags.writeable and differs(x, known[1].array)):
                known = self.constants[id(x)] = (
                    x,
                    Value("constant", np.array(x, order="K")),
                )
            return known[1]
        if type(x) is tuple or type(x) is list:
            return type(x)(map(self.value, x))
        if type(x) is dict:
            return {key: self.value(item) for key, item in x.items()}
        if type(x) is slice:
            ends = (x.start, x.stop, x.step)
            return slice(*[e if e is None else operator.index(e) for e in ends])
        if isinstance(x, int) and type(x) is not bool:
            return int(x)  # `t.size` is of a subclass
        return x

    def settled(self, args: Any, options: Any, function: Any = None) -> Any:
        """Return arguments unchanged; a subclass converts some to arrays."""
        return args, options

    def seen(self, x: TracedArray) -> Value:
        """Return an array's current value; its buffer may have been written to."""
        whole, view = x.seen
        if whole is not x.store.value:
            view = whole = x.store.value
            for step in x.path:
                view = self.again(step, view)
            x.seen = whole, view
        return view  # type: ignore[no-any-return]

    def again(self, call: Call, base: Value) -> Value:
        """Record the call that made a view again, for the new value of its base."""
        before, out = call.out.base, call.out.moved_to(base, None)
        call = call.with_values(lambda v: base if v is before else v)
        return self.add(call.function, call.args, call.options, (out,)).out

    # Calls.

    def add(
        self, function: Any, args: Any, options: Any, outs: Any, into: Any = None
    ) -> Call:
        """Add a call of values."""
        origin = self.origins.here()
        call = Call(function, name_of(function), args, options, outs, into, origin)
        self.calls.append(call)
        return call

    def run(self, function: Any, args: Any, options: Any) -> Any:
        """Call a NumPy function on the concrete arrays."""
        return self.applied(function, plain(tuple(args)), plain(options))

    def applied(self, function: Any, args: Any, options: Any) -> Any:
        """Call a NumPy function on concrete arrays; a subclass looks at its errors."""
        return applied(function, args, options)

    def note(self, function: Any, args: Any, options: Any, result: Any) -> Any:
        """Record a call that returned `result`, and return the traced result."""
        given = values_in((args, options), TracedArray)
        several = isinstance(result, tuple | list)
        results = list(result) if several else [result]
        views = several and any(self.viewed(r, given) is not None for r in results)
        if views or (several and len(results) == 1):
            picked = [
                self.note(Picked(function, k), args, options, r)
                for k, r in enumerate(results)
            ]
            return like(result, picked)
        if isinstance(result, np.ndarray) and any(x.array is result for x in given):
            return next(x for x in given if x.array is result)
        made = [self.fresh(r, given) for r in results]
        outs = tuple([x.seen[1] for x in made])
        call = self.add(function, self.value(tuple(args)), self.value(options), outs)
        for x in made:
            if x.path:
                x.path = (*x.path[:-1], call)
        return like(result, made) if several else made[0]

    def noted(self, function: Any, args: Any, options: Any) -> Any:
        """Execute and record a call."""
        return self.note(function, args, options, self.run(function, args, options))

    def viewed(self, r: Any, given: list[TracedArray]) -> TracedArray | None:
        """Return the operand whose memory a result shares, if any."""
        if isinstance(r, np.ndarray):
            memory = memory_of(r)
            return next((x for x in given if memory_of(x.array) is memory), None)
        return None

    def fresh(self, r: Any, given: list[TracedArray]) -> TracedArray:
        """Return a traced array for a result: a new buffer, or a view of an operand."""
        x = self.viewed(r, given)
        if x is None:
            return TracedArray(self, r, Value("result", r))
        y = TracedArray(self, r, None)
        y.store, y.base, y.path = x.store, x.owner, (*x.path, None)
        y.seen = (x.store.value, Value("result", r, base=self.seen(x)))
        return y

    # Operations on traced arrays.

    def made(self, function: Any, *args: Any, **options: Any) -> Any:
        """Create an array for the library, traced unless it only converts constants."""
        copied = function is np.array and type(args[0]) is np.ndarray
        inside = values_in(args, TracedArray)
        if function in OF_ANYTHING and not copied and not inside:
            return function(*args, **options)
        plain = function is np.asarray and not (options or args[1:])
        if plain and type(args[0]) is TracedArray and not args[0].is_number:
            return args[0]  # the library makes sure of most arrays in this way
        return self.noted(function, *self.settled(args, options, function))

    def plain_ufunc(self, ufunc: np.ufunc, inputs: Any) -> TracedArray:
        """Execute and record a ufunc of arrays and numbers, as `ufunc` does; faster.

        There are no options, and nothing has to be done to the operands.
        """
        given = [x.array if type(x) is TracedArray else x for x in inputs]
        result = self.applied(ufunc, given, {})
        out = Value("result", result)
        args = tuple([self.seen(x) if type(x) is TracedArray else x for x in inputs])
        self.add(ufunc, args, {}, (out,))
        return TracedArray(self, result, out)

    def ufunc(self, ufunc: Any, method: str, inputs: Any, options: Any) -> Any:
        """Execute and record a ufunc, or one of its methods."""
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        told = None if method == "at" else function
        inputs, options = self.settled(inputs, options, told)
        options = {k: v for k, v in options.items() if not usual(k, v)}
        if method == "at":
            return self.write(function, inputs, options)
        out = options.pop("out", (None,))
        if method == "reduce":
            options = tidy(options, inputs[0], ufunc)
        if len(out) > 1:
            raise self.refused(
                ufunc.__name__, "with several results it takes no out=; leave it out"
            )
        immutable = getattr(out[0], "is_number", False)  # `y += 1` then rebinds y
        if out[0] is None or immutable:
            return self.noted(function, inputs, options)
        return self.written(function, inputs, options, out[0])

    def function(self, function: Any, args: Any, options: Any) -> Any:
        """Execute and record any other NumPy function."""
        told = None if function in WRITERS else function
        args, options = self.settled(args, options, told)
        if function in REDUCTIONS:
            given = signature(function).bind(*args, **options).arguments
            if type(given["a"]) is TracedArray:
                a = given.pop("a")
                return REDUCTIONS[function].reduce(a, **{"axis": None, **given})
        if function in WRITERS:
            return self.write(function, args, options)
        out = options.get("out")
        if out is not None:
            rest = {k: v for k, v in options.items() if k != "out"}
            return self.written(function, args, rest, out)
        function = diagonal if function is np.diagonal else function
        result = self.run(function, args, options)
        if function in OF_SHAPES:
            return result
        several = isinstance(result, tuple | list)
        parts = result if several else [result]
        if not all(isinstance(r, np.ndarray | np.generic) for r in parts):
            return self.answer(function, args, options, result)
        return self.note(function, args, options, result)

    def method(self, name: str, x: TracedArray, *args: Any, **options: Any) -> Any:
        """Execute and record an array method."""
        return self.noted(getattr(np.ndarray, name), (x, *args), options)

    def getitem(self, x: TracedArray, index: Any) -> Any:
        """Execute and record ``x[index]``."""
        y = self.noted(operator.getitem, (x, index), {})
        several = index if type(index) is tuple else (index,)
        if any(type(i) is TracedArray and i.dtype == bool for i in several):
            self.check(np.shape, y, y.shape)
        return y

    def setitem(self, x: TracedArray, index: Any, value: Any) -> None:
        """Execute and record ``x[index] = value``."""
        if type(value) is TracedArray and value.store is x.store:
            part = self.run(operator.getitem, (x, index), {})
            if part.__array_interface__ == value.array.__array_interface__:
                return  # x[index] += g has already added in place
        free = not (x.path or x.store.why_not or x.store.outside)
        whole = index is Ellipsis and free and x.array.flags.c_contiguous
        if whole and type(value) in (int, float):
            x.array[...] = value
            y = self.noted(np.full, (x.shape, value, x.dtype), {})
            x.store.value = y.seen[1]
            return
        self.write(operator.setitem, (x, index, value), {})

    # Writes.

    def write(self, function: Any, args: Any, options: Any) -> None:
        """Execute and record a call that writes into its first argument."""
        self.allow(function, args[0])
        args, options = self.settled(args, options)
        given = self.value(tuple(args)), self.value(options)
        self.run(function, args, options)
        self.overwritten(args[0], function, *given)

    def overwritten(
        self, x: TracedArray, function: Any, args: Any, options: Any
    ) -> None:
        """Record a call that wrote into a buffer, which gives that a new value."""
        store, into = x.store, self.seen(x)
        new = Value("result", x.owner.array)
        new.before = store.value
        self.add(function, args, options, (new,), into)
        store.value = new

    def written(self, function: Any, args: Any, options: Any, out: Any) -> Any:
        """Execute and record a call with ``out=``."""
        self.allow(function, out)
        casting = options.pop("casting", "same_kind")
        if function.__name__ == "reduce":
            options = {"dtype": out.dtype, **options}
        part = out.path and isinstance(function, np.ufunc) and casting == "same_kind"
        if part or "where" in options:  # elements that are left out stay as they are
            given = self.value(tuple(args)), self.value(options)
            self.run(function, args, {**options, "out": out.array})
            self.overwritten(out, function, *given)
            return out
        # Nothing is recorded if the result can't be cast to what `out` holds.
        self.run(function, args, {**options, "out": np.empty_like(out.array)})
        result = self.run(function, args, options)
        y = self.note(function, args, options, result)
        if y.is_number:  # a view of a scalar would be a copy
            y = self.noted(np.asarray, (y,), {})
        fits = (y.shape, y.dtype, y.strides) == (out.shape, out.dtype, out.strides)
        if out.path or not fits:
            self.write(np.copyto, (out, y), {"casting": casting})
            return out
        np.copyto(out.array, result)
        out.store.value = y.seen[1]
        return out

    def allow(self, function: Any, target: Any) -> None:
        """Refuse a write of traced numbers into a plain array."""
        if type(target) is not TracedArray:
            raise self.refused(
                name_of(function)
                + ": a write of recorded numbers into an array of NumPy",
                "make the array inside the function with np.zeros_like(x, shape=…) of "
                "a recorded x, or put it together with np.stack",
            )

    # Requests for concrete numbers.

    def rows(self, x: TracedArray) -> Iterator[Any]:
        """Iterate over the rows of an array."""
        return (x[i] for i in range(len(x.array)))

    def number(self, x: TracedArray, what: str, of: Callable[[Any], Any]) -> Any:
        """Return a concrete number, and let the program check that it is the same."""
        number = of(x.array)
        self.check(of, x, number)
        return number

    def item(self, x: TracedArray) -> Any:
        """Return the only element of an array as a concrete Python number."""
        return self.number(x, "item", item)

    def text(self, x: TracedArray) -> str:
        """Return the repr of a traced array."""
        return f"<recorded array of shape {x.shape} and {x.dtype}>"

    def answer(self, function: Any, args: Any, options: Any, result: Any) -> Any:
        """Return a NumPy function's result that isn't an array, with a check."""
        self.check(update_wrapper(partial(function, **options), function), args, result)
        return result

    def check(self, of: Any, args: Any, expected: Any) -> None:
        """Record a check that a function returns the same at each call."""
        given = args if type(args) is tuple else (args,)
        self.add(check, self.value((of, expected, *given)), {}, ())

    def refused(self, what: str, way: str) -> Refused:
        """Return an error that names the line of the caller's code."""
        return Refused(f"compile({self.name}): {what}{self.origins.where()}: {way}")


def check(of: Callable[..., Any], expected: Any, *args: Any) -> None:
    """Raise Changed if a function returns something else than in the recording."""
    found = of(*args)
    if found != expected and not (found != found and expected != expected):
        raise Changed(f"{getattr(of, '__name__', of)} was {expected}, is {found}")


def differs(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays of equal shape differ in any bit."""
    return a.tobytes() != b.tobytes()


def like(result: Any, parts: list[Any]) -> Any:
    """Return parts in a list or (named) tuple of the type of `result`."""
    return result._make(parts) if hasattr(result, "_make") else type(result)(parts)


def name_of(function: Any) -> str:
    """Return the name of a function, such as "sum" or "add.reduce"."""
    owner = getattr(function, "__self__", None)
    name: str = function.__name__
    return f"{owner.__name__}.{name}" if isinstance(owner, np.ufunc) else name


# Facts about NumPy functions.

OF_ANYTHING = (np.array, np.asarray, np.ascontiguousarray)
REDUCTIONS: dict[Any, np.ufunc] = {np.sum: np.add, np.prod: np.multiply}
REDUCTIONS |= {np.max: np.maximum, np.min: np.minimum}
REDUCTIONS |= {np.any: np.logical_or, np.all: np.logical_and}
OF_SHAPES: tuple[Any, ...] = (
    *(np.shape, np.ndim, np.size, np.may_share_memory, np.shares_memory),
    *(np.result_type, np.can_cast, np.iscomplexobj, np.isrealobj),
)
WRITERS = (np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal)
USUAL = {"subok": True, "where": True, "order": "K", "casting": "same_kind"}
USUAL |= {"dtype": None, "keepdims": False, "initial": None}


def diagonal(a: np.ndarray, *place: int, **options: int) -> np.ndarray:
    """Return a diagonal as a writable view, unlike NumPy's."""
    part = a.diagonal(*place, **options)
    part.flags.writeable = a.flags.writeable
    return part


def usual(key: str, value: Any) -> bool:
    """Return whether an option has its default value."""
    if value is np._NoValue:
        return True
    return key in USUAL and type(value) is type(USUAL[key]) and value == USUAL[key]


def tidy(options: dict[str, Any], a: Any, ufunc: np.ufunc) -> dict[str, Any]:
    """Return the options of a reduction in canonical form."""
    axis, ndim = options.pop("axis", 0), np.ndim(a)
    if axis is not None and ndim:
        several = axis if isinstance(axis, tuple) else (axis,)
        axes = normalize_axis_tuple(tuple(map(operator.index, several)), ndim)
        axis = None if len(axes) == ndim else axes[0] if len(axes) == 1 else axes
    if "dtype" in options:
        options["dtype"] = np.dtype(options["dtype"])
    if ufunc is np.maximum and options.get("initial") == -np.inf and np.size(a):
        del options["initial"]
    return {"axis": axis, **options}
