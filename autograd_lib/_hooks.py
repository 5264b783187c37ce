"""Hooks: functions that see a gradient on its way (chapter 12; chapter 16).

A tensor's hooks see its complete gradient before anything uses it, and may return
another. A node has hooks before its rules and after them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.node import Extra, Node, extra_of, name_of
from autograd_lib.tensor import Tensor, constant


def arrived(
    v: Node,
    g: Any,
    found: dict[Node, Any] | None,
    reached: list[Node],
    recorded: bool,
) -> Any:
    """Show a complete gradient to all that wait for it, and return that for the rules.

    The first are the hooks of the node's tensor, which may return another, then `grad`,
    then the hooks of the node, and `grad` of a leaf or of `retain_grad`.
    """
    extra = v.extra
    if extra is not None and extra.of_tensor:
        g = call_hooks(v, extra.of_tensor, g, recorded)
    if found is not None and v in found:
        found[v] = g
    return g if extra is None else collected(v, extra, g, reached, recorded)


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
            new = hook(seen(g, recorded))
            if new is not None:
                g = checked(hook, new, v.shape, recorded)
    return g


def collected(
    v: Node, extra: Extra, g: Any, reached: list[Node], recorded: bool
) -> Any:
    """Leave a gradient in a node that collects it, and return the one for its rules.

    In a leaf, which has no rules, the two are the same.
    """
    for_rules = call_hooks(v, extra.before, g, recorded)
    if extra.collects:
        v.grad = g if v.edges else for_rules
        reached.append(v)
    return for_rules


def seen(g: Any, recorded: bool) -> Any:
    """Return a gradient as hooks get it: a tensor, which they cannot write into.

    Others may have the same array.
    """
    if isinstance(g, list):
        return tuple(seen(one, recorded) for one in g)
    if g is None or recorded:
        return g
    array = np.asarray(g).view()
    array.flags.writeable = False
    return constant(array)


def call_after(v: Node, g: Any, handed: list[Any], recorded: bool) -> None:
    """Call the hooks that see what a node's rules returned; they may return others."""
    for hook in list(extra_of(v).after.values()):
        new = hook(tuple(seen(d, recorded) for _, d, _ in handed), seen(g, recorded))
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
    return new if recorded else new._data
