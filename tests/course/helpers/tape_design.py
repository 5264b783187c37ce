"""A fourth design, as a capstone may hand it in: one tape, read backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.broadcast import unbroadcast
from course.capstone.probe_card import SPREAD, Probe

TAPE: list[tuple[Taped, list[tuple[Taped, Any]]]] = []


class Taped:
    """A number whose operations are written down, in the order of the calculation."""

    __array_ufunc__ = None

    def __init__(self, data: Any) -> None:
        self.data = np.array(data, float)
        self.grad: Any = None

    def __add__(self, other: Any) -> Taped:
        other = taped(other)
        return record(self.data + other.data, fit(self, same), fit(other, same))

    def __mul__(self, other: Any) -> Taped:
        other = taped(other)
        a, b = self.data.copy(), other.data.copy()
        return record(a * b, fit(self, lambda g: g * b), fit(other, lambda g: g * a))

    def sum(self) -> Taped:
        ones = np.ones(self.data.shape)
        return record(self.data.sum(), (self, lambda g: g * ones))

    __radd__, __rmul__ = __add__, __mul__


def same(g: Any) -> Any:
    return g


def fit(v: Taped, rule: Any) -> tuple[Taped, Any]:
    """Let a rule of an operation that broadcasts return its input's shape."""
    return v, lambda g: unbroadcast(rule(g), v.data.shape)


def taped(value: Any) -> Taped:
    return value if isinstance(value, Taped) else Taped(value)


def record(data: Any, *inputs: Any) -> Taped:
    made = Taped(data)
    TAPE.append((made, list(inputs)))
    return made


def walk_back(root: Taped) -> None:
    grads = {id(root): np.ones(root.data.shape)}
    inner = {id(made) for made, _ in TAPE}
    for made, inputs in reversed(TAPE):
        if id(made) not in grads:
            continue
        g = grads.pop(id(made))
        for v, rule in inputs:
            part = np.asarray(rule(g))
            if part.shape != v.data.shape:
                raise ValueError(f"a rule returned {part.shape} for {v.data.shape}")
            if id(v) in inner:
                grads[id(v)] = grads.get(id(v), 0.0) + part
            else:
                v.grad = part if v.grad is None else v.grad + part


class Design(Probe):
    """How the card talks to the tape."""

    name = "Tape"

    def leaf(self, array: np.ndarray) -> Taped:
        return Taped(array)

    def walk_back(self, result: Any) -> None:
        walk_back(result)

    def spread(self, t: Any) -> Taped:
        return record(t.data @ SPREAD, (t, same))
