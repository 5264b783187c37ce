"""Writes a graph as Python source that can be read and executed (chapter 22).

Each call is a line, with the shape of its result as a comment. A comment above it
quotes the source line that it comes from. A `names` object supplies all names.
"""

from __future__ import annotations

import linecache
import operator
import weakref
from collections.abc import Callable, Iterable
from itertools import count, groupby
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Picked, Value

_numbers = count(1)


class Source:
    """The source code of a program.

    Args:
        graph: the program.
        names: supplies names for values and functions, and comments for calls.
        name: name of the original function.

    Attributes:
        text: Python source that defines a function `program`.
        scope: globals of the source, besides NumPy.
        hoisted: lines that run once, before the function is defined.
        fixed: for values in permanent memory, arrays of the same layout.
    """

    def __init__(self, graph: Graph, names: Any, name: str = "program") -> None:
        self.graph, self.names, memory = graph, names, graph.memory
        self.names_of_values, self.scope = names.names_of_values, names.scope
        self.hoisted: list[str] = []
        self.fixed: dict[Value, Any] = {} if memory is None else memory.like
        for call in graph.calls:
            for step in call.steps:
                if not infix(step):
                    self.function_name(step.function)
        head = f"def program({', '.join(map(self.of, graph.inputs))}):"
        body = self.body()
        values = ", ".join(self.outputs()) + ("," if len(graph.outputs) == 1 else "")
        slots = [] if memory is None else memory.declared(self)
        above = [*names.header(), *slots, *self.hoisted, "", ""]
        self.text = "\n".join([*above, head, *body, f"    return ({values})", ""])
        self.file = f"<program {next(_numbers)} of {name}>"
        self.code = compile(self.text, self.file, "exec")
        kept = self.text.splitlines(keepends=True)
        linecache.cache[self.file] = len(self.text), None, kept, self.file
        weakref.finalize(self, linecache.cache.pop, self.file, None).atexit = False

    def of(self, v: Value) -> str:
        """Return the name of a value."""
        return str(self.names.of(v))

    def function_name(self, function: Any) -> str:
        """Return the name of a function."""
        return str(self.names.function_name(function))

    def function(self) -> Callable[..., Any]:
        """Return a new instance of the program, with its own buffers."""
        scope = dict(self.scope)
        exec(self.code, scope)
        made: Callable[..., Any] = scope["program"]
        return made

    def outputs(self) -> list[str]:
        """Return the outputs' expressions; what the caller doesn't own is copied."""
        pairs = zip(self.graph.outputs, self.graph.copied(), strict=True)
        return [self.of(v) + ".copy()" * copied for v, copied in pairs]

    def body(self) -> list[str]:
        """Return the lines of all calls."""
        lines: list[str] = []
        for errors, calls in groupby(self.graph.calls, lambda call: call.origin.errors):
            inner = self.indented(calls, self.line)
            if errors and inner:
                told = ", ".join(f"{k}={v!r}" for k, v in errors)
                lines.append(f"    with {self.function_name(np.errstate)}({told}):")
                inner = [f"    {line}" for line in inner]
            lines += inner
        return lines

    def indented(self, calls: Iterable[Call], line: Callable[[Any], str]) -> list[str]:
        """Return the lines of calls, under comments with their source lines."""
        lines, above = [], ""
        for call in calls:
            text, comment = line(call), self.names.comment(call)
            if not text:
                continue
            if comment and comment != above:
                lines.append(comment)
            above = comment or ("" if call.is_loop else above)
            lines += text.split("\n")
        return [f"    {line}" for line in lines]

    def line(self, call: Call) -> str:
        """Return a call as a line, a loop as several, or "" if it was hoisted."""
        if call.is_loop:
            loop: Any = call
            return "\n".join(loop.lines(self))
        text, memory = self.assignment(call), self.graph.memory
        if text and call.outs:
            text += f"  # {', '.join(str(v.shape) for v in call.outs)}"
        if memory is not None and memory.is_fixed(call, self.fixed):
            self.hoisted.append(text)
            return ""
        return text

    def assignment(self, call: Call) -> str:
        """Return a call with the assignment of its results."""
        if call.into is not None:
            self.of(call.out)
            if call.into.owner in self.fixed:
                self.fixed[call.out] = self.fixed[call.into.owner]
            if call.function is operator.setitem:
                target, index, value = call.args
                return (
                    f"{self.of(target)}[{self.index(index)}] = {self.argument(value)}"
                )
            told = [f"out={self.of(call.into)}"] if call.takes_out else []
            return self.expression(call, *told)
        memory = self.graph.memory
        if memory is not None and call.outs and call.out in memory.slots:
            return str(memory.line(call, self))
        text = self.expression(call)
        return f"{', '.join(map(self.of, call.outs))} = {text}" if call.outs else text

    def expression(self, call: Call, *more: str) -> str:
        """Return a call as an expression."""
        function = call.function
        if infix(call):
            texts = map(self.argument, call.args)
            signed = [f"({x})" if x[0] == "-" else x for x in texts]
            return f" {infix(call)} ".join(signed)
        if function is operator.getitem:
            return f"{self.argument(call.args[0])}[{self.index(call.args[1])}]"
        name, args = self.function_name(function), list(map(self.argument, call.args))
        if getattr(function, "__objclass__", None) is np.ndarray:
            x = args.pop(0)
            if function is np.ndarray.transpose and not args:
                return f"{x}.T"
            name = f"{x}.{name}"
        args += [f"{key}={self.argument(x)}" for key, x in call.options.items()]
        text = f"{name}({', '.join([*args, *more])})"
        return f"{text}[{function.k}]" if isinstance(function, Picked) else text

    def index(self, x: Any) -> str:
        """Return the text of an index, without brackets."""
        if type(x) is tuple and x:
            return ", ".join(map(self.index, x)) + ("," if len(x) == 1 else "")
        if type(x) is slice:
            ends = ["" if e is None else repr(e) for e in (x.start, x.stop)]
            return ":".join(ends if x.step is None else [*ends, repr(x.step)])
        return self.argument(x)

    def argument(self, x: Any) -> str:
        """Return the text of an argument."""
        if type(x) is Value:
            return self.of(x)
        if type(x) is tuple or type(x) is list:
            inner = ", ".join(map(self.argument, x))
            inner += "," if type(x) is tuple and len(x) == 1 else ""
            return f"[{inner}]" if type(x) is list else f"({inner})"
        if isinstance(x, np.dtype):
            return repr(x.str if x.names else x.name)
        if x is Ellipsis:
            return "..."
        if type(x) is float and not np.isfinite(x):
            return f"float({str(x)!r})"
        if type(x) in (int, float, bool, str, type(None)):
            return repr(x)
        if callable(x):
            return self.function_name(x)
        name = self.names.new("given")
        self.scope[name] = x
        return str(name)


INFIX: dict[Any, str] = {  # for Python numbers
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.mod: "%",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.pow: "**",
}
OF_NUMBERS: dict[Any, str] = {  # ten times faster than the ufunc for one number
    np.less: "<",
    np.less_equal: "<=",
    np.greater: ">",
    np.greater_equal: ">=",
}
# Of integers they would warn of an overflow, and of complex numbers round otherwise.
OF_FLOATS: dict[Any, str] = {
    np.add: "+",
    np.subtract: "-",
    np.multiply: "*",
    np.true_divide: "/",
}


def infix(call: Call) -> str:
    """Return the infix operator for a call, or "" if there is none."""
    function = call.function
    if function in INFIX:
        return INFIX[function]
    if call.options or not (call.outs and call.out.number):
        return ""
    floats = function in OF_FLOATS and call.out.dtype.kind == "f"
    return OF_FLOATS[function] if floats else OF_NUMBERS.get(function, "")
