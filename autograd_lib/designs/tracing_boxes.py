"""Boxes, and the functions that notice them (chapter 11).

A primitive that is called on plain arrays is the plain function. Called on a box, it
does the same to what is inside, writes down that it did, and puts the result into a
new box. So what is recorded is decided by whoever puts in the first box.

Boxes of several traces meet where a gradient is asked for inside another. The trace
that began last has the highest level, and only its boxes are opened: what is inside
may be a box again, of a lower level, whose trace writes down the same call.

After autodidact (M. Johnson and others), the teaching version of HIPS autograd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import count
from typing import Any


class Trace:
    """A run of a function that is written down.

    Attributes:
        level: 1 for a run inside no other, 2 for one inside that, and so on.
    """

    def __init__(self, level: int) -> None:
        self.level = level


open_traces: list[Trace] = []
"""The traces whose functions are running now; levels rise along the list."""


@contextmanager
def new_trace() -> Iterator[Trace]:
    """Open a trace above all that are open, and close it however the block ends."""
    trace = Trace(1 + sum(below.level for below in open_traces[-1:]))
    open_traces.append(trace)
    try:
        yield trace
    finally:
        open_traces.remove(trace)


class Node:
    """What a trace writes down of one call, or of the place where it begins.

    Attributes:
        ans: the result.
        function: the primitive that was called.
        args: its arguments, without the boxes of this trace around them.
        kwargs: its keyword arguments.
        edges: for each argument that the result moves with, the node it came from, its
            number among the arguments, and the rule toward it.
    """

    __slots__ = ("ans", "args", "edges", "function", "kwargs")

    def __init__(
        self,
        ans: Any,
        function: Callable[..., Any] | None = None,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        edges: tuple[tuple[Node, int, Callable[..., Any]], ...] = (),
    ) -> None:
        self.ans = ans
        self.function = function
        self.args = args
        self.kwargs = kwargs or {}
        self.edges = edges

    @property
    def parents(self) -> list[Node]:
        """The nodes that this one was made from."""
        return [parent for parent, _, _ in self.edges]

    @property
    def label(self) -> str:
        """The primitive's name; that of the beginning is "input"."""
        return name_of(self.function) if self.function else "input"

    @property
    def data(self) -> Any:
        """The result, without any boxes around it."""
        return getval(self.ans)


class Box:
    """What a traced function gets in place of a value.

    Attributes:
        value: what is inside, which may be a box of a lower level.
        trace: the trace that it belongs to.
        node: how it was made.
    """

    __slots__ = ("node", "trace", "value")

    def __init__(self, value: Any, trace: Trace, node: Node) -> None:
        self.value = value
        self.trace = trace
        self.node = node

    def __repr__(self) -> str:
        return f"Box({self.value!s}, level {self.trace.level})"


def getval(x: Any) -> Any:
    """Return what is inside, however many boxes are around it."""
    while isinstance(x, Box):
        x = x.value
    return x


rules: dict[Callable[..., Any], dict[int, Callable[..., Any] | None]] = {}
"""For each primitive the rule toward each argument, by the argument's number."""


def primitive(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that notices boxes, to be given its rules by `defvjp`.

    Args:
        function: it returns one array, changes none, and has all that it may have a
            gradient toward as positional arguments.

    The new function raises NotImplementedError at a box that no rule is for, and
    ValueError at one that was kept after its trace had ended.
    """

    @wraps(function)
    def noticing(*args: Any, **kwargs: Any) -> Any:
        boxes = [x for x in args if isinstance(x, Box)]
        if kwargs:
            refuse_boxes(noticing, kwargs)
        if not boxes:
            return function(*args, **kwargs)
        top = max(boxes, key=lambda box: box.trace.level)
        if top.trace not in open_traces:
            refuse_old(noticing)
        values, edges = list(args), []
        for argnum, x in enumerate(args):
            if isinstance(x, Box) and x.trace is top.trace:
                values[argnum] = x.value
                if rule := rule_toward(argnum, noticing):
                    edges.append((x.node, argnum, rule))
        ans = noticing(*values, **kwargs)  # again: what is inside may be a box
        if not edges:
            return ans
        node = Node(ans, noticing, tuple(values), kwargs, tuple(edges))
        return type(top)(ans, top.trace, node)

    rules[noticing] = {}
    return noticing


def notrace_primitive(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that opens all boxes and records nothing: its slope is 0."""

    @wraps(function)
    def opening(*args: Any, **kwargs: Any) -> Any:
        return function(*map(getval, args), **kwargs)

    return opening


def defvjp(
    function: Callable[..., Any],
    *vjps: Callable[..., Any] | None,
    argnums: tuple[int, ...] | None = None,
) -> None:
    """Give a primitive its rules.

    Args:
        function: what `primitive` returned.
        vjps: a rule for each argument. ``vjp(g, ans, *args, **kwargs)`` returns the
            gradient toward that argument, of its shape, where `g` is the gradient
            toward the result `ans`. A rule made of primitives has derivatives itself.
            None says that the result does not move with the argument.
        argnums: which arguments these are, if not the first ones.

    Raises:
        TypeError: if `function` is no primitive, or a rule no function.
    """
    name = name_of(function)
    if function not in rules:
        raise TypeError(
            f"defvjp: {name} is not a primitive; make one, f = primitive({name}), and "
            "give f the rules"
        )
    for argnum, vjp in zip(argnums or count(), vjps, strict=False):
        if vjp is not None and not callable(vjp):
            raise TypeError(
                f"defvjp: the rule of {name} toward argument {argnum} is {vjp!r}; give "
                "a function of g, ans and the arguments, or None"
            )
        rules[function][argnum] = vjp


def rule_toward(argnum: int, function: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a primitive's rule toward an argument; None if it does not move with it.

    Raises:
        NotImplementedError: if no rule was given.
    """
    try:
        return rules[function][argnum]
    except KeyError:
        name = name_of(function)
        raise NotImplementedError(
            f"{name}: no rule says how its result moves with argument {argnum}; give "
            f"one by defvjp({name}, …), or pass getval(…) if it is to be a constant"
        ) from None


def refuse_boxes(function: Callable[..., Any], kwargs: dict[str, Any]) -> None:
    """Say that a box was passed by keyword, where no primitive looks for it."""
    for key, value in kwargs.items():
        if isinstance(value, Box):
            raise TypeError(
                f"{name_of(function)}: {key}=… is a box, and is noticed only where it "
                "is passed by position, without its name"
            )


def refuse_old(function: Callable[..., Any]) -> None:
    """Say that a box is used whose trace has ended."""
    raise ValueError(
        f"{name_of(function)}: a box was kept after its function had returned; return "
        "what you need of it, or keep getval(box)"
    )


def name_of(function: Callable[..., Any]) -> str:
    """Return a function's name."""
    return getattr(function, "__name__", repr(function))
