"""A graph of calls as Python that a reader can follow and `exec` runs (chapter 24).

A value has one line that makes it, with its shape as a comment. Above stands the line
of the reader's that it comes from.
"""

from __future__ import annotations

import builtins
import linecache
import operator
import weakref
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Again, Call, Graph, Value
from autograd_lib.program.core.numpy_calls import Picked
from autograd_lib.program.words.naming import Names, described, wishes

_numbers = count(1)
MODULES = (np, np.linalg, np.fft, np.lib.stride_tricks)


class Source:
    """The program's text.

    Attributes:
        text: Python that defines a function `program`.
        scope: what the text needs besides NumPy.
    """

    def __init__(self, graph: Graph, name: str = "program") -> None:
        self.graph = graph
        self.scope: dict[str, Any] = {"np": np}
        self.imports: dict[str, set[str]] = {}
        self.functions: dict[Any, str] = {}
        words = ("np", "memory", "shown", "slots", "i", "block")
        self.names = Names({*words, *dir(builtins)})
        self.called: dict[Value, str] = {}
        for call in graph.calls:
            for step in call.steps:
                if not infix(step):
                    self.function_name(step.function)
        self.wishes = wishes(graph)
        self.hoisted: list[str] = []
        self.fixed: dict[Value, Any] = {} if graph.memory is None else graph.memory.like
        inputs = [self.of(v) for v in graph.inputs]
        body = self.body()
        self.copied = self.shared()
        values = ", ".join(self.output(v) for v in graph.outputs)
        comma = "," if len(graph.outputs) == 1 else ""
        head = [f"def program({', '.join(inputs)}):"]
        lines = [*head, *body, f"    return ({values}{comma})"]
        self.text = "\n".join([*self.header(), *lines, ""])
        self.file = f"<program {next(_numbers)} of {name}>"
        self.code = compile(self.text, self.file, "exec")
        kept = self.text.splitlines(keepends=True)
        linecache.cache[self.file] = len(self.text), None, kept, self.file
        weakref.finalize(self, linecache.cache.pop, self.file, None).atexit = False

    def function(self) -> Callable[..., Any]:
        """Return the program as a function, with memory of its own."""
        scope = dict(self.scope)
        exec(self.code, scope)
        made: Callable[..., Any] = scope["program"]
        return made

    # Names.

    def of(self, v: Value) -> str:
        """Return a value's name."""
        if v not in self.called:
            if v.kind == "constant":
                self.called[v] = self.names.new(v.name or "constant")
                self.scope[self.called[v]] = v.array
            elif v.before is not None:  # it lies where the other one lay
                self.called[v] = self.of(v.before)
            else:
                self.called[v] = self.names.new(self.wishes.get(v) or v.name or "x")
        return self.called[v]

    def function_name(self, function: Any) -> str:
        """Return the name of a function, imported if NumPy has it."""
        if isinstance(function, Picked):
            return self.function_name(function.function)
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc):
            return f"{self.function_name(owner)}.{function.__name__}"
        if function in (operator.getitem, operator.setitem) or is_method(function):
            return str(function.__name__)
        if function not in self.functions:
            wish: str = function.__name__
            for module in MODULES:
                known = getattr(module, wish, None) is function
                if known and wish not in self.names.taken:
                    self.imports.setdefault(module.__name__, set()).add(wish)
                    self.functions[function] = self.names.new(wish)
                    return wish
            name = wish if module_has(builtins, function) else self.names.new(wish)
            self.functions[function] = name
            self.scope[name] = function
        return self.functions[function]

    # Text.

    def header(self) -> list[str]:
        """Return imports, and what lies in memory from call to call."""
        lines = [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(self.imports.items())
        ]
        lines += [
            f"# {name}: {self.described(v.array)}"
            for v, name in self.called.items()
            if v.kind == "constant"
        ]
        memory = self.graph.memory
        if memory is not None:
            lines += memory.declared(self)
        return [*lines, *self.hoisted, "", ""]

    def described(self, a: Any) -> str:
        """Return what a constant is, in a few words."""
        number = f"{a.item()!r}, " if not a.shape else ""
        return f"{number}{a.dtype} {a.shape}"

    def body(self) -> list[str]:
        """Return the lines of the program's calls."""
        lines: list[str] = []
        above = ""
        errors: tuple[tuple[str, str], ...] = ()
        for call in self.graph.calls:
            loop = isinstance(call, Again)
            several = call.lines(self) if isinstance(call, Again) else [self.line(call)]
            if self.is_fixed(call):
                self.hoisted += several
                continue
            if several == [""]:
                continue
            if call.into is not None and call.into.owner in self.fixed:
                self.fixed[call.out] = self.fixed[call.into.owner]
            if call.origin.errors != errors:
                errors = call.origin.errors
                if errors:
                    told = ", ".join(f"{k}={v!r}" for k, v in errors)
                    lines.append(f"    with {self.function_name(np.errstate)}({told}):")
                above = ""
            indent = "        " if errors else "    "
            comment = "" if loop else described(call)
            if comment and comment != above:
                lines.append(indent + comment)
            above = "" if loop else comment or above
            lines += [indent + line for line in several]
        return lines

    def indented(self, calls: Iterable[Call], line: Callable[[Call], str]) -> list[str]:
        """Return the lines of a loop's calls, under comments that say where from."""
        lines, above = [], ""
        for call in calls:
            comment = described(call)
            if comment and comment != above:
                lines.append(f"    {comment}")
            above = comment
            lines.append(f"    {line(call)}")
        return lines

    def is_fixed(self, call: Call) -> bool:
        """Return whether a call shows what lies in a slot: each time the same.

        What NumPy cannot show as it lies there, it copies, and that is done anew.
        """
        known = all(v in self.fixed or v.kind == "constant" for v in call.operands())
        if self.graph.memory is None or not (call.is_view and known):
            return False
        x = call.run(lambda v: self.fixed.get(v, v.array))
        base = call.out.base
        lies: Any = self.fixed.get(base, base.array) if base else None
        if not np.may_share_memory(x, lies):
            return False
        self.fixed[call.out] = x
        return True

    def line(self, call: Call) -> str:
        """Return one call as a line."""
        if not call.outs:
            return self.expression(call)
        shapes = ", ".join(str(v.shape) for v in call.outs)
        if call.into is not None:
            return f"{self.write(call)}  # {shapes}"
        memory = self.graph.memory
        if memory is not None and call.outs[0] in memory.slots:
            text = memory.line(call, self)
            return text and f"{text}  # {shapes}"
        text = self.expression(call)
        outs = ", ".join(map(self.of, call.outs))
        return f"{outs} = {text}  # {shapes}"

    def write(self, call: Call) -> str:
        """Return a call that writes into memory."""
        self.of(call.out)
        into: Value = call.into  # type: ignore[assignment]
        if call.function is operator.setitem:
            target, index, value = call.args
            return f"{self.of(target)}[{self.index(index)}] = {self.argument(value)}"
        if call.takes_out:
            return self.expression(call, f"out={self.of(into)}")
        return self.expression(call)

    def expression(self, call: Call, *more: str) -> str:
        """Return a call without what its result is called."""
        if infix(call):
            texts = map(self.argument, call.args)
            signed = [f"({x})" if x[0] == "-" else x for x in texts]
            return f" {infix(call)} ".join(signed)
        function = self.function_name(call.function)
        if call.function is operator.getitem:
            return f"{self.argument(call.args[0])}[{self.index(call.args[1])}]"
        args = list(map(self.argument, call.args))
        if is_method(call.function):
            x = args.pop(0)
            if call.function is np.ndarray.transpose and not args:
                return f"{x}.T"
            function = f"{x}.{function}"
        args += [f"{key}={self.argument(x)}" for key, x in call.options.items()]
        text = f"{function}({', '.join([*args, *more])})"
        if isinstance(call.function, Picked):
            text += f"[{call.function.k}]"
        return text

    def index(self, x: Any) -> str:
        """Return what stands in brackets."""
        if type(x) is tuple and x:
            return ", ".join(map(self.index, x)) + ("," if len(x) == 1 else "")
        if type(x) is slice:
            ends = ["" if e is None else repr(e) for e in (x.start, x.stop)]
            return ":".join(ends if x.step is None else [*ends, repr(x.step)])
        return self.argument(x)

    def argument(self, x: Any) -> str:
        """Return an argument as text."""
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
        if type(x) in (int, bool, str, type(None)):
            return repr(x)
        if type(x) is float:
            return repr(x) if np.isfinite(x) else f"float({str(x)!r})"
        if callable(x):
            return self.function_name(x)
        name = self.names.new("given")
        self.scope[name] = x
        return name

    def output(self, v: Value) -> str:
        """Return what is returned: an array that the caller alone has."""
        return self.of(v) + (".copy()" if v in self.copied else "")

    def shared(self) -> set[Value]:
        """Return the outputs whose memory may be seen elsewhere too."""
        found: set[Value] = set()
        seen: set[Value] = set()
        for v in self.graph.outputs:
            owner = v.owner
            spread = v.nbytes > owner.nbytes
            known = owner.kind != "result" or owner in seen or spread
            if known and not v.number:
                found.add(v)
            seen.add(owner)
        return found


INFIX: dict[Any, str] = {  # of numbers of Python
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
}
OF_NUMBERS: dict[Any, str] = {  # NumPy's take ten times as long for one number
    np.less: "<",
    np.less_equal: "<=",
    np.greater: ">",
    np.greater_equal: ">=",
}


def infix(call: Call) -> str:
    """Return the operator that stands for a call, "" if none does."""
    alone = call.function in OF_NUMBERS and call.out.number and not call.options
    return OF_NUMBERS[call.function] if alone else INFIX.get(call.function, "")


def is_method(function: Any) -> bool:
    """Return whether a function is a method of arrays."""
    return getattr(function, "__objclass__", None) is np.ndarray


def module_has(module: Any, function: Any) -> bool:
    """Return whether a module has a function under its name."""
    return getattr(module, function.__name__, None) is function
