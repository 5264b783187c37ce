"""Gradients of tensors: `Tensor.backward` and `grad` (chapter 09)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any, TypeAlias

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.tape.mode import is_recording, recording
from autograd_lib.engine.tape.node import KINDS, Node, leads_back, refuse_kinds
from autograd_lib.engine.tape.tensor import Tensor, constant, read_only
from autograd_lib.engine.tape.walk import Pass, Roots, _array, lock

Walk: TypeAlias = Callable[
    [set[Node] | None, Roots, bool, bool], tuple[bool, dict[Node, Any]]
]
walkers: list[Walk] = []
"""The first one, if any, runs backward passes instead of `Pass`."""


def backward(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> None:
    """Add this tensor's derivative with respect to each leaf to the leaf's `grad`.

    Args:
        gradient: the gradient of this tensor, of its shape; by default 1 for a
            tensor of one element.
        retain_graph: whether the graph is kept for another backward pass; by default
            the same as `create_graph`.
        create_graph: whether the gradients are recorded, for higher derivatives. Warns
            of the memory: a leaf's `grad` then leads back to the leaf.

    Raises:
        RuntimeError: if this tensor needs no gradient, or an array saved for the pass
            was freed or overwritten.
        TypeError: if this tensor, or `gradient`, is complex, or `gradient` is a bool.
        ValueError: if `gradient` has the wrong shape. No error changes a `grad`.
    """
    root = start("backward", self, gradient)
    if self.dtype.kind in KINDS:
        KINDS[self.dtype.kind].refuse("backward")
    if create_graph:
        warnings.warn(
            "backward: with create_graph=True a leaf's .grad leads back to the leaf, a "
            "cycle that Python's collector may free late; use grad(y, leaves, "
            "create_graph=True), or set .grad = None after use",
            stacklevel=2,
        )
    retain = create_graph if retain_graph is None else retain_graph
    create_graph, found = walked(None, [root], retain, create_graph)
    with lock, recording(True if create_graph else is_recording()):
        collect(found)  # while no other thread adds to them


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor] | None = None,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the derivative of the sum of the outputs with respect to each input.

    No `grad` is read or changed. Only paths that lead to the inputs are followed.

    Args:
        outputs: one tensor or several.
        inputs: one tensor or several; also intermediate results.
        grad_outputs: the gradient of each output; by default 1 if the output has one
            element.
        retain_graph: whether the graph is kept for another backward pass; by default
            the same as `create_graph`.
        create_graph: whether the gradients are recorded, for higher derivatives.
        allow_unused: whether an input that the outputs do not depend on gives None.

    Returns:
        A tensor of each input's shape and type.

    Raises:
        RuntimeError: as in `Tensor.backward`, and for an input that was not used.
        TypeError: if an output or an input is complex, `outputs` is a function, or
            `inputs` is missing.
        ValueError: if a gradient has another shape than its output.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> (slope,) = grad(x * x * x, x, create_graph=True)
    >>> grad(slope, x)
    (Tensor(18.),)
    """
    if callable(outputs):
        raise TypeError(
            "grad: takes results and what they were made from; the gradient of a "
            "function, as a function, is autograd_lib.functional.grad(f)"
        )
    outs, ins = listed(outputs, "outputs"), listed(inputs, "inputs")
    given: Any = [None] * len(outs) if grad_outputs is None else grad_outputs
    if isinstance(outputs, Tensor) and not isinstance(given, list | tuple):
        given = [given]
    if len(given) != len(outs):
        raise ValueError(
            f"grad: there are {len(outs)} outputs and {len(given)} gradients for them"
        )
    for i, x in enumerate(ins):
        if not isinstance(x, Tensor) or x.node is None or not leads_back(x.node):
            raise RuntimeError(
                f"grad: input {i} needs no gradient; make it with requires_grad=True "
                "before it is used"
            )
    roots = [start("grad", y, g) for y, g in zip(outs, given, strict=True)]
    refuse_kinds("grad", [t.dtype for t in (*ins, *outs)])
    retain = create_graph if retain_graph is None else retain_graph
    return cotangents(ins, roots, retain, create_graph, allow_unused)


