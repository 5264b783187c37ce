"""The backward pass: count pending gradients, then pass them on (chapter 09).

The field calls the gradient on its way a cotangent, or an adjoint: the derivative of
the final result with respect to the tensor at hand. `count` writes into each node how
many gradients it will get. `hand_over` takes the nodes that wait for no more: it calls
their rules with what was saved, sums each gradient over broadcast copies, accumulates
it in the parent, and frees what was saved. So rules know nothing about broadcasting of
their inputs, or about accumulation: both are done here, once.

A pass keeps its scratch space in the nodes, which is faster than dictionaries. Passes
may run in several threads as long as they share no node. A hook or a rule may start a
pass of its own, which restores the nodes that it borrows from the outer pass.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from sys import getrefcount
from threading import RLock, get_ident
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.tape.gradient import in_shape
from autograd_lib.engine.tape.mode import is_recording, set_mode
from autograd_lib.engine.tape.node import (
    KINDS,
    Node,
    Rule,
    Saved,
    SavedOutput,
    clock,
    single_edges,
)
from autograd_lib.engine.tape.tensor import Tensor, constant

_array, _add = np.ndarray, np.add
Roots = list[tuple[Node, Tensor]]

lock = RLock()  # held while a pass counts, and while leaves add its gradients
_running: dict[object, int] = {}  # the stamps of running passes, with their threads

inspectors: list[Callable[[Node], None]] = []
"""Called when there were writes since a node was made; raise if its arrays changed."""
Opener = Callable[[Any, Node], Any]
"""Takes a saved value and its node, and returns the rule's argument."""


def own_output(saved: SavedOutput, v: Node) -> Tensor:
    """Return a node's output as a tensor with that node."""
    t = constant(saved.array)
    t._node = v
    return t


openers: dict[type, Opener] = {
    Tensor: lambda saved, v: saved._array,
    SavedOutput: lambda saved, v: saved.array,
    Saved: lambda saved, v: tuple([as_arrays(item, v) for item in saved.items]),
}
"""By the type of the saved value, for a pass that isn't recorded."""
recorded_openers: dict[type, Opener] = {
    SavedOutput: own_output,
    Saved: lambda saved, v: tuple([as_tensors(item, v) for item in saved.items]),
}
"""The same, for a pass that is recorded itself."""


def as_arrays(saved: Any, v: Node) -> Any:
    """Return a saved value as its rule gets it in a pass that isn't recorded."""
    opener = openers.get(type(saved))
    return saved if opener is None else opener(saved, v)


def as_tensors(saved: Any, v: Node) -> Any:
    """Return a saved value as its rule gets it in a pass that is recorded."""
    opener = recorded_openers.get(type(saved))
    return saved if opener is None else opener(saved, v)


def note(v: Node, g: Any, walk: Pass) -> Any:
    """Store a gradient if it was asked for, or if its node collects gradients."""
    if v in walk.asked or (walk.wanted is None and v.extra and v.extra.collects):
        walk.found[v] = g
    return g


