"""Hooks: functions that see a gradient during a backward pass (chapter 13).

A tensor's hooks see its complete gradient before anything uses it, and may return
another. A node can have hooks before its rules and after them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.joint import send, shown
from autograd_lib.engine.leaves.leaf import extra_of, node_with_type
from autograd_lib.engine.tape.node import Node, NodeExtras, name_of, refuse_kinds
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.tape.walk import note

NONE: dict[int, Callable[..., Any]] = {}
for name in ("tensor_hooks", "prehooks", "posthooks"):
    setattr(NodeExtras, name, NONE)  # until a hook is registered


class Handle:
    """Returned when a hook is registered: `remove` removes it again."""

    _next = 0

    def __init__(self, node: Node, name: str, hook: Any) -> None:
        if not callable(hook):
            raise TypeError(f"register_hook: a hook is a function, got {hook!r}")
        Handle._next += 1
        self._key = Handle._next
        self._hooks = vars(extra_of(node)).setdefault(name, {})
        self._hooks[self._key] = hook
        show(node)

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self._key, None)


def register_hook(t: Tensor, hook: Callable[[Any], Any]) -> Handle:
    """Call ``hook(gradient)`` with the complete gradient, before it is used.

    The hook may return a gradient to use instead.

    Raises:
        RuntimeError: if this tensor needs no gradient.
        TypeError: if it is complex.
    """
    return Handle(node_with_type("register_hook", t), "tensor_hooks", hook)


def register_prehook(node: Node, hook: Callable[..., Any]) -> Handle:
    """Call ``hook(gradient)`` before this node's rules; it may replace the gradient.

    Raises:
        RuntimeError: if the node stands for an operation with several outputs.
        TypeError: if its gradient is complex, or that of an input.
    """
    refuse_kinds("register_prehook", types_around(node))
    if node.shape is None:
        raise RuntimeError(
            "register_prehook: this node has a gradient for each of several "
            "outputs; register the hook on the outputs themselves"
        )
    return Handle(node, "prehooks", hook)


def register_posthook(node: Node, hook: Callable[..., Any]) -> Handle:
    """Call ``hook(input_gradients, gradient)`` after this node's rules.

    It gets the gradients that the rules returned, one for each of `parents`, and may
    return a tuple of others to use instead.

    Raises:
        RuntimeError: if this is the node of a leaf, which has no rules.
        TypeError: if its gradient is complex, or that of an input.
    """
    refuse_kinds("register_hook", types_around(node))
    if node.edges == ():
        raise RuntimeError(
            "register_hook: this is the node of a leaf, which has no rules; use "
            "the leaf's own register_hook"
        )
    return Handle(node, "posthooks", hook)


def types_around(node: Node) -> list[Any]:
    """Return the known types of a node's tensor and of its inputs."""
    extras = [v.extra for v in (node, *node.parents)]
    return [e.dtype for e in extras if e is not None and e.dtype is not None]


def show(node: Node) -> None:
    """Make passes call the hooks of a node that has some."""
    extra = extra_of(node)
    extra.visit = see
    if hooks_of(node, "posthooks"):
        extra.send = partial(send, look=call_posthooks)


def hooks_of(v: Node, name: str) -> list[Callable[..., Any]]:
    """Return a node's hooks of one kind, such as "prehooks", in their order."""
    return [] if v.extra is None else list(getattr(v.extra, name).values())


def see(v: Node, g: Any, walk: Any) -> Any:
    """Call all hooks of a node's gradient, and note the gradient."""
    g = note(v, call_tensor_hooks(v, g, walk), walk)
    return call_prehooks(v, g, walk)


def call_tensor_hooks(v: Node, g: Any, walk: Any) -> Any:
    """Call the hooks of the node's tensor, whose result is what `grad` collects.

    A leaf has no rules, so its prehooks are called here as well.
    """
    extra: Any = v.extra
    if extra is None or not (extra.tensor_hooks or extra.prehooks):
        return g
    g = call_hooks(v, "tensor_hooks", g, walk.record)
    collected = not v.edges and walk.wanted is None
    return call_hooks(v, "prehooks", g, walk.record) if collected else g


def call_prehooks(v: Node, g: Any, walk: Any) -> Any:
    """Call the hooks that run before a node's rules."""
    extra: Any = v.extra
    if extra is None or not extra.prehooks or (not v.edges and walk.wanted is None):
        return g
    return call_hooks(v, "prehooks", g, walk.record)


def call_hooks(v: Node, name: str, g: Any, recorded: bool) -> Any:
    """Return a node's complete gradient, or the replacement that a hook returns.

    Raises:
        RuntimeError: if a hook returns something that can't be the gradient.
    """
    hooks = hooks_of(v, name)
    if hooks and g is not None and v.shape is not None:
        dtype = v.extra.dtype if v.extra is not None else None
        if not recorded and dtype is not None:
            g = numpy().asarray(g, dtype)
        for hook in hooks:
            new = hook(shown(g, recorded))
            if new is not None:
                g = checked(hook, new, v.shape, recorded)
    return g


def call_posthooks(v: Node, g: Any, handed: list[Any], recorded: bool) -> None:
    """Call the hooks that see, and may replace, the gradients from a node's rules."""
    for hook in hooks_of(v, "posthooks"):
        new = hook(
            tuple(shown(d, recorded) for _, d in handed),
            shown(g, recorded),
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
    """Return the gradient that a hook returned, after checking its type and shape."""
    if not isinstance(new, Tensor) or new.shape != shape or new.dtype.kind != "f":
        got = type(new).__name__
        if isinstance(new, Tensor):
            got = f"a tensor of shape {new.shape} and {new.dtype}"
        raise RuntimeError(
            f"register_hook: {name_of(hook)} returned {got}; it must return None or a "
            f"floating-point tensor of shape {shape}"
        )
    return new if recorded else new._array


def collected(old: Node) -> tuple[Any, Any] | None:
    """Let a node that a write replaces no longer collect for `retain_grad`.

    After a recorded write a tensor gets a new node, which collects in its place. Hooks
    stay with the old node, since they are about the numbers before the write.

    Returns:
        the dtype and the gradient so far, or None if the node didn't collect.
    """
    extra = old.extra
    if extra is None or not extra.collects:
        return None
    extra.collects = False
    return extra.dtype, extra.total


def collect_in(new: Node | None, kept: tuple[Any, Any] | None) -> None:
    """Let a new node go on where `collected` has ended."""
    if new is not None and kept is not None:
        extra = extra_of(new)
        extra.collects = True
        extra.dtype, extra.total = kept


def share_hooks(new: Node | None, old: Node) -> None:
    """Let a view's new node have the hooks of the old one as well.

    The memory was written through another tensor, so they are about the view's uses
    before and after the write.
    """
    if new is not None and hooks_of(old, "tensor_hooks"):
        extra = extra_of(new)
        setattr(extra, "tensor_hooks", vars(old.extra)["tensor_hooks"])  # noqa: B010
        extra.dtype = old.extra.dtype  # type: ignore[union-attr]
        show(new)
