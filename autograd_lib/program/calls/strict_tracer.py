"""The tracer for `compile`: which inputs, writes and questions it allows (chapter 22).

Inputs include Python numbers. Captured arrays may be written into; the recording writes
into copies. Code that asks for concrete numbers gets an error, except the library
itself, whose question becomes a check in the program.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from threading import get_ident
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from autograd_lib.engine.arrays import Making
from autograd_lib.engine.numpy.callers import name_of_function
from autograd_lib.program.calls.traced_number import (
    PYTHON,
    TracedNumber,
    as_array,
    beside,
    calculated,
)
from autograd_lib.program.core.array import TracedArray, item
from autograd_lib.program.core.ir import Value, replaced, values_in
from autograd_lib.program.core.tracer import (
    OF_SHAPES,
    REDUCTIONS,
    WRITERS,
    Refused,
    Tracer,
    differs,
    name_of,
)

THEMSELVES = {np.real, np.squeeze}
THEMSELVES |= {np.atleast_1d, np.atleast_2d, np.atleast_3d}
"""Functions that return their argument itself, or not, regardless of the numbers."""
WEAK = {np.where, np.clip, *WRITERS}
"""Functions, besides ufuncs, in which a Python number takes the others' dtype."""
CONVERTING = {Making.array, Making.asarray, Making.ascontiguousarray}
OF_ONE_SHAPE = {np.einsum, np.clip, *REDUCTIONS, *WRITERS, np.concatenate, np.stack}
OF_ONE_SHAPE |= {np.vdot, np.dot, np.inner, np.outer, np.mean, np.var, np.linalg.norm}
OF_ONE_SHAPE |= {np.cumsum, np.sort, np.argsort, np.argmax, np.argmin, np.std}
OF_ONE_SHAPE |= {np.tensordot, np.take, np.take_along_axis}
"""Functions whose results' shapes and types depend on those of arrays alone; other
results are checked."""
BY_FIRST = {np.transpose, np.reshape, np.broadcast_to, np.expand_dims, np.squeeze}
BY_FIRST |= {np.copy, np.repeat, np.tril, np.triu, np.empty_like, *OF_SHAPES}
BY_FIRST |= {np.moveaxis, np.swapaxes, np.flip, np.roll, np.pad, sliding_window_view}
"""Functions of which that is true if only the first argument is recorded."""
BASIC = (TracedNumber, int, slice, type(None), type(...))
OF_ARRAYS = (
    "what a program does must not depend on the numbers of an array: use np.where for "
    "if, or pass the number that decides as one of Python"
)
OF_ELEMENTS = (
    "an element of an array decides: use np.where for if, or .item() if this one "
    "number decides"
)
OF_NUMBERS = (
    "it would be the recording's at every call: write .item(), which may be returned, "
    "stored, calculated with and compared"
)
CALLED: Any = vars(Making)["called"]
BY_NUMBERS = (np.linalg.LinAlgError, IndexError, ArithmeticError)


def is_readers_own(x: Any) -> bool:
    """Return whether an argument is, or contains, a Python function to be called."""
    if isinstance(x, tuple | list):
        return any(map(is_readers_own, x))
    return callable(x) and not isinstance(x, type | np.ufunc | int)


def is_of_one_shape(function: Any, args: Any, options: Any) -> bool:
    """Return whether other numbers surely give a result of the same shape and type."""
    if function in OF_ONE_SHAPE or options.get("out") is not None:
        return True
    if str(getattr(function, "__module__", "")).startswith("autograd_lib."):
        return True
    if function is np.where:
        return len(args) == 3
    others = values_in((args[1:], options), TracedArray)
    return function in BY_FIRST and not others


def shape_and_type(x: Any) -> tuple[Any, Any]:
    """Return the shape and the dtype of a result."""
    return np.shape(x), np.result_type(x)


def is_traced(x: Any) -> bool:
    """Return whether it is a traced number."""
    return type(x) is TracedNumber


def simple(args: Any) -> bool:
    """Return whether ``x[index]`` is basic indexing, given `x` and the index."""
    index = args[1] if type(args[1]) is tuple else args[1:]
    return all(type(i) in BASIC for i in index)


