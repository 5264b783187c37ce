"""The tracer of a call: what is given, what may be written, who may ask (chapter 24).

Numbers of Python are among what is given. What is from outside may be written into, in
a copy, until the recording ends. Who asks for numbers is refused in words, but for the
library itself, whose question the program asks again.
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
from autograd_lib.program.core.array import Store, TracedArray
from autograd_lib.program.core.graph import Value, replaced, values_in
from autograd_lib.program.core.tracer import (
    WRITERS,
    Refused,
    Tracer,
    differs,
    name_of,
)

ROWS = 1000  # of an array that a function finds, which it may go through one by one
THEMSELVES = {np.real, np.real_if_close, np.squeeze}
THEMSELVES |= {np.atleast_1d, np.atleast_2d, np.atleast_3d}
"""Functions that always return an argument itself, if they do once."""
BASIC = (TracedNumber, int, slice, type(None), type(...))
BY_NUMBERS = (np.linalg.LinAlgError, IndexError, ArithmeticError)


def is_readers_own(x: Any) -> bool:
    """Return whether a function of Python is among what NumPy is to call."""
    if isinstance(x, tuple | list):
        return any(map(is_readers_own, x))
    return callable(x) and not isinstance(x, type | np.ufunc)


def simple(args: Any) -> bool:
    """Return whether ``x[index]``, of these two, takes one part of an array."""
    index = args[1] if type(args[1]) is tuple else args[1:]
    return all(type(i) in BASIC for i in index)


class Recorder(Tracer):
    """Notes what a function does, as long as that can be a program.

    Attributes:
        pinned: the places of numbers that were asked what they are.
        kept: arrays from outside that were written into, what they held, and which
            inputs they are.
        open: whether the recording goes on.
        refusal: the first that was raised; to catch it does not help.
        failed: the first error of NumPy's that may not come with other numbers.
    """

    def __init__(self, name: str, origins: Any) -> None:
        super().__init__(name, origins)
        self.thread, self.open = get_ident(), True
        self.pinned: set[Any] = set()
        self.kept: list[tuple[TracedArray, np.ndarray, Value]] = []
        self.refusal: Refused | None = None
        self.failed: Exception | None = None

    # What is given.

    def input(self, array: np.ndarray, name: str, why_not: str) -> TracedArray:
        """Return a recorded array for something that is given at each call."""
        return TracedArray(self, array, Value("input", array, name), why_not)

    def given_number(self, now: Any, name: str, place: Any) -> TracedNumber:
        """Return what stands for a number that is given at each call."""
        value = Value("input", np.asarray(now)[()], name)
        return TracedNumber(self, now, value, frozenset((place,)))

    def number_made(self, function: Any, args: Any, now: Any) -> Value:
        """Note a calculation of Python, and return the value of its result."""
        out = Value("result", np.asarray(now)[()])
        return self.add(function, self.value(tuple(args)), {}, (out,)).out

    def value(self, x: Any) -> Any:
        """Return an argument with values for all arrays and numbers in it."""
        return x.value if type(x) is TracedNumber else super().value(x)

    def settled(self, args: Any, options: Any, function: Any = None) -> Any:
        """Return arguments with arrays for numbers that are given.

        They have the type that NumPy gives a number of Python beside these arguments,
        or else the one that it has alone: by it the function, if that is told, returns
        what it returns of the numbers. Where neither does, they are asked.
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
        """Calculate and note a function; what may come out otherwise is checked."""
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
        """Refuse a function that has written into its arguments without a word.

        Raises:
            Refused: with the arrays as they were.
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
        """Return what the library makes, unless that draws without a seed."""
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
        """Return the value that an array shows now, while it is recorded."""
        if not self.open or self.thread != get_ident():
            raise RuntimeError(
                f"compile({self.name}): an array of the recording is used after it, or "
                "by another thread; what a function makes, it must return, and give "
                "each thread parameters of its own while one of them records"
            )
        return super().seen(x)

    def noted(self, function: Any, args: Any, options: Any) -> Any:
        """Make and note a call, of an operator with the numbers that are given."""
        now = args
        if function is operator.pow or (function is operator.getitem and simple(args)):
            now = replaced(args, lambda n: n.now, TracedNumber)
        return self.note(function, args, options, self.run(function, now, options))

    def setitem(self, x: TracedArray, index: Any, value: Any) -> None:
        """Do and note ``x[index] = value``, with numbers that are given as places."""
        super().setitem(x, self.settled(index, {})[0], value)

    # What may be written.

    def allow(self, function: Any, target: Any) -> None:
        """Refuse a write into what the caller can see.

        Raises:
            Refused: naming what it is.
        """
        super().allow(function, target)
        if target.store.why_not:
            raise self.refused(
                f"{name_of(function)}: a write into {target.store.why_not}",
                "return the new values instead",
            )
        if target.store.outside:
            self.keep(target.store)

    def keep(self, store: Store) -> None:
        """Note what memory from outside holds, and write into a copy from now on."""
        owner, store.outside = store.owner, False
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

    # Who may ask, and what goes wrong.

    def rows(self, x: TracedArray) -> Iterator[Any]:
        """Return the rows of an array, unless they are many of one that it finds."""
        found = x.store.outside and not x.store.why_not
        if found and len(x.array) > ROWS:  # it may be a constant, and then they are
            raise self.refused(
                f"a loop over {len(x.array)} rows of an array that it finds",
                "take a function of NumPy for all of them",
            )
        return super().rows(x)

    def number(self, x: TracedArray, what: str, of: Callable[[Any], Any]) -> Any:
        """Return a number for the library itself, which the program then checks."""
        if not self.origins.by_library():
            raise self.refused(
                f"{what} of a recorded array of shape {x.shape}",
                "what a program does must not depend on the numbers: use np.where for "
                "if, or name the argument that decides in static=",
            )
        return super().number(x, what, of)

    def text(self, x: TracedArray) -> Any:
        """Return what stands for an array in messages, unless a reader's code asks."""
        words = super().text(x)
        return self.answer(repr, (x,), {}, words) if self.open else words

    def answer(self, function: Any, args: Any, options: Any, result: Any) -> Any:
        """Return for the library what a function of NumPy returned that is no array."""
        text = type(result) is str  # which messages and debuggers may have
        if self.origins.by_reader() if text else not self.origins.by_library():
            raise self.refused(
                f"{name_of_function(function)} of recorded arrays",
                "what a program does must not depend on the numbers; return them, and "
                "look at them outside",
            )
        return result if text else super().answer(function, args, options, result)

    def run(self, function: Any, args: Any, options: Any) -> Any:
        """Call a function of NumPy, and note an error that depends on numbers."""
        try:
            return super().run(function, args, options)
        except Refused:
            raise
        except Exception as error:
            if isinstance(error, BY_NUMBERS) or not self.origins.by_library():
                self.failed = self.failed or error
            raise

    def refused(self, what: str, way: str) -> Refused:
        """Return an error that names the reader's line, and note the first."""
        error = super().refused(what, way)
        self.refusal = self.refusal or error
        return error
