"""Views: recorded tensors that show the elements of another (chapter 14).

A view's node has one edge, whose rule is declared a "view". The tensor that the views
of some memory show is their base. A recorded write into any of these tensors gives the
base a new node, and its views need new nodes that lead there. These are made on demand,
so a write costs no more if there are many views.
"""

from __future__ import annotations

import weakref
from typing import Any

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.function import dead_ref
from autograd_lib.engine.leaves.hooks import collect_in, collected, share_hooks
from autograd_lib.engine.numpy.operands import refuse_subclass
from autograd_lib.engine.rules import is_view, loan_watchers, nature_of, view_watchers
from autograd_lib.engine.tape.node import Edge, LeafExtras, Node, clock, new_node
from autograd_lib.engine.tape.tensor import STALE, Tensor
from autograd_lib.engine.writes.versions import lock, storage_of

Path = tuple[Edge, ...]


def share(x: Any, view: Any) -> None:
    """Register a view of `x` with the storage of the memory: a watcher of views."""
    storage = storage_of(x)
    if storage.node() is None:
        storage.node = weakref.ref(x.node)
    view._storage = storage
    storage.add(view)


def lend(x: Any, view: Any) -> None:
    """Note which node a view shows that was made without a record.

    A write into it would change numbers that the graph takes for unchanged.
    """
    lender = weakref.ref(x.node) if x.node else getattr(x, "_lender", None)
    if lender is not None:
        view._storage, view._lender = storage_of(x), lender


def lender_of(x: Any) -> Node | None:
    """Return the node of a tensor whose elements x shows without a record, or None."""
    lender = getattr(x, "_lender", None)
    return lender() if lender else None


def base_and_path(x: Any) -> tuple[Node | None, Path]:
    """Return the node of the base of x, and the views that lead from it to x.

    Raises:
        RuntimeError: if a backward pass has freed the nodes in between.
    """
    viewed = x._storage is not None and x._storage.node is not dead_ref
    base = x._storage.node() if viewed else x.node
    steps: list[Edge] = []
    node = x.node
    while node is not None and node is not base and is_view(node):
        parent, rule, saved = node.edges[0]
        steps.append((node.shape, rule, saved))
        node = parent
    lost = base is not None and node is not base and node is not None
    if lost and isinstance(base.extra, LeafExtras):
        return base, ()
    if lost and not isinstance(node.extra, LeafExtras):
        raise RuntimeError(
            "in-place write: a pass has freed the way from this view to the tensor "
            "whose elements it shows; make the view again"
        )
    return node, tuple(reversed(steps))


def follow(a: Any, path: Path) -> Any:
    """Return the view of `a` at the end of a path of views."""
    for shape, rule, saved in path:
        a = nature_of(rule).how(a, saved, shape)
    return a


class Base:
    """Holds the node of the current base for views that have not asked for it yet.

    Attributes:
        node: the node, None if it needs no gradient.
    """

    __slots__ = ("__weakref__", "node")

    def __init__(self) -> None:
        self.node: Node | None = None


def replace_base(x: Any, old: Node | None, new: Node | None) -> None:
    """Give the base of x a new node, after a write into x.

    The nodes of its views become stale. New ones, which lead to the new base, are made
    on demand (see `renewed`).
    """
    storage = storage_of(x)
    if old is None:
        x.node = new
    else:
        base = storage.base() or Base()
        base.node, storage.base = new, weakref.ref(base)
        for t in storage.take_sharers():
            node, steps = t.node, []
            if node is None:  # a constant, which has no history to renew
                t._storage = None
                continue
            root = node
            while root is not None and root is not old and is_view(root):
                parent, rule, saved = root.edges[0]
                steps.append((rule, saved, root.shape))
                root = parent
            if root is old and steps:
                t._stale = t is not x and node, steps, base, collected(node)
                t._node = STALE
                continue
            if root is old:
                t.node = new
                collect_in(new, collected(old))
            storage.add(t)  # also if its graph was freed
    storage.node = dead_ref if new is None else weakref.ref(new)
    storage.bump()


def renewed(t: Any) -> Node | None:
    """Return a new node for a view whose base has one, and register the view again."""
    with lock:
        if t._node is not STALE:  # another thread was faster
            return t._node  # type: ignore[no-any-return]
        before, steps, base, kept = t._stale
        node: Node | None = base.node
        if node is not None:
            for rule, saved, shape in reversed(steps):
                node = new_node(((node, rule, saved),), shape, clock.now)
        collect_in(node, kept)
        if before:
            share_hooks(node, before)
        t._node = node
        del t._stale
        t._storage.add(t)
    return node


def replace(t: Tensor, array: Any) -> None:
    """Replace a tensor's array by one of the same shape and type; it counts as a write.

    Raises:
        TypeError: if it is an instance of an array subclass that carries more than
            numbers, such as a mask.
        ValueError: if it has another shape or type.
    """
    refuse_subclass("data: the array", array)
    array = numpy().asarray(getattr(array, "_array", array))
    if array.shape != t.shape or array.dtype != t.dtype:
        raise ValueError(
            f"data: a tensor of shape {t.shape} and {t.dtype} cannot take an "
            f"array of shape {array.shape} and {array.dtype}; make a new tensor"
        )
    if array is not t._array:
        tracer = getattr(array, "tracer", None) or getattr(t._array, "tracer", None)
        if tracer is not None:  # `compile` is recording one of them
            tracer.allow_replacing(t._array)
        t._array, t._storage = array, None
    storage_of(t).bump()


view_watchers.append(share)
loan_watchers.append(lend)
