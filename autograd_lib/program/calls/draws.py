"""Random generators as inputs of a program, which draws at each call (chapter 22).

A draw changes its generator. In a program, a draw is a call that takes the generator
after the draw before, and returns the numbers and the generator after this draw; the
last generator is an output. So data flow keeps all draws in order, and rewrites need no
special case.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from autograd_lib.checkpointing.generators import state_of
from autograd_lib.program.calls.traced_number import PYTHON, TracedNumber
from autograd_lib.program.core.array import TracedArray, plain
from autograd_lib.program.core.ir import Value, replaced, values_in
from autograd_lib.program.core.tracer import Tracer, check


class Draw:
    """Calls a method of a generator, and returns its result and the generator."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, generator: Any, *args: Any, **options: Any) -> Any:
        return getattr(generator, self.__name__)(*args, **options), generator


class TracedGenerator:
    """Stands for a generator and records its draws.

    It is its own bit generator. A checkpoint reads and sets the state, which here is
    the number of draws; it can't be set to another number.

    Attributes:
        first: the value of the generator at the start, and
        last: its value after the draws so far.
        draws: number of draws so far.
        left: the concrete state after these draws.
    """

    def __init__(self, tracer: Tracer, generator: Any, name: str) -> None:
        self.tracer, self.generator, self.draws = tracer, generator, 0
        like: Any = np.empty((), object)
        self.first = self.last = Value("input", like, name)
        self.left = state_of(generator)

    __class__ = property(lambda self: type(self.generator))
    bit_generator = property(lambda self: self)

    @property
    def state(self) -> int:
        self.ask_for("the state")
        return self.draws

    @state.setter
    def state(self, draws: int) -> None:
        self.ask_for("a new state")
        if draws != self.draws:
            raise self.tracer.refused(
                "a generator is set back to an earlier state",
                "draw before the checkpoint, and pass it the numbers",
            )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        method = getattr(self.generator, name, None)
        if name in ("spawn", "bytes") or name[0] == "_" or not callable(method):
            raise self.refused(name)
        return lambda *args, **options: self.draw(name, args, options)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise self.refused("a copy")

    def refused(self, what: str) -> Exception:
        """Return the error for anything but a draw."""
        return self.tracer.refused(
            f"{what} of a generator", "let a program draw numbers from it, and no more"
        )

    def ask_for(self, what: str) -> None:
        """Refuse a request that only a checkpoint may make."""
        if not self.tracer.origins.by_library():
            raise self.refused(what)

    def draw(self, name: str, args: Any, options: Any) -> Any:
        """Execute and record a draw."""
        self.check()
        if name == "shuffle" or "out" in options:
            raise self.tracer.refused(
                f"{name} of a generator, which writes into what it is given",
                "take a function that returns new numbers, such as permutation",
            )
        inputs = plain((args, options)), lambda n: n.now, TracedNumber
        numbers, named = replaced(*inputs)
        made = getattr(self.generator, name)(*numbers, **named)
        number = type(made) in PYTHON
        one = isinstance(made, np.generic) and made.dtype.kind in "biufc"
        if not (number or one or isinstance(made, np.ndarray)):
            raise self.refused(name)
        out = Value("result", np.asarray(made)[()] if number else made)
        given = (self.last, *self.tracer.value(tuple(args)))
        self.last = Value("result", np.empty((), object))
        self.tracer.add(Draw(name), given, self.tracer.value(options), (out, self.last))
        self.draws, self.left = self.draws + 1, state_of(self.generator)
        given = args, options
        if values_in(given, TracedArray) or values_in(given, TracedNumber):
            self.tracer.add(check, (np.shape, out.shape, out), {}, ())  # it may be one
        if number:
            return TracedNumber(self.tracer, made, out, False)
        return TracedArray(self.tracer, made, out)

    def check(self) -> None:
        """Refuse a function that draws from the generator in another way as well.

        Raises:
            Refused: if it is not as the draws so far have left it.
        """
        if state_of(self.generator) != self.left:
            raise self.tracer.refused(
                f"it draws random numbers, from {self.generator!r:.60}, unseen",
                "draw from the generator that it closes over, or pass the numbers",
            )
