"""What values of a program are called, by arguments, lines and calls (chapter 24)."""

from __future__ import annotations

import inspect
import keyword
import re
from typing import Any

from autograd_lib.program.core.graph import Call, Graph, Value
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


class Names:
    """Gives each value a name that no other has."""

    def __init__(self, taken: Any = ()) -> None:
        self.taken: set[str] = set(taken)
        self.last: dict[str, int] = {}  # the number that a name has last been given

    def new(self, wish: str) -> str:
        """Return the name, or the name with a number if it is taken."""
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


def argument_names(function: Any, args: Any) -> list[str]:
    """Return the names of positional arguments, as the function calls them.

    Transforms such as `grad` take any; then it is the function inside that knows.
    """
    named = names_of_positional(function, set())
    return [named[i] if i < len(named) else f"argument{i}" for i, _ in enumerate(args)]


def refuse_unknown(function: Any, names: Any) -> None:
    """Raise TypeError for names that no argument of a function has."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return
    known = {*parameters, *names_of_positional(function, set())}
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    for name in names:
        if name not in known:
            raise TypeError(
                f"compile: static={name!r} names no argument of "
                f"{getattr(function, '__name__', function)}, whose arguments are "
                f"{', '.join(known) or 'none'}"
            )


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


def leaf_name(argument: str, path: str) -> str:
    """Return a name for a leaf: ``w1`` for ``params['w1']``, ``x0`` for ``x[0]``."""
    keys = re.findall(r"\w+", path)
    if not keys:
        return argument
    if keys[-1].isdigit() or len(keys) > 1:
        words = [k for k in keys if not k.isdigit()]
        number = "".join(k for k in keys if k.isdigit())
        return "_".join(words or [argument]) + number
    return str(keys[-1])


def wishes(graph: Graph) -> dict[Value, str]:
    """Return for each value how it would be called, if the name is free."""
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
    """Return the value that has the name of this one: the first in its memory."""
    return v if v.before is None else v.owner


def described(call: Call) -> str:
    """Return where a call comes from, as a comment."""
    origin = call.origin
    text = text_of(origin.line) if origin.line else ""
    if origin.rule and text:
        return f"# backward of  {text}"
    return f"# {text}" if text else ""
