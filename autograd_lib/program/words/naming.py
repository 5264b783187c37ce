"""Names values of a program by arguments, source lines and functions (chapter 22)."""

from __future__ import annotations

import builtins
import inspect
import keyword
import operator
import re
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Picked, Value
from autograd_lib.program.words.origins import text_of

OF_CALLS = {
    "matmul": "product",
    "vecdot": "dot",
    "getitem": "part",
    "expand_dims": "column",
    "add": "plus",
    "subtract": "difference",
    "multiply": "times",
    "divide": "ratio",
    "sub": "difference",
    "mul": "times",
    "truediv": "ratio",
    "pow": "powers",
    "as_array": "number",
    "negative": "minus",
    "power": "powers",
    "maximum": "larger",
    "where": "chosen",
    "add.reduce": "total",
    "maximum.reduce": "largest",
    "minimum.reduce": "least",
    "exp": "exps",
    "log": "logs",
    "tanh": "tanhs",
    "sqrt": "roots",
    "sin": "sines",
    "cos": "cosines",
    "not_equal": "is_on",
    "greater": "above",
    "less": "below",
    "reshape": "shaped",
    "transpose": "turned",
    "broadcast_to": "spread",
    "array": "copied",
    "copy": "copied",
    "astype": "converted",
    "einsum": "dots",
    "zeros": "whole",
    "empty": "whole",
    "full": "filled",
    "ones": "filled",
}
ASSIGNED = re.compile(r"^\s*([A-Za-z_]\w*)\s*(?::[^=]*)?=[^=]")


MODULES = (np, np.linalg, np.fft, np.lib.stride_tricks)


class Names:
    """Hands out unique names."""

    def __init__(self, taken: Any = ()) -> None:
        self.taken: set[str] = set(taken)
        self.last: dict[str, int] = {}  # the last number appended to a name

    def new(self, wish: str) -> str:
        """Return the wished name, with a number if it is taken."""
        wish = re.sub(r"\W+", "_", wish).strip("_") or "x"
        if wish[0].isdigit() or keyword.iskeyword(wish):
            wish = f"x_{wish}"
        name, k = wish, self.last.get(wish, 1)
        while name in self.taken:
            k += 1
            name = f"{wish}_{k}" if wish[-1].isdigit() else f"{wish}{k}"
        self.taken.add(name)
        self.last[wish] = k
        return name


class Naming(Names):
    """Names the values and functions of a program.

    Attributes:
        names_of_values: the names of values so far.
        scope: globals of the program.
    """

    def __init__(self, graph: Graph) -> None:
        words = ("np", "memory", "shown", "slots", "i", "block")
        super().__init__({*words, *dir(builtins)})
        self.wishes = wishes(graph)
        self.names_of_values: dict[Value, str] = {}
        self.scope: dict[str, Any] = {"np": np}
        self.imports: dict[str, set[str]] = {}
        self.functions: dict[Any, str] = {}

    def of(self, v: Value) -> str:
        """Return a value's name."""
        if v not in self.names_of_values:
            if v.kind == "constant":
                self.names_of_values[v] = self.new(v.name or "constant")
                self.scope[self.names_of_values[v]] = v.array
            elif v.before is not None:  # it overwrites that value
                self.names_of_values[v] = self.of(v.before)
            else:
                self.names_of_values[v] = self.new(self.wishes.get(v) or v.name or "x")
        return self.names_of_values[v]

    def function_name(self, function: Any) -> str:
        """Return the name of a function, imported if it is NumPy's."""
        if isinstance(function, Picked):
            return self.function_name(function.function)
        owner, name = getattr(function, "__self__", None), str(function.__name__)
        if isinstance(owner, np.ufunc):
            return f"{self.function_name(owner)}.{name}"
        method = getattr(function, "__objclass__", None) is np.ndarray
        if method or function in (operator.getitem, operator.setitem):
            return name
        if function not in self.functions:
            known = [m for m in MODULES if getattr(m, name, None) is function]
            if known and name not in self.taken:
                self.imports.setdefault(known[0].__name__, set()).add(name)
                self.functions[function] = name
                self.taken.add(name)
            else:
                own = getattr(builtins, name, None) is function
                self.functions[function] = name if own else self.new(name)
                self.scope[self.functions[function]] = function
        return self.functions[function]

    def header(self) -> list[str]:
        """Return the imports, and comments that describe constants."""
        lines = [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(self.imports.items())
        ]
        for v, name in self.names_of_values.items():
            if v.kind == "constant":
                number = f"{v.array.item()!r}, " if not v.shape else ""
                lines.append(f"# {name}: {number}{v.dtype} {v.shape}")
        return lines

    def comment(self, call: Call) -> str:
        """Return a comment with the source line of a call, "" for a loop."""
        line = None if call.is_loop else call.origin.line
        text = text_of(line) if line else ""
        if call.origin.rule and text:
            return f"# backward of  {text}"
        return f"# {text}" if text else ""


def argument_names(function: Any, args: Any) -> list[str]:
    """Return the parameter names of positional arguments.

    For wrappers such as `grad`, these are the names of the wrapped function.
    """
    named = names_of_positional(function, set())
    return [named[i] if i < len(named) else f"argument{i}" for i, _ in enumerate(args)]


def names_of_positional(function: Any, seen: set[int]) -> list[str]:
    """Return the names of a function's positional parameters."""
    if not callable(function) or id(function) in seen:
        return []
    seen.add(id(function))
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    plain = [
        p.name
        for p in parameters
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if plain or not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return plain
    for cell in getattr(function, "__closure__", None) or ():
        found = names_of_positional(cell.cell_contents, seen)
        if found:
            return found
    return []


def leaf_name(path: str) -> str:
    """Return a name for a leaf: ``w1`` for ``params['w1']``, ``x0`` for ``x[0]``."""
    argument, _, rest = path.partition("[")
    keys = re.findall(r"\w+", rest)
    if not keys:
        return argument
    if keys[-1].isdigit() or len(keys) > 1:
        words = [k for k in keys if not k.isdigit()]
        number = "".join(k for k in keys if k.isdigit())
        return "_".join(words or [argument]) + number
    return str(keys[-1])


def wishes(graph: Graph) -> dict[Value, str]:
    """Return the preferred name of each value."""
    found: dict[Value, str] = {v: v.name for v in graph.inputs}
    last: dict[Any, Value] = {}
    for call in [c for several in graph.calls for c in several.steps]:
        for v in call.outs:
            found[v] = v.name or OF_CALLS.get(call.name, call.name.replace(".", "_"))
            origin = call.origin
            last[origin.line, origin.rule, id(origin.wrt)] = named_value(v)
    for (line, rule, _), v in last.items():
        assigned = ASSIGNED.match(text_of(line)) if line and not rule else None
        if assigned and not v.name:
            found[v] = assigned[1]
    for call in [c for several in graph.calls for c in several.steps]:
        origin = call.origin
        if origin.rule:
            for v in map(named_value, call.outs):
                wrt = origin.wrt
                key = (origin.line, origin.rule, id(wrt))
                if wrt is not None and last.get(key) is v:
                    found[v] = "d_" + found.get(wrt, wrt.name or "x")
                elif not v.name:
                    found[v] = "d_" + found[v]
                if v in found:
                    found[v] = re.sub("^(d_)+", "d_", found[v])
    return found


def named_value(v: Value) -> Value:
    """Return the value whose name this one shares: the first in its memory."""
    return v if v.before is None else v.owner
