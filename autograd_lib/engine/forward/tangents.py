"""Tensors that carry a tangent, and how operations propagate it (chapter 19).

A tensor of level L is a dual number: its node holds a primal, a tensor of the same
array and a lower level, and a tangent, its rate of change. Whenever an operation makes
a tensor from dual ones, `carry` gives it a primal and a tangent too. Both are
calculated from primals and tangents of the level below, so a tangent of one level never
gets into another: there is no perturbation confusion in nested derivatives. Tangents
are calculated along with the values, and nothing is kept for later.

After Siskind and Pearlmutter, "Nesting forward-mode AD in a functional framework"
(2008), whose tags are the levels here.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import Lock
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.complex.convention import complex_extra, is_complex
from autograd_lib.engine.forward.jvps import push, push_each, stretched, whole
from autograd_lib.engine.forward.levels import (
    Dual,
    ForwardOnly,
    dual_of,
    open_levels,
)
from autograd_lib.engine.function import (
    Context,
    call_jvp,
    connect,
    dead_ref,
    into_place,
    mapped,
    show,
)
from autograd_lib.engine.leaves.leaf import extra_of
from autograd_lib.engine.tape.backward import walkers
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import (
    KINDS,
    Edge,
    Node,
    Rule,
    Saved,
    SavedOutput,
    clock,
    leads_back,
    new_node,
)
from autograd_lib.engine.tape.record import made, watchers
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.tape.walk import Pass, Roots, as_arrays, as_tensors
from autograd_lib.engine.writes.in_place import refusals

_numbers = itertools.count(1)
_lock = Lock()


class Level:
    """One derivative in forward mode, as a `with` block.

    Attributes:
        number: greater than the number of every level created before.
    """

    def __init__(self) -> None:
        self.number = next(_numbers)

    def __enter__(self) -> Level:
        begin({self.number})
        return self

    def __exit__(self, *_: Any) -> None:
        end({self.number})

    def dual(self, primal: Tensor, tangent: Tensor) -> Tensor:
        """Return a tensor of this level."""
        t = constant(primal._array)
        t.node = new_node((), t.shape, clock.now)
        make_dual(t, self.number, primal, tangent, ())
        return t

    def primal_and_tangent(self, y: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the primal of a result, and its tangent, None if it is constant.

        A tensor of a later level, which escaped its block, counts as its primal.
        """
        while (level := level_of(y.node)) >= self.number:
            dual: Any = dual_of(y.node)
            if level == self.number:
                return still_open(dual.primal), still_open(dual.tangent)
            y = dual.primal
        return still_open(y), None


def begin(levels: set[int]) -> None:
    """Open levels: results of their tensors carry tangents from here on."""
    with _lock:
        if levels and not open_levels:
            watchers.insert(0, carry)  # before saved arrays are packed
            walkers.append(walk_with_tangents)
        open_levels.update(levels)


def end(levels: set[int]) -> None:
    """Close levels."""
    with _lock:
        open_levels.difference_update(levels)
        if levels and not open_levels:
            watchers.remove(carry)
            walkers.remove(walk_with_tangents)


def walk_with_tangents(
    wanted: set[Node] | None, roots: Roots, retain: bool, create_graph: bool
) -> tuple[bool, dict[Node, Any]]:
    """Run a recorded backward pass, so that gradients carry tangents.

    Unless `create_graph` asks for them, no edges are recorded at the level of the
    results, because nothing differentiates through those. A constant of that level,
    such as y*y if only x moves, has one node for all levels. If a primal leads back,
    reverse mode at a lower level may need such a node later, so nothing is freed then.
    """
    if create_graph:
        return True, Pass(wanted, retain, True).run(roots)
    found = [dual_of(p) for root, seed in roots for p in (root, seed.node)]
    duals = [dual for dual in found if dual is not None]
    retain = retain or any(leads_back(dual.primal.node) for dual in duals)
    mode = ForwardOnly(max((dual.level for dual in duals), default=0))
    return True, Pass(wanted, retain, mode).run(roots)


