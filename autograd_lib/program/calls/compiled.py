"""`compile`: record a function once, then run it as a program (chapter 22).

A program is what the code did: code does not change, data may. The first call records
everything that the function does with NumPy, forward and backward. The recording is
optimised, written as Python and kept. Before each call a guard decides whether a
program fits: it compares structure, shapes, dtypes and Python constants of the
arguments, and the places that the function reads besides them. Where the function
branched on a number, the program checks that the outcome is the same.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from functools import update_wrapper
from threading import RLock
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograd_lib.checkpointing.generators import state_of
from autograd_lib.checkpointing.saved_tensors import packer, packing
from autograd_lib.engine.arrays import Making, numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.functional.run import name_of
from autograd_lib.program.calls.constant_or_input import Changing
from autograd_lib.program.calls.floor import Budget
from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.net import difference
from autograd_lib.program.calls.program import GuardedProgram, uncollected
from autograd_lib.program.calls.results import LEAVES, handed_out
from autograd_lib.program.core.tracer import Changed, Refused
from autograd_lib.program.rewrites import PASSES, Rewrite
from autograd_lib.program.words.naming import argument_names
from autograd_lib.spelling import explain_keywords

MAX_PROGRAMS = 16
"""Programs of a function, and calls in a row that ran a program in vain, before the
function runs from then on."""
COSTLY = "a recording would cost more than programs have brought"
SLOWER = "its program takes longer than the function"
RESTS = 8
"""Calls in a row that ran the function because a program costs too much; after them
only each eighth call looks for a program."""


class Compiled:
    """A function that `compile` returned.

    Attributes:
        programs: the recorded programs, oldest first.
        reasons: a sentence for each recording, and one for each series of calls that
            ran uncompiled for the same reason.
        wrong: how a program's result differed from the function's, or "".
        floor: why the function runs from now on, or "" while programs do.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        passes: Any,
    ) -> None:
        self.function, self.passes = function, tuple(passes)
        self.name = name_of(function)
        self.wrong, self.floor = "", ""
        self.programs, self.reasons = list[GuardedProgram](), list[str]()
        self._programs: tuple[GuardedProgram, ...] = ()  # the last used first
        self._lock = RLock()
        self._in_vain = 0  # calls in a row that tried, and ran the function
        self._costly = 0  # calls in a row that looked, and for which one cost too much
        self._rest = 0  # calls until one looks again
        self._last: Any = None  # the program that the last call fitted
        self._kinds = list[Any]()  # of arguments, in each recording
        self._missing: Any = None  # the kind at the last call that fitted no program
        self._budget = Budget()
        self._changing = Changing(self.name)
        update_wrapper(self, function, updated=())
        self._own = {*vars(self), "_own"}
        if isinstance(function, FunctionType):
            several = vars(function).items()
            vars(self).update((k, x) for k, x in several if k not in self._own)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if numpy() is not Making:  # within another recording
            return self.function(*args, **kwargs)
        if packer() is not None:  # no result leads back to what is saved in here
            with packing(None):
                return self(*args, **kwargs)
        if self.floor or self._rests():
            return self._eager(args, kwargs)
        why: Any = None
        for program in self._programs:
            start = self._budget.clock()
            found = program.guard(args, kwargs)
            if found is not None:
                if program.is_slower:
                    why = SLOWER
                    break
                try:
                    if not self._runs(program):
                        why = COSTLY
                        break
                    results, states = self._ran(program, found, start)
                except Changed:  # the function takes another branch
                    continue
                except Exception as error:
                    why = error
                    break  # the function's own message is better
                return self._finished(program, results, states, args, kwargs)
        if why is None:
            return self._missed(args, kwargs)
        return self._run(why, args, kwargs)

    def _rests(self) -> bool:
        """Return whether this call is not to look for a program, and count it."""
        self._rest = max(0, self._rest - 1)
        return self._rest > 0

    def _missed(self, args: Any, kwargs: Any) -> Any:
        """Record a new program and call it, or run the function."""
        why: Any = COSTLY
        self._last = None
        kind = [(type(x), getattr(x, "shape", ())) for x in (*args, *kwargs.values())]
        hope = kind in (*self._kinds, self._missing)
        self._missing = kind
        if not self.programs or self._budget.allows(self.programs, None, hope):
            self._kinds.append(kind)
            try:
                program = self._record(args, kwargs)
                start = self._budget.clock()
                found = program.guard(args, kwargs)
                if found is None:
                    raise Changed("what it uses has changed meanwhile")
                results, states = self._ran(program, found, start)
            except Exception as error:  # run it again: its writes before that stay
                if isinstance(error, Refused) and not self.programs:
                    raise
                why = error
            else:
                return self._finished(program, results, states, args, kwargs)
        return self._run(why, args, kwargs)

    def _runs(self, program: GuardedProgram) -> bool:
        """Return whether to run a program that fits: a written one, unless it ran in
        vain too often, or one that is written now.
        """
        budget, again = self._budget, program is self._last
        self._last = program
        if program.is_written:
            return budget.tries(program, self.programs)
        hope = again and program.promises
        if not budget.allows(self.programs, program, hope):
            return False
        start = budget.clock()
        program.program  # noqa: B018  (a cached property)
        self._spend(program, budget.clock() - start)
        return True

    def _spend(self, program: GuardedProgram, seconds: float) -> None:
        """Note seconds that a program took besides its runs."""
        program.spent += seconds
        self._budget.spent += seconds

    def _ran(self, program: GuardedProgram, found: Any, start: float) -> Any:
        """Run a program, and note how long the call takes so far."""
        clock = self._budget.clock
        try:
            made = program.run(*found)
        except Changed:
            self._budget.lost += clock() - start
            program.in_vain = True
            raise
        program.took, program.in_vain = clock() - start, False
        self._budget.took(program.took)
        return made

    def _finished(
        self, program: GuardedProgram, results: Any, states: Any, args: Any, kwargs: Any
    ) -> Any:
        """Perform a program's writes, and return its results; verify it if due.

        The function then runs as well. If both agree, the program's writes replace the
        function's, so that a verified call returns and leaves what any other does.
        """
        if program.spoken:
            for b, state in states:
                b.state = state
            return self._run(program.spoken, args, kwargs)
        self._in_vain, self._costly, self._last = 0, 0, program
        if program is not self._programs[0]:
            self._use(program)
        if not program.is_due:
            if not program.written:
                return results
            results, several = results
            for write, x in zip(program.written, several, strict=True):
                write.put(x)
            return results
        drawn = [state_of(b) for b, _ in states]
        for b, state in states:
            b.state = state
        left = [write.left() for write in program.written]
        before = self._arrays(args, kwargs)
        clock = self._budget.clock
        start = clock()
        want = self.function(*args, **kwargs)
        took = clock() - start
        program.timed(took)
        self._budget.least = min(self._budget.least, took)
        own = (want, [x() for x in left]) if program.written else want
        self.wrong = difference(results, own, program.rounding)
        self._spend(program, clock() - start)
        if not self.wrong and drawn != [state_of(b) for b, _ in states]:
            self.wrong = "other random numbers"
        if self.wrong:
            self._stop(
                f"call {program.uses} of a program returned {self.wrong}, which is "
                "what the function returned",
                "Something that it uses changes unseen: pass that as an argument",
            )
            return handed_out(want, before, self.name)
        if program.written:
            results, several = results
            for write, x in zip(program.written, several, strict=True):
                write.put_over(x)
        return results

    def _stop(self, why: str, way: str) -> None:
        """Let the function run from now on, and warn at the line that called it."""
        self.floor = why
        frame: Any = sys._getframe(1)
        level = 2
        while frame.f_globals is globals():
            frame, level = frame.f_back, level + 1
        text = f"compile({self.name}): {why}; from now on the function runs. {way}"
        warnings.warn(text, RuntimeWarning, stacklevel=level)

    def __reduce__(self) -> Any:
        """Pickle by name, like a function, or else as a copy without programs."""
        known = vars(self).get("__qualname__", "")
        found: Any = sys.modules.get(self.__module__)
        for name in known.split("."):
            found = getattr(found, name, None)
        return known if found is self else (Compiled, (self.function, self.passes))

    def __get__(self, owner: Any, _: Any = None) -> Any:
        """Bind it as a method, if the function would bind."""
        bound = owner is not None and hasattr(type(self.function), "__get__")
        return MethodType(self, owner) if bound else self

    def _run(self, why: Any, args: Any, kwargs: Any) -> Any:
        """Run the original function, and stop trying if that happens often in vain."""
        costly = why in (COSTLY, SLOWER)
        self._in_vain = 0 if costly else self._in_vain + 1
        self._costly = self._costly + 1 if costly else 0
        self._rest = RESTS if self._costly >= RESTS else 0
        reason = f"ran uncompiled: {why}"
        if reason not in self.reasons[-1:]:
            self.reasons.append(reason)
        if self._in_vain == MAX_PROGRAMS:
            self._stop(
                f"{MAX_PROGRAMS} calls in a row ran the function, the last one because "
                f"{why}",
                "Pass what changes as an array, return what is printed, or do not "
                "compile",
            )
        budget = self._budget
        start = budget.clock()
        try:
            return self._eager(args, kwargs)
        finally:
            took = budget.clock() - start
            budget.took(took, max(1, self._rest))
            budget.least = min(budget.least, took)

    def _eager(self, args: Any, kwargs: Any) -> Any:
        """Run the original function, and hand its results out as a program would."""
        before = self._arrays(args, kwargs)
        return handed_out(self.function(*args, **kwargs), before, self.name)

    def _arrays(self, args: Any, kwargs: Any) -> list[np.ndarray]:
        """Return the arrays of the arguments, and of the places that are inputs."""
        found = [k.now() for k in self.programs[-1].shown] if self.programs else []
        for x in (*args, *kwargs.values()):
            found += [x] if type(x) in LEAVES else tree.flatten(x)[0]
        arrays = [x._array if type(x) is Tensor else x for x in found]
        return [x for x in arrays if isinstance(x, np.ndarray)]

    def _use(self, known: GuardedProgram) -> None:
        """Move a program to the front, to be tried first."""
        with self._lock:
            self._programs = (known, *[k for k in self._programs if k is not known])

    def program(self, *args: Any, **kwargs: Any) -> GuardedProgram:
        """Return the program for these arguments, recording it if necessary."""
        fits = (k for k in self._programs if k.guard(args, kwargs) is not None)
        return next(fits, None) or self._record(args, kwargs)

    def _record(self, args: Any, kwargs: Any) -> GuardedProgram:
        """Record the function for these arguments, and keep the program.

        Raises:
            Refused: if it can't be compiled.
        """
        if numpy() is not Making:
            raise Refused(f"compile({self.name}): it is recorded while another is")
        budget = self._budget
        start = budget.clock()
        try:
            with uncollected():
                program, reason = self._recorded(args, kwargs)
        finally:
            took = budget.clock() - start
            budget.recordings += 1
            budget.recorded, budget.spent = budget.recorded + took, budget.spent + took
        program.spent, budget.calls = took, budget.calls + len(program.recording.calls)
        with self._lock:
            others = [k for k in self._programs if k is not program]
            ends = [[program], others]
            self._programs = (*ends[bool(program.spoken)], *ends[not program.spoken])
            self.programs.append(program)
            self.reasons.append(reason)
        if len(self.programs) == MAX_PROGRAMS:
            self._stop(
                f"{MAX_PROGRAMS} programs were recorded, the last one because {reason}",
                "Pass what changes as an array, or do not compile",
            )
        return program

    def _recorded(self, args: Any, kwargs: Any) -> tuple[GuardedProgram, str]:
        """Return a new program, and why it was recorded."""
        called = argument_names(self.function, args)
        call = Guard(args, kwargs, called, self._changing.numbers)
        known = self.programs[-1].call.constants if self.programs else {}
        if self._changing.have_changed(call.constants, known):
            call = Guard(args, kwargs, called, self._changing.numbers)
        alike = [k for k in self._programs if k.guard(args, kwargs, False) is not None]
        reason = self._reason(call, alike)
        captures = [k for known in alike for k in known.captures]
        self._changing.give(k for k in captures if not k.holds())
        recording, graph = self._changing.recorded(self.function, call)
        program = GuardedProgram(recording, graph, self.passes, call)
        if program.spoken:
            reason += f"; {program.spoken}, so the function runs at such calls"
        return program, reason

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
        if alike:
            return "the function takes another branch"
        return "the arguments, or whether gradients are recorded, differ otherwise"


