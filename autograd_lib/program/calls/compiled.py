"""`compile`: record a function once, then run it as a program (chapter 24).

The first call records everything that the function does with NumPy, forward and
backward. The recording is optimised, written as Python and kept. Before each call a
guard decides whether a program fits: it compares structure, shapes, dtypes and Python
constants of the arguments, and everything that the function reads besides them.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import update_wrapper
from threading import RLock
from types import FunctionType, MethodType
from typing import Any

from autograd_lib.checkpointing.surroundings import state_of
from autograd_lib.engine.arrays import Making, numpy
from autograd_lib.functional.run import name_of
from autograd_lib.program.calls.attempts import Attempts
from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.program import GuardedProgram, Program
from autograd_lib.program.calls.verify import difference, rounding
from autograd_lib.program.core.tracer import Refused
from autograd_lib.program.rewrites import PASSES, Rewrite
from autograd_lib.program.words.naming import argument_names, refuse_unknown

MANY = 16
"""Number of programs of a function, or of uncompiled calls, that triggers a warning."""


class Compiled:
    """A function that `compile` returned.

    Attributes:
        programs: the recorded programs, oldest first.
        reasons: a sentence for each recording, and one for each series of calls that
            ran uncompiled for the same reason.
        wrong: how a program's result differed from the function's, or "". If it isn't
            empty, calls run the original function.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        static: Sequence[str],
        passes: Any,
        verify: int = 0,
    ) -> None:
        self.function, self.passes = function, tuple(passes)
        self.static, self.name = static, name_of(function)
        self.verify, self.wrong = verify, ""
        self.programs, self.reasons = list[GuardedProgram](), list[str]()
        self._programs: tuple[GuardedProgram, ...] = ()  # the last used first
        self._lock = RLock()
        self._uncompiled = 0
        self._attempts = Attempts(self.name)
        update_wrapper(self, function, updated=())
        self._own = {*vars(self), "_own"}
        if isinstance(function, FunctionType):
            several = vars(function).items()
            vars(self).update((k, x) for k, x in several if k not in self._own)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if self.wrong or numpy() is not Making:  # within another recording
            return self.function(*args, **kwargs)
        for known in self._programs:
            found = known.guard(args, kwargs)
            if found is not None:
                break
        else:
            known, found = self._new(args, kwargs)
            if known is None:
                return self._run(found, args, kwargs)
        if known is not self._programs[0]:
            self._use(known)
        arrays, nodes = found
        states = [(b := arrays[i].bit_generator, b.state) for i in known.generators]
        try:
            if known.into and not known.apart(arrays):
                raise ValueError("what is written is read-only, or shown elsewhere")
            made = known(*arrays)
        except Exception as error:  # the function's own error message is better
            for b, state in states:
                b.state = state
            return self._run(error, args, kwargs)
        results = known.results.made(made, nodes)
        known.uses += 1
        if known.uses == 2 or (self.verify and known.uses % self.verify == 0):
            return self._verified(known, results, states, args, kwargs)
        if not known.written:
            return results
        results, several = results
        for write, x in zip(known.written, several, strict=True):
            write.put(x)
        return results

    def _new(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """Return a new program and its inputs, or None and the reason."""
        try:
            known = self._record(args, kwargs)
        except Refused:
            raise
        except Exception as error:  # run it again: its writes before that stay
            return None, error
        found = known.guard(args, kwargs)
        if found is None:
            return None, "what it uses has changed meanwhile"
        return known, found

    def _verified(
        self, known: GuardedProgram, results: Any, states: Any, args: Any, kwargs: Any
    ) -> Any:
        """Run the function too, and return its results if the program's differ.

        Side effects are the function's own.
        """
        drawn = [state_of(b) for b, _ in states]
        for b, state in states:
            b.state = state
        left = [write.left() for write in known.written]
        want = self.function(*args, **kwargs)
        own = want
        if known.written:
            own = want, [x() for x in left]
        self.wrong = difference(results, own, rounding(known.graph))
        if not self.wrong and drawn != [state_of(b) for b, _ in states]:
            self.wrong = "other random numbers"
        if not self.wrong:
            return want if known.written else results
        self._warn(
            f"call {known.uses} of a program returned {self.wrong}, which is what the "
            "function returned; from now on the function runs. Something that it uses "
            "changes unseen: pass that as an argument"
        )
        return want

    def _warn(self, text: str) -> None:
        """Warn at the line that called the compiled function."""
        frame: Any = sys._getframe(1)
        level = 2
        while frame.f_globals is globals():
            frame, level = frame.f_back, level + 1
        text = f"compile({self.name}): {text}"
        warnings.warn(text, RuntimeWarning, stacklevel=level)

    def __reduce__(self) -> Any:
        """Pickle by name, like a function, or else as a copy without programs."""
        known = vars(self).get("__qualname__", "")
        found: Any = sys.modules.get(self.__module__)
        for name in known.split("."):
            found = getattr(found, name, None)
        several = self.function, self.static, self.passes, self.verify
        return known if found is self else (Compiled, several)

    def __get__(self, owner: Any, _: Any = None) -> Any:
        """Bind it as a method, if the function would bind."""
        bound = owner is not None and hasattr(type(self.function), "__get__")
        return MethodType(self, owner) if bound else self

    def _run(self, why: Any, args: Any, kwargs: Any) -> Any:
        """Run the original function, and warn if that happens often."""
        self._uncompiled += 1
        reason = f"ran uncompiled: {why}"
        if reason not in self.reasons[-1:]:
            self.reasons.append(reason)
        if self._uncompiled == MANY:
            self._warn(
                f"{MANY} calls ran the program in vain and then the function, the last "
                f"one because {why}; do not compile"
            )
        return self.function(*args, **kwargs)

    def _use(self, known: GuardedProgram) -> None:
        """Move a program to the front, to be tried first."""
        with self._lock:
            self._programs = (known, *[k for k in self._programs if k is not known])

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """Return the program for these arguments, recording it if necessary."""
        fits = (k for k in self._programs if k.guard(args, kwargs) is not None)
        return next(fits, None) or self._record(args, kwargs)

    def _record(self, args: Any, kwargs: Any) -> GuardedProgram:
        """Record the function for these arguments, and keep the program."""
        if numpy() is not Making:
            raise Refused(f"compile({self.name}): it is recorded while another is")
        if len(self.programs) == MANY:
            self._warn(
                f"{MANY} programs were recorded, the last one because "
                f"{self.reasons[-1]}; pass what changes as an array, keep a count in "
                "one, such as np.array(0), or do not compile"
            )
        start = time.perf_counter()
        called = argument_names(self.function, args)
        static = {*self.static, *[i for i, n in enumerate(called) if n in self.static]}
        call = Guard(args, kwargs, called, static)
        alike = [k for k in self._programs if k.guard(args, kwargs, False) is not None]
        reason = self._reason(call, alike)
        captures = [k for known in alike for k in known.captures]
        self._attempts.give(k for k in captures if not k.holds())
        recording, graph = self._attempts.recorded(self.function, call)
        known = GuardedProgram(recording, graph, self.passes, call)
        known.seconds = time.perf_counter() - start
        with self._lock:
            self._use(known)
            self.programs.append(known)
            self.reasons.append(reason)
        return known

    def _reason(self, call: Guard, alike: list[GuardedProgram]) -> str:
        """Return why none of the programs fits."""
        if not self._programs:
            return "the first call"
        known = self.programs[-1].descriptions
        for name, words in call.descriptions.items():
            if words != known.get(name):
                return (
                    f"argument {name} is {words}; known: {known.get(name, 'not there')}"
                )
        for capture in alike[0].captures if alike else ():
            if not capture.holds():
                return f"{capture.name} is not what it was"
        return "the arguments, or whether gradients are recorded, differ otherwise"


def compile(
    function: Callable[..., Any],
    *,
    static: Sequence[str] | str = (),
    passes: Sequence[Rewrite] = PASSES,
    verify: int = 0,
) -> Compiled:
    """Return a function that is recorded at its first call and then runs as a program.

    Everything the function reads besides its arguments is an input of the program or
    compared before each call; what could change undetected is refused. Its side effects
    are performed at the end of a call. So a whole training step can be compiled, with
    ``loss.backward()``, ``optimizer.step()``, running means and dropout. The first call
    may run the function several times. Results are new arrays that share no memory.

    Not detected are: output, clocks and files; generators that the function creates
    without a seed in a method, and Python's `random`; changes inside installed
    packages; identity and memory (``x is y``, `id`, flags); `saved_tensors_hooks` or
    `numpy.errstate` around a call; and that ``type(x)`` is a traced class while the
    function is recorded (`isinstance` works). `verify` is the safety net for these.

    Args:
        function: takes and returns trees of tensors, arrays and other objects.
        static: names of arguments whose numbers the function branches on; they are
            constants of a program.
        passes: the rewrites, in order.
        verify: run the original function as well at every call with this number, and
            compare. (The second call of a program is compared in any case.) If results
            differ by more than rounding, a warning is given and the original function
            runs from then on.

    Raises:
        TypeError: if `function` isn't callable, has no argument with a name in
            `static`, or `verify` isn't a non-negative int.
        Refused: when called, if the function branches on numbers, writes into an
            argument, changes the length of a list, deletes keys, moves objects, draws
            from a shared generator, uses something that can change undetected, or
            returns something other than a tree of arrays and constants. Everything is
            restored first. Also raised by a backward pass through a result.

    >>> import numpy as np
    >>> double = compile(lambda x: 2 * x)
    >>> double(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    if not callable(function):
        raise TypeError(f"compile: takes a function, got {function!r:.60}")
    names = (static,) if isinstance(static, str) else tuple(static)
    refuse_unknown(function, names)
    if type(verify) is not int or verify < 0:
        raise TypeError(f"compile: verify= is a number of calls, got {verify!r:.60}")
    return Compiled(function, names, passes, verify)
