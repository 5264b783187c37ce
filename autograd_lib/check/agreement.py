"""What a check of gradients finds: agreement, or a wrong gradient (chapter 14)."""

from __future__ import annotations

from dataclasses import dataclass


class WrongGradient(AssertionError):
    """A gradient is not the reference value, or depends on what it must not."""


@dataclass(frozen=True)
class Agreement:
    """What a check found where nothing is wrong.

    Attributes:
        compared: how many numbers were compared with a reference value.
        by: how these were calculated: "complex step", "central difference", or both.
        tolerance: how far apart they may be: absolute below 1, relative above.
    """

    compared: int
    by: str
    tolerance: float

    def __repr__(self) -> str:
        numbers = "1 number" if self.compared == 1 else f"{self.compared} numbers"
        if not self.compared:
            return "✓ there was no number to compare"
        return f"✓ {numbers} by {self.by}, to {self.tolerance:.0e}"


def written(a: float, b: float, digits: int = 8) -> tuple[str, str, str]:
    """Return two numbers with digits enough to see that they differ, and by how much.

    The third text is empty where the first digits show it.
    """
    few = f"{a:.{digits - 2}g}" != f"{b:.{digits - 2}g}"
    while digits < 17 and f"{a:.{digits}g}" == f"{b:.{digits}g}":
        digits += 2
    apart = "" if few else f" They differ by {abs(a - b):.1e}."
    return f"{a:.{digits}g}", f"{b:.{digits}g}", apart
