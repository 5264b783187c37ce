"""What the accidents are told with: an engine, what it got and what is right.

An accident is a function of an `Engine`. It returns if the engine has it not, and
raises `Wrong` with the number that it got, the right one and what to think about.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

REFUSALS = RuntimeError, TypeError, ValueError, IndexError, NotImplementedError

IN_PLACE = {
    "Number": "Tensor",
    "Number.__radd__": "Tensor.__radd__",
    "Number.__sub__": "Tensor.__sub__",
    "Number.__truediv__": "Tensor.__sub__",  # for tensors, / and ** come later
    "Number.__pow__": "Tensor.__sub__",
    "relu": "Tensor.mean",  # which comes with np.maximum
    "Number.relu": "Tensor.mean",
    "Number.backward": "Tensor.backward",
    "send_back": "grad",
    "walk": "grad",
    "backward": "Tensor.backward",
}
"""Names of scalars, and what takes their place once there is a `Tensor`."""

ELSEWHERE = {
    "send_back": "walk",
    "cross_entropy": "Tensor.cross_entropy",
    "hooked": "Tensor.register_hook",
}
"""Names that may be missing, and what does the same."""


LATEST_FIRST = (
    "A number has its turn after all that use it: what was made last is first."
)
"""What to think about where a gradient is asked for before it is there."""


class Wrong(AssertionError):
    """What an accident says of an engine that has it."""


@dataclass(frozen=True)
class Accident:
    """A program that went wrong on some engine.

    Attributes:
        step: the step of the engine that prevents it, such as "order".
        name: its name there, such as "late".
        about: what to think about, one or two sentences.
        asks: the names that it needs, such as "walk" or "Tensor.backward".
        of_tensors: the names that it needs, too, once there is a `Tensor`.
        program: runs it on an engine.
    """

    step: str
    name: str
    about: str
    asks: tuple[str, ...]
    of_tensors: tuple[str, ...]
    program: Callable[[Engine], None]

    def __str__(self) -> str:
        return f"{self.step}.{self.name}"


ACCIDENTS: list[Accident] = []


def accident(
    *asks: str, of_tensors: tuple[str, ...] = ()
) -> Callable[[Callable[[Engine], None]], Accident]:
    """Make an accident of a function whose name is ``step_name``.

    Its docstring becomes what to think about.
    """

    def keep(program: Callable[[Engine], None]) -> Accident:
        step, _, name = program.__name__.partition("_")
        about = " ".join((program.__doc__ or "").split())
        found = Accident(step, name.replace("_", " "), about, asks, of_tensors, program)
        ACCIDENTS.append(found)
        return found

    return keep


class Engine:
    """An engine under test: a module, and how leaves and slopes are had from it.

    Args:
        module: the engine's module, or any object that has its names.
    """

    def __init__(self, module: Any) -> None:
        self.module: Any = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def has(self, name: str) -> bool:
        """Whether the engine has a name, such as "walk" or "Tensor.backward".

        For an engine of tensors, `grad` does what `walk` did.
        """
        if hasattr(self.module, "Tensor"):
            name = IN_PLACE.get(name, name)
        return self._has(name) or self._has(ELSEWHERE.get(name, name))

    def _has(self, name: str) -> bool:
        home, _, method = name.rpartition(".")
        if not home:
            return hasattr(self.module, name)
        kind = getattr(self.module, home, None)
        if kind is None or hasattr(kind, method):
            return kind is not None
        try:
            return hasattr(self.leaf(1.0), method)  # an attribute of each, as grad is
        except Exception:
            return False

    def lacks(self, accident: Accident) -> list[str]:
        """Return the names that an accident needs and the engine has not."""
        names = accident.asks + accident.of_tensors * self.of_arrays
        return [name for name in names if not self.has(name)]

    def waits(self, accident: Accident) -> bool:
        """Whether all that an accident lacks is `grad`, since there are tensors."""
        missing = self.lacks(accident) if self.of_arrays else []
        return {IN_PLACE.get(name, name) for name in missing} == {"grad"}

    @property
    def of_arrays(self) -> bool:
        """Whether its numbers are tensors by now."""
        return self.has("Tensor")

    def leaf(self, data: Any, dtype: Any = None) -> Any:
        """Return an input: a tensor that requires a gradient, or a Number."""
        if self.of_arrays:
            return self.Tensor(data, requires_grad=True, dtype=dtype)
        return self.Number(data)

    def slopes(self, y: Any, xs: Sequence[Any], seed: Any = None) -> list[Any]:
        """Return the gradient of `y` in each of `xs`, as plain numbers or arrays."""
        if self.of_arrays:
            seed = np.ones(y.shape) if seed is None else seed
            return [plain(g) for g in self.grad(y, xs, seed)]
        if self.has("walk"):
            found = self.walk(y)
            return [found.get(x, 0.0) for x in xs]
        self.send_back(y)
        return [x.grad for x in xs]

    def slope(self, y: Any, x: Any) -> Any:
        """Return the gradient of `y` in `x`."""
        return self.slopes(y, [x])[0]


def plain(x: Any) -> Any:
    """Return the numbers of a tensor or a Number; anything else as it is."""
    if isinstance(x, np.ndarray | float | int | np.generic):
        return x
    return getattr(x, "data", x)


def shown(x: Any) -> str:
    """Return numbers as a message has them: rounded, without their type."""
    array = np.asarray(x, float)
    if array.size > 12:
        return f"an array of shape {array.shape}, whose sum is {array.sum():.6g}"
    return _listed(array)


def _listed(array: np.ndarray) -> str:
    if array.ndim == 0:
        return f"{array.item():.6g}"
    return f"[{', '.join(map(_listed, array))}]"


def near(got: Any, right: Any, why: str, within: float = 1e-4) -> None:
    """Hold that `got`, or what it returns if it is a function, is `right`.

    Raises:
        Wrong: if it is not, in shape or value, with both and with `why`; and if the
            function raises.
    """
    if callable(got):
        try:
            got = got()
        except (NameError, AttributeError):  # of the engine, and no lesson
            raise
        except Exception as error:
            said = f"Got {type(error).__name__}: {str(error)[:90]!r}"
            why = hinted(error, why)
            raise Wrong(f"{said}, right is {shown(right)}. {why}") from error
    got = plain(got)
    if got is None:
        raise Wrong(f"Got None, right is {shown(right)}. {why}")
    array, right = np.asarray(got), np.asarray(right)
    if array.dtype == object:
        raise Wrong(f"Got {type(got).__name__}, right is {shown(right)}. {why}")
    if array.shape != right.shape:
        raise Wrong(
            f"Got {shown(array)} of shape {array.shape}, right is {shown(right)} of"
            f" shape {right.shape}. {why}"
        )
    if not np.allclose(array, right, within, within, equal_nan=True):
        raise Wrong(f"Got {shown(array)}, right is {shown(right)}. {why}")


def holds(fact: Any, got: str, why: str) -> None:
    """Hold that something is true.

    Raises:
        Wrong: if it is not, with what was got instead, and with `why`.
    """
    if not fact:
        raise Wrong(f"{got} {why}")


def refused(call: Callable[[], Any], words: Sequence[str], why: str) -> None:
    """Hold that a call is refused in words: with one of `words` in the message.

    Raises:
        Wrong: if it returns, or fails with a message that says nothing of it.
    """
    try:
        got = call()
    except Exception as error:
        recognise(error, words, why)
        return
    numbers = plain(got)
    is_array = isinstance(numbers, np.ndarray | float) and np.size(numbers) < 13
    has_numbers = is_array and np.asarray(numbers).dtype.kind in "biuf"
    said = f"Got {shown(numbers)}" if has_numbers else "It went through"
    raise Wrong(f"{said}, right is a refusal with {_one_of(words)}. {why}")


def right_or_refused(
    call: Callable[[], Any], right: Any, words: Sequence[str], why: str
) -> None:
    """Hold that a call gives what is right, or is refused in words."""
    try:
        got = call()
    except Exception as error:
        recognise(error, words, why)
        return
    near(got, right, f"{why} Or refuse it, with {_one_of(words)}.")


def _one_of(words: Sequence[str]) -> str:
    return f"the word {' or '.join(map(repr, words[:3]))}"


def recognise(error: Exception, words: Sequence[str], why: str) -> None:
    """Hold that an error is a refusal: one of `words` is in its message."""
    if isinstance(error, Wrong | NameError):
        raise error
    said = str(error).lower()
    if isinstance(error, REFUSALS) and any(word in said for word in words):
        return
    raise Wrong(
        f"It stopped with {type(error).__name__}: {str(error)[:120]!r}; right is a"
        f" message with {_one_of(words)}. {hinted(error, why)}"
    ) from error


def hinted(error: Exception, why: str) -> str:
    """Return what to think about: first the order, if `walk` did not find a key."""
    frames = traceback.extract_tb(error.__traceback__)
    in_walk = isinstance(error, KeyError) and frames[-1].name == "walk"
    return f"{LATEST_FIRST} {why}" if in_walk and LATEST_FIRST not in why else why


@contextmanager
def at_most(calls: int, why: str) -> Iterator[None]:
    """Hold that what is inside makes no more than so many calls of functions.

    Raises:
        Wrong: as soon as there are more.
    """
    made = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal made
        made += event in ("call", "c_call")
        if made > calls:
            sys.setprofile(None)
            raise Wrong(f"Got more than {calls:,} calls. {why}")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


def against_differences(
    engine: Engine, functions: dict[str, Callable[[Any], Any]], at: Any
) -> None:
    """Hold that the rule of each function is what a difference says.

    The result is squared, so that what comes to the rule is not 1, and each element
    of the input is pushed.
    """
    at = np.asarray(at, float)
    for name, function in functions.items():
        t = engine.leaf(at)
        y = function(t)
        got = engine.slopes(y * y, [t])[0]
        right = np.zeros(at.shape)
        for i in np.ndindex(at.shape):
            sums = []
            for push in (1e-6, -1e-6):
                pushed = at.copy()
                pushed[i] += push
                value = plain(function(engine.Tensor(pushed)))
                sums.append((np.asarray(value) ** 2).sum())
            right[i] = (sums[0] - sums[1]) / 2e-6
        near(got, right, f"The rule of {name} is not what a difference says.", 1e-3)
