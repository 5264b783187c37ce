"""The switch that says whether operations are recorded, for a block (chapter 13).

Each thread and each asyncio task has a switch of its own.

A generator that yields inside a block leaves the switch set for its caller until the
block ends. A block that ends in another thread or task than it began in changes the
switch in neither. So close an interrupted asynchronous generator in the task that
iterated over it, with `contextlib.aclosing`.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import Any

from autograd_lib.engine.tape.mode import is_recording, set_mode

_entered: ContextVar[tuple[tuple[Any, bool], ...]] = ContextVar("entered", default=())
_LATER = 0x20 | 0x80 | 0x200  # code of generators, coroutines, asynchronous generators


def is_grad_enabled() -> bool:
    """Return whether operations are recorded now, in this thread or task."""
    return bool(is_recording())


class _SetMode(ContextDecorator):
    """Sets the switch for a `with` block or a decorated function."""

    to: bool

    def __new__(cls, function: Any = None) -> Any:
        new = object.__new__(cls)
        return new if function is None else new(function)

    def __call__(self, function: Any) -> Any:
        name = type(self).__name__
        if not callable(function):
            raise TypeError(f"{name}: stands above a function, got {function!r:.60}")
        if runs_later(function):
            called = getattr(function, "__qualname__", repr(function))
            raise TypeError(
                f"{name}: the body of {called} runs after the call, when somebody goes "
                f"on with it; write `with {name}():` inside, around lines without a "
                "yield or an await"
            )
        return super().__call__(function)

    def __enter__(self) -> None:
        # Not kept in the object, which several threads or tasks may share.
        _entered.set((*_entered.get(), (self, is_recording())))
        set_mode(self.to)

    def __exit__(self, *_: Any) -> None:
        entered = _entered.get()
        places = [i for i, (block, _) in enumerate(entered) if block is self]
        if not places:  # a generator that began in another thread or task ends here
            return
        before, later = entered[places[-1]][1], entered[places[-1] + 1 :]
        if later:  # of two generators, the first to begin may be the first to end
            later = ((later[0][0], before), *later[1:])
        else:
            set_mode(before)
        _entered.set(entered[: places[-1]] + later)


class no_grad(_SetMode):
    """Record nothing inside: ``with no_grad():``, or ``@no_grad()`` above a function.

    Results made inside need no gradient, whatever they are made from. Writes into
    leaves are allowed, as an update of parameters needs them.
    """

    to = False


class enable_grad(_SetMode):
    """Record operations inside the block, even within `no_grad`."""

    to = True


def runs_later(function: Any) -> bool:
    """Return whether a call of the function only creates a generator or coroutine."""
    while hasattr(function, "func"):  # functools.partial
        function = function.func
    code = getattr(function, "__code__", None)
    if code is None:  # an object whose class says how it is called
        code = getattr(vars(type(function)).get("__call__"), "__code__", None)
    return code is not None and bool(code.co_flags & _LATER)
