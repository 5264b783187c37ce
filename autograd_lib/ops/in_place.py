"""Writing into tensors (chapter 12; chapter 17 shows why it is so).

Nothing is recorded where nothing needs a gradient, or under `no_grad`. Where something
does, a leaf is refused: the number that `backward` is about would be gone. Any other
tensor gets a new node: the gradient of what was written goes to where that came from,
the rest to the tensor as it was before. So do its views.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

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
        ValueError: if x shows elements that must not be written to.
    """
    if not x._data.flags.writeable:
        must_not_write(x)
    index = plain_index(index)
    source = value.node if type(value) is Tensor else None
    if not switch.on or (x.node is None and source is None):
        x._data[index] = array(value)
        buffer_of(x).mark()
        return
    base, path = way_to(x)
    refuse(x, base, source)
    x._data[index] = array(value)
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
    over = np.zeros(g.size, bool)
    over[places(path, g.shape)] = True
    return np.where(over.reshape(g.shape), 0.0, g)


def inside(g: Any, saved: Any) -> Any:
    """Hand the gradient of what was written to where it came from."""
    path, whole, shape = saved
    part = follow(g, path)
    if repeats(path[-1][2][0]):  # where an element was written twice, the last counts
        at = places(path, whole).ravel()
        last = np.empty(math.prod(whole), int)
        last[at] = number = np.arange(at.size)
        part = np.where((last[at] == number).reshape(part.shape), part, 0.0)
    more = max(0, len(shape) - part.ndim)  # NumPy lets a value have more axes, of 1
    return reduced(part, shape[more:]).reshape(shape)


def places(path: Path, whole: tuple[int, ...]) -> np.ndarray:
    """Return which elements of the whole were written to, by their numbers.

    Numbers are read along the path, not marks written: in memory that is laid out in
    another way, a view of the path may be a copy.
    """
    return np.asarray(follow(np.arange(math.prod(whole)).reshape(whole), path))


def follow(a: Any, path: Path) -> Any:
    """Return the view of `a` that a path of views leads to."""
    for shape, rule, saved in path:
        a = VIEWS[rule](a, saved, shape)
    return a


def way_to(x: Tensor) -> tuple[Node | None, Path]:
    """Return the node of the tensor whose array x shows, and the views from it to x.

    Raises:
        RuntimeError: if a pass has freed the way.
    """
    base = x._buffer.node() if x._buffer is not None else x.node
    steps: list[Edge] = []
    node = x.node
    while node is not None and node is not base and is_view(node):
        parent, rule, saved = node.edges[0]  # type: ignore[index]
        steps.append((node.shape, rule, saved))
        node = parent
    lost = base is not None and node is not base and node is not None
    if lost and isinstance(base.extra, Leaf):  # type: ignore[union-attr]
        return base, ()
    if lost and not isinstance(node.extra, Leaf):  # type: ignore[union-attr]
        raise RuntimeError(
            "in-place write: a pass has freed the way from this view to the tensor "
            "whose elements it shows; make the view again"
        )
    return node, tuple(reversed(steps))


def is_view(node: Node) -> bool:
    """Say whether a node's one edge has a rule of views."""
    return bool(node.edges) and node.edges[0][1] in VIEWS  # type: ignore[index]


def must_not_write(x: Tensor) -> NoReturn:
    """Say that NumPy lets nobody write."""
    raise ValueError(
        f"in-place write: this tensor of shape {x.shape} must not be written to, since "
        "it shows an element in several places, or an array that is for reading only; "
        "make a new tensor, such as t = t + 1 for t += 1"
    )


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
    if base is None and x._buffer is not None and len(x._buffer.sharers()) > 1:
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
        new: dict[Any, Any] = {base: node}
        for t in buffer.sharers():
            chain: list[Any] = []
            v: Any = t.node
            while v is not None and v not in new and is_view(v):
                chain.append(v)
                v = v.edges[0][0]
            if v not in new:
                continue  # detached, or freed
            for view in reversed(chain):
                parent, rule, saved = view.edges[0]
                edge = (new[parent], rule, saved)
                new[view] = new_node((edge,), view.shape, clock.now + 1)
            before, t.node = t.node, new[t.node]
            if t.node is not None:
                collect_in(t.node, before)
    buffer.mark()
    buffer.node = (lambda: None) if node is None else weakref.ref(node)


def copied(x: Tensor) -> Tensor:
    """Return a tensor with the same node and an array of its own."""
    t = constant(x._data.copy())
    t.node = x.node
    return t


def in_place(name: str, calculate: Callable[[Any, Any], Tensor], ufunc: Any) -> None:
    """Make an operator like += of an operation."""

    def write(x: Tensor, y: Any) -> Tensor:
        if not x._data.flags.writeable:
            must_not_write(x)
        source = y.node if type(y) is Tensor else None
        if not switch.on or (x.node is None and source is None):
            ufunc(x._data, array(y), x._data)
            (x._buffer or buffer_of(x)).mark()
            return x
        base, path = way_to(x)
        refuse(x, base, source)
        of_y = y._buffer if type(y) is Tensor else None
        shared = y is x or (of_y is not None and of_y is x._buffer)
        # Rules may need what is written over.
        new = calculate(copied(x), copied(y) if shared else y)
        if not np.can_cast(new.dtype, x.dtype, "same_kind"):
            raise TypeError(
                f"{name}: a tensor of {x.dtype} cannot hold a result of {new.dtype}; "
                "make a new tensor"
            )
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
