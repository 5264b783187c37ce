"""Warnings of float64 results and of lost leaves, and notes to errors (chapter 16)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.operands import operation_name, warn_of_float64
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor

FLOAT64 = np.dtype(float)


def warn_of_result(
    name: str, y: Tensor, inputs: tuple[Any, ...], call: CodeType
) -> None:
    """Warn that a module of float32 parameters returned float64.

    Args:
        name: a short description of the module.
        y: its result.
        inputs: its arguments.
        call: the code of the method that was called.
    """
    wide = [x for x in inputs if hasattr(x, "dtype") and x.dtype == FLOAT64]
    if wide:
        what = f"its input of shape {wide[0].shape}{maker(wide[0])} is float64"
        way = "give it x.astype(np.float32), or make its layers with dtype=float"
    else:
        what = f"what it returned{maker(y)} is float64"
        way = (
            "np.array(x, np.float32) instead of a list, and float(number) instead of "
            "a number such as np.sqrt(2), keep float32"
        )
    warn_of_float64(f"{name}: its parameters are float32, but {what}", way, call)


def maker(x: Any) -> str:
    """Return words for the operation that made a tensor, "" if it isn't known."""
    node = getattr(x, "node", None)
    made = node.operation if node else None
    return f", which {operation_name(made)} made," if made else ""


def warn_of_lost(
    module: Any, attributes: Iterable[tuple[str, Any]], own: set[Node | None]
) -> None:
    """Warn of attributes that were computed from leaves outside the module.

    A result of the module's own tensors may be kept on purpose.
    """
    for name, found in attributes:
        if not isinstance(found, Tensor) or found.is_leaf or found.node is None:
            continue
        if leads_to_others(found.node, own):
            warnings.warn(
                f"{type(module).__name__}: {name}, of shape {found.shape}, was made by "
                "an operation, so it is no parameter and will be neither trained nor "
                "saved; make a leaf of the numbers, such as tensor(0.02 * numbers, "
                "requires_grad=True)",
                stacklevel=4,
            )


def leads_to_others(node: Node, own: set[Node | None]) -> bool:
    """Return whether a graph has a leaf that isn't among the given nodes."""
    met, todo = {node}, [node]
    for v in todo:
        if v.edges is None or v in own:  # freed, so unknown, or the module's own
            continue
        if not v.edges:
            return True
        new = [p for p in v.parents if p not in met]
        met.update(new)
        todo += new
    return False


def note_place(error: Any, module: Any, head: Callable[[Any], str]) -> None:
    """Add a note to an error with the dotted name of the module that raised it.

    Each module on the way out replaces the note by one with a longer name; `head`
    describes a module.
    """
    part, path, note = getattr(error, "raised_in", (None, "", ""))
    inner = (name for name, found in module.named_modules() if found is part and name)
    name = next(inner, "")
    path = f"{name}.{path}" if path and name else name
    if path:
        if note in getattr(error, "__notes__", ()):
            error.__notes__.remove(note)
        note = f"in {path} of {head(module)}"
        error.add_note(note)
    error.raised_in = (module, path, note)
