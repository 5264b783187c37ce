"""Rebuilds a function's results from a program's arrays (chapter 22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import numpy as np

from autograd_lib.checkpointing.surroundings import is_plain
from autograd_lib.engine.joint import JointEdge
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.tape.node import clock, new_node
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.functional import tree
from autograd_lib.program.calls.argument_content import beside
from autograd_lib.program.calls.traced_number import TracedNumber
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.tracer import Refused, Tracer

ARRAYS = (np.ndarray, np.generic)
LEAVES = (np.ndarray, Tensor, int, float, type(None))


class Results:
    """Builds the tree that the function returned in the recording from new arrays.

    The tree may contain objects in `around`, by identity. The last `unread` outputs of
    the program aren't part of it.

    Attributes:
        values: the values of the arrays in the tree.
        connected: whether a result requires a gradient.
        text: the tree as a Python expression of arrays a0, a1 and so on.
    """

    def __init__(
        self, tracer: Tracer, out: Any, around: list[Any], unread: int = 0
    ) -> None:
        self.name, self.connected = tracer.name, False
        self.tracer, self.around = tracer, {id(x) for x in around}
        self.values: list[Any] = []
        self.scope: dict[str, Any] = {"constant": constant, "asarray": np.asarray}
        self.seen: list[Any] = []
        self.named: dict[int, str] = {}  # keeps aliases within the tree
        self.text = self.tree(out)
        names = [f"a{i}" for i, _ in enumerate(self.values)] + ["_"] * unread
        pairs = "".join(f"{name}, " for name in names)
        unpacked = f"    ({pairs}) = arrays\n" if pairs else ""
        source = f"def made(arrays, nodes):\n{unpacked}    return {self.text}\n"
        exec(compile(source, f"<results of {self.name}>", "exec"), self.scope)
        self.made: Callable[[Sequence[Any], Any], Any] = self.scope["made"]

    def tree(self, x: Any) -> str:
        """Return the expression for a tree, or the variable of one built before."""
        if id(x) in self.named:
            return self.named[id(x)]
        made = self.built(x)
        self.seen.append(x)  # keeps its id valid
        if type(x) not in (Tensor, TracedArray, list, dict):
            return made
        name = self.named[id(x)] = f"x{len(self.named)}"
        return f"({name} := {made})"

    def built(self, x: Any) -> str:
        """Return the expression for a tree."""
        if type(x) is dict:
            for key in x:
                self.allow(key)
            items = [f"{self.kept(key)}: {self.tree(part)}" for key, part in x.items()]
            return "{" + ", ".join(items) + "}"
        opened = tree.taken_apart(x)
        if opened is None:
            return self.leaf(x)
        inner = "".join(f"{self.tree(part)}, " for _, part in opened.items)
        if type(x) is tuple:
            return f"({inner})"
        if type(x) is not list and not tree.is_model(type(x)):
            for part in beside(x).values():
                self.allow(part)
        build = "" if type(x) is list else self.kept(opened.build)
        return f"{build}([{inner}])"

    def allow(self, x: Any) -> None:
        """Refuse to return a mutable object that isn't a tree of arrays."""
        if not (is_plain(x) or id(x) in self.around or isinstance(x, np.dtype)):
            raise self.tracer.refused(
                f"it returns something of the type {type(x).__name__}",
                "that would be the same object at every call; return its arrays, in a "
                "tuple, list or dict, or in a class that tree.register knows",
            )

    def kept(self, x: Any) -> str:
        """Return a name for a constant, or its literal."""
        if type(x) in (int, str, type(None)):
            return repr(x)
        name = f"kept{len(self.scope)}"
        self.scope[name] = x
        return name

    def leaf(self, x: Any) -> str:
        """Return the expression for a leaf, and note its value."""
        array: Any = x._array if type(x) is Tensor else x
        name, recorded = f"a{len(self.values)}", type(array) is TracedArray
        if type(x) is TracedNumber:
            self.values.append(x.value)
            return name
        if not isinstance(array, ARRAYS):
            self.allow(x)
            return self.kept(x)
        self.values.append(self.tracer.value(array if recorded else np.asarray(array)))
        if isinstance(array, np.generic) and type(x) is not Tensor:
            return f"asarray({name})[()]" if array.dtype.kind in "SU" else f"{name}[()]"
        if not array.shape:  # for which NumPy's functions return numbers
            name = f"asarray({name})"
        if type(x) is not Tensor:
            return name
        if not x.requires_grad:
            return f"constant({name})"
        self.connected = True
        return f"{self.kept(self.result)}({name}, nodes)"

    def result(self, a: Any, nodes: tuple[Any, ...]) -> Tensor:
        """Return a tensor that requires a gradient, whose backward pass raises."""
        return unconnected(a, nodes, self.name)


def unconnected(a: Any, nodes: tuple[Any, ...], name: str) -> Tensor:
    """Return a tensor that leads to `nodes`, but whose backward pass raises."""
    t = constant(a)
    t.node = new_node(
        ((nodes, through_program, name),), t.shape, clock.now, JointEdge()
    )
    return t


def handed_out(out: Any, before: Iterable[np.ndarray], name: str) -> Any:
    """Return what a function returned as its program would.

    Arrays that share memory with arrays from `before` the call are copied, and
    gradients end at the call.
    """
    memory: set[int] = set()

    def result(x: Any) -> Any:
        array = x._array if type(x) is Tensor else x
        if isinstance(array, np.ndarray):
            if not memory:
                memory.update([id(memory_of(a)) for a in before])
            if id(memory_of(array)) in memory:
                array = array.copy()
        if type(x) is not Tensor:
            return array
        if x.requires_grad:
            return unconnected(array, (x.node,), name)
        return x if array is x._array else constant(array)

    if is_leaf(out):
        return result(out)
    if type(out) is tuple and all(map(is_leaf, out)):
        return tuple(map(result, out))  # much the most common tree
    leaves, structure = tree.flatten(out)
    results = [result(x) for x in leaves]
    same = all(a is b for a, b in zip(results, leaves, strict=True))
    return out if same else structure.unflatten(results)


def is_leaf(x: Any) -> bool:
    """Return whether it is surely a leaf of a tree."""
    return type(x) in LEAVES or isinstance(x, np.generic)


def through_program(g: Any, name: str) -> NoReturn:
    """Raise Refused: the VJP of a compiled function's result."""
    raise Refused(
        f"compile({name}): a derivative is asked for through its result. A program's "
        "results are numbers; compile the function that takes the derivative, such as "
        "compile(value_and_grad(f)) or compile(lambda x, v: jvp(f, x, v))"
    )