class Pass:
    """One backward pass through the graph, and its state.

    Args:
        wanted: the nodes whose gradients are asked for; None for all that collect.
        retain: whether nodes keep their edges.
        record: whether the pass is recorded itself, a value for `set_mode`.

    Attributes:
        met: the nodes that the pass goes through, and
        ready: those among them that have all their gradients, and
        turns: those of them that wait until no others are ready; see `NodeExtras.turn`.
        stops: wanted nodes from which no path leads to another wanted node.
        found: the gradients asked for, by node.
    """

    def __init__(self, wanted: set[Node] | None, retain: bool, record: Any) -> None:
        self.wanted, self.retain, self.record = wanted, retain, record
        self.asked: Set[Node] = wanted or frozenset()  # empty for None
        self.opened = as_tensors if record else as_arrays
        self.stamp = object()  # in nodes whose `pending` and `grad` are this pass's
        self.met: list[Node] = []
        self.ready: list[Node] = []
        self.turns: list[Node] = []
        self.stops: set[Node] = set()
        self.found: dict[Node, Any] = {}
        self.borrowed: list[tuple[Node, Any, int, Any]] = []

    def run(self, roots: Roots) -> dict[Node, Any]:
        """Go through the graph, and return the gradients found.

        Raises:
            RuntimeError: if a node was freed, an array that it saved was overwritten, a
                rule or a hook returned something other than a gradient, the graph has a
                cycle, or another thread's pass goes through the same nodes.
        """
        recording = is_recording()
        set_mode(self.record)
        try:
            with lock:
                _running[self.stamp] = get_ident()
                self.count(roots)
            for root, seed in roots:
                if root.stamp is self.stamp:
                    self.give(root, self.opened(seed, root))
            self.hand_over()
            while self.turns:
                latest = max(self.turns, key=lambda v: v.extra.turn)  # type: ignore[union-attr]
                self.turns.remove(latest)
                self.ready.append(latest)
                self.hand_over(latest)
            if any(v.pending for v in self.met):
                raise RuntimeError(
                    "backward: the graph has a cycle; a node's edges were set by hand "
                    "so that it was made from itself"
                )
        except BaseException:
            for v in self.met:
                v.grad = v.stamp = None
            raise
        finally:
            set_mode(recording)
            with lock:
                _running.pop(self.stamp, None)
                for v, *scratch in self.borrowed:
                    v.stamp, v.pending, v.grad = scratch
                if len(self.asked) > 1 and any(v.edges for v in self.asked):
                    clock.now += 2  # for `leading_to`: what comes next is younger
        return self.found

    def count(self, roots: Roots) -> None:
        """Count how many gradients each node will get."""
        needed = None if self.wanted is None else leading_to(self.wanted, roots)
        if needed is not None:
            self.stops = {v for v in self.asked if needed.isdisjoint(v.parents)}
        for root, _ in roots:
            self.meet(root, needed)
        for v in self.met:
            if not v.edges or v in self.stops:  # a leaf, or its rules aren't called
                self.stop_at(v)
            else:
                inspect(v)
                for p, _, _ in v.edges if v.extra is None else single_edges(v):
                    self.meet(p, needed)

    def meet(self, p: Node, needed: set[Node] | None) -> None:
        """Count one gradient of a node; save what an outer pass keeps in it."""
        if p.stamp is self.stamp:
            p.pending += 1
        elif needed is None or p in needed:
            if p.stamp in _running:
                if _running[p.stamp] != get_ident():
                    raise RuntimeError(
                        "backward: another thread is in a backward pass through the "
                        "same graph or leaves; wait for it, or give each thread "
                        "tensors of its own"
                    )
                self.borrowed.append((p, p.stamp, p.pending, p.grad))
            p.stamp, p.pending, p.grad = self.stamp, 1, None
            self.met.append(p)

    def hand_over(self, latest: Node | None = None) -> None:
        """Call the rules of each node once it has all its gradients; pass them on."""
        now = clock.now
        while self.ready:
            v = self.ready.pop()
            g, v.grad = v.grad, None
            if v.extra is not None or v in self.asked:
                if v.extra is not None and v.extra.turn and v is not latest:
                    v.grad = g
                    self.turns.append(v)
                    continue
                g = self.arrived(v, g)
            edges = v.edges
            if not edges or v in self.stops:
                self.stop_at(v)
                continue
            if clock.now != now:
                inspect(v)  # a hook or a rule has written into something
            if not self.retain:
                v.edges = None  # so that what it saved is freed right after use
            if v.extra is not None and v.extra.send is not None:
                v.extra.send(self, v, g, edges)
                continue
            for p, rule, saved in edges:
                if p.stamp is not self.stamp:
                    continue  # it doesn't lead to a wanted node
                d = None if g is None else rule(g, self.opened(saved, v))
                self.give(p, d if g is None else fitted(v, p, rule, d, self.record))

    def arrived(self, v: Node, g: Any) -> Any:
        """Note a complete gradient, call its hooks, and return it for the rules.

        Called only for a node that is wanted or has extras.
        """
        if g is not None and v.shape is not None:
            kind = KINDS.get(g.dtype.kind) or (v.extra and v.extra.kind)
            g = kind.arrived(v, g) if kind else g
        return ((v.extra and v.extra.visit) or note)(v, g, self)

    def stop_at(self, v: Node) -> None:
        """Raise RuntimeError if a pass that a hook or a rule began has freed a node."""
        if v.edges is None and v not in self.stops:
            freed()

    def give(self, p: Node, d: Any) -> None:
        """Add a gradient, or None, to a node; after the last one the node is ready."""
        if d is not None:
            first = p.grad is None and p.shape is not None
            p.grad = d if first else accumulate(p, d)
        p.pending -= 1
        if not p.pending:
            self.ready.append(p)


