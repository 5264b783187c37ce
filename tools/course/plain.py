"""Answers as plain data, so that no method of a student's runs where they are judged.

`packed` reduces an answer to what JSON holds, with exact types; `unpacked` makes of it
numbers, lists, arrays and records of ours that `same` compares as it compares the
originals. What is none of these crosses as the name of its type, and equals nothing.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, make_dataclass
from functools import cache
from typing import Any

import numpy as np

DEEP = 12  # levels of an answer; a list that holds itself has no end
EXACT = 2**53  # integers up to here are the same in every reader of JSON


class Opaque:
    """Stands for an answer that is no data. It equals nothing, not even itself."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"a {self.kind}"


def packed(value: Any, deep: int = 0) -> Any:
    """Return a value as what JSON holds: itself, a list, or a dictionary of one item.

    A list is a list; a dictionary's key says what its item stands for.
    """
    if deep > DEEP:
        return {"opaque": "structure without end"}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if hasattr(value, "tolist") and hasattr(value, "shape"):
        return {"array": [list(value.shape), packed(value.tolist(), deep + 1)]}
    if isinstance(value, int | float | complex):
        return number(value)
    return structure(value, deep + 1)


def number(value: complex) -> Any:
    """Pack a number of Python, or of a class made from one, exactly."""
    if isinstance(value, int):
        whole = int.__int__(value)
        return whole if abs(whole) <= EXACT else {"integer": hex(whole)}
    if isinstance(value, float):
        return {"float": float.hex(value)}
    return {"complex": [float.hex(value.real), float.hex(value.imag)]}


def structure(value: Any, deep: int) -> Any:
    """Pack what has parts, or what can be taken for a number."""
    if isinstance(value, Mapping):
        pairs = [[packed(k, deep), packed(v, deep)] for k, v in value.items()]
        return {"mapping": pairs}
    if is_dataclass(value) and not isinstance(value, type):
        parts = [[f.name, packed(getattr(value, f.name), deep)] for f in fields(value)]
        return {"record": [type(value).__name__, parts]}
    if isinstance(value, Sequence):
        items = [packed(v, deep) for v in value]
        names = getattr(value, "_fields", None)
        return {"named": [list(names), items]} if names else items
    try:
        return {"float": float.hex(float(value))}
    except (TypeError, ValueError, OverflowError):
        return {"opaque": type(value).__name__}


def unpacked(data: Any) -> Any:
    """Return what was packed.

    Raises:
        ValueError: if this is nothing that `packed` returns.
    """
    if data is None or type(data) in (bool, int, str):
        return data
    if type(data) is list:
        return [unpacked(v) for v in data]
    if type(data) is not dict or len(data) != 1:
        raise ValueError("this is no answer")
    ((kind, inside),) = data.items()
    try:
        return MAKE[kind](inside)
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise ValueError(f"this is no answer: {error!r:.200}") from None


def array(inside: Any) -> Any:
    """Make an array that gives back exactly the numbers that were in the first."""
    shape, items = inside
    flat = unpacked(items)
    for _ in range(len(shape) - 1):
        flat = [v for row in flat for v in row]
    if math.prod(shape) != (len(flat) if shape else 1):
        raise ValueError("an array of another size than it says")
    made = np.empty(shape, dtype=object)
    made.ravel()[:] = flat if shape else [flat]
    return made


@cache
def named_kind(names: tuple[str, ...]) -> Any:
    """Return the one class for tuples with these names."""
    return namedtuple("Answer", names)


@cache
def record_kind(name: str, names: tuple[str, ...]) -> Any:
    """Return the one class for records of this name and these parts."""
    return make_dataclass(name, names)


def record(inside: Any) -> Any:
    """Make a record of the class that stands for the first one's."""
    name, parts = inside
    kind = record_kind(name, tuple(part for part, _ in parts))
    return kind(*(unpacked(v) for _, v in parts))


MAKE = {
    "integer": lambda inside: int(inside, 16),
    "float": float.fromhex,
    "complex": lambda inside: complex(*map(float.fromhex, inside)),
    "array": array,
    "mapping": lambda inside: dict(unpacked(pair) for pair in inside),
    "named": lambda inside: named_kind(tuple(inside[0]))(*map(unpacked, inside[1])),
    "record": record,
    "opaque": Opaque,
}


def opaque_in(value: Any) -> bool:
    """Whether an unpacked answer holds something that is no data."""
    if isinstance(value, Opaque):
        return True
    if isinstance(value, Mapping):
        return any(opaque_in(v) for v in value.values())
    if is_dataclass(value) and not isinstance(value, type):
        return any(opaque_in(getattr(value, f.name)) for f in fields(value))
    if isinstance(value, np.ndarray):
        return any(map(opaque_in, value.flat))
    return isinstance(value, list | tuple) and any(map(opaque_in, value))
