"""Random programs of NumPy and of tensors: writes, views, and arrays of every kind.

A program is a list of steps: what is done, and with which values. It does the same with
other numbers, and what its steps need fits, because each was tried when the program was
made.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor

SHAPES = ((), (1,), (3,), (2, 3), (3, 3), (3, 1), (0,), (2, 0), (2, 3, 2))
KINDS = (np.float64, np.float64, np.float64, np.float32, np.int64, np.bool_)
RARE = (*KINDS, np.int8, np.uint8, np.complex128)
LAYOUTS: tuple[Callable[[Any], Any], ...] = (
    lambda a: a,
    lambda a: a.T,
    lambda a: a[..., ::-1] if a.ndim else a,
    lambda a: np.repeat(a, 2, -1)[..., ::2] if a.ndim else a,
    lambda a: np.asfortranarray(a) if a.ndim else a,
)
UNARY: tuple[Callable[[Any], Any], ...] = (
    *(np.sin, np.tanh, np.exp, np.negative, np.abs, np.square, np.positive),
    *(lambda x: x * 1, lambda x: x / 1, lambda x: -1 * -x, lambda x: x * 1.0),
    *(lambda x: x * 0.5, lambda x: x - 1, lambda x: 1 - x, lambda x: np.maximum(x, 0)),
    *(lambda x: np.where(x > 0, x, x * 0.1), lambda x: x + np.zeros_like(x)),
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    *(operator.add, operator.sub, operator.mul, operator.mul, np.maximum),
    *(lambda x, y: x + -y, lambda x, y: x / (1 + y * y), lambda x, y: x @ y),
    *(lambda x, y: np.where(x > y, x, y), lambda x, y: np.concatenate([x, y])),
    *(lambda x, y: np.stack([x, y]), lambda x, y: x * (y > 0)),
)
VIEWS: tuple[Callable[[Any], Any], ...] = (
    *(lambda x: x.reshape(-1), lambda x: x[1:], lambda x: x[::-1], lambda x: x.T),
    *(lambda x: x[None], lambda x: x[...], lambda x: x[0], np.atleast_1d, np.ravel),
    *(lambda x: x[..., None], lambda x: x[:2], lambda x: x.swapaxes(0, -1)),
    *(lambda x: np.broadcast_to(x, (2, *x.shape)), lambda x: np.split(x, 1)[0]),
    *(lambda x: np.expand_dims(x, 0), np.squeeze, lambda x: x[[0, 0]]),
)
SUMS: tuple[Callable[[Any], Any], ...] = (
    *(np.sum, np.mean, np.max, lambda x: x.sum(axis=0), lambda x: x.sum(axis=-1)),
    *(lambda x: x.mean(axis=-1, keepdims=True), lambda x: np.cumsum(x)),
    *(lambda x: (x * x).sum(axis=-1), lambda x: (x * x).sum(axis=0)),
    *(lambda x: x - x.max(axis=-1, keepdims=True), lambda x: x.sum(axis=(0, -1))),
)


def bits(x: Any) -> Any:
    """Return x where it is positive, else 0, as rules of large arrays do."""
    made = np.empty_like(x)
    whole = {8: np.int64, 4: np.int32}[x.dtype.itemsize]
    np.multiply(x.view(whole), x > 0, out=made.view(whole))
    return made


COPIES: tuple[Callable[[Any], Any], ...] = (
    *(np.copy, lambda x: x.copy(), lambda x: x.flatten(), lambda x: x.T.copy()),
    *(lambda x: x.astype(np.float32), lambda x: x.astype(x.dtype), lambda x: x * 1),
    *(lambda x: x.astype(int), lambda x: x > 0, lambda x: x.astype(bool), bits, bits),
)


# Truth values, of no axis too: NumPy has only two of these, and returns them again.
LOGIC: tuple[Callable[[Any, Any], Any], ...] = (
    *(lambda x, y: np.where((x.sum() > 0) & (y.sum() < 1), x, y), np.logical_or),
    *(lambda x, y: x * ((x.max() > 1) | (y.sum() > 0)), lambda x, y: (x > 0) & (y < 1)),
    *(lambda x, y: x * ((x.sum() > 0) & (y.max() > 1)), lambda x, _: ~(x > 0)),
    *(lambda x, y: x + np.logical_and(np.any(x > 1), y.sum() > 0), np.not_equal),
    *(
        lambda x, y: np.where(np.all(x < 3) ^ np.any(y > 1), x, 0),
        lambda x, _: np.isfinite(x),
    ),
    *(lambda x, y: (x.sum() > 0) & (y.max() > 1), lambda x, y: (x > 0) + y),
)
# NumPy's numbers, which can be written into nowhere, and what is made of them.
NUMBERS: tuple[Callable[[Any, Any], Any], ...] = (
    *(lambda x, _: x.reshape(-1)[0], lambda x, _: np.max(x) * 2, lambda x, _: x.sum()),
    *(lambda x, y: x.mean() * y, lambda x, _: np.abs(x).max() ** 2, lambda x, y: x + y),
    *(
        lambda x, y: np.minimum(x.sum(), y.sum()),
        lambda x, _: 1 / (2 + np.cos(x.sum())),
    ),
    *(lambda x, _: np.argmax(x, axis=0), lambda x, _: np.clip(x, -1, x.max())),
    *(lambda x, _: x[x.argmax(0)], lambda x, _: np.sort(x, axis=-1)),
    *(lambda x, y: np.hypot(x, y), lambda x, _: x**2, lambda x, _: x**0.5),
    *(lambda x, y: np.add(x, y, out=np.empty_like(x)), lambda x, _: np.diff(x)),
)


def set_part(x: Any, y: Any) -> Any:
    x[1:] = y
    return x


def set_all(x: Any, y: Any) -> Any:
    x[...] = y
    return x


def shift(x: Any, _: Any) -> Any:
    x[1:] = x[:-1]
    return x


def set_number(x: Any, _: Any) -> Any:
    x[..., 0] = 7.0
    return x


def set_where(x: Any, _: Any) -> Any:
    x[[0, -1]] = 2.0
    return x


WRITES: tuple[Callable[[Any, Any], Any], ...] = (
    *(set_part, set_all, shift, set_number, set_where),
    *(operator.iadd, operator.imul, operator.isub),
    *(lambda x, _: operator.iadd(x, 1), lambda x, _: operator.imul(x, 2)),
)


def ten_rounds(x: Any, y: Any) -> Any:
    """Return what ten equal rounds leave, and add them up."""
    h, total = x, x * 0.0
    for _ in range(10):
        h = np.tanh(h * y + x) * 0.5
        total = total + h
    return total * h


def counted(x: Any, y: Any) -> Any:
    """Return what ten equal rounds count and add up, each in a type of its own."""
    on, total = x > 0, y * 0
    for _ in range(10):
        x = np.maximum(x * 0.5, -x)
        on, total = on + (x > 0.25), total + x
    return total * on


STEPS = ("lllnnnuubbvvvswwwccrt", "uuubbbvvvvswwwwcccr")
"""How often each kind of step is taken, in one half of all programs and the other."""


TABLES: dict[str, tuple[Callable[..., Any], ...]] = {
    "u": UNARY,
    "b": BINARY,
    "v": VIEWS,
    "s": SUMS,
    "c": COPIES,
    "l": LOGIC,
    "n": NUMBERS,
    "w": WRITES,
    "r": (ten_rounds,),
    "t": (counted,),
}


class Step(NamedTuple):
    """What a program does with some of its values: it adds one, or writes into one.

    A program has its own steps at hand: what it might have chosen is nothing that it
    uses, and that a compiler would have to look through.
    """

    do: Callable[..., Any]
    places: tuple[int, ...]
    writes: bool

    def take(self, values: list[Any]) -> None:
        """Do it."""
        made = self.do(*[values[i] for i in self.places])
        if self.writes:
            values[self.places[0]] = made
        else:
            values.append(made)


def step_of(seed: int, n: int, program: int) -> Step:
    """Choose a step where there are n values; both are seeds, also of the program."""
    r = random.Random(seed)
    kind = r.choice(STEPS[program // 24 % 2])
    place = r.randrange(n - 6 if n > 6 else 0, n)
    place = place if r.random() < 0.7 else r.randrange(n)
    places = place, r.randrange(n)
    return Step(
        r.choice(TABLES[kind]), places[: 1 if kind in "uvsc" else 2], kind == "w"
    )


def numbers(seed: int, which: int) -> list[Any]:
    """Return arrays as inputs: always the same kinds for a seed, other numbers each."""
    r, rng = random.Random(seed), np.random.default_rng([seed, which])
    made = []
    for _ in range(r.randint(1, 3)):
        kinds = (RARE, KINDS)[seed // 24 % 2]
        shape, kind, lies = r.choice(SHAPES), r.choice(kinds), r.choice(LAYOUTS)
        a = rng.normal(size=shape) * 2
        a = np.asarray(np.round(a) if np.dtype(kind).kind in "iu" else a).astype(kind)
        made.append(lies(np.where(rng.random(shape) < 0.1, 0, a).astype(kind)))
    return made


FAILS = (TypeError, ValueError, LookupError, RuntimeError, ArithmeticError)
FAILS = (*FAILS, AttributeError)


class RandomProgram:
    """A function of arrays or of tensors.

    Args:
        steps: what it does.
        order: how often it is differentiated; None for a function of plain arrays.
    """

    def __init__(self, steps: list[Step], order: int | None) -> None:
        self.steps, self.order = steps, order

    def begin(self, *arrays: Any) -> tuple[list[Any], list[Any]]:
        """Return leaves, and the values that steps begin with."""
        if self.order is None:
            return [], [*arrays, *[a + a for a in arrays]]
        inputs = [
            Tensor(a, requires_grad=self.order > 0) if a.dtype.kind == "f" else a
            for a in arrays
        ]
        leaves = [t for t in inputs if isinstance(t, Tensor)]
        return leaves, [*inputs, *[a * 1.5 for a in inputs]]

    def __call__(self, *arrays: Any) -> list[Any]:
        """Return the last values, and derivatives of a sum of them all."""
        with np.errstate(all="ignore"):
            leaves, values = self.begin(*arrays)
            for step in self.steps:
                step.take(values)
            made = values[-4:]
            if not self.order:
                return made
            first = slopes(made, leaves, self.order > 1)
            second = slopes(first, leaves, False) if self.order > 1 else []
        return [
            t.detach() if isinstance(t, Tensor) else t
            for t in (*made, *first, *second)
            if t is not None
        ]


def random_program(seed: int, order: int | None) -> RandomProgram:
    """Return a random function, differentiated so often."""
    made = RandomProgram([], order)
    r = random.Random(seed)
    _, values = made.begin(*numbers(seed, 0))
    for _ in range(r.randint(3, 12)):
        step = step_of(r.randrange(2**32), len(values), seed)
        try:
            with np.errstate(all="ignore"):
                step.take(values)
        except FAILS:
            continue
        made.steps.append(step)
        if sum(v.size for v in values) > 2000:
            break
    return made


def slopes(values: list[Any], leaves: list[Any], again: bool) -> list[Any]:
    """Return the gradients of a weighted sum, None where there are none."""
    needed = [t for t in values if isinstance(t, Tensor) and t.requires_grad]
    if not needed:
        return []
    total: Any = sum((np.cos(t) * t).sum() for t in needed)
    return list(grad(total, leaves, create_graph=again, allow_unused=True))
