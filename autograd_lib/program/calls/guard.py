"""Guards: generated functions that decide whether a program fits a call (chapter 22).

A program depends on the structure of the arguments, on shapes, dtypes and layout of
arrays, on which tensors are the same object or need a gradient, and on all captured
constants. For one program all of these are known, so its guard is generated source with
one comparison a line, identity first, which is faster than a loop over many kinds of
things.
"""

from __future__ import annotations

import builtins
import linecache
import weakref
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import (
    ITEM,
    MISSING,
    OUTLINE,
    is_exact,
    is_plain,
)
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.program.calls.argument_content import beside as beside_of
from autograd_lib.program.calls.argument_content import described
from autograd_lib.program.calls.found_place import Capture, same, same_keys
from autograd_lib.program.calls.traced_number import NUMBERS, is_long
from autograd_lib.program.words.naming import Names

TYPES = {name: x for name, x in vars(builtins).items() if isinstance(x, type)}
_numbers = count(1)


def is_leaf(x: Any, numbers: bool) -> bool:
    """Return whether a part of an argument, or of a captured object, is an input.

    Python numbers are if they are known to change.
    """
    if type(x) in (Tensor, np.ndarray, np.random.Generator):
        return True
    if not numbers:
        return isinstance(x, np.ndarray | np.generic)
    number = isinstance(x, np.generic) and x.dtype.kind in "fiubc"
    return number or (type(x) in NUMBERS and not is_long(x))


