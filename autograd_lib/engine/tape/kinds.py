"""Kinds of numbers that need more than real ones do (chapter 12; chapter 22).

The tape is for real numbers. Of another kind of numbers it knows only where to ask what
becomes of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, Protocol


class Kind(Protocol):
    """What a kind of numbers needs. It gets nodes, edges and rules, see `node`."""

    def extra_of_result(self, y: Any, edges: Any, by: Any) -> Any:
        """Return what the node of a result has, if that or an input is of the kind."""

    def fitted(self, v: Any, p: Any, rule: Any, d: Any) -> Any:
        """Return what an input, `p`, can have of a gradient of this kind."""

    def arrived(self, v: Any, g: Any) -> Any:
        """Return the complete gradient of a node, if that or `g` is of the kind."""

    def refuse(self, function: str) -> NoReturn:
        """Raise TypeError because a function is not for tensors of this kind."""


KINDS: dict[str, Kind] = {}
"""By the letter that NumPy has for the kind of a type, ``dtype.kind``."""


def refuse_kinds(function: str, types: Iterable[Any]) -> None:
    """Raise TypeError if one of these types is of a kind that a function is not for."""
    for dtype in types:
        if dtype.kind in KINDS:
            KINDS[dtype.kind].refuse(function)
