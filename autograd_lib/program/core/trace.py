"""The calls of NumPy, noted while a function runs once (chapter 24).

Forward and backward are calculated with NumPy, and the rules are pure. So noting each
call that a recorded array gets sees both, without a table of operations and without a
second set of rules. A call is noted with the values that its arrays show at that
moment; what it returns is a new value, or a view if it shows memory that is there.
"""

from __future__ import annotations

import operator
from threading import get_ident
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.program.calls.number import PYTHON, TracedNumber
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.graph import Call, Value, replaced, values_in
from autograd_lib.program.core.numpy_calls import (
    Picked,
    arrays_in,
    differs,
    like,
    plain,
)
from autograd_lib.program.words.origins import Origins, asked_by_library, where

BY_NUMBERS = (np.linalg.LinAlgError, IndexError, ArithmeticError)


class Refused(TypeError):
    """Says what of a function cannot be made a program, and what to write instead."""


def beside(x: Any) -> list[Any]:
    """Return the types of arrays in arguments, and the numbers of Python there."""
    if type(x) is tuple or type(x) is list:
        return [kind for item in x for kind in beside(item)]
    if type(x) is TracedNumber:
        return [x.now]
    if type(x) in PYTHON:
        return [x]
    return [x.dtype] if hasattr(x, "dtype") else []


def as_array(number: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """Return a number of Python as an array without axes."""
    return np.array(number, dtype)


class Trace:
    """The calls that recorded arrays have got.

    Attributes:
        calls: so far.
        pinned: the places of numbers that were asked what they are.
        kept: arrays from outside that were written into, what they held, and which
            inputs they are.
        origins: which knows where they come from.
        open: whether the recording goes on.
        refusal: the first that was raised; to catch it does not help.
        failed: the first error of NumPy's that may not come with other numbers.
    """

    def __init__(self, name: str) -> None:
        self.calls: list[Call] = []
        self.name, self.origins = name, Origins()
        self.thread, self.open = get_ident(), True
        self.refusal: Refused | None = None
        self.failed: Exception | None = None
        self.constants: dict[int, tuple[Any, Value]] = {}
        self.pinned: set[Any] = set()
        self.kept: list[tuple[TracedArray, np.ndarray, Value]] = []

    # Values.

    def input(self, array: np.ndarray, name: str, why_not: str) -> TracedArray:
        """Return a recorded array for something that is given at each call."""
        return TracedArray(self, array, Value("input", array, name), why_not)

    def value(self, x: Any) -> Any:
        """Return an argument with values for all arrays in it."""
        if type(x) is TracedArray:
            return self.seen(x)
        if type(x) is TracedNumber:
            return x.value
        if isinstance(x, np.ndarray):
            known = self.constants.get(id(x))
            if known is None or (x.flags.writeable and differs(x, known[1].array)):
                known = x, Value("constant", np.array(x, order="K"))
                self.constants[id(x)] = known
            return known[1]
        if type(x) is tuple or type(x) is list:
            return type(x)(map(self.value, x))
        if type(x) is slice:
            ends = (x.start, x.stop, x.step)
            return slice(*[e if e is None else operator.index(e) for e in ends])
        return x

    def given_number(self, now: Any, name: str, place: Any) -> TracedNumber:
        """Return what stands for a number that is given at each call."""
        value = Value("input", np.asarray(now)[()], name)
        return TracedNumber(self, now, value, frozenset((place,)))

    def number_made(self, function: Any, args: Any, now: Any) -> Value:
        """Note a calculation of Python, and return the value of its result."""
        out = Value("result", np.asarray(now)[()])
        call = Call(function, function.__name__, self.value(tuple(args)), {}, (out,))
        call.origin = self.origins.here()
        self.calls.append(call)
        return out

    def settled(self, x: Any, options: Any) -> Any:
        """Return arguments with arrays for numbers that are given.

        They have the type that NumPy gives a number of Python beside these arguments.
        """
        if next(values_in((x, options), TracedNumber), None) is None:
            return x, options
        dtype = np.result_type(*beside(x))

        def array(n: TracedNumber) -> Any:
            made = as_array(n.now, dtype)
            return self.note(as_array, "as_array", (n, dtype), {}, made)

        return replaced((x, options), array, TracedNumber)

    def seen(self, x: TracedArray) -> Value:
        """Return the value that an array shows now: memory may have been written to."""
        if not self.open or self.thread != get_ident():
            raise RuntimeError(
                f"compile({self.name}): an array of the recording is used after it, or "
                "by another thread; what a function makes, it must return, and give "
                "each thread parameters of its own while one of them records"
            )
        whole, view = x.seen
        if whole is not x.store.value:
            view = whole = x.store.value
            step: Call
            for step in x.path:
                view = self.again(step, view)
            x.seen = whole, view
        seen: Value = view
        return seen

    def again(self, call: Call, base: Value) -> Value:
        """Note the call that made a view once more, for other memory."""
        before = call.out.base
        call = call.with_values(lambda v: base if v is before else v)
        call.outs = (call.out.moved_to(base, None),)
        call.origin = self.origins.here()
        self.calls.append(call)
        return call.out

    # Calls.

    def note(
        self, function: Any, name: str, args: Any, options: Any, result: Any
    ) -> Any:
        """Note a call that returned `result`, and return that as it is recorded."""
        several = isinstance(result, tuple | list)
        given = arrays_in((args, options))
        views = several and any(self.viewed(r, given) is not None for r in result)
        if views or (several and len(result) == 1):
            picked = [
                self.note(Picked(function, k), name, args, options, r)
                for k, r in enumerate(result)
            ]
            return like(result, picked)
        if isinstance(result, np.ndarray) and any(x.array is result for x in given):
            return next(x for x in given if x.array is result)
        results = list(result) if several else [result]
        made = [self.fresh(r, given) for r in results]
        outs = tuple([x.seen[1] for x in made])
        call = Call(function, name, self.value(tuple(args)), self.values(options), outs)
        call.origin = self.origins.here()
        self.calls.append(call)
        for x in made:
            if x.path:
                x.path = (*x.path[:-1], call)
        return like(result, made) if several else made[0]

    def values(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return options with values for arrays."""
        return {key: self.value(x) for key, x in options.items()}

    def viewed(self, r: Any, given: list[TracedArray]) -> TracedArray | None:
        """Return the operand whose memory a result shows, if it does."""
        if isinstance(r, np.ndarray) and r.size:
            memory = memory_of(r)
            return next((x for x in given if memory_of(x.array) is memory), None)
        return None

    def fresh(self, r: Any, given: list[TracedArray]) -> TracedArray:
        """Return a recorded array for a result: of new memory, or a view."""
        x = self.viewed(r, given)
        if x is None:
            return TracedArray(self, r, Value("result", r))
        y = TracedArray(self, r, None)
        y.store, y.path = x.store, (*x.path, None)
        y.seen = (x.store.value, Value("result", r, base=self.seen(x)))
        return y

    def refused(self, what: str, way: str) -> Refused:
        """Return an error that names the reader's line."""
        error = Refused(f"compile({self.name}): {what}{where()}: {way}")
        self.refusal = self.refusal or error
        return error

    def run(self, function: Any, args: Any, options: Any) -> Any:
        """Call a function of NumPy with the arrays of recorded ones."""
        try:
            return function(*plain(tuple(args)), **plain(options))
        except Refused:
            raise
        except Exception as error:
            by_numbers = isinstance(error, BY_NUMBERS) or not asked_by_library()
            self.failed = self.failed or (error if by_numbers else None)
            raise
