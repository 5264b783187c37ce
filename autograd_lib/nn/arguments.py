"""Checks of the arguments of layers and optimisers (chapter 16)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, SupportsIndex

import numpy as np

from autograd_lib.engine.arrays import Making, numpy

Random = np.random.Generator | int | None


def whole(name: str, number: Any, least: int = 1) -> int:
    """Return a size as an integer.

    Raises:
        TypeError: if it isn't a whole number.
        ValueError: if it is below `least`.
    """
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        raise TypeError(f"{name} must be a whole number, got {number!r:.60}")
    if number.__index__() < least:
        raise ValueError(f"{name} must be at least {least}, got {number!r}")
    return int(number)


def real(name: str, number: Any, fits: Callable[[float], bool], which: str) -> float:
    """Return a setting as a float.

    Args:
        name: the setting's name, for the message.
        number: the argument.
        fits: whether a number is allowed; NaN and infinity never are.
        which: the allowed numbers, in words.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is not allowed.
    """
    numbers = int | float | np.integer | np.floating
    if not isinstance(number, numbers) or number is True or number is False:
        raise TypeError(f"{name} must be a number {which}, got {number!r:.60}")
    x: Any = number
    if not (-math.inf < x < math.inf and fits(x)):
        raise ValueError(f"{name} must be a number {which}, got {number!r}")
    x = x.item() if isinstance(x, np.generic) else x
    return x if x.__class__ is float else x / 1  # a float, also while it is recorded


class Checked:
    """An object whose settings are checked whenever they are assigned."""

    _settings: ClassVar[dict[str, Callable[[str, Any], Any]]] = {}  # by name: its check

    def __setattr__(self, name: str, value: Any) -> None:
        check = type(self)._settings.get(name)
        if check is not None:
            value = check(f"{type(self).__name__}: {name}", value)
        super().__setattr__(name, value)


def generator(name: str, rng: Any) -> np.random.Generator:
    """Return a random generator.

    Args:
        name: the caller's name, for the message.
        rng: a generator, which is shared; the seed of a new one; or None for a new
            one with a seed that NumPy draws, so that ``np.random.seed(0)`` settles all
            that are made after it, as `torch.manual_seed` does.

    Raises:
        TypeError: if it is none of these.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None and numpy() is Making:  # not in `compile`, which refuses None
        return numpy().default_rng(np.random.randint(0, 2**32, 4, np.uint32))
    if rng is None or (isinstance(rng, int | np.integer) and rng is not True):
        return numpy().default_rng(rng)
    raise TypeError(
        f"{name}: rng is a seed or numpy.random.default_rng(seed), got {rng!r:.60}"
    )


def floating(name: str, dtype: Any) -> np.dtype[Any]:
    """Return the dtype of a layer's parameters.

    Raises:
        TypeError: if it isn't a floating-point type.
    """
    kind: np.dtype[Any] = np.dtype(dtype)
    if kind.kind != "f":
        raise TypeError(
            f"{name}: dtype must be a floating-point type such as np.float32, got "
            f"{kind}"
        )
    return kind


def share(name: str, number: Any) -> float:
    """Return a setting as a float; raise an error unless it is from 0 to 1."""
    return real(name, number, lambda x: 0 <= x <= 1, "from 0 to 1")


def at_least_zero(name: str, number: Any) -> float:
    """Return a setting as a float; raise an error unless it is at least 0."""
    return real(name, number, lambda x: x >= 0, "of at least 0")