@contextmanager
def opened_again(levels: set[int]) -> Iterator[None]:
    """Reopen those levels that have been closed, to repeat an earlier calculation."""
    closed = levels - open_levels
    begin(closed)
    try:
        yield
    finally:
        end(closed)


def still_open(t: Tensor) -> Tensor:
    """Return a tensor's primal, as long as its level is closed."""
    while (level := level_of(t.node)) and level not in open_levels:
        t = dual_of(t.node).primal  # type: ignore[union-attr]
    return t


def level_of(p: Node | None) -> int:
    """Return the level of a node, 0 if it isn't dual."""
    dual = dual_of(p)
    return 0 if dual is None else dual.level


def make_dual(
    t: Tensor, level: int, primal: Tensor, tangent: Tensor, edges: tuple[Edge, ...]
) -> None:
    """Give a tensor that has a node a primal and a tangent.

    It keeps only those edges that reverse mode needs.
    """
    node: Node = t._node
    edges = edges if level < getattr(is_recording(), "level", inf) else ()
    node.edges = tuple([edge for edge in edges if is_needed(edge[0])])
    extra: Any = extra_of(node)
    extra.dtype, extra.kind = primal.dtype, KINDS.get(primal.dtype.kind)
    extra.dual = Dual(level, primal, tangent)


def is_needed(parent: Any) -> bool:
    """Return whether reverse mode needs an edge to this node, or these nodes.

    An input of forward mode isn't needed, unless it was made a leaf as well.
    """
    several = parent if type(parent) is tuple else (parent,)
    return any(map(leads_back, several))


def carry(t: Tensor) -> None:
    """Give a recorded result a primal and a tangent, if an input is dual: a watcher."""
    node: Node = t._node
    if level_of(node):  # done with another output of the function
        return
    edges: tuple[Edge, ...] = node.edges  # type: ignore[assignment]
    function = function_of(node)
    if function is not None:
        carry_all(function)
        return
    level = max(level_of(p) for p, _, _ in edges)
    if not level:
        return
    below = [(lower(p, level), rule, lowered(s, level)) for p, rule, s in edges]
    kept = tuple([edge for edge in below if edge[0] is not None])
    extra = complex_extra(t.dtype) if is_complex(node) else None
    primal = made(t._array, kept, node.operation, extra)
    tangent: Any = None
    for (p, rule, _), (_, _, saved) in zip(edges, below, strict=True):
        if level_of(p) == level:
            d = along_edge(rule, p, saved, primal)
            tangent = d if tangent is None else tangent + d
    make_dual(t, level, primal, tangent, edges)


def along_edge(rule: Rule, p: Node, saved: Any, y: Tensor) -> Tensor:
    """Return the part of a result's tangent that comes from one input.

    If nothing in it is recorded, it is calculated on arrays.

    Args:
        rule: the rule of the edge.
        p: the node of the input; it may have several tangents, along a first axis.
        saved: the saved values of the edge, of the level below.
        y: the primal of the result.
    """
    dual: Any = dual_of(p)
    tangent: Tensor = dual.tangent
    several = several_of(dual)
    forward, shape = (push_each, (*several, *y.shape)) if several else (push, y.shape)
    if tangent.node is None and not has_node(saved, y):
        opened = as_arrays(saved, y.node)  # type: ignore[arg-type]
        d = numpy().asarray(whole(forward(rule, tangent._array, opened, y.shape)))
        return constant(stretched(in_type(d, y.dtype), shape))
    opened = as_tensors(saved, y.node)  # type: ignore[arg-type]
    d = forward(rule, tangent, opened, y.shape)
    moved: Tensor = stretched(in_type(d, y.dtype), shape)
    return moved


def several_of(dual: Any) -> tuple[int, ...]:
    """Return how many tangents are along a first axis; () if there is one without."""
    several: tuple[int, ...] = dual.tangent.shape[
        : dual.tangent.ndim - dual.primal.ndim
    ]
    return several


