"""Hooks: functions that see a gradient on its way (chapter 12; chapter 16).

A tensor's hooks see its complete gradient before anything uses it, and may return
another. A node has hooks before its rules and after them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.complex.convention import is_complex
from autograd_lib.engine.node import Node, extra_of, name_of
from autograd_lib.engine.tensor import Tensor, constant


def on_arrival(v: Node, g: Any, walk: Any) -> Any:
    """Show a complete gradient to all that wait for it, and return that for the rules.

    The first are the hooks of the node's tensor, which may return another, then `grad`,
    then the hooks of the node, and `grad` of a leaf or of `retain_grad`.
    """
    extra = v.extra
    if extra is not None and extra.tensor_hooks:
        g = call_hooks(v, extra.tensor_hooks, g, walk.record)
    for_rules = g
    if extra is not None and extra.prehooks:
        for_rules = call_hooks(v, extra.prehooks, g, walk.record)
    if g is not None and is_complex(v):
        for_rules = g = g.astype(extra.dtype)  # type: ignore[union-attr]
    elif g is not None and v.shape is not None and g.dtype.kind == "c":
        raise RuntimeError(
            f"backward: the gradient of a tensor of shape {v.shape} is of {g.dtype}, "
            "so a rule returned complex numbers; gradients are real. Correct the rule"
        )
    if walk.wanted is not None:
        if v in walk.wanted:
            walk.found[v] = g
    elif extra is not None and extra.collects:
        walk.found[v] = g if v.edges else for_rules  # a leaf has no rules
    return for_rules


def call_hooks(v: Node, hooks: dict[int, Any], g: Any, recorded: bool) -> Any:
    """Return a node's complete gradient, or what hooks that see it return instead.

    Raises:
        RuntimeError: if a hook returns what cannot be a gradient.
    """
    if g is not None and v.shape is not None:
        dtype = v.extra.dtype if v.extra is not None else None
        if not recorded and dtype is not None:
            g = np.asarray(g, dtype)
        for hook in list(hooks.values()):
            new = hook(as_hook_argument(g, recorded))
            if new is not None:
                g = checked(hook, new, v.shape, recorded)
    return g


def as_hook_argument(g: Any, recorded: bool) -> Any:
    """Return a gradient as a read-only tensor, since others may have the same array.

    Args:
        g: an array or a tensor, a list of either for several outputs, or None.
        recorded: whether the tensor keeps its node.
    """
    if isinstance(g, list):
        return tuple(as_hook_argument(one, recorded) for one in g)
    if g is None:
        return None
    array = (g._array if isinstance(g, Tensor) else np.asarray(g)).view()
    array.flags.writeable = False
    t = constant(array)
    if recorded and isinstance(g, Tensor):
        t.node = g.node
    return t


def call_posthooks(v: Node, g: Any, handed: list[Any], recorded: bool) -> None:
    """Call the hooks that see what a node's rules returned; they may return others."""
    for hook in list(extra_of(v).posthooks.values()):
        new = hook(
            tuple(as_hook_argument(d, recorded) for _, d in handed),
            as_hook_argument(g, recorded),
        )
        if new is None:
            continue
        if not isinstance(new, tuple) or len(new) != len(handed):
            raise RuntimeError(
                f"register_hook: a hook of a node returns None or a tuple of "
                f"{len(handed)} gradients, got {new!r:.60}"
            )
        for row, d in zip(handed, new, strict=True):
            row[1] = None if d is None else checked(hook, d, row[0].shape, recorded)


def checked(hook: Any, new: Any, shape: Any, recorded: bool) -> Any:
    """Return the gradient that a hook returned, if it is one of the right shape."""
    if not isinstance(new, Tensor) or new.shape != shape or new.dtype.kind != "f":
        got = type(new).__name__
        if isinstance(new, Tensor):
            got = f"a tensor of shape {new.shape} and {new.dtype}"
        raise RuntimeError(
            f"register_hook: {name_of(hook)} returned {got}; it must return None or a "
            f"floating-point tensor of shape {shape}"
        )
    return new if recorded else new._array
