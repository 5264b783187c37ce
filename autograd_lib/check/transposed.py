"""Compare the `jvp` of a `Function` with its `backward` (chapter 11).

One multiplies by the Jacobian J, the other by its transpose: ⟨u, Jt⟩ = ⟨Jᵀu, t⟩ for all
u and t.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.check.agreement import WrongGradient, distinct_texts
from autograd_lib.check.invariance import Question
from autograd_lib.check.pullback import dot, leaves_of, tensors, weights
from autograd_lib.check.reference import outputs
from autograd_lib.engine.function import Context, Function, call_backward, call_jvp
from autograd_lib.engine.joint import whole
from autograd_lib.engine.tape.mode import recording
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor


def transposed(asked: Question, limit: float) -> None:
    """Raise WrongGradient if a `jvp` isn't the transpose of its `backward`.

    All functions that a call of `asked.f` records are looked at.
    """
    ys = outputs(asked.f(*leaves_of(asked.at)))
    met = dict.fromkeys(y.node for y in ys if y.node is not None)
    todo = list(met)
    for v in todo:
        for parents, _, ctx in v.edges or ():
            if type(ctx) is Context and ctx._function.jvp is not Function.jvp:
                compare_both(asked, limit, v, parents, ctx)
        todo += [p for p in dict.fromkeys(v.parents) if p not in met]
        met.update(dict.fromkeys(v.parents))


def compare_both(
    asked: Question, limit: float, v: Node, parents: Any, ctx: Context
) -> None:
    """Raise WrongGradient if `jvp` and `backward` of one call don't agree."""
    extra: Any = v.extra
    forms = extra.outputs or [(v.shape, np.dtype(float))]
    us = weights([np.zeros(shape) for shape, _ in forms], 5)
    for u, (_, dtype) in zip(us, forms, strict=True):
        u *= dtype.kind == "f"  # other outputs have no slope
    moving = [i for i, p in enumerate(parents) if p is not None]
    ts = weights([np.zeros(parents[i].shape) for i in moving], 6)
    given: list[Tensor | None] = [None] * len(parents)
    for i, t in zip(moving, tensors(ts), strict=True):
        given[i] = t
    with recording(False):
        gradients = call_backward(us if v.shape is None else us[0], ctx)
        found = call_jvp(ctx, given, [Tensor(np.zeros(*form)) for form in forms])
    pulled = [
        np.zeros(t.shape) if gradients[i] is None else np.asarray(whole(gradients[i]))
        for i, t in zip(moving, ts, strict=True)
    ]
    pushed = [d.numpy() for d in found]
    ours, other = dot(us, pushed), dot(pulled, ts)
    size = max(1.0, dot([*map(np.abs, us)], [*map(np.abs, pushed)]))
    if not abs(ours - other) <= limit * size:
        left, right, apart = distinct_texts(ours, other)
        name = ctx._function.__name__
        raise WrongGradient(
            f"{asked.where}: {name}.jvp is not the transpose of {name}.backward: "
            f"⟨u, jvp(t)⟩ is {left}, and ⟨backward(u), t⟩ is {right}.{apart}"
        )
