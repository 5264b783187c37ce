"""The tracer for `compile`: which inputs, writes and questions it allows (chapter 24).

Inputs include Python numbers. Captured arrays may be written into; the recording writes
into copies. Code that asks for concrete numbers gets an error, except the library
itself, whose question becomes a check in the program.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.callers import name_of_function
from autograd_lib.program.calls.number import TracedNumber, as_array, beside
from autograd_lib.program.calls.trials import serves, varies
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.ir import Value, replaced, values_in
from autograd_lib.program.core.tracer import (
    WRITERS,
    Refused,
    Tracer,
    differs,
    name_of,
)

ROWS = 1000  # most iterations of a loop over the rows of a captured array
THEMSELVES = {np.real, np.real_if_close, np.squeeze}
THEMSELVES |= {np.atleast_1d, np.atleast_2d, np.atleast_3d}
"""Functions that return their argument itself, or not, regardless of the numbers."""
BASIC = (TracedNumber, int, slice, type(None), type(...))
BY_NUMBERS = (np.linalg.LinAlgError, IndexError, ArithmeticError)


def is_readers_own(x: Any) -> bool:
    """Return whether an argument is, or contains, a Python function to be called."""
    if isinstance(x, tuple | list):
        return any(map(is_readers_own, x))
    return callable(x) and not isinstance(x, type | np.ufunc)


def simple(args: Any) -> bool:
    """Return whether ``x[index]`` is basic indexing, given `x` and the index."""
    index = args[1] if type(args[1]) is tuple else args[1:]
    return all(type(i) in BASIC for i in index)


class Recorder(Tracer):
    """Records a function's calls, and refuses what a program couldn't repeat.

    Attributes:
        pinned: the places of numbers that the function asked for.
        kept: captured arrays that were written into, with their contents before and
            their input values.
        open: whether the recording is in progress.
        refusal: the first refusal; it stands even if the function catches it.
        failed: the first NumPy error that other numbers might not raise.
    """

    def __init__(self, name: str, origins: Any) -> None:
        super().__init__(name, origins)
        self.thread, self.open = get_ident(), True
        self.pinned: set[Any] = set()
        self.kept: list[tuple[TracedArray, np.ndarray, Value]] = []
        self.refusal: Refused | None = None
        self.failed: Exception | None = None

    # Inputs.

    def input(self, array: np.ndarray, name: str, why_not: str) -> TracedArray:
        """Return a traced array for an input."""
        return TracedArray(self, array, Value("input", array, name), why_not)

    def given_number(self, now: Any, name: str, place: Any) -> TracedNumber:
        """Return a traced number for an input."""
        value = Value("input", np.asarray(now)[()], name)
        return TracedNumber(self, now, value, frozenset((place,)))

    def number_made(self, function: Any, args: Any, now: Any) -> Value:
        """Record arithmetic on Python numbers, and return the value of its result."""
        out = Value("result", np.asarray(now)[()])
        return self.add(function, self.value(tuple(args)), {}, (out,)).out

    def value(self, x: Any) -> Any:
        """Return an argument with values in place of arrays and traced numbers."""
        return x.value if type(x) is TracedNumber else super().value(x)

    def settled(self, args: Any, options: Any, function: Any = None) -> Any:
        """Return arguments with 0-d arrays in place of traced numbers.

        Their dtype is the one of a weakly typed number among these arguments, or else
        NumPy's default for it, whichever leaves the result of `function` unchanged. If
        neither does, the concrete numbers are used and so pinned.
        """
        given = args, options
        if next(values_in(given, TracedNumber), None) is None:
            return given

        def array(n: TracedNumber) -> Any:
            return self.note(as_array, (n, dtype), {}, as_array(n.now, dtype))

        for dtype in (np.result_type(*beside(args)), None):
            if function is None or serves(function, given, dtype):
                return replaced(given, array, TracedNumber)
        return replaced(given, TracedNumber.asked, TracedNumber)

    def function(self, function: Any, args: Any, options: Any) -> Any:
        """Execute and record a function, with checks if its shape may vary."""
        if any(map(is_readers_own, (*args, *options.values()))):
            raise self.refused(
                f"{name_of_function(function)} calls a function on bare arrays",
                "call it yourself, on what it is to get",
            )
        writes = function in WRITERS or options.get("out") is not None
        given = [] if writes else list(values_in((args, options), TracedArray))
        before = [np.array(x.array) for x in given]
        made = super().function(function, args, options)
        self.unwritten(function, given, before)
        several = made if isinstance(made, tuple | list) else [made]
        arrays = [x for x in several if type(x) is TracedArray]
        found = [x.array for x in arrays]
        other = bool(arrays) and varies(function, args, options, found)
        if any(made is x for x in given) and (other or function not in THEMSELVES):
            raise self.refused(
                f"{name_of_function(function)} returns what it is given",
                "with other numbers it may write into that, or return something else",
            )
        for x in arrays if other else ():
            self.check(np.shape, x, x.shape)
            self.check(np.result_type, x, x.dtype)
        return made

    def unwritten(self, function: Any, given: list[TracedArray], before: Any) -> None:
        """Refuse a function that has written into its arguments unannounced.

        Raises:
            Refused: with the arrays restored.
        """
        pairs = [(x.array, a) for x, a in zip(given, before, strict=True)]
        if any(differs(x, a) for x, a in pairs):
            for x, a in pairs:
                np.copyto(x, a)
            raise self.refused(
                f"{name_of_function(function)} writes into an array that it is given",
                "name out=, or write its result there with y[...] =",
            )

    def made(self, function: Any, *args: Any, **options: Any) -> Any:
        """Create an array for the library; refuse a generator without a seed."""
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
        super().setitem(x, self.settled(index, {})[0], value)

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

    def allow_replacing(self, x: TracedArray) -> None:
        """Raise RuntimeError if a thread that is not recording assigns ``t.data``.

        It would be undone when the recording ends.
        """
        if self.open and self.thread != get_ident():
            self.seen(x)

    # Requests for concrete numbers, and errors.

    def rows(self, x: TracedArray) -> Iterator[Any]:
        """Iterate over the rows of an array, unless it is captured and long."""
        found = x.store.outside and not x.store.why_not
        if found and len(x.array) > ROWS:  # as a constant it isn't unrolled
            raise self.refused(
                f"a loop over {len(x.array)} rows of an array that it finds",
                "take a function of NumPy for all of them",
            )
        return super().rows(x)

    def number(self, x: TracedArray, what: str, of: Callable[[Any], Any]) -> Any:
        """Return a concrete number to the library itself, with a check."""
        if not self.origins.by_library():
            raise self.refused(
                f"{what} of a recorded array of shape {x.shape}",
                "what a program does must not depend on the numbers: use np.where for "
                "if, or name the argument that decides in static=",
            )
        return super().number(x, what, of)

    def text(self, x: TracedArray) -> Any:
        """Return the repr of a traced array, unless the function itself asks for it."""
        words = super().text(x)
        return self.answer(repr, (x,), {}, words) if self.open else words

    def answer(self, function: Any, args: Any, options: Any, result: Any) -> Any:
        """Return a result that isn't an array to the library, with a check."""
        text = type(result) is str  # allowed in messages and debuggers
        if self.origins.by_reader() if text else not self.origins.by_library():
            raise self.refused(
                f"{name_of_function(function)} of recorded arrays",
                "what a program does must not depend on the numbers; return them, and "
                "look at them outside",
            )
        return result if text else super().answer(function, args, options, result)

    def run(self, function: Any, args: Any, options: Any) -> Any:
        """Call a NumPy function, and note an error that depends on the numbers."""
        try:
            return super().run(function, args, options)
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
