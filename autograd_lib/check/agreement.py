"""Results of gradient checks: agreement, or a wrong gradient (chapter 11)."""

from __future__ import annotations

from dataclasses import dataclass


class WrongGradient(AssertionError):
    """A gradient that is not the reference value, or depends on what it must not."""


@dataclass(frozen=True)
class Agreement:
    """The result of a check that found no error.

    Attributes:
        compared: how many numbers were compared with a reference value.
        by: how these were calculated: "complex step", "central difference", or both.
        tolerance: the allowed difference: absolute below 1, relative above.
    """

    compared: int
    by: str
    tolerance: float

    def __repr__(self) -> str:
        numbers = "1 number" if self.compared == 1 else f"{self.compared} numbers"
        if not self.compared:
            return "✓ there was no number to compare"
        return f"✓ {numbers} by {self.by}, to {self.tolerance:.0e}"


def distinct_texts(a: float, b: float, digits: int = 8) -> tuple[str, str, str]:
    """Return two numbers with enough digits to show that they differ, and by how much.

    The third text is empty if the first digits show the difference.
    """
    few = f"{a:.{digits - 2}g}" != f"{b:.{digits - 2}g}"
    while digits < 17 and f"{a:.{digits}g}" == f"{b:.{digits}g}":
        digits += 2
    apart = "" if few else f" They differ by {abs(a - b):.1e}."
    return f"{a:.{digits}g}", f"{b:.{digits}g}", apart