class Guard:
    """Generates the guard for calls like one with these arguments.

    Attributes:
        arguments: name and value of each argument.
        numbers: paths of Python numbers in arguments that are inputs.
        constants: Python numbers in arguments, by path, that are constants.
        objects: objects compared by identity, whose attributes the function may read.
        descriptions: for messages, what the program depends on of each leaf.
    """

    def __init__(
        self,
        args: Any,
        kwargs: Any,
        called: Sequence[str],
        numbers: Any = (),
    ) -> None:
        self.kwargs, self.numbers = kwargs, numbers
        self.constants: dict[str, Any] = {}
        paths = (*called, *kwargs)
        several = zip(paths, (*args, *kwargs.values()), strict=True)
        self.arguments: list[tuple[str, Any]] = list(several)
        self.objects: list[Any] = []
        self.descriptions: dict[str, str] = {}
        self.scope: dict[str, Any] = dict(TYPES)
        self.names = Names({"args", "kwargs", "whole", *dir(builtins)})
        self.global_names = {id(x): name for name, x in TYPES.items()}
        self.global_names |= {id(x): repr(x) for x in (None, True, False)}
        self.lines: list[str] = []
        self.arrays: list[str] = []  # variable of each leaf's array
        self.leaf_names: dict[int, str] = {}  # variables of leaves, by their ids
        self.nodes: list[str] = []
        self.array_names: dict[int, str] = {}  # variables of arrays, by the tensor's id
        self.given = False  # whether Python numbers are inputs, too
        recording = self.global_name("recording", is_recording)
        recording = f"{recording}()" if is_recording() else f"not {recording}()"
        self.keeps(f"{recording} and len(args) == {len(args)}")
        keys = f"tuple(kwargs) == {tuple(kwargs)}"
        self.keeps(keys if kwargs else "not kwargs")
        names = list(map(self.names.new, paths))
        self.unpack("args", names[: len(args)])
        self.unpack("kwargs.values()", names[len(args) :])
        for name, (path, x) in zip(names, self.arguments, strict=True):
            self.part(name, path, x)
        self.lines.append("if not whole: return ()")

    def function(
        self, captures: list[Capture], inputs: list[int], connected: bool
    ) -> Callable[..., Any]:
        """Return the guard function.

        It returns the program's inputs, and the nodes of tensors if the results are
        connected with these; or None if the program doesn't fit. With ``whole=False``
        it compares the arguments only.
        """
        for capture in captures:
            self.capture(capture)
        several = list(self.leaf_names.values())
        if len(several) > 1:  # different objects must still be different
            ids = f"set(map(id, ({', '.join(several)})))"
            self.keeps(f"len({ids}) == {len(several)}")
        arrays = "".join(f"{self.arrays[i]}, " for i in inputs)
        nodes = "".join(f"{node}, " for node in self.nodes) if connected else ""
        self.lines.append(f"return ({arrays}), ({nodes})")
        body = "".join(f"        {line}\n" for line in self.lines)
        text = (
            f"def inputs_of(args, kwargs, whole=True):\n    try:\n{body}"
            "    except (LookupError, AttributeError, ValueError):\n"
            "        return None\n"
        )
        file = f"<guard {next(_numbers)}>"
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
        exec(compile(text, file, "exec"), self.scope)
        made: Callable[..., Any] = self.scope["inputs_of"]
        weakref.finalize(made, linecache.cache.pop, file, None).atexit = False
        return made

    # Text.

    def keeps(self, condition: str) -> None:
        """Add a condition that a call has to satisfy."""
        self.lines.append(f"if not ({condition}): return None")

    def global_name(self, wish: str, x: Any) -> str:
        """Return a global name for an object that the guard uses."""
        if id(x) not in self.global_names:
            name = self.global_names[id(x)] = self.names.new(wish)
            self.scope[name] = x
        return self.global_names[id(x)]

    def is_of(self, x: str, kind: type) -> str:
        """Return the condition that a variable is exactly of a type."""
        return f"type({x}) is {self.global_name(kind.__name__, kind)}"

    def unpack(self, whole: str, names: list[str]) -> None:
        """Unpack an iterable into variables."""
        if names:
            self.lines.append(f"{', '.join(names)}, = {whole}")

    # What is given.

    def part(self, name: str, path: str, x: Any) -> None:
        """Check a part of an argument or capture, which is in a variable already."""
        kind, opened = type(x), None
        if is_leaf(x, self.given or path in self.numbers):
            self.leaf(name, x)
        elif is_exact(x):
            self.equal(name, x)
        elif tree.is_model(kind) or (opened := tree.taken_apart(x)) is None:
            self.objects.append(x)
            self.keeps(f"{name} is {self.global_name('object', x)}")
        else:
            self.container(name, path, x, opened)
        if not self.given and type(x) in NUMBERS and path not in self.numbers:
            self.constants[path] = x
        if opened is None and not self.given:
            given = f"a number of {type(x).__name__}"
            self.descriptions[path] = given if path in self.numbers else described(x)

    def leaf(self, name: str, x: Any) -> None:
        """Check a leaf, and note it as the next possible input."""
        kind = type(x)
        if kind is Tensor:
            self.tensor(name, x)
            return
        self.keeps(self.is_of(name, kind))
        if isinstance(x, np.ndarray) or (isinstance(x, np.generic) and not self.given):
            self.layout(name, x)
        if type(x) not in NUMBERS and not (self.given and is_exact(x)):
            self.identity(name, x)
        self.arrays.append(name)

    def equal(self, name: str, x: Any) -> None:
        """Check that a Python constant has the same type and value."""
        was = self.global_name("was", x)
        self.keeps(
            f"{name} is {was} or {self.global_name('same', same)}({name}, {was})"
        )

    def container(self, name: str, path: str, x: Any, opened: tree.Opened) -> None:
        """Check a container and its parts."""
        kind, keys = type(x), [key for key, _ in opened.items]
        if self.given and kind is not tuple:
            self.identity(name, x)
        if kind in (list, tuple):
            several, more = name, f"len({name}) == {len(x)}"
        elif kind is dict:
            several = f"{name}.values()"
            kept = self.global_name("keys", tuple(x))
            plain = all(type(key) is str for key in x)
            same = self.global_name("same_keys", same_keys)
            more = f"tuple({name}) == {kept}" if plain else f"{same}({name}, {kept})"
        else:
            self.objects.append(kind)  # whose methods the function may call
            several = self.names.new(f"{name}_parts")
            more = f"tuple({several} := {self.global_name('parts', parts)}({name})) == "
            beside = self.global_name("beside", beside_parts)
            kept = self.global_name("was", beside_parts(x))
            self.objects += beside_of(x).values()  # keeps ids valid
            more += f"{tuple(keys)} and {beside}({name}) == {kept}"
            several = f"{several}.values()"
        self.keeps(f"{self.is_of(name, kind)} and {more}")
        names = [self.names.new(path + key) for key in keys]
        self.unpack(several, names)
        for part, key, (_, y) in zip(names, keys, opened.items, strict=True):
            self.part(part, path + key, y)

    def tensor(self, name: str, t: Tensor) -> None:
        """Check the properties of a tensor that the program depends on, once."""
        self.identity(name, t)
        if id(t) in self.array_names:
            self.arrays.append(self.array_names[id(t)])
            return
        self.keeps(self.is_of(name, Tensor))
        if t.node is None:
            self.keeps(f"{name}._node is None")
        else:
            node, e = (self.names.new(f"{name}_{what}") for what in ("node", "extra"))
            self.lines += [f"{node} = {name}.node", f"{e} = {node} and {node}.extra"]
            hooks = f"{e}.dual or {e}.tensor_hooks or {e}.prehooks or {e}.posthooks"
            leaf = f"isinstance({e}, {self.global_name('LeafExtras', LeafExtras)})"
            if isinstance(t.node.extra, LeafExtras):
                self.keeps(f"{leaf} and not ({hooks})")
            else:
                self.keeps(f"{node} and not ({e} and ({leaf} or {hooks}))")
            self.nodes.append(node)
        array = self.array_names[id(t)] = self.names.new(f"{name}_array")
        self.lines.append(f"{array} = {name}._array")
        self.layout(array, t._array)
        self.arrays.append(array)

    def layout(self, name: str, a: Any) -> None:
        """Check the shape, strides and dtype of an array."""
        dtype = self.global_name("dtype", a.dtype)
        strides = f" and {name}.strides == {a.strides}" if a.shape else ""
        self.keeps(
            f"{name}.shape == {a.shape}{strides} and "
            f"({name}.dtype is {dtype} or {name}.dtype == {dtype})"
        )

    def identity(self, name: str, x: Any) -> None:
        """Check that leaves which were the same object still are."""
        first = self.leaf_names.setdefault(id(x), name)
        if first != name:
            self.keeps(f"{name} is {first}")

    # What else the function uses.

    def capture(self, capture: Capture) -> None:
        """Check that a captured place is unchanged, or make it an input."""
        value, holder = capture.value, self.global_name("place", capture.holder)
        look = capture.text(holder)
        found = look or f"{self.global_name('now', capture.now)}()"
        if capture.given:
            name = self.names.new(capture.name)
            self.lines.append(f"{name} = {found}")
            self.given = True
            self.part(name, capture.name, value)
        elif capture.appended:
            self.keeps(self.is_of(found, type(value)))
        elif value is MISSING and capture.way is ITEM:
            self.keeps(f"{capture.key!r} not in {holder}")
        elif capture.way is OUTLINE and look:
            self.keeps(f"{look} == {self.global_name('was', value)}")
        elif (
            capture.way is OUTLINE or value is MISSING or isinstance(value, np.ndarray)
        ):
            self.keeps(f"{self.global_name('holds', capture.holds)}()")
        elif is_exact(value):
            self.equal(found, value)
        else:
            self.keeps(f"{found} is {self.global_name('was', value)}")


def parts(x: Any) -> dict[str, Any]:
    """Return the parts of a container by their keys."""
    return dict(opened.items) if (opened := tree.taken_apart(x)) else {}


def beside_parts(x: Any) -> list[Any]:
    """Return a container's metadata: constants, and the identity of other objects."""
    several = beside_of(x).items()
    return [(k, type(y), repr(y) if is_plain(y) else id(y)) for k, y in several]