def in_type(d: Any, dtype: Any) -> Any:
    """Return a tangent in the result's type; its real part if the result is real."""
    d = d.real if d.dtype.kind == "c" and dtype.kind != "c" else d
    return d if d.dtype == dtype else np.astype(d, dtype)


def has_node(saved: Any, y: Tensor) -> bool:
    """Return whether any saved value is recorded itself; `y` is the output."""
    if type(saved) is Tensor:
        return saved.node is not None
    if type(saved) is SavedOutput:
        return y.node is not None
    return type(saved) is Saved and any(has_node(item, y) for item in saved.items)


def refuse_write(node: Node | None) -> None:
    """Raise RuntimeError because a write would have to write a tangent as well."""
    if dual_of(node) is not None:
        raise RuntimeError(
            "in-place write: in forward mode, inside jvp, a tensor that carries a "
            "tangent is not written into, nor is one written elsewhere; make a new "
            "tensor, such as t = t + 1 for t += 1, or with np.where, np.stack or "
            "np.concatenate"
        )


refusals.append(refuse_write)


def lower(p: Node | None, level: int) -> Node | None:
    """Return the node of the primal if a node is of this level, else the node."""
    if p is None or level_of(p) != level:
        return p
    node: Node | None = dual_of(p).primal.node  # type: ignore[union-attr]
    return node


def lowered(saved: Any, level: int) -> Any:
    """Return a saved value with primals in place of tensors of this level."""
    if type(saved) is Tensor and level_of(saved.node) == level:
        return dual_of(saved.node).primal  # type: ignore[union-attr]
    if type(saved) is Saved:
        return Saved(*[lowered(item, level) for item in saved.items])
    return saved


# A `Function` has one edge to all its inputs, and perhaps several outputs.


def function_of(node: Node) -> Node | None:
    """Return the node whose edge is that of a `Function` with this output, or None."""
    parent, rule, saved = node.edges[0]  # type: ignore[index]
    if rule is into_place:
        return parent  # type: ignore[no-any-return]
    return node if type(saved) is Context else None


def carry_all(joint: Node) -> None:
    """Give all outputs of a `Function` tangents, with its static method `jvp`."""
    inputs, _, ctx = joint.edges[0]  # type: ignore[index]
    moving = max(inputs, key=level_of)
    level = level_of(moving)
    if not level:
        return
    below, outputs = lowered_context(ctx, level), ctx.outputs
    primals, several = [constant(y._array) for y in outputs], joint.shape is None
    nodes = tuple([lower(p, level) for p in inputs])
    if any(p is not None for p in nodes):
        lasting = [y.node is not None for y in outputs]
        connect(below, nodes, primals, lasting, several)
        show(below, primals)
    given = [tangent_of(p, level) for p in inputs]
    tangents = jvp_of_each(below, given, primals, several_of(dual_of(moving)))
    needed = is_needed(inputs)
    for y, primal, tangent in zip(outputs, primals, tangents, strict=True):
        if y.node is not None:
            make_dual(y, level, primal, tangent, y.node.edges if needed else ())


def jvp_of_each(
    ctx: Context,
    tangents: list[Tensor | None],
    outputs: list[Tensor],
    several: tuple[int, ...],
) -> list[Any]:
    """Return the tangents of the outputs; `jvp` gets one of several at a time."""
    if not several:
        return call_jvp(ctx, tangents, outputs)
    rows = [
        call_jvp(ctx, [d if d is None else d[k] for d in tangents], outputs)
        for k in range(*several)
    ]
    return [np.stack(column) for column in zip(*rows, strict=True)]


def tangent_of(p: Node | None, level: int) -> Tensor | None:
    """Return the tangent of a node of this level, None for any other."""
    return dual_of(p).tangent if level_of(p) == level else None  # type: ignore[union-attr]


def lowered_context(ctx: Context, level: int) -> Context:
    """Return a copy of a context with everything lowered by one level."""
    below = copy.copy(ctx)
    for name, value in vars(ctx).items():
        setattr(below, name, mapped(value, lambda x: lowered(x, level)))
    below._nodes = [dead_ref] * len(ctx._nodes)
    return below
