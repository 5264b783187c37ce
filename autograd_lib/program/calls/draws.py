"""A generator of random numbers, from which a program draws at each call (chapter 24).

A draw changes its generator. In a program it is a call of the generator as it was after
the draw before, and makes the numbers and the generator as it is then; the last one is
returned. So draws stay, all of them and in their order, and no rewrite needs to know.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NoReturn

import numpy as np

from autograd_lib.checkpointing.surroundings import state_of
from autograd_lib.program.calls.number import PYTHON, TracedNumber
from autograd_lib.program.core.array import TracedArray, plain
from autograd_lib.program.core.graph import Value, values_in
from autograd_lib.program.core.tracer import Tracer, check


class Draw:
    """A function that draws from the generator it is given, and returns that too."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, generator: Any, *args: Any, **options: Any) -> Any:
        return getattr(generator, self.__name__)(*args, **options), generator


class TracedGenerator:
    """A generator, whose draws go to the tracer.

    It is its own bit generator, whose state a checkpoint reads and sets: how many draws
    there were, and only this can be set.

    Attributes:
        first: what stands for it in the program, and
        last: for it after the draws so far.
        draws: how many these are.
        left: in which state they have left it.
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
        """Return an error because something else than a draw is wanted."""
        return self.tracer.refused(
            f"{what} of a generator", "let a program draw numbers from it, and no more"
        )

    def ask_for(self, what: str) -> None:
        """Refuse what a checkpoint alone may ask for."""
        if not self.tracer.origins.by_library():
            raise self.refused(what)

    def draw(self, name: str, args: Any, options: Any) -> Any:
        """Draw, and note that."""
        self.check()
        if name == "shuffle" or "out" in options:
            raise self.tracer.refused(
                f"{name} of a generator, which writes into what it is given",
                "take a function that returns new numbers, such as permutation",
            )

        def trial(*args: Any, **options: Any) -> Any:
            return getattr(deepcopy(self.generator), name)(*args, **options)

        args, options = self.tracer.settled(args, options, trial)
        made = getattr(self.generator, name)(*plain(args), **plain(options))
        number = type(made) in PYTHON
        one = isinstance(made, np.generic) and made.dtype.kind in "biufc"
        if not (number or one or isinstance(made, np.ndarray)):
            raise self.refused(name)
        out = Value("result", np.asarray(made)[()] if number else made)
        given = (self.last, *self.tracer.value(tuple(args)))
        self.last = Value("result", np.empty((), object))
        self.tracer.add(Draw(name), given, self.tracer.value(options), (out, self.last))
        self.draws, self.left = self.draws + 1, state_of(self.generator)
        if next(values_in((args, options), TracedArray), None) is not None:
            self.tracer.add(check, (np.shape, out.shape, out), {}, ())  # it may be one
        if number:
            return TracedNumber(self.tracer, made, out, frozenset())
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
