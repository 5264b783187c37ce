"""Complex numbers: the convention for their gradients (chapter 19).

Rules are for real numbers. A rule that is right for complex ones as well is declared
with ``@rule(..., complex=True)``. If complex numbers need a gradient, any other rule is
refused with an error.

The convention is that of HIPS autograd and JAX. Let L be the real result at the end of
a calculation and z = x + iy an intermediate value. Its cotangent is ∂L/∂x - i·∂L/∂y,
and a change dz changes L by the real part of cotangent·dz. So nothing is conjugated: if
w = f(z) has a complex derivative, the cotangent of z is that of w times f′(z), by the
same rule as for real numbers. PyTorch's is ∂L/∂x + i·∂L/∂y, the conjugate, the
direction in which L grows fastest. For real tensors both are the same.

The engine does two things once for all rules: it takes the real part of the cotangent
of a real input of a complex result, and the real part of the tangent of a real result
of complex inputs. So for a real function of a complex number whose change is Re(w·dz),
such as a modulus, the rule "times w" works in both modes.
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograd_lib.engine.numpy.operands import operation_name
from autograd_lib.engine.rules import nature_of
from autograd_lib.engine.tape.gradient import wrong
from autograd_lib.engine.tape.node import KINDS, Edge, Node, NodeExtras, Rule, name_of


class ComplexNumbers:
    """The tape's handler of complex numbers."""

    def extra_of_result(
        self, y: Any, edges: tuple[Edge, ...], by: Any
    ) -> NodeExtras | None:
        """Return the extras of a result's node, if the result or an input is complex.

        Args:
            y: the result, an array or a number.
            edges: the edges that its node will have, each to one node.
            by: the function that calculated it, for messages.

        Returns:
            Extras for a complex result, None for a real one.

        Raises:
            TypeError: if a rule isn't declared for complex numbers.
        """
        for _, rule, _ in edges:
            if not nature_of(rule).complex:
                raise TypeError(
                    f"{operation_name(by) if by else name_of(rule)}: complex numbers "
                    "need a gradient here, and its rule is for real ones. Calculate "
                    "with the real and the imaginary part, t.real and t.imag, or use "
                    "t.detach() for a constant"
                )
        return complex_extra(y.dtype) if y.dtype.kind == "c" else None

    def fitted(self, v: Node, p: Node, rule: Rule, d: Any) -> Any:
        """Return the real part of the gradient for a real input.

        Raises:
            RuntimeError: if the result was real too, so that the rule is wrong.
        """
        if is_complex(p):
            return d
        if not is_complex(v):
            wrong(v, p, rule, "complex numbers, where gradients are real")
        return d.real

    def arrived(self, v: Node, g: Any) -> Any:
        """Return the gradient of a complex tensor in its type.

        Raises:
            RuntimeError: if the tensor is real, so that a rule is wrong.
        """
        if is_complex(v):
            return g.astype(v.extra.dtype)  # type: ignore[union-attr]
        raise RuntimeError(
            f"backward: the gradient of a tensor of shape {v.shape} is of {g.dtype}, "
            "so a rule returned complex numbers; gradients are real. Correct the rule"
        )

    def refuse(self, function: str) -> NoReturn:
        """Raise TypeError: PyTorch's functions would return the conjugate gradient."""
        raise TypeError(
            f"{function}: the gradient of a complex tensor is for functional.grad, vjp "
            "and jvp, which give ∂L/∂x - i·∂L/∂y as JAX does; in PyTorch it is the "
            f"conjugate, so it is not shown here. {WAYS.get(function, WAY)}"
        )


WAY = "Ask for that of its parts, t.real and t.imag"
WAYS = {
    "backward": "Differentiate a real number, such as y.real",
    "grad": "Differentiate a real number, such as y.real",
    "requires_grad": "Make a leaf of each part",
}
KINDS["c"] = NUMBERS = ComplexNumbers()


def is_complex(node: Node) -> bool:
    """Return whether a node belongs to a complex tensor."""
    return node.extra is not None and node.extra.kind is NUMBERS


def complex_extra(dtype: Any) -> NodeExtras:
    """Return the extras of a complex tensor's node."""
    extra = NodeExtras()
    extra.dtype, extra.kind = dtype, NUMBERS
    return extra
