"""Where a type checker finds the methods of tensors (chapter 13).

Operations make themselves known while the library is loaded, so that the source of
`Tensor` names none. Type checkers and editors read `surface.pyi` beside this file,
which `python -m tools.surface` writes from the operations.
"""

from __future__ import annotations


class Operations:
    """The methods that operations add to tensors."""

    __slots__ = ()