def cotangents(
    ins: list[Any], roots: Roots, retain: bool, create_graph: bool, allow_unused: bool
) -> tuple[Tensor | None, ...]:
    """Return the cotangent of each input, given those of the results.

    For complex tensors, `complex.convention` says what a cotangent is.
    """
    nodes = [x.node for x in ins]
    _, found = walked(set(nodes), roots, retain, create_graph)
    results: list[Tensor | None] = []
    for i, (node, x) in enumerate(zip(nodes, ins, strict=True)):
        if found.get(node) is None and not allow_unused:
            raise RuntimeError(
                f"grad: the outputs do not depend on input {i}, or it was replaced by "
                "an in-place operation; allow_unused=True gives None for it"
            )
        if found.get(node) is None:
            results.append(None)
            continue
        with recording(True):
            results.append(owned_copy(found, node, x.dtype))
    return tuple(results)


def walked(
    wanted: set[Node] | None, roots: Roots, retain: bool, create_graph: bool
) -> tuple[bool, dict[Node, Any]]:
    """Return whether a backward pass was recorded, and the gradients that it found."""
    for walk in walkers:
        return walk(wanted, roots, retain, create_graph)
    return create_graph, Pass(wanted, retain, create_graph).run(roots)


def listed(tensors: Any, name: str) -> list[Any]:
    """Return one tensor, or several, as a list."""
    if isinstance(tensors, Tensor):
        return [tensors]
    if isinstance(tensors, str | dict) or not hasattr(tensors, "__iter__"):
        raise TypeError(
            f"grad: {name} is a tensor, or a list or tuple of them, got {tensors!r:.60}"
        )
    return list(tensors)


def start(function: str, result: Any, gradient: Any) -> tuple[Node, Any]:
    """Check a result and its gradient, and return the node and the gradient tensor."""
    node = result.node if isinstance(result, Tensor) else None
    if node is None or not (node.edges or leads_back(node)):
        raise RuntimeError(
            f"{function}: this result needs no gradient; nothing that it was made from "
            "has requires_grad=True, or it was made under no_grad or by detach"
        )
    if gradient is None:
        if result.size != 1:
            raise ValueError(
                f"{function}: the result has shape {result.shape}, so which derivative "
                "is meant? Take sum() or mean() first, or give a gradient of its shape"
            )
        return node, constant(numpy().ones(result.shape, result.dtype))
    if type(gradient) is bool:
        raise TypeError(
            f"{function}: got {gradient} as the gradient; retain_graph= and "
            "create_graph= are given by their names"
        )
    if not isinstance(gradient, Tensor):
        gradient = Tensor(gradient)
        if gradient.dtype.kind in "fiub":
            gradient = constant(gradient._array.astype(result.dtype, copy=False))
    if gradient.dtype.kind not in "fiub" + result.dtype.kind:
        raise TypeError(
            f"{function}: the gradient is of {gradient.dtype}; it must be real numbers"
        )
    if gradient.shape != result.shape:
        raise ValueError(
            f"{function}: the gradient has shape {gradient.shape} and the result "
            f"{result.shape}; they must be the same"
        )
    return node, read_only(gradient)  # which no rule can write into


def collect(found: dict[Node, Any]) -> None:
    """Add the gradients of a pass to the totals of their nodes: all or none."""
    totals = [total_of(v.extra, found, v) for v in found]
    for v, total in zip(found, totals, strict=True):
        v.extra.total = total  # type: ignore[union-attr]


def total_of(extra: Any, found: dict[Node, Any], v: Node) -> Tensor | None:
    """Return a node's total with the gradient of this pass added."""
    before: Tensor | None = extra.total
    if found[v] is None:
        return before
    if before is None:
        return owned_copy(found, v, extra.dtype)
    if isinstance(found[v], Tensor):
        return owned_copy({v: before + found[v]}, v, extra.dtype)
    return constant(numpy().asarray(before._array + found[v], extra.dtype))


def owned_copy(found: dict[Node, Any], v: Node, dtype: Any) -> Tensor:
    """Return a gradient as a tensor with an array of its own, copied if it is shared.

    An unshared array has two references: from `found`, and from the call of
    `getrefcount`. A traced array is always copied: counts vary with Python's version.
    """
    alone = getrefcount(found[v]) == 2
    g = found[v]
    recorded = isinstance(g, Tensor)
    alone = alone and (not recorded or getrefcount(g._array) == 2)
    a = g._array if recorded else numpy().asarray(g)
    alone = alone and type(a) is _array
    fresh = alone and a.dtype == dtype and a.base is None and a.flags.writeable
    if not recorded:
        return constant(a if fresh else numpy().array(a, dtype))
    tensor: Tensor = g
    return tensor if fresh else tensor.astype(dtype)
