"""Replacements for names of PyTorch, JAX or NumPy that this package doesn't have.

The sentences are data, in ``spelling.toml``, which is read when a name is missing. So
a name that this package does not support costs a line, not an implementation.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache, wraps
from inspect import Parameter, getattr_static, signature
from opcode import opname
from pathlib import Path
from typing import Any, TypeVar

Called = TypeVar("Called", bound=Callable[..., Any])
IMPORTS = "IMPORT_FROM"
FILE = Path(__file__).with_suffix(".toml")


@cache
def sentences() -> dict[str, dict[str, str]]:
    """Return, for each module, the sentences by missing name."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def instead(place: str, name: str) -> str:
    """Return what to write for a name that `place` does not have, "" if unknown.

    >>> instead("autograd_lib", "cat")
    'write np.concatenate([a, b], axis)'
    >>> instead("autograd_lib", "manual_seed")[:36]
    'write np.random.seed(seed), for what'
    """
    way = sentences().get(place, {}).get(name, "")
    if way.startswith("none"):
        return f"there is {way}"
    if not way and place == "autograd_lib" and not name.startswith("_"):
        import numpy

        if hasattr(numpy, name):
            way = f"np.{name}; NumPy's functions take tensors"
    return f"write {way}" if way else ""


def missing(place: str, name: str, has: Iterable[str]) -> Exception:
    """Return the error for a name that a module does not have.

    It is an AttributeError, or an ImportError if the caller's caller is in the middle
    of ``from module import name``, where Python would hide the sentence.
    """
    way = instead(place, name) or f"it has {', '.join(has)}"
    message = f"{place} has no {name!r}; {way}"
    frame = sys._getframe(2)  # of the line that asks the module's __getattr__
    if frame.f_lasti >= 0 and opname[frame.f_code.co_code[frame.f_lasti]] == IMPORTS:
        return ImportError(message, name=place)
    return AttributeError(message, name=name)


class Finder:
    """Says of a submodule that is missing, such as `torch.nn.utils`, what to write.

    It stands last among Python's finders, and is asked for what no other has found.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raise ModuleNotFoundError for a name of the table; find nothing else."""
        place, _, last = name.rpartition(".")
        if place.partition(".")[0] == "autograd_lib" and (way := instead(place, last)):
            raise ModuleNotFoundError(f"{place} has no {last!r}; {way}", name=name)


def no_keyword(who: str, unknown: Iterable[str]) -> TypeError:
    """Return the error for keywords that a function does not take.

    >>> no_keyword("checkpoint", ["use_reentrant"])
    TypeError('checkpoint: takes no use_reentrant=; leave it out: there is one kind')
    """
    first, *_ = unknown
    way = sentences()["a keyword"].get(first, "see its docstring for what it takes")
    return TypeError(f"{who}: takes no {first}=; {way}")


def explain_keywords(function: Called) -> Called:
    """Return the function, whose error about a keyword says what it takes.

    Of a keyword of PyTorch it says what to write. Type checkers still see all that it
    takes, as they would not with ``**unknown``.
    """

    @wraps(function)
    def explained(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except TypeError as error:
            raised = error.__traceback__
            if raised is None or raised.tb_next is not None:  # within the function
                raise
            unknown = [k for k in options if f"keyword argument '{k}'" in str(error)]
            if not unknown and "positional" not in str(error):
                raise
            said = str(error)
        making = function.__name__ == "__init__"
        who = type(args[0]).__name__ if making else function.__name__
        if unknown and unknown[0] in sentences()["a keyword"]:
            raise no_keyword(who, unknown)
        takes = [*signature(function).parameters.values()][making:]
        what = f"takes no {unknown[0]}=" if unknown else said.partition("() ")[2]
        raise TypeError(f"{who}: {what}; it takes {', '.join(map(argument, takes))}")

    return explained  # type: ignore[return-value]


def argument(parameter: Parameter) -> str:
    """Return a parameter as it is written in a call, with a default that is short."""
    default, name = parameter.default, str(parameter).partition(":")[0]
    if default is parameter.empty:
        return name
    simple = default is None or isinstance(default, bool | int | float | str)
    return f"{parameter.name}={default!r}" if simple else f"{parameter.name}=..."


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
