"""Gradients of tensors: what `Tensor.backward` does, and `grad` (chapter 12)."""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import numpy as np

from autograd_lib._pass import run
from autograd_lib.node import Node
from autograd_lib.ops.arithmetic import same
from autograd_lib.primitive import result
from autograd_lib.recording import enable_grad
from autograd_lib.tensor import Tensor, constant

_array = np.ndarray


def backward(
    output: Tensor, gradient: Any, retain_graph: bool | None, create_graph: bool
) -> None:
    """Do what `Tensor.backward` says."""
    root = start("backward", output, gradient)

    def finish(reached: list[Node]) -> None:
        totals: list[Any] = []
        for v in reached:
            g, extra = v.grad, v.extra
            if (  # what is most often met: the first gradient, which nobody else has
                type(g) is _array
                and g.dtype is extra.dtype  # type: ignore[union-attr]
                and g.base is None
                and extra.total is None  # type: ignore[union-attr]
                and g.flags.writeable
                and getrefcount(v.grad) == 3  # the node's own, g and this call's
            ):
                v.grad = None
                totals.append(constant(g))
            else:
                del g
                totals.append(total_of(v))
        for v, total in zip(reached, totals, strict=True):
            v.extra.total = total  # type: ignore[union-attr]

    run([root], None, finish, retain_graph, create_graph)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the derivative of the sum of the outputs toward each input.

    No `grad` is read or changed. Only what leads to the inputs is calculated.

    Args:
        outputs: one tensor or several.
        inputs: one tensor or several; also results in the middle of the graph.
        grad_outputs: the gradient toward each output; by default 1 where it has one
            element.
        retain_graph: whether the graph can be gone through again; by default as
            `create_graph`.
        create_graph: whether the gradients are recorded, for higher derivatives.
        allow_unused: whether an input that the outputs do not depend on gives None.

    Returns:
        A tensor of each input's shape and type.

    Raises:
        RuntimeError: as `Tensor.backward`, and for an input that was not used.
        ValueError: if a gradient does not fit its output.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> (slope,) = grad(x * x * x, x, create_graph=True)
    >>> grad(slope, x)
    (Tensor(18.),)
    """
    outs = [outputs] if isinstance(outputs, Tensor) else list(outputs)
    ins: list[Any] = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    given: Any = [None] * len(outs) if grad_outputs is None else grad_outputs
    if isinstance(outputs, Tensor) and not isinstance(given, list | tuple):
        given = [given]
    if len(given) != len(outs):
        raise ValueError(
            f"grad: there are {len(outs)} outputs and {len(given)} gradients for them"
        )
    nodes: list[Node] = []
    for i, x in enumerate(ins):
        if not isinstance(x, Tensor) or x.node is None:
            raise RuntimeError(
                f"grad: input {i} needs no gradient; make it with requires_grad=True "
                "before it is used"
            )
        nodes.append(x.node)
    roots = [start("grad", y, g) for y, g in zip(outs, given, strict=True)]
    found: dict[Node, Any] = dict.fromkeys(nodes)
    run(roots, found, forget, retain_graph, create_graph)
    results: list[Tensor | None] = []
    for i, (node, x) in enumerate(zip(nodes, ins, strict=True)):
        if found[node] is None and not allow_unused:
            raise RuntimeError(
                f"grad: the outputs do not depend on input {i}, or it was replaced by "
                "an in-place operation; allow_unused=True gives None for it"
            )
        alone = getrefcount(found[node]) == 2  # the table's own and this call's
        with enable_grad():
            results.append(private(found[node], x.dtype, alone))
    return tuple(results)


def forget(reached: list[Node]) -> None:
    """Leave nothing of a pass in the nodes that collect gradients."""
    for v in reached:
        v.grad = None


def start(function: str, result: Any, gradient: Any) -> tuple[Node, Any]:
    """Return the node of a result and its gradient, a tensor, after a look at both."""
    if not isinstance(result, Tensor) or result.node is None:
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
        seed = np.empty(result.shape, result.dtype)
        seed.fill(1)
        return result.node, constant(seed)
    if not isinstance(gradient, Tensor):
        gradient = Tensor(gradient, dtype=result.dtype)
    if gradient.shape != result.shape:
        raise ValueError(
            f"{function}: the gradient has shape {gradient.shape} and the result "
            f"{result.shape}; they must be the same"
        )
    return result.node, gradient


def total_of(v: Node) -> Tensor | None:
    """Return a node's `total` after a pass, which has left its gradient in the node."""
    extra: Any = v.extra
    before, dtype = extra.total, extra.dtype
    alone = getrefcount(v.grad) == 2  # the node's own and this call's
    g, v.grad = v.grad, None
    if g is None:
        total: Tensor | None = before
    elif before is None:
        total = private(g, dtype, alone)
    elif isinstance(g, Tensor):
        total = private(before + g, dtype, True)
    else:
        total = constant(np.asarray(before._data + g, dtype))
    return total


def private(g: Any, dtype: Any, alone: bool) -> Tensor | None:
    """Return a gradient as a tensor whose array nobody else has, a copy if need be.

    Args:
        g: the gradient, an array or a tensor, or None.
        dtype: the type that it shall have.
        alone: whether nobody else has `g` itself.
    """
    if g is None:
        return None
    recorded = isinstance(g, Tensor)
    alone = alone and (not recorded or getrefcount(g._data) == 2)
    a = g._data if recorded else np.asarray(g)
    fresh = alone and a.dtype == dtype and a.base is None and a.flags.writeable
    if not recorded:
        return constant(a if fresh else np.array(a, dtype))
    tensor: Tensor = g
    return tensor if fresh else result(np.array(a, dtype), tensor, same, None)