class StrictTracer(Tracer):
    """Records a function's calls, and refuses what a program couldn't repeat.

    Attributes:
        spoken: how the function makes text of numbers that change, or prints; "" if
            it does not. Then it runs itself, instead of its program.
        shown: numbers of inputs in text; unless it is spoken, they are constants.
        kept: captured arrays that were written into, with their contents before and
            their input values.
        open: whether the recording is in progress.
        refusal: the first refusal; it stands even if the function catches it.
        failed: the first NumPy error that other numbers might not raise.
    """

    def __init__(self, name: str, origins: Any) -> None:
        super().__init__(name, origins)
        self.thread, self.open = get_ident(), True
        self.spoken = ""
        self.shown: list[TracedNumber] = []
        self.kept: list[tuple[TracedArray, np.ndarray, Value]] = []
        self.refusal: Refused | None = None
        self.failed: Exception | None = None

    # Inputs.

    def input(self, array: np.ndarray, name: str, why_not: str) -> TracedArray:
        """Return a traced array for an input."""
        return TracedArray(self, array, Value("input", array, name), why_not)

    def given_number(self, now: Any, name: str) -> TracedNumber:
        """Return a traced number for an input."""
        value = Value("input", np.asarray(now)[()], name)
        return TracedNumber(self, now, value, True)

    def number_made(
        self, function: Any, args: Any, now: Any, options: Any = None
    ) -> Value:
        """Record a call that returns a Python number, and return its value."""
        out = Value("result", np.asarray(now)[()])
        given = self.value(tuple(args)), self.value(options or {})
        return self.add(function, *given, (out,)).out

    def value(self, x: Any) -> Any:
        """Return an argument with values in place of arrays and traced numbers."""
        return x.value if type(x) is TracedNumber else super().value(x)

    def settled(self, args: Any, options: Any, function: Any = None) -> Any:
        """Return arguments with 0-d arrays in place of traced numbers.

        Their dtype is the one of a weakly typed number among these arguments. A
        function that takes numbers otherwise gets the concrete ones, with checks.
        """
        given = args, options
        if not values_in(given, TracedNumber):
            return given
        weak = function is None or isinstance(function, np.ufunc) or function in WEAK
        if not weak and function not in CONVERTING:
            return replaced(given, TracedNumber.asked, TracedNumber)
        if weak:  # numbers in a list are an array of their own
            args = [
                x if is_traced(x) else replaced(x, TracedNumber.asked, TracedNumber)
                for x in args
            ]
            given = tuple(args), options
        dtype = np.result_type(*beside(args)) if weak else None

        def array(n: TracedNumber) -> Any:
            return self.note(as_array, (n, dtype), {}, as_array(n.now, dtype))

        return replaced(given, array, TracedNumber)

    def function(self, function: Any, args: Any, options: Any) -> Any:
        """Execute and record a function, with checks if its shape may vary."""
        if any(map(is_readers_own, (*args, *options.values()))):
            raise self.refused(
                f"{name_of_function(function)} calls a function on bare arrays",
                "call it yourself, on what it is to get",
            )
        writes = function in WRITERS or options.get("out") is not None
        given = [] if writes else values_in((args, options), TracedArray)
        before = [np.array(x.array) for x in given]
        made = super().function(function, args, options)
        for x, a in zip(given, before, strict=True):
            if differs(x.array, a):
                np.copyto(x.array, a)
                raise self.refused(
                    f"{name_of_function(function)} writes into an array that it is "
                    "given",
                    "name out=, or write its result there with y[...] =",
                )
        if is_of_one_shape(function, args, options):
            return made
        real = function is np.real_if_close and made.dtype.kind != "c"
        itself = real or function in THEMSELVES
        if any(made is x for x in given) and not itself:
            raise self.refused(
                f"{name_of_function(function)} returns what it is given",
                "with other numbers it may write into that, or return something else",
            )
        for x in made if isinstance(made, tuple | list) else [made]:
            if type(x) is TracedArray:
                self.check(shape_and_type, x, shape_and_type(x.array))
        return made

    def made(self, function: Any, *args: Any, **options: Any) -> Any:
        """Create an array for the library; refuse a generator without a seed."""
        if function is CALLED:  # a function of Python numbers, run at every call
            return calculated(*args) if any(map(is_traced, args)) else function(*args)
        if function is not np.random.default_rng:
            return super().made(function, *args, **options)
        if args[0] is None:
            raise self.refused(
                "a generator without a seed",
                "its numbers would be those of the recording at every call; draw "
                "outside, and pass them as an argument",
            )
        return function(*args)

    def seen(self, x: TracedArray) -> Value:
        """Return an array's current value, in the recording thread only."""
        if not self.open or self.thread != get_ident():
            raise RuntimeError(
                f"compile({self.name}): an array of the recording is used after it, or "
                "by another thread; what a function makes, it must return, and give "
                "each thread parameters of its own while one of them records"
            )
        return super().seen(x)

    def noted(self, function: Any, args: Any, options: Any) -> Any:
        """Execute and record a call; powers and basic indices take traced numbers."""
        now = args
        if function is operator.pow or (function is operator.getitem and simple(args)):
            now = replaced(args, lambda n: n.now, TracedNumber)
        return self.note(function, args, options, self.run(function, now, options))

    def setitem(self, x: TracedArray, index: Any, value: Any) -> None:
        """Execute and record ``x[index] = value``; the index may be a traced number."""
        several = index if type(index) is tuple else (index,)
        made = self.settled(several, {})[0]
        super().setitem(x, made if type(index) is tuple else made[0], value)

    # Writes.

    def allow(self, function: Any, target: Any) -> None:
        """Refuse a write into an argument.

        Raises:
            Refused: naming the argument.
        """
        super().allow(function, target)
        if target.store.why_not:
            raise self.refused(
                f"{name_of(function)}: a write into {target.store.why_not}",
                "return the new values instead",
            )
        if target.store.outside:
            self.keep(target.owner)

    def keep(self, owner: TracedArray) -> None:
        """Save the contents of captured memory, and use a copy from now on."""
        store = owner.store
        store.outside = False
        self.kept.append((owner, owner.array.copy(), store.value))
        if store.value.order is None and owner.size:
            raise self.refused(
                f"a write into memory of shape {owner.shape} with gaps",
                "keep the numbers in an array of their own",
            )
        store.value = self.noted(np.array, (owner,), {"order": "K"}).seen[1]

    def allow_replacing(self, x: Any) -> None:
        """Refuse to assign ``t.data`` of a tensor that the recording doesn't know.

        Raises:
            RuntimeError: if a thread that isn't recording assigns it, which would be
                undone when the recording ends.
        """
        if self.open and self.thread != get_ident():
            self.seen(x)
        if self.open and type(x) is not TracedArray:
            raise self.refused(
                "it assigns the data of a tensor where no program looks, as in a cache",
                "let the function name the tensor, or pass it as an argument",
            )

    # Requests for concrete numbers, and errors.

    def item(self, x: TracedArray) -> TracedNumber:
        """Return the only element of an array as a traced number."""
        now = item(x.array)
        if type(now) not in PYTHON:
            raise self.refused(f"item of {x.dtype}", "return the array")
        return TracedNumber(self, now, self.number_made(item, (x,), now), False)

    def number(self, x: TracedArray, what: str, of: Callable[[Any], Any]) -> Any:
        """Return a concrete number to the library, or a truth value, with a check."""
        if self.origins.by_library() or (of is bool and self.is_one(x)):
            return super().number(x, what, of)
        way = OF_ARRAYS if x.size > 1 else OF_ELEMENTS if of is bool else OF_NUMBERS
        raise self.refused(f"{what} of a recorded array of shape {x.shape}", way)

    def is_one(self, x: TracedArray) -> bool:
        """Return whether it is one number, not picked from several by an index."""
        if x.size != 1:
            return False
        makers = {v: call for call in self.calls for v in call.outs}
        several = [x.seen[1]]
        while several:
            call = makers.get(several.pop())
            if call is None or call.function in (np.ndarray.item, item):
                continue
            for v in call.operands():
                if v.shape in ((), (1,)):
                    several.append(v)
                elif call.function is operator.getitem:
                    return False
        return True

    def speaks(self, what: str) -> None:
        """Note that the function has to run itself, because it makes text."""
        self.spoken = self.spoken or f"it {what}{self.origins.where()}"

    def text(self, x: TracedArray) -> Any:
        """Return the repr of a traced array."""
        if self.open and self.origins.by_reader():
            self.speaks(f"shows a recorded array of shape {x.shape}")
        return super().text(x) if not self.spoken else repr(x.array)

    def answer(self, function: Any, args: Any, options: Any, result: Any) -> Any:
        """Return a result that isn't an array: a traced number, or text."""
        if type(result) is str:
            if self.origins.by_reader():
                self.speaks(f"makes text of arrays with {name_of_function(function)}")
            return result
        if self.origins.by_library():
            return super().answer(function, args, options, result)
        if type(result) in PYTHON:
            value = self.number_made(function, args, result, options)
            return TracedNumber(self, result, value, False)
        raise self.refused(
            f"{name_of_function(function)} of recorded arrays",
            "what a program does must not depend on the numbers; return them, and "
            "look at them outside",
        )

    def applied(self, function: Any, args: Any, options: Any) -> Any:
        """Call a NumPy function, and note an error that depends on the numbers."""
        try:
            return super().applied(function, args, options)
        except Refused:
            raise
        except Exception as error:
            if isinstance(error, BY_NUMBERS) or not self.origins.by_library():
                self.failed = self.failed or error
            raise

    def refused(self, what: str, way: str) -> Refused:
        """Return an error that names the caller's line, and note the first one."""
        error = super().refused(what, way)
        self.refusal = self.refusal or error
        return error
