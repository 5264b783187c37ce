"""Answers as plain data, so that no method of a student's runs where they are judged.

`packed` reduces an answer to what JSON holds, with exact types; `unpacked` makes of it
numbers, lists, arrays and records of ours that `same` compares as it compares the
originals. What is none of these crosses as the name of its type, and equals nothing.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, make_dataclass
from functools import partial
from typing import Any

import numpy as np

DEEP = 12  # levels of an answer; a list that holds itself has no end
DEEPEST = 4 * (
    DEEP + 2
)  # levels of what is packed: a record's part is four levels down
AXES = 32  # that an array of NumPy may have, in each of its versions
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
    """Pack a container or a record, or convert to a float."""
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


def size(data: Any) -> int:
    """Return the number of parts in packed data; a long text counts as several.

    Raises:
        ValueError: if it has more levels than anything that `packed` returns.
    """
    found, level = 0, [data]
    for _ in range(DEEPEST):
        if not level:
            return found
        found += sum(1 + len(v) // 16 if isinstance(v, str) else 1 for v in level)
        level = [
            inner
            for v in level
            if isinstance(v, list | dict)
            for inner in (v.values() if isinstance(v, dict) else v)
        ]
    raise ValueError("this is no answer: it has too many levels")


def unpacked(data: Any, expected: bool = False) -> Any:
    """Return the data that were packed.

    The kinds of records are those of the expected answers: no class is made, and kept,
    under a name that a student chose. A record of another kind is a dictionary.

    Raises:
        ValueError: if this is nothing that `packed` returns.
    """
    if data is None or type(data) in (bool, int, str):
        return data
    if type(data) is list:
        return [unpacked(v, expected) for v in data]
    if type(data) is not dict or len(data) != 1:
        raise ValueError("this is no answer")
    ((kind, inside),) = data.items()
    try:
        if kind in SIMPLE:
            return SIMPLE[kind](inside)
        return WITH_PARTS[kind](inside, partial(unpacked, expected=expected), expected)
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise ValueError(f"this is no answer: {error!r:.200}") from None


def array(inside: Any, read: Read, _: bool) -> Any:
    """Return an array of objects that holds exactly the packed numbers."""
    shape, flat = inside[0], [inside[1]]
    if len(shape) > AXES:
        raise ValueError("an array of more axes than NumPy has")
    for length in shape:
        if any(type(row) is not list or len(row) != length for row in flat):
            raise ValueError("an array of another size than it says")
        flat = [v for row in flat for v in row]
    made = np.empty(shape, dtype=object)
    made.ravel()[:] = [read(v) for v in flat]
    return made


def record(inside: Any, read: Read, expected: bool) -> Any:
    """Return a record of a class with the same name and fields."""
    name, parts = inside
    values = {part: read(v) for part, v in parts}
    kind = KINDS.get((name, *values))
    if kind is None and expected:
        kind = KINDS[name, *values] = make_dataclass(name, values)
    return kind(**values) if kind else values


def named(inside: Any, read: Read, expected: bool) -> Any:
    """Return a named tuple with the same field names."""
    names, values = inside[0], [read(v) for v in inside[1]]
    kind = KINDS.get(("", *names))
    if kind is None and expected:
        kind = KINDS["", *names] = namedtuple("Answer", names)
    return kind(*values) if kind else tuple(values)


def mapping(inside: Any, read: Read, _: bool) -> dict[Any, Any]:
    """Return a dictionary."""
    return dict(read(pair) for pair in inside)


Read = Callable[[Any], Any]
KINDS: dict[tuple[str, ...], Any] = {}
"""The classes that stand for those of records, by their name and their parts' names;
for a named tuple's, whose name does not count, that is empty."""
SIMPLE: dict[str, Read] = {
    "integer": lambda inside: int(inside, 16),
    "float": float.fromhex,
    "complex": lambda inside: complex(*map(float.fromhex, inside)),
    "opaque": Opaque,
}
WITH_PARTS: dict[str, Callable[[Any, Read, bool], Any]] = {
    "array": array,
    "mapping": mapping,
    "named": named,
    "record": record,
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
