"""Whether calculations are recorded (chapter 12).

One switch for the whole process, not one for each thread: a thread that turns it off
turns it off for all.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from inspect import iscoroutinefunction, isgeneratorfunction
from typing import Any


class Switch:
    """Holds whether results remember what they were made from.

    Attributes:
        on: True until somebody turns it off.
    """

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = True


switch = Switch()


class _Set(ContextDecorator):
    """Sets the switch for the time of a `with` block or of a decorated function."""

    to: bool
    _before: list[bool]

    def __new__(cls, function: Any = None) -> Any:
        new = super().__new__(cls)
        new._before = []
        return new if function is None else new(function)

    def __call__(self, function: Any) -> Any:
        name = type(self).__name__
        if not callable(function):
            raise TypeError(f"{name}: stands above a function, got {function!r:.60}")
        if isgeneratorfunction(function) or iscoroutinefunction(function):
            raise TypeError(
                f"{name}: the body of {function.__qualname__} runs after the call, "
                f"when somebody goes on with it; write `with {name}():` inside, around "
                "lines without a yield or an await"
            )
        return super().__call__(function)

    def __enter__(self) -> None:
        self._before.append(switch.on)
        switch.on = self.to

    def __exit__(self, *_: Any) -> None:
        switch.on = self._before.pop()


class no_grad(_Set):
    """Record nothing within: ``with no_grad():``, or above a function ``@no_grad()``.

    Results made inside need no gradient, whatever they are made from, and writes into
    leaves are allowed, as an update of parameters needs.
    """

    to = False


class enable_grad(_Set):
    """Record within, also inside `no_grad`."""

    to = True


def is_grad_enabled() -> bool:
    """Return whether calculations are recorded now."""
    return switch.on
