"""Writes done without writing, and what is compared with them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.helpers.written_programs import WHOLE, Way

OUT_OF_PLACE_OPERATORS: dict[str, Any] = {
    "+=": operator.add,
    "-=": operator.sub,
    "*=": operator.mul,
    "/=": operator.truediv,
    "**=": operator.pow,
}


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True)


def weights(shape: tuple[int, ...]) -> np.ndarray:
    """Return fixed numbers, no two alike, to make a single number of a result."""
    return np.cos(1.0 + np.arange(int(np.prod(shape)))).reshape(shape)


def number(tensors: list[Any]) -> Any:
    """Return one number of which no gradient is constant."""
    return sum((t * t * weights(t.shape)).sum() for t in tensors)


def first_and_second(make: Callable[..., list[Any]], *leaves: Tensor) -> list[Any]:
    """Return the values, the gradients, and the gradients of a sum of these."""
    made = make(*leaves)
    firsts = grad(number(made), leaves, create_graph=True)
    total: Any = sum((g * weights(g.shape)).sum() for g in firsts if g is not None)
    seconds = grad(total, leaves)
    return [t.data for t in (*made, *firsts, *seconds) if t is not None]


def assert_same(got: list[Any], right: list[Any]) -> None:
    """Assert equality up to rounding: sums are taken in another order."""
    for a, b in zip(got, right, strict=True):
        np.testing.assert_allclose(
            a, b, rtol=1e-9, atol=1e-10 * (1 + abs(b).max(initial=0))
        )


def selected(n: int, index: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return, for each element, its number, or n + that of what is written there."""
    at = np.arange(n).reshape(shape)[getattr(index, "data", index)]
    new = np.arange(n)
    for k, place in enumerate(np.ravel(at)):
        new[place] = n + k
    return new.reshape(shape)


def setitem_by_choice(x: Any, index: Any, value: Any) -> Any:
    """Do x[index] = value out of place: choose from the old and the new."""
    part = np.broadcast_to(value, np.shape(x.data[getattr(index, "data", index)]))
    both = np.concatenate([x.reshape(-1), part.reshape(-1)])
    return both[selected(x.size, index, x.shape)]


class Model:
    """A tensor of a program run without writes: places in a flat array of its base."""

    def __init__(self, base: list[Any], places: np.ndarray) -> None:
        self.base, self.places = base, places


def model_start(x: Any, p: Any) -> list[Any]:
    rows = np.arange(12).reshape(3, 4)
    return [
        Model([(x * 1.5).reshape(-1)], rows),
        Model([(x * p).reshape(-1)], np.arange(12).reshape(3, 4).T),
    ]


def model_view(tensors: list[Any], k: int, f: Callable[[Any], Any]) -> Any:
    """Return a view, or a copy where NumPy copies an array laid out like this."""
    t = tensors[k]
    places = f(t.places)
    if np.may_share_memory(places, t.places):
        return Model(t.base, places)
    return Model(
        [t.base[0][places.reshape(-1)]], np.arange(places.size).reshape(places.shape)
    )


def model_read(tensors: list[Any], k: int) -> Any:
    return tensors[k].base[0][tensors[k].places]


def model_write(
    tensors: list[Any], k: int, index: Any, symbol: str, value: Any
) -> None:
    t = tensors[k]
    places = t.places if index is WHOLE else t.places[index]
    old = t.base[0][places]
    new = value if symbol == "=" else OUT_OF_PLACE_OPERATORS[symbol](old, value)
    new = np.broadcast_to(new + 0.0 * old, places.shape)
    t.base[0] = setitem_by_choice(t.base[0], places, new)


OUT_OF_PLACE = Way(model_start, model_view, model_read, model_write)
