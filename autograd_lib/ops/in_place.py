"""Writing into tensors (chapter 12; chapter 17 shows why it is so).

Nothing is recorded where nothing needs a gradient, or under `no_grad`. Where something
does, a leaf is refused: the number that `backward` is about would be gone. Any other
tensor gets a new node: the gradient of what was written goes to where that came from,
the rest to the tensor as it was before. So do its views.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.buffer import buffer_of, clock
from autograd_lib.node import Edge, Leaf, Node, collect_in, new_node
from autograd_lib.ops.arithmetic import add, divide, multiply, power, subtract
from autograd_lib.ops.indexing import plain_index, repeats, scatter
from autograd_lib.ops.matmul import reduced
from autograd_lib.primitive import VIEWS, array, operation
from autograd_lib.recording import switch
from autograd_lib.tensor import Tensor, constant

Path = tuple[Edge, ...]


@operation(method="__setitem__")
def setitem(x: Tensor, index: Any, value: Any) -> None:
    """Write a value, which is broadcast, into x[index].

    Raises:
        RuntimeError: if x is a leaf that needs a gradient, or a view of one.
        TypeError: if x holds integers and the value needs a gradient.
    """
    index = plain_index(index)
    source = value.node if type(value) is Tensor else None
    if not switch.on or (x.node is None and source is None):
        x._data[index] = array(value)
        buffer_of(x).mark()
        return
    base, path = way_to(x)
    refuse(x, base, source)
    old = np.array(array(value)) if source is None else value
    x._data[index] = array(old)
    path = (*path, (None, scatter, (index, x.shape)))
    whole = base.shape if base is not None else x.shape
    edges: list[Edge] = []
    if base is not None:
        edges.append((base, outside, path))
    if source is not None:
        edges.append((source, inside, (path, whole, value.shape)))
    renew(x, base, new_node(tuple(edges), whole, clock.now + 1))


def outside(g: Any, path: Path) -> Any:
    """Drop the gradient of what was written over."""
    kept = np.ones(g.shape, g.dtype)
    follow(kept, path[:-1])[path[-1][2][0]] = 0.0
    return g * kept


def inside(g: Any, saved: Any) -> Any:
    """Hand the gradient of what was written to where it came from."""
    path, whole, shape = saved
    index = path[-1][2][0]
    part = follow(g, path)
    if repeats(index):  # where an element was written twice, the last one counts
        number = np.arange(part.size).reshape(part.shape)
        written = np.full(whole, -1)
        follow(written, path[:-1])[index] = number
        part = part * (follow(written, path) == number)
    return reduced(part, shape)


def follow(a: Any, path: Path) -> Any:
    """Return the view of `a` that a path of views leads to."""
    for shape, rule, saved in path:
        a = VIEWS[rule](a, saved, shape)
    return a


def way_to(x: Tensor) -> tuple[Node | None, Path]:
    """Return the node of the tensor whose array x shows, and the views from it to x."""
    base = x._buffer.node() if x._buffer is not None else x.node
    steps: list[Edge] = []
    node = x.node
    while node is not None and node is not base and node.edges:
        parent, rule, saved = node.edges[0]
        steps.append((node.shape, rule, saved))
        node = parent
    return node, tuple(reversed(steps))


def refuse(x: Tensor, base: Node | None, source: Node | None) -> None:
    """Raise where a write cannot be recorded."""
    if base is not None and isinstance(base.extra, Leaf):
        what = "this tensor is" if base is x.node else "this tensor is a view of"
        raise RuntimeError(
            f"in-place write: {what} a leaf that requires a gradient; update it under "
            "`with no_grad():`, or make a new tensor, such as t = t + 1 for t += 1"
        )
    if source is not None and x.dtype.kind != "f":
        raise TypeError(
            f"in-place write: a tensor of {x.dtype} would lose the gradient of what is "
            "written; make it of floats"
        )
    if base is None and x._buffer is not None and x._buffer.sharers() != [x]:
        raise RuntimeError(
            "in-place write: what is written needs a gradient, and other tensors show "
            "the same array, which would not know of it; write into a copy, such as "
            "Tensor(t.numpy())"
        )


def renew(x: Tensor, base: Node | None, node: Node | None) -> None:
    """Give x and all that show the same array nodes that tell of a write."""
    buffer = buffer_of(x)
    if base is None:
        x.node = node
    else:
        new: dict[Node, Node | None] = {base: node}
        for t in buffer.sharers():
            chain: list[Node] = []
            v = t.node
            while v is not None and v not in new and v.edges:
                chain.append(v)
                v = v.edges[0][0]
            if v not in new:
                continue  # detached, or made from something else
            for view in reversed(chain):
                parent, rule, saved = view.edges[0]  # type: ignore[index]
                edge = (new[parent], rule, saved)
                new[view] = new_node((edge,), view.shape, clock.now + 1)
            before, t.node = t.node, new[t.node]
            if t.node is not None:
                collect_in(t.node, before)
    buffer.mark()
    buffer.node = (lambda: None) if node is None else weakref.ref(node)


def in_place(name: str, calculate: Callable[[Any, Any], Tensor], ufunc: Any) -> None:
    """Make an operator like += of an operation."""

    def write(x: Tensor, y: Any) -> Tensor:
        source = y.node if type(y) is Tensor else None
        if not switch.on or (x.node is None and source is None):
            ufunc(x._data, array(y), out=x._data, casting="same_kind")
            buffer_of(x).mark()
            return x
        base, path = way_to(x)
        refuse(x, base, source)
        before = constant(x._data.copy())  # rules may need what is written over
        before.node = x.node
        new = calculate(before, constant(y._data.copy()) if y is x else y)
        if new.shape != x.shape:
            raise ValueError(
                f"{name}: a tensor of shape {x.shape} cannot hold a result of shape "
                f"{new.shape}; make a new tensor"
            )
        if path:
            x[...] = new
        else:
            x._data[...] = new._data
            renew(x, base, new.node)
        return x

    write.__name__ = name
    setattr(Tensor, name, write)


in_place("__iadd__", add, np.add)
in_place("__isub__", subtract, np.subtract)
in_place("__imul__", multiply, np.multiply)
in_place("__itruediv__", divide, np.divide)
in_place("__ipow__", power, np.power)
