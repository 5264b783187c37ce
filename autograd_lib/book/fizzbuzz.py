"""Numbers to say fizz and buzz for, as a network sees them (chapter 07)."""

from __future__ import annotations


def digits(n: int) -> list[int]:
    """Return the ten binary digits of a number, the lowest first: -1 or 1.

    >>> digits(5)
    [1, -1, 1, -1, -1, -1, -1, -1, -1, -1]
    """
    return [1 if n >> i & 1 else -1 for i in range(10)]


def answer(n: int) -> int:
    """Return 0 for the number itself, 1 for fizz, 2 for buzz and 3 for fizzbuzz.

    >>> [answer(n) for n in (7, 9, 10, 30)]
    [0, 1, 2, 3]
    """
    return (n % 3 == 0) + 2 * (n % 5 == 0)
