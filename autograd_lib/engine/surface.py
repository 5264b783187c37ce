"""The methods of tensors, for type checkers (chapter 10).

`Tensor` gets its methods from `methods.py` while the library is loaded, so its source
lists none. Type checkers and editors read `surface.pyi` next to this file, which
`python -m tools.surface` writes from the methods.
"""

from __future__ import annotations


class Operations:
    """The methods that tensors get when the library is loaded."""

    __slots__ = ("__weakref__",)
