"""Whether a program fits a call, written down as Python like the program (chapter 24).

To look at arguments and at what a function uses takes a loop over some dozens of things
of several kinds. For one program these are known, so there is a line for each, with all
that it is compared with at hand: identity first, which most often decides.

The text is only the short way. Who is turned away by it may still fit: a call is then
looked at as if it were the first (`Signature`, `Capture.holds`).
"""

from __future__ import annotations

import builtins
import linecache
import weakref
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.program.calls.places import (
    MISSING,
    Capture,
    attribute,
    attributes,
    contents,
    in_cell,
    in_class_itself,
    in_container,
    in_slot,
    keys_of,
    length,
)
from autograd_lib.program.calls.same import is_exact, same_number
from autograd_lib.program.calls.signature import NUMBERS, Signature, static_key
from autograd_lib.program.words.naming import Names, leaf_name

_numbers = count(1)
WORDS = ("args", "kwargs", "recording", "same", "LeafExtras", *dir(builtins))


class Unknown(Exception):
    """Says that arguments are put together in a way that has no short check."""


class Guard:
    """Writes the check of a program down.

    Args:
        signature: what the program was recorded for.
        called: the names of the arguments.
        captures: what else the function uses.
        inputs: which leaves and then tensors of captures the program is given.
        connected: whether its results need to know the nodes of these tensors.

    Attributes:
        text: Python that defines a function `inputs_of`.
    """

    def __init__(
        self,
        signature: Signature,
        called: list[str],
        captures: list[Capture],
        inputs: list[int],
        connected: bool,
    ) -> None:
        self.scope: dict[str, Any] = {"recording": is_recording, "same": same_number}
        self.scope["LeafExtras"] = LeafExtras
        self.names = Names(WORDS)
        self.lines: list[str] = []
        self.arrays: list[str] = []  # the name of the array of each leaf
        self.first: dict[int, str] = {}  # that of a leaf, by the object's id
        self.nodes: list[str] = []
        self.known: dict[int, tuple[str, list[str]]] = {}  # arrays and nodes of tensors
        self.holders: dict[int, str] = {}
        self.given = False  # whether a number is given to the program
        self.keeps(f"recording() is {is_recording()}")
        self.arguments(signature, called)
        for capture in captures:
            self.capture(capture)
        self.tell_apart()
        arrays = "".join(f"{self.arrays[i]}, " for i in inputs)
        nodes = "".join(f"{node}, " for node in self.nodes) if connected else ""
        body = [*self.lines, f"return ({arrays}), ({nodes})"]
        self.text = "\n".join(
            [
                "def inputs_of(args, kwargs):",
                "    try:",
                *[f"        {line}" for line in body],
                "    except (LookupError, AttributeError, ValueError):",
                "        return None",
                "",
            ]
        )

    def function(self) -> Callable[[Any, Any], Any]:
        """Return a function of a call's arguments.

        It returns the arrays for the program, and nodes; None for what may not fit.
        """
        file = f"<guard {next(_numbers)}>"
        kept = self.text.splitlines(keepends=True)
        linecache.cache[file] = len(self.text), None, kept, file
        exec(compile(self.text, file, "exec"), self.scope)
        made: Callable[[Any, Any], Any] = self.scope["inputs_of"]
        weakref.finalize(made, linecache.cache.pop, file, None).atexit = False
        return made

    # Text.

    def keeps(self, condition: str) -> None:
        """Turn away what does not keep to a condition."""
        self.lines.append(f"if not ({condition}): return None")

    def named(self, wish: str, x: Any) -> str:
        """Return a name for something that is compared with."""
        name = self.names.new(wish)
        self.scope[name] = x
        return name

    def is_of(self, x: str, kind: type) -> str:
        """Return the condition that something is of a type."""
        known = kind.__name__ if self.scope.get(kind.__name__) is kind else None
        return f"type({x}) is {known or self.named(kind.__name__, kind)}"

    # Arguments.

    def arguments(self, signature: Signature, called: list[str]) -> None:
        """Take arguments apart."""
        if signature.kwargs:
            keys = self.named("keywords", tuple(signature.kwargs))
            self.keeps(f"tuple(kwargs) == {keys}")
        else:
            self.keeps("not kwargs")
        self.keeps(f"len(args) == {len(signature.args)}")
        places = (*range(len(signature.args)), *signature.kwargs)
        wishes = (*called, *signature.kwargs)
        names = [self.names.new(wish) for wish in wishes]
        several = (*signature.args, *signature.kwargs.values())
        self.unpack("args", names[: len(signature.args)])
        self.unpack("kwargs.values()", names[len(signature.args) :])
        for place, name, x in zip(places, names, several, strict=True):
            if place in signature.static:
                of, kept = self.named("key", static_key), static_key(x)
                self.keeps(f"{of}({name}) == {self.named('was', kept)}")
            else:
                self.part(name, x)

    def unpack(self, whole: str, names: list[str]) -> None:
        """Give each of several things its name."""
        if names:
            self.lines.append(f"{', '.join(names)}, = {whole}")

    def part(self, name: str, x: Any) -> None:
        """Look at a part of the arguments, which has a name already."""
        kind = type(x)
        if self.given and kind in (list, dict):
            self.identity(name, x)
        number = self.given and kind in (int, float)
        if number or kind is np.random.Generator:
            self.keeps(self.is_of(name, kind))
            self.arrays.append(name)
            if kind is np.random.Generator:
                self.identity(name, x)
        elif kind is Tensor:
            self.tensor(name, x)
        elif isinstance(x, np.ndarray | np.generic):
            self.keeps(self.is_of(name, kind))
            self.array(name, x)
            self.identity(name, x)
        elif kind in (list, tuple):
            self.keeps(f"{self.is_of(name, kind)} and len({name}) == {len(x)}")
            parts = [self.names.new(f"{name}_{i}") for i in range(len(x))]
            self.unpack(name, parts)
            self.parts(parts, x)
        elif kind is dict:
            keys = self.named("keys", tuple(x))
            self.keeps(f"{self.is_of(name, kind)} and tuple({name}) == {keys}")
            parts = [self.names.new(leaf_name(name, f"[{key!r}]")) for key in x]
            self.unpack(f"{name}.values()", parts)
            self.parts(parts, x.values())
        elif kind in NUMBERS or kind in (float, complex):
            self.number(name, x)
        elif tree.is_model(type(x)) or tree.taken_apart(x) is None:
            self.keeps(f"{name} is {self.named('object', x)}")
        else:
            raise Unknown

    def parts(self, names: list[str], several: Any) -> None:
        """Look at parts that have names."""
        for name, x in zip(names, several, strict=True):
            self.part(name, x)

    def number(self, found: str, x: Any) -> None:
        """See that a number of Python is the same, of the same type."""
        kept = self.named("was", x)
        self.keeps(f"{found} is {kept} or same({found}, {kept})")

    def tensor(self, name: str, t: Tensor) -> None:
        """Look at what of a tensor a program depends on, unless it was looked at."""
        if id(t) in self.known:
            array, nodes = self.known[id(t)]
            self.arrays.append(array)
            self.nodes += nodes
            self.identity(name, t)
            return
        self.keeps(self.is_of(name, Tensor))
        before = len(self.nodes)
        if t.node is None:
            self.keeps(f"{name}._node is None")
        else:
            node = self.names.new(f"{name}_node")
            self.lines.append(f"{node} = {name}.node")
            e = self.names.new(f"{name}_extra")
            self.lines.append(f"{e} = {node} and {node}.extra")
            leaf = isinstance(t.node.extra, LeafExtras)
            kind = f"type({e}) is LeafExtras" if leaf else f"{node} and not {e}"
            hooks = f"{e}.tensor_hooks or {e}.prehooks or {e}.posthooks"
            self.keeps(f"{kind} and not ({e}.dual or {hooks})" if leaf else kind)
            self.nodes.append(node)
        array = self.names.new(f"{name}_array")
        self.lines.append(f"{array} = {name}._array")
        self.array(array, t._array)
        self.identity(name, t)
        self.known[id(t)] = array, self.nodes[before:]

    def array(self, name: str, a: Any) -> None:
        """Look at the shape, the layout and the type of an array."""
        dtype = self.named("dtype", a.dtype)
        kind = f"{name}.dtype is {dtype}"
        places = f"{name}.shape == {a.shape}"
        places += f" and {name}.strides == {a.strides}" if a.shape else ""
        self.keeps(f"{places} and {kind}")
        self.arrays.append(name)

    def identity(self, name: str, x: Any) -> None:
        """See that what was one object is one, and note what has to be another."""
        first = self.first.setdefault(id(x), name)
        if first != name:
            self.keeps(f"{name} is {first}")

    def tell_apart(self) -> None:
        """See that tensors and arrays that were different objects are so again."""
        several = list(self.first.values())
        if len(several) > 1:
            ids = f"set(map(id, ({', '.join(several)})))"
            self.keeps(f"len({ids}) == {len(several)}")

    # What else the function uses.

    def capture(self, capture: Capture) -> None:
        """See that what the function finds at a place is what it was."""
        value = capture.value
        if capture.given:
            name = self.names.new(capture.name)
            self.lines.append(f"{name} = {self.expression(capture)}")
            self.given = True
            self.part(name, value)
            self.given = False
            return
        if value is MISSING and capture.get is in_container:
            self.keeps(f"{capture.key!r} not in {self.holder(capture.holder)}")
            return
        if value is MISSING or isinstance(value, np.ndarray):
            self.keeps(f"{self.named('holds', capture.holds)}()")
            return
        found = self.expression(capture)
        if capture.get in (length, keys_of, contents, attributes):
            self.keeps(f"{found} == {self.named('was', value)}")
        elif is_exact(value):
            self.number(found, value)
        else:
            self.keeps(f"{found} is {self.named('was', value)}")

    def expression(self, capture: Capture) -> str:
        """Return what gets the thing at a place."""
        holder, key = self.holder(capture.holder), capture.key
        if capture.get is length:
            return f"len({holder})"
        if capture.get is keys_of:
            return f"tuple({holder})"
        if capture.get is in_cell:
            return f"{holder}.cell_contents"
        if capture.get is in_container:
            plain = repr(key) if type(key) in (int, str) else self.named("key", key)
            return f"{holder}[{plain}]"
        if capture.get in (attribute, in_slot) or direct(capture):
            return f"{holder}.{key}"
        return f"{self.named('get', capture.get)}({holder}, {key!r})"

    def holder(self, x: Any) -> str:
        """Return the name of what something is in."""
        if id(x) not in self.holders:
            self.holders[id(x)] = self.named("place", x)
        return self.holders[id(x)]


def direct(capture: Capture) -> bool:
    """Return whether an attribute of a class is what Python gives for ``.key``."""
    in_class = capture.get is in_class_itself and capture.key.isidentifier()
    return in_class and getattr(capture.holder, capture.key, None) is capture.value


def guard_of(
    signature: Signature,
    called: list[str],
    captures: list[Capture],
    inputs: list[int],
    nodes: bool,
) -> Callable[[Any, Any], Any]:
    """Return the short way to see whether a program fits a call.

    Args:
        signature: what the program was recorded for.
        called: the names of the arguments.
        captures: what else the function uses.
        inputs: which leaves and then tensors of captures the program is given.
        nodes: whether its results need to know the nodes of these tensors.

    Returns:
        A function of a call's arguments. It returns the arrays for the program, and
        nodes; or None where only a longer look can tell.
    """
    try:
        return Guard(signature, called, captures, inputs, nodes).function()
    except Unknown:
        return lambda args, kwargs: None
