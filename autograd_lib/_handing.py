"""What a backward pass does where the common case ends (chapter 12).

Gradients of another shape than their input's, rules for several inputs, and passes that
are recorded themselves.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any, NoReturn

import numpy as np

from autograd_lib._hooks import call_after
from autograd_lib.broadcast import unbroadcast
from autograd_lib.buffer import Buffer
from autograd_lib.node import Joint, Node, Own, Rule, Saved, name_of
from autograd_lib.ops.sums import sum_to
from autograd_lib.primitive import MAY_BROADCAST, Partial
from autograd_lib.tensor import Tensor, constant


def add(p: Node, d: Any) -> None:
    """Add a gradient of the right shape to what a node has got so far."""
    if p.shape is None:  # an operation with several outputs, each of which gives once
        i, d = d
        p.grad = p.grad or [None] * len(outputs_of(p))
        p.grad[i] = d
    else:
        p.grad = d if p.grad is None else p.grad + d


def fitted(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return what a rule returned as an array of the shape of its input's node `p`.

    Raises:
        RuntimeError: if it is neither that nor, where the operation broadcasts, of the
            shape of the output, naming the rule.
    """
    if isinstance(d, Partial):
        # As in `hand_over`, only what nobody else has is written into.
        alone = getrefcount(p.grad) == 2 and p.grad.base is None
        total, p.grad = p.grad, None
        if total is None:
            return d.whole(p.shape or ())
        if not alone or total.dtype != d.g.dtype or not total.flags.writeable:
            total = np.array(total, np.result_type(total, d.g))
        d.add_to(total)
        return total
    if not isinstance(d, np.ndarray):
        if not isinstance(d, np.generic | float):
            wrong(v, p, rule, "None" if d is None else type(d).__name__)
        d = np.asarray(d)
    if d.shape == p.shape:
        return d
    if d.shape != v.shape or rule not in MAY_BROADCAST:
        wrong(v, p, rule, f"an array of shape {d.shape}")
    return unbroadcast(d, p.shape or ())


def fitted_tensor(v: Node, p: Node, rule: Rule, d: Any) -> Tensor:
    """Do as `fitted` where the pass is recorded, with an operation."""
    if not isinstance(d, Tensor):
        d = constant(fitted(v, p, rule, d))
    tensor: Tensor = d
    if tensor.shape != p.shape:
        if tensor.shape != v.shape or rule not in MAY_BROADCAST:
            wrong(v, p, rule, f"a tensor of shape {tensor.shape}")
        tensor = sum_to(tensor, p.shape or ())
    return tensor


def wrong(v: Node, p: Node, rule: Rule, got: str) -> NoReturn:
    """Say that a rule returned what cannot be the gradient of its input."""
    may = f" or of the output's, {v.shape}" if rule in MAY_BROADCAST else ""
    raise RuntimeError(
        f"backward: the rule {name_of(rule)} of {getattr(rule, '__module__', '?')} "
        f"returned {got}; a gradient must be an array of its input's shape, {p.shape}"
        f"{may}. Correct the rule"
    )


def hand_over_with_care(
    v: Node, g: Any, edges: Any, stamp: object, ready: list[Node], recorded: bool
) -> None:
    """Hand over one node's gradient, with hooks, for several inputs, or recorded.

    Args:
        v: the node; `g` is its gradient, or None if none has come, and `edges` its
            edges.
        stamp: that of the pass, which the nodes have that are wanted.
        ready: where nodes are put that wait for nothing more.
        recorded: whether gradients are tensors that are recorded.
    """
    if v.shape is None and g is not None:
        g = filled(v, g, recorded)
    handed: list[Any] = []
    for p, rule, saved in edges:
        several = type(p) is tuple
        parents = p if several else (p,)
        wanted = [q is not None and q.stamp is stamp for q in parents]
        if g is None or not any(wanted):
            results: list[Any] = [None] * len(parents)
        elif several:
            results = as_list(v, rule, rule(g, kept(saved, v, recorded)), parents)
        else:
            results = [rule(g, kept(saved, v, recorded))]
            if results[0] is None:
                wrong(v, p, rule, "None")
        fit = fitted_tensor if recorded else fitted
        for q, d, asked in zip(parents, results, wanted, strict=True):
            if q is not None and q.shape is None:
                handed.append([q, d, asked])
            elif q is not None:
                if d is not None and isinstance(d, Partial) and not recorded:
                    d = d.whole(q.shape)
                ok = d if d is None or not asked else fit(v, q, rule, d)
                handed.append([q, ok, asked])
    if v.extra is not None and v.extra.after:
        call_after(v, g, handed, recorded)
    for q, d, asked in handed:
        if asked:
            if d is not None:
                add(q, d)
            q.uses -= 1
            if not q.uses:
                ready.append(q)


def hand_over_recorded(
    v: Node, g: Any, edges: Any, stamp: object, ready: list[Node]
) -> None:
    """Hand over one node's gradient in a pass that is recorded; it has no hooks."""
    for p, rule, saved in edges:
        if p.stamp is not stamp:
            continue  # it leads to nothing that is wanted
        d = rule(g, kept(saved, v, True))
        if type(d) is not Tensor or d._data.shape != p.shape:
            d = fitted_tensor(v, p, rule, d)
        p.grad = d if p.grad is None else p.grad + d
        p.uses -= 1
        if not p.uses:
            ready.append(p)


def as_list(v: Node, rule: Rule, results: Any, parents: tuple[Any, ...]) -> list[Any]:
    """Return what a rule for several inputs returned, if it is one for each."""
    if not isinstance(results, tuple | list) or len(results) != len(parents):
        n = (
            len(results)
            if isinstance(results, tuple | list)
            else type(results).__name__
        )
        raise RuntimeError(
            f"backward: the rule {name_of(rule)} returned {n} gradients for "
            f"{len(parents)} inputs; return a tuple with one for each, None for those "
            "that need none"
        )
    return list(results)


def kept(saved: Any, v: Node, recorded: bool) -> Any:
    """Return what was saved as a rule gets it: arrays, or tensors if it is recorded."""
    kind = type(saved)
    if kind is Tensor:
        return saved if recorded else saved._data
    if kind is Own:
        if not recorded:
            return saved.array
        t = constant(saved.array)
        t.node = v
        if saved.shown is None:
            saved.shown = Buffer(t)
        t._buffer = saved.shown
        return t
    if kind is Saved:
        return tuple([kept(item, v, recorded) for item in saved.items])
    return saved


def arrays_of(saved: Saved) -> tuple[Any, ...]:
    """Return the same as `kept` does for several things where nothing is recorded."""
    arrays = []
    for s in saved.items:
        kind = type(s)
        arrays.append(s._data if kind is Tensor else s.array if kind is Own else s)
    return tuple(arrays)


def outputs_of(v: Node) -> list[Any]:
    """Return the shape and type of each output of a node with several."""
    return v.extra.outputs if isinstance(v.extra, Joint) else []


def filled(v: Node, slots: list[Any], recorded: bool) -> list[Any]:
    """Return a gradient for each output, zeros where none has come."""
    zeros = (np.zeros(shape, dtype) for shape, dtype in outputs_of(v))
    return [
        (constant(zero) if recorded else zero) if g is None else g
        for g, zero in zip(slots, zeros, strict=True)
    ]