def inspect(v: Node) -> None:
    """Call the inspectors if memory was written into since the node was made."""
    if v.version != clock.now:
        for check in inspectors:
            check(v)


def fitted(v: Node, p: Node, rule: Rule, d: Any, record: bool) -> Any:
    """Return the gradient that a rule returned, in the shape of its input `p`.

    If the operation broadcasts, the gradient is summed over the copies.

    Raises:
        RuntimeError: if its shape is neither the input's nor, for an operation that
            broadcasts, the output's; the message names the rule.
    """
    if type(d) is _array and d.shape == p.shape and not (record or v.extra):
        return d  # the usual case
    if p.shape is None:  # of an operation with several outputs
        return d
    if p.grad is not None and not record and is_part(d) and d.shape == p.shape:
        return d  # `accumulate` adds only its nonzero part
    d = in_shape(v, p, rule, d)
    return constant(d) if record and not isinstance(d, Tensor) else d


def is_part(d: Any) -> bool:
    """Return whether a gradient is sparse: only its nonzero part is added to a sum."""
    return hasattr(d, "add_to")


def accumulate(p: Node, d: Any) -> Any:
    """Return the sum of a node's gradient so far and one more.

    The sum is made in place if nothing shares the array so far: if two references lead
    to it, the node's and that of the call of `getrefcount`, and it isn't a view. (A
    local variable would not do: since Python 3.14 its reference is not always counted.)
    """
    own = getrefcount(p.grad) == 2 and type(p.grad) is _array and p.grad.base is None
    total = p.grad
    if own and type(d) is _array:
        try:
            return _add(total, d, total)
        except (TypeError, ValueError):  # it holds integers, or is read-only
            return total + d
    if p.shape is None:
        return p.extra.add(p, d)  # type: ignore[union-attr]
    if is_part(d):
        own = own and total.flags.writeable
        dtype = np.result_type(total, d.g)
        total = total if own and total.dtype == dtype else numpy().array(total, dtype)
        d.add_to(total)
    else:
        total = total + d
    return total


def leading_to(wanted: set[Node], roots: list[tuple[Node, Tensor]]) -> set[Node]:
    """Return the nodes from which a path leads to a wanted node.

    Behind a wanted node lie only older ones, such as all former values of w in
    ``w = w - g``; what is older than all wanted nodes is passed by. A node's version
    is the clock when it was made, or one more.

    Raises:
        RuntimeError: if a node on the way was freed, so that its paths are unknown.
    """
    users: dict[Node, list[Node]] = {root: [] for root, _ in roots}
    met = list(users)
    last = wanted if len(wanted) == 1 else ()
    oldest = min([v.version for v in wanted], default=0) - 1
    for v in met:
        if v.edges is None and v not in wanted:
            freed()
        if v in last or v.version < oldest:
            continue
        for p in v.parents:
            if p not in users:
                users[p] = []
                met.append(p)
            users[p].append(v)
    todo = [v for v in wanted if v in users]
    found = set(todo)
    for p in todo:
        new = [v for v in users[p] if v not in found]
        found.update(new)
        todo += new
    return found


def freed() -> NoReturn:
    """Raise RuntimeError because an earlier pass has freed this graph."""
    raise RuntimeError(
        "backward: a pass has gone through this graph before and freed what it saved; "
        "calculate the result again, or pass retain_graph=True first"
    )
