"""Leaves: tensors that collect gradients, with PyTorch's names (chapter 13).

A leaf is a tensor that was made with `requires_grad`; backward passes add to its
`grad`. Every result that is computed from it needs a gradient during a pass too, but
keeps it only if `retain_grad` asked for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lib.engine.numpy.operands import truth
from autograd_lib.engine.tape.node import (
    LeafExtras,
    Node,
    NodeExtras,
    leads_back,
    new_node,
    refuse_kinds,
)
from autograd_lib.engine.tape.tensor import Tensor, constant


class Leaves:
    """The attributes of a tensor that concern its gradient."""

    @property
    def requires_grad(self: Any) -> bool:
        """Whether the tensor is a leaf that collects gradients, or was made from one.

        Also true of a tensor that carries a tangent (chapter 19).
        """
        return self.node is not None

    @requires_grad.setter
    def requires_grad(self: Any, wanted: bool) -> None:
        requires_grad_(self, wanted)

    @property
    def is_leaf(self: Any) -> bool:
        """Whether no recorded operation made the tensor."""
        return self.node is None or isinstance(self.node.extra, LeafExtras)

    @property
    def grad_fn(self: Any) -> Node | None:
        """The node of a recorded result; None for a leaf."""
        return None if self.is_leaf else self.node

    @property
    def grad(self: Any) -> Any:
        """The sum of the gradients from backward passes; None before the first.

        Leaves have it, and tensors with `retain_grad`. Assigning None, or
        ``del t.grad``, starts again from zero.
        """
        node = self.node or getattr(self, "_frozen", None)
        total: Any = node.extra.total if node and node.extra else None
        return total

    @grad.setter
    def grad(self: Any, grad: Any) -> None:
        set_grad(self, grad)

    @grad.deleter
    def grad(self: Any) -> None:
        set_grad(self, None)

    def detach(self: Any) -> Tensor:
        """Return a constant that shares this tensor's array."""
        return constant(self._array)


def begin(t: Tensor, wanted: Any) -> None:
    """Make a new tensor a leaf, if `wanted` is true."""
    if truth(wanted, "requires_grad"):
        t.node = leaf_node(t)


def set_grad(t: Tensor, grad: Any) -> None:
    """Replace the collected gradient; None starts again from zero.

    Raises:
        TypeError: if the tensor collects no gradient, or `grad` isn't a tensor or None.
        ValueError: if the gradient has another shape or type, or is the tensor itself.
    """
    node = t.node or getattr(t, "_frozen", None)
    extra = node.extra if node is not None else None
    if extra is None or not (extra.collects or isinstance(extra, LeafExtras)):
        raise TypeError(
            "grad: only a leaf that requires a gradient collects one, and a result "
            "after retain_grad()"
        )
    if grad is None:
        extra.total = None
        return
    if type(grad) is not Tensor:
        raise TypeError(f"grad: takes a tensor or None, got {grad!r:.60}")
    if grad is t:
        raise ValueError("grad: a tensor cannot be its own gradient; use a copy")
    if (grad.shape, grad.dtype) != (t.shape, t.dtype):
        raise ValueError(
            f"grad: a tensor of shape {t.shape} and {t.dtype} takes a "
            f"gradient of the same, got one of shape {grad.shape} and {grad.dtype}"
        )
    extra.total = grad


def zero_grad(t: Tensor) -> None:
    """Forget the gradient, as ``t.grad = None`` does.

    Raises:
        TypeError: if this tensor collects no gradient.
    """
    set_grad(t, None)


def requires_grad_(t: Tensor, wanted: bool = True) -> Tensor:
    """Make this tensor a leaf that collects gradients, or a constant again.

    A leaf that is made a constant keeps its `grad` and its hooks. Backward passes
    through earlier results of it add nothing while it is one.

    Raises:
        TypeError: if its numbers are not floating-point; complex ones aren't either.
            Or if `wanted` is neither True nor False.
        ValueError: if a recorded operation made it; see `detach`.
    """
    wanted = truth(wanted, "requires_grad")
    if wanted:
        refuse_kinds("requires_grad", [t.dtype])
    if not t.is_leaf:
        if wanted and not leads_back(t.node):
            extra_of(t.node).collects = True  # type: ignore[arg-type]
        if wanted:
            return t
        raise ValueError(
            "requires_grad: a recorded operation made this tensor, so it needs a "
            "gradient; t.detach() is a constant with the same numbers"
        )
    if not wanted and t.node is not None:
        extra_of(t.node).collects = False
        t._frozen, t.node = t.node, None
    elif wanted and t.node is None:
        t.node = getattr(t, "_frozen", None) or leaf_node(t)
        extra_of(t.node).collects = True
    return t


def is_parameter(t: Tensor) -> bool:
    """Return whether a leaf collects gradients, or is frozen: did, and may again."""
    return t.node is not None or hasattr(t, "_frozen")


def retain_grad(t: Tensor) -> None:
    """Make `backward` add to `grad` here too, as in a leaf, after all hooks.

    Raises:
        RuntimeError: if this tensor needs no gradient.
        TypeError: if it is complex.
    """
    node_with_type("retain_grad", t).extra.collects = True


def node_with_type(function: str, t: Tensor) -> Any:
    """Return a tensor's node, after noting the type of its gradient there.

    Raises:
        RuntimeError: if this tensor needs no gradient.
        TypeError: if it is complex.
    """
    node: Node | None = t.node
    if node is None or not leads_back(node):
        raise RuntimeError(
            f"{function}: this tensor needs no gradient, so none will come; make "
            "it, or what it is made from, with requires_grad=True"
        )
    refuse_kinds(function, [t.dtype])
    extra_of(node).dtype = t.dtype
    return node


def leaf_node(t: Tensor) -> Node:
    """Return a node that makes a tensor a new leaf.

    Raises:
        TypeError: if its numbers are not real floating-point numbers.
    """
    refuse_kinds("requires_grad", [t.dtype])
    if t.dtype.kind != "f":
        raise TypeError(
            f"requires_grad: only floating-point tensors have gradients, this one "
            f"is of {t.dtype}: a step to the next whole number is not small. "
            "Write 1.0 for 1, or use t.astype(float)"
        )
    return new_node((), t.shape, 0, LeafExtras(t.dtype))


def extra_of(node: Node) -> NodeExtras:
    """Return a node's extras, creating them if it has none."""
    if node.extra is None:
        node.extra = NodeExtras()
    return node.extra


carriers: list[Callable[[Node], bool]] = []
"""Predicates: does a node's tensor carry something with it (chapter 19)?"""


def carries(node: Node | None) -> bool:
    """Return whether a node carries more than its edges: a tangent."""
    return node is not None and any(carrier(node) for carrier in carriers)
