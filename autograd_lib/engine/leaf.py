"""What a tensor does about its gradient, in PyTorch's words (chapter 12; chapter 16).

A leaf is a tensor that was made with `requires_grad`; backward passes add to its
`grad`. Everything that is made from it needs a gradient too, on the way, and keeps none
unless asked to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autograd_lib.engine.complex_rules import is_complex, refuse_surface
from autograd_lib.engine.node import (
    Handle,
    LeafExtras,
    Node,
    NodeExtras,
    dual_of,
    extra_of,
    leads_back,
    new_node,
)

Self = TypeVar("Self", bound="Gradients")


class Gradients:
    """The part of a tensor that is about its gradient."""

    __slots__ = ()
    _frozen: Node  # the node of a leaf that was made a constant for a time
    dtype: Any
    node: Node | None
    shape: Any

    @property
    def requires_grad(self) -> bool:
        """Whether it is a leaf that collects gradients, or was made from one.

        Also of a tensor that carries a tangent (chapter 22).
        """
        return self.node is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.requires_grad_(wanted)

    @property
    def is_leaf(self) -> bool:
        """Whether it was not made by a recorded operation."""
        return self.node is None or isinstance(self.node.extra, LeafExtras)

    @property
    def grad_fn(self) -> Node | None:
        """The node of a recorded result; None for a leaf."""
        return None if self.is_leaf else self.node

    @property
    def grad(self) -> Any:
        """What backward passes have added up in a leaf; None before the first.

        Also in another tensor, if `retain_grad` asked for it. Assigning None, or
        ``del t.grad``, begins anew.
        """
        node = self.node or getattr(self, "_frozen", None)
        total: Any = node.extra.total if node and node.extra else None
        return total

    @grad.setter
    def grad(self, grad: Any) -> None:
        node = self.node or getattr(self, "_frozen", None)
        extra = node.extra if node is not None else None
        if extra is None or not (extra.collects or isinstance(extra, LeafExtras)):
            raise TypeError(
                "grad: only a leaf that requires a gradient collects one, and a result "
                "after retain_grad()"
            )
        if grad is None:
            extra.total = None
            return
        if type(grad) is not type(self):
            raise TypeError(f"grad: takes a tensor or None, got {grad!r:.60}")
        if grad is self:
            raise ValueError("grad: a tensor cannot be its own gradient; use a copy")
        if (grad.shape, grad.dtype) != (self.shape, self.dtype):
            raise ValueError(
                f"grad: a tensor of shape {self.shape} and {self.dtype} takes a "
                f"gradient of the same, got one of shape {grad.shape} and {grad.dtype}"
            )
        extra.total = grad

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def zero_grad(self) -> None:
        """Forget the gradient, as ``t.grad = None`` does.

        Raises:
            TypeError: if this tensor collects none.
        """
        self.grad = None

    def requires_grad_(self: Self, wanted: bool = True) -> Self:
        """Make this tensor a leaf that collects gradients, or a constant again.

        A leaf that is a constant for a time keeps its `grad` and its hooks. Passes
        through what was made from it before add nothing meanwhile.

        Raises:
            TypeError: if its numbers are not floating-point, also where they are
                complex.
            ValueError: if a recorded operation made it; see `detach`.
        """
        if wanted and self.dtype.kind == "c":
            refuse_surface("requires_grad", "Make a leaf of each part")
        if not self.is_leaf:
            dual = dual_of(self.node)
            if wanted and dual is not None and not dual.needed:
                dual.needed = True
                extra_of(self.node).collects = True  # type: ignore[arg-type]
            if wanted:
                return self
            raise ValueError(
                "requires_grad: a recorded operation made this tensor, so it needs a "
                "gradient; t.detach() is a constant with the same numbers"
            )
        if not wanted and self.node is not None:
            extra_of(self.node).collects = False
            self._frozen, self.node = self.node, None
        elif wanted and self.node is None:
            self.node = getattr(self, "_frozen", None) or self._new_leaf()
            extra_of(self.node).collects = True
        return self

    def _new_leaf(self) -> Node:
        if self.dtype.kind != "f":
            raise TypeError(
                f"requires_grad: only floating-point tensors have gradients, this one "
                f"is of {self.dtype}: a step to the next whole number is not small. "
                "Write 1.0 for 1, or use t.astype(float)"
            )
        return new_node((), self.shape, 0, LeafExtras(self.dtype))

    def register_hook(self, hook: Callable[[Any], Any]) -> Handle:
        """Call ``hook(gradient)`` with the complete gradient, before it is used.

        The hook may return another gradient in its place.

        Raises:
            RuntimeError: if this tensor needs no gradient.
            TypeError: if it is complex.
        """
        return Handle(self._extra("register_hook").tensor_hooks, hook)

    def retain_grad(self) -> None:
        """Let `backward` add to `grad` here too, as in a leaf, after all hooks.

        Raises:
            RuntimeError: if this tensor needs no gradient.
            TypeError: if it is complex.
        """
        self._extra("retain_grad").collects = True

    def _extra(self, function: str) -> NodeExtras:
        if self.node is None or not leads_back(self.node):
            raise RuntimeError(
                f"{function}: this tensor needs no gradient, so none will come; make "
                "it, or what it is made from, with requires_grad=True"
            )
        if is_complex(self.node):
            refuse_surface(function, "Ask for that of its parts, t.real and t.imag")
        extra = extra_of(self.node)
        extra.dtype = self.dtype
        return extra
