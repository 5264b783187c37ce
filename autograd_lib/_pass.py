"""One pass over the graph: count the uses, then hand gradients over (chapter 12).

A first loop counts how many gradients each node will get. A second hands gradients
over, from nodes that wait for none, and frees what was saved. What holds for every
operation is done here, once, and in no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any

import numpy as np

from autograd_lib._handing import (
    add,
    arrays_of,
    fitted,
    hand_over_recorded,
    hand_over_with_care,
)
from autograd_lib._hooks import arrived
from autograd_lib._needed import freed, leading_to, leads_on
from autograd_lib.buffer import clock
from autograd_lib.node import Leaf, Node, Own, Saved, name_of
from autograd_lib.recording import switch
from autograd_lib.tensor import Tensor

_array = np.ndarray
_running: list[object] = []  # the stamps of passes under way, one inside the other


def run(
    roots: list[tuple[Node, Tensor]],
    found: dict[Node, Any] | None,
    finish: Callable[[list[Node]], None],
    retain_graph: bool | None,
    create_graph: bool,
) -> None:
    """Go through the graph once.

    Args:
        roots: where it begins: nodes, with the gradient toward each.
        found: if given, the nodes whose gradients are wanted, which are put here.
        finish: called at the end of the pass with the nodes that were met and collect
            gradients; each has its own in `grad`, where nothing shall be left.
        retain_graph: as in `grad`.
        create_graph: as in `grad`.
    """
    stamp = object()
    met: list[Node] = []
    reached: list[Node] = []
    outer: list[tuple[Any, ...]] = []
    retain = create_graph if retain_graph is None else retain_graph
    recording = switch.on
    _running.append(stamp)
    try:
        switch.on = create_graph
        needed = None if found is None else leading_to(found, roots)
        count(roots, stamp, met, needed, outer)
        hand_over(roots, stamp, found, reached, retain, create_graph, len(met))
        finish(reached)  # before a pass around this one gets its scratch back
    except BaseException:
        for v in met:
            v.grad = v.stamp = None
        raise
    finally:
        switch.on = recording
        _running.pop()
        for v, *scratch in outer:
            v.stamp, v.uses, v.grad = scratch


def count(
    roots: list[tuple[Node, Tensor]],
    stamp: object,
    met: list[Node],
    needed: set[Node] | None,
    outer: list[tuple[Any, ...]],
) -> None:
    """Count in each node how many gradients it will get; put all nodes into `met`.

    Raises:
        RuntimeError: if a node was freed, or an array that it saved was written into.
    """
    nested = len(_running) > 1
    now = clock.now

    for root, _ in roots:
        if needed is None or root in needed:
            if root.stamp is not stamp:
                meet(root, stamp, met, outer)
            root.uses += 1
    for v in met:
        edges = v.edges
        if edges is None:
            freed()
        if v.time != now:
            check_saved(v)
        if nested or (edges and v.extra is not None):
            for p in v.parents:
                if needed is None or p in needed:
                    if p.stamp is not stamp:
                        meet(p, stamp, met, outer)
                    p.uses += 1
            continue
        for p, _, _ in edges:  # as above, for what is most often met
            if p.stamp is stamp:
                p.uses += 1
            elif needed is None or p in needed:
                p.stamp = stamp
                p.uses = 1
                p.grad = None
                met.append(p)


def meet(p: Node, stamp: object, met: list[Node], outer: list[tuple[Any, ...]]) -> None:
    """Put a node that was not met before into `met`, its scratch into `outer`."""
    if p.stamp in _running:  # a pass around this one is not done with it
        outer.append((p, p.stamp, p.uses, p.grad))
    p.stamp = stamp
    p.uses = 0
    p.grad = None
    met.append(p)


def check_saved(v: Node) -> None:
    """Raise RuntimeError if an array that a node saved was written into since."""
    for _, rule, saved in v.edges or ():
        several = "items" if type(saved) is Saved else "saved_items"
        for s in getattr(saved, several, (saved,)):
            late = type(s) is Own and s.array is None
            if type(s) is Tensor and s._buffer is not None:
                late = s._buffer.written > v.time
            if late:
                function = getattr(saved, "_function", None)
                who = f"{function.__name__}.forward" if function else name_of(rule)
                raise RuntimeError(
                    f"backward: {who} saved an array that was written "
                    "into since, so the gradient would be wrong; use a new tensor, "
                    "such as t = t + 1 for t += 1, or write into t.copy()"
                )


def hand_over(
    roots: list[tuple[Node, Tensor]],
    stamp: object,
    found: dict[Node, Any] | None,
    reached: list[Node],
    retain: bool,
    create_graph: bool,
    expected: int,
) -> None:
    """Hand gradients over, each node after all that it gets them from.

    Raises:
        RuntimeError: if there is a cycle, made by setting edges by hand.
    """
    ready: list[Node] = []
    for root, seed in roots:
        if root.stamp is stamp:
            add(root, seed if create_graph else seed._data)
            root.uses -= 1
            if not root.uses:
                ready.append(root)
    some = found is not None
    done = 0
    while ready:
        v = ready.pop()
        done += 1
        extra = v.extra
        if type(extra) is Leaf and not (some or extra.of_tensor or extra.before):
            if extra.collects:
                reached.append(v)  # its gradient stays in it
            else:
                v.grad = None
            continue
        g, v.grad = v.grad, None
        if some or extra is not None:
            g = arrived(v, g, found, reached, create_graph)
        edges = v.edges
        if not edges:
            if edges is None:
                freed()  # by a pass that a hook or a rule began
            continue
        if some and v in found and not leads_on(v, stamp):  # type: ignore[operator]
            continue  # an input in the middle, which keeps its edges
        if not retain:
            v.edges = None
        if extra is not None or g is None:
            hand_over_with_care(v, g, edges, stamp, ready, create_graph)
            continue
        if create_graph:
            hand_over_recorded(v, g, edges, stamp, ready)
            continue
        for p, rule, s in edges:
            if some and p.stamp is not stamp:
                continue  # it leads to nothing that is wanted
            kind = type(s)
            if kind is Tensor:
                d = rule(g, s._data)
            elif kind is Own:
                d = rule(g, s.array)
            elif kind is Saved:
                d = rule(g, arrays_of(s))
            else:
                d = rule(g, s)
            if type(d) is not _array or d.shape != p.shape:
                d = fitted(v, p, rule, d)
            if p.grad is None:
                p.grad = d
            elif getrefcount(p.grad) == 2 and p.grad.base is None:
                # There are two references to the array, the node's and that of the
                # call which counts them, and it is no view: nobody else has it.
                try:
                    p.grad += d  # a sum of shape () may be a number, which += replaces
                except (TypeError, ValueError):  # it holds integers, or is read-only
                    p.grad = p.grad + d
            else:
                p.grad = p.grad + d
            p.uses = uses = p.uses - 1
            if not uses:
                ready.append(p)
    if done < expected:
        raise RuntimeError(
            "backward: the graph has a cycle; a node's edges were set by hand so that "
            "it was made from itself"
        )