@explain_keywords
def compile(
    function: Callable[..., Any],
    *,
    passes: Sequence[Rewrite] = PASSES,
) -> Compiled:
    """Return a function that is recorded at its first call and then runs as a program.

    A program is what the code did: code does not change, data may. Inputs are arrays,
    tensors and generators, in the arguments or found by the function; numbers that an
    optimiser or a schedule declares in `changing`, that the code assigns, or that have
    had a second value. Everything else that it finds is compared before each call:
    closure cells, defaults, named globals, `self`, and lists, dictionaries, tuples,
    attributes of objects and data of classes there. So a whole training step can be
    compiled, with ``loss.backward()``, ``optimizer.step()`` and ``schedule.step()``,
    running means and dropout, and lists to which it appends.

    ``t.item()`` is a number of the program: it may be returned, stored, appended and
    calculated with. Where Python asks for the truth of one number, as in `if` and
    `min`, the outcome is checked, and the other one is a second program. A function
    that prints, or makes text of numbers, runs itself at such calls.

    Side effects are performed at the end of a call. Results are new arrays, which share
    no memory with what existed before the call, and tensors at which backward passes
    end; so they are at every call, also where the function itself runs.

    The net: at a program's calls 2, 4, 8, 16 and so on the function runs as well. If
    they differ by more than rounding, a warning says how, and the function runs from
    then on. So what no guard sees is wrong for at most as many calls again: methods and
    code that are replaced, an object's other class, attributes, names and modules that
    come later, what is looked up by text in a module, attributes of keys, of numbers
    and of partials, factories of dictionaries, changes in installed packages, clocks,
    files and environments, Python's `random`, `saved_tensors_hooks` or `numpy.errstate`
    around a call, and identity of memory.

    The floor: after the first recording, programs and the net may take a twentieth of
    the time of two hundred calls, or of the calls so far, and what programs have saved,
    or have lost where they ran in vain, as the function took another branch. One at a
    time may be owed: a recording for arguments like those of one before, or of the last
    call that fitted none; and a program written at its second call in a row, if it
    calculates with tensors or is to be machine code. One that took longer than the
    function, guard included, when the net measured both at its calls 2, 4 and 8, does
    not run again. Other calls run the function; after eight of them in a row, only each
    eighth call looks for a program. Recordings of 200 calls of NumPy in all are free
    while a call takes a tenth of a millisecond. After sixteen programs, or sixteen
    calls in a row in which one failed, the function runs from then on, and a warning
    says why.

    Args:
        function: takes and returns trees of tensors, arrays and other objects.
        passes: the rewrites, in order.

    Raises:
        TypeError: if `function` isn't callable.
        Refused: at the first call, if the function branches on elements of an array,
            asks for a plain number (`float`), writes into an argument, changes a list
            but by appending, deletes keys, moves objects, draws from a shared or
            unseeded generator, uses an iterator or something else that can change
            unseen, or returns something other than a tree of arrays, numbers and
            constants. Everything is restored first. Later calls of which no program
            can be made run the function. Also raised by a backward pass through a
            result.

    >>> import numpy as np
    >>> double = compile(lambda x: 2 * x)
    >>> double(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    if not callable(function):
        raise TypeError(f"compile: takes a function, got {function!r:.60}")
    return Compiled(function, passes)
