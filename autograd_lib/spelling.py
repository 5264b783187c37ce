"""Replacements for names of PyTorch, JAX or NumPy that this package doesn't have.

The sentences are data, in ``spelling.toml``, which is read when a name is missing. So
a name that this package does not support costs a line, not an implementation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache, wraps
from inspect import getattr_static
from pathlib import Path
from typing import Any, TypeVar

Called = TypeVar("Called", bound=Callable[..., Any])
FILE = Path(__file__).with_suffix(".toml")


@cache
def sentences() -> dict[str, dict[str, str]]:
    """Return, for each module, the sentences by missing name."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def instead(place: str, name: str) -> str:
    """Return what to write for a name that `place` does not have, "" if unknown.

    >>> instead("autograd_lib", "cat")
    'write np.concatenate, which takes tensors'
    >>> instead("autograd_lib", "manual_seed")[:36]
    'there is none for all at once: what '
    """
    way = sentences().get(place, {}).get(name, "")
    if way.startswith("none"):
        return f"there is {way}"
    if not way and place == "autograd_lib" and not name.startswith("_"):
        import numpy

        if hasattr(numpy, name):
            way = f"np.{name}; NumPy's functions take tensors"
    return f"write {way}" if way else ""


def missing(place: str, name: str, has: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module does not have."""
    way = instead(place, name) or f"it has {', '.join(has)}"
    return AttributeError(f"{place} has no {name!r}; {way}", name=name)


def no_keyword(who: str, unknown: Iterable[str]) -> TypeError:
    """Return the error for keywords that a function does not take.

    >>> no_keyword("checkpoint", ["use_reentrant"])
    TypeError('checkpoint: takes no use_reentrant=; leave it out: there is one kind')
    """
    first, *_ = unknown
    way = sentences()["a keyword"].get(first, "see its docstring for what it takes")
    return TypeError(f"{who}: takes no {first}=; {way}")


def explain_keywords(function: Called) -> Called:
    """Return the function, whose error about a keyword of PyTorch says what to write.

    Type checkers still see all that it takes, as they would not with ``**unknown``.
    """

    @wraps(function)
    def explained(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except TypeError as error:
            raised = error.__traceback__
            if raised is None or raised.tb_next is not None:  # within the function
                raise
            known = sentences()["a keyword"]
            unknown = [k for k in options if k in known and f"'{k}'" in str(error)]
            if not unknown:
                raise
        who = function if function.__name__ != "__init__" else type(args[0])
        raise no_keyword(who.__name__, unknown)

    return explained  # type: ignore[return-value]


def explain_making(kind: type) -> None:
    """Apply `explain_keywords` to the constructor of a class of this package."""
    if "__init__" in vars(kind) and kind.__module__.startswith("autograd_lib."):
        kind.__init__ = explain_keywords(kind.__init__)  # type: ignore[misc]


class Absent:
    """A name that objects of a class do not have; the error says what to write."""

    def __init__(self, place: str, name: str) -> None:
        self.place, self.name = place, name

    def __get__(self, instance: Any, kind: type) -> Any:
        raise AttributeError(
            f"{kind.__name__} has no {self.name!r}; {instead(self.place, self.name)}",
            name=self.name,
            obj=kind if instance is None else instance,
        )


def explain_absent(kind: type, place: str) -> None:
    """Add descriptors to a class that explain the names it does not have."""
    for name in sentences()[place]:
        if not hasattr(kind, name):
            setattr(kind, name, Absent(place, name))
    setattr(kind, "__dir__", without_absent)  # noqa: B010


def without_absent(instance: Any) -> list[str]:
    """Return an object's names, without those that only raise an explanation."""
    return [
        name
        for name in object.__dir__(instance)
        if name in vars(instance)
        or not isinstance(getattr_static(type(instance), name, None), Absent)
    ]
