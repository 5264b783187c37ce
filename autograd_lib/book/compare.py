"""Compare two answers, and find the first part in which they differ (chapter 00)."""

from __future__ import annotations

import cmath
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

SMALL = 1e-3  # below this, the error allowed is absolute
FEW = 8  # numbers that are shown as a whole; of more, only the first wrong one


def agree(got: Any, expected: Any, tolerance: float) -> bool:
    """Return whether two answers agree: numbers up to `tolerance`, others exactly.

    Sequences and arrays are compared element by element, each on its own scale;
    dictionaries and dataclasses part by part; NaN agrees with NaN. A truth value
    doesn't agree with a number, or a complex answer with a real one.
    """
    # NumPy's arrays and numbers are converted; two arrays must have the same shape.
    shapes = {v.shape for v in (got, expected) if hasattr(v, "tolist")}
    a, b = (v.tolist() if hasattr(v, "tolist") else v for v in (got, expected))
    if any(isinstance(v, str | bool | None) for v in (a, b)):
        return type(a) is type(b) and bool(a == b)
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        fits = len(shapes) < 2 and len(a) == len(b)
        return fits and all(agree(*pair, tolerance) for pair in zip(a, b, strict=True))
    if has_names(a) and has_names(b):
        fits = isinstance(b, Mapping) or type(a) is type(b)
        a, b = parts_of(a), parts_of(b)
        return (
            fits
            and a.keys() == b.keys()
            and all(agree(a[name], b[name], tolerance) for name in b)
        )
    if isinstance(a, complex) and not isinstance(b, complex):
        return False
    try:
        x, y = complex(a), complex(b)
    except (TypeError, ValueError, OverflowError):  # not numbers, or beyond floats
        return type(a) is type(b) and bool(a == b)
    if not (cmath.isfinite(x) and cmath.isfinite(y)):
        return x == y or (cmath.isnan(x) and cmath.isnan(y))
    return abs(x - y) <= tolerance * (SMALL + abs(y))


def has_names(answer: Any) -> bool:
    """Return whether an answer has named parts: a dictionary or a dataclass."""
    return isinstance(answer, Mapping) or (
        is_dataclass(answer) and not isinstance(answer, type)
    )


def parts_of(answer: Any, names: Sequence[str] = ()) -> dict[Any, Any]:
    """Return the parts of an answer by name; empty if they have no names.

    The names are those of a dictionary, a dataclass or a named tuple; `names` is used
    for a sequence with as many parts.
    """
    if isinstance(answer, Mapping):
        return dict(answer)
    if has_names(answer):
        return {f.name: getattr(answer, f.name) for f in fields(answer)}
    names = getattr(answer, "_fields", names)
    is_sequence = isinstance(answer, Sequence) and not isinstance(answer, str)
    if names and is_sequence and len(answer) == len(names):
        return dict(zip(names, answer, strict=True))
    return {}


def difference(
    got: Any, expected: Any, tolerance: float, names: Sequence[str] = ()
) -> str:
    """Return a text with the first part in which two answers differ."""
    wanted = parts_of(expected, names)
    if not wanted:
        return unlike(got, expected, tolerance)
    found = parts_of(got, list(wanted))
    if found.keys() != wanted.keys():
        have = ", ".join(map(str, found)) or shown(got)
        return f"got {have}, expected {', '.join(map(str, wanted))}"
    for name, part in wanted.items():
        if not agree(found[name], part, tolerance):
            return f"{name}: {unlike(found[name], part, tolerance)}"
    kinds = type(got).__name__, type(expected).__name__
    return f"got a {kinds[0]}, expected a {kinds[1]}"


def unlike(got: Any, expected: Any, tolerance: float) -> str:
    """Return how two answers differ: in shape, in an element of many, or as a whole."""
    a, b = shape_of(got), shape_of(expected)
    is_array = any(hasattr(v, "shape") for v in (got, expected))
    if None not in (a, b) and a != b and (is_array or size_of(a) > FEW):
        if a and b:
            return f"got shape {a}, expected {b}"
        return f"got {in_words(got, a)}, expected {in_words(expected, b)}"
    if a == b and size_of(b) > FEW:
        place = first_unlike(got, expected, tolerance)
        for i in place:
            got, expected = got[i], expected[i]
        return f"at [{', '.join(map(str, place))}]: {in_digits(got, expected)}"
    return in_digits(got, expected)


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Return the shape of an array, or of lists of equal lengths; otherwise None."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return shape
    if not isinstance(value, tuple | list):
        return () if isinstance(value, int | float | complex) else None
    inside = {shape_of(v) for v in value} or {()}
    if len(inside) > 1 or None in inside:
        return None
    return len(value), *(inside.pop() or ())


def size_of(shape: tuple[int, ...] | None) -> int:
    """Return how many numbers an array of this shape has."""
    size = 1
    for n in shape or ():
        size *= n
    return size


def in_words(value: Any, shape: tuple[int, ...] | None) -> str:
    """Return a shape in words, or the number if it has none."""
    return f"shape {shape}" if shape else f"the number {shown(value)}"


def first_unlike(got: Any, expected: Any, tolerance: float) -> list[int]:
    """Return the indices of the first element in which two answers differ."""
    place: list[int] = []
    while shape_of(expected):
        wrong = (
            i for i in range(len(expected)) if not agree(got[i], expected[i], tolerance)
        )
        i = next(wrong, 0)
        place.append(i)
        got, expected = got[i], expected[i]
    return place


def in_digits(got: Any, expected: Any) -> str:
    """Return a text with two answers, with enough digits to show the difference."""
    for digits in (6, 9, 12, 17):
        a, b = shown(got, digits), shown(expected, digits)
        if a != b:
            return f"got {a}, expected {b}"
    return f"got {a} ({type(got).__name__}), expected {b} ({type(expected).__name__})"


def shown(value: Any, digits: int = 6) -> str:
    """Return an input or an answer as a verdict shows it."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()  # a number of NumPy, or a tensor's
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return f"{value + 0.0:.{digits}g}"  # -0.0 + 0.0 is 0.0
    if isinstance(value, tuple | list):
        inside = ", ".join(shown(v, digits) for v in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    try:
        text = repr(value)
    except Exception:  # a class of the reader's may be incomplete
        text = " object at 0x"
    return f"a {type(value).__name__}" if " object at 0x" in text else text
