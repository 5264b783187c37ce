"""Write paths of drawings with relative points, which takes fewer characters."""

from __future__ import annotations

import re

STROKE = re.compile(r"([MLQCz])([^MLQCz]*)")
OTHER = re.compile(r"[^MLQCz\d\s.e+-]")


def compact(path: str, digits: int, scale: float = 1, x: int = 0, y: int = 0) -> str:
    """Return a path in the fewest characters.

    Args:
        path: of straight lines and Bézier curves, as Matplotlib writes it.
        digits: the number of digits after the point.
        scale: the factor by which it is enlarged.
        x: the shift to the right, in units of the last digit.
        y: the shift downwards, in the same units.

    >>> compact("M 10 10 L 10.514 12 L 8 12.006 z", digits=2)
    'M10 10l.51 2-2.51 .01z'
    >>> compact("M10 10L20 10", digits=0, scale=0.5, x=100)
    'M105 5l5 0'
    """
    if OTHER.search(path):
        return path
    unit = 10**digits
    at = start = (0, 0)
    written = last = ""
    for kind, numbers in STROKE.findall(path):
        values = [round(float(number) * scale * unit) for number in numbers.split()]
        points = [
            (left + x, down + y)
            for left, down in zip(values[::2], values[1::2], strict=True)
        ]
        steps = [
            shortest(n, digits) for p in points for n in (p[0] - at[0], p[1] - at[1])
        ]
        name = kind.lower() if written else kind
        if name != last or name == "m":
            written += name + steps.pop(0) if steps else name
        written += "".join(step if step[0] == "-" else f" {step}" for step in steps)
        at = points[-1] if points else start  # z leads back
        start = at if kind == "M" else start
        last = name
    return written


def shortest(number: int, digits: int) -> str:
    """Return a number of hundredths, or of another unit, in the fewest characters.

    >>> [shortest(number, 2) for number in (1230, -4, 50, 700, 0)]
    ['12.3', '-.04', '.5', '7', '0']
    """
    if not digits:
        return str(number)
    text = f"{number / 10**digits:.{digits}f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text)
