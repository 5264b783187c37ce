"""`python -m tools.surface`: write the stub of the methods of `Tensor`.

`Tensor` gets its methods while the library is imported. `surface.pyi` declares them and
their arguments for type checkers and editors, without docstrings, which stand only with
the operations.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine import Tensor
from autograd_lib.engine.methods import METHODS, PROTOCOLS
from notebooks.notebook import ROOT

STUB = ROOT / "autograd_lib" / "engine" / "surface.pyi"
OF_TWO = ("__and__", "__or__", "__xor__", "__lshift__", "__rshift__")
HEAD = """\
# Written by `python -m tools.surface` from `methods.py`; do not edit.
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograd_lib.engine.leaves.hooks import Handle
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor

class Operations:
    def __hash__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray: ...
    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any: ...
    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any: ...
"""
BY_HAND = ("__hash__", "__array__", "__array_ufunc__", "__array_function__")
"""The methods that `HEAD` declares."""


def methods() -> dict[str, Any]:
    """Return the functions and properties to declare."""
    left = PROTOCOLS.keys() | set(BY_HAND)  # Python and NumPy call them, not users
    return {name: value for name, value in METHODS.items() if name not in left}


def text_of(kind: Any) -> str:
    """Return the text of an annotation."""
    if kind is type(None) or kind is None:
        return "None"
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return " | ".join(map(text_of, typing.get_args(kind)))
    if isinstance(kind, type) and not typing.get_args(kind):
        return "np." * (kind.__module__ == "numpy") + kind.__name__
    text = str(kind)
    for module in ("typing.", "collections.abc.", "autograd_lib.engine.tape.tensor."):
        text = text.replace(module, "")
    return text


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of an operation, or NumPy's if it has none of its own."""
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.name != "unknown"]
    if all(p.kind is not p.VAR_KEYWORD for p in kept):
        return signature.replace(parameters=kept)
    theirs = inspect.signature(getattr(np, function.__name__))
    return theirs.replace(
        parameters=[p for p in theirs.parameters.values() if p.name != "out"]
    )


def declared(parameter: inspect.Parameter, hints: dict[str, Any]) -> str:
    """Return the text of a parameter."""
    stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    text = f"{stars}{parameter.name}: {text_of(hints.get(parameter.name, Any))}"
    if parameter.default is parameter.empty:
        return text
    usual = isinstance(parameter.default, str | int | float | None)
    return f"{text} = {parameter.default!r}" if usual else f"{text} = ..."


def parameters_of(function: Callable[..., Any], hints: dict[str, Any]) -> list[str]:
    """Return the parameters after the first, which is the tensor itself."""
    written, starred = ["self"], False
    for p in list(signature_of(function).parameters.values())[1:]:
        if p.kind is p.KEYWORD_ONLY and not starred:
            written.append("*")
        starred = starred or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        written.append(declared(p, hints))
    return written


def line_of(name: str, function: Callable[..., Any]) -> str:
    """Return the line that declares a method."""
    hints = typing.get_type_hints(function)
    if function.__name__ == "reflected":  # 1 + t has the type of t + 1
        forward = vars(Tensor)[name.replace("__r", "__", 1)]
        hints["return"] = typing.get_type_hints(forward)["return"]
    written = ", ".join(parameters_of(function, hints))
    if name in ("__eq__", "__ne__"):
        written = "self, other: object"
    elif written == "self" and name in OF_TWO:
        written = "self, y: Any"
    if name.startswith("__") and "," in written:
        written += ", /"  # operands of operators have no names
    return f"    def {name}({written}) -> {text_of(hints['return'])}: ..."


def stub() -> str:
    """Return the contents of the stub."""
    lines = []
    for name, value in sorted(methods().items()):
        if isinstance(value, property):
            kind = text_of(typing.get_type_hints(value.fget).get("return", Tensor))
            lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
            if value.fset:
                head = f"    def {name}(self, value: Any) -> None: ..."
                lines += [f"    @{name}.setter", head]
            if value.fdel:
                lines += [f"    @{name}.deleter", f"    def {name}(self) -> None: ..."]
        else:
            lines.append(line_of(name, value))
    return HEAD + "\n".join(lines) + "\n"


def main() -> int:
    """Write the stub."""
    STUB.write_text(stub(), encoding="utf-8")
    print(f"Wrote {STUB.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
