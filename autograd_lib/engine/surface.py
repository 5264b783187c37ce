"""The methods of tensors, for type checkers (chapter 13).

Operations register themselves as methods while the library is loaded, so the source of
`Tensor` lists none. Type checkers and editors read `surface.pyi` next to this file,
which `python -m tools.surface` writes from the operations.
"""

from __future__ import annotations


class Operations:
    """The methods that operations add to tensors."""

    __slots__ = ()
