"""Run a few lines of a table's row here, or in PyTorch, and say what came of it."""

from __future__ import annotations

import ast
import importlib
import math
import warnings
from typing import Any

import numpy as np

import autograd_lib as ag
from autograd_lib.engine import Tensor


def here() -> dict[str, Any]:
    """Return the names that a row's lines find, on our side."""
    return {
        "__name__": "here",
        "ag": ag,
        "np": np,
        "nn": ag.nn,
        "optim": ag.optim,
        "grad": ag.grad,
        "no_grad": ag.no_grad,
        "Function": ag.Function,
        "checkpoint": ag.checkpoint,
        "leaf": lambda data, dtype="float64": Tensor(data, True, dtype),
        "constant": lambda data: Tensor(data),
    }


def in_pytorch() -> dict[str, Any]:
    """Return the names that a row's lines find, in PyTorch."""
    torch: Any = importlib.import_module("torch")
    checkpoints: Any = importlib.import_module("torch.utils.checkpoint")

    def leaf(data: Any, dtype: str = "float64") -> Any:
        return torch.tensor(data, dtype=getattr(torch, dtype), requires_grad=True)

    def constant(data: Any) -> Any:
        return torch.from_numpy(np.array(data))

    return {
        "__name__": "in_pytorch",
        "torch": torch,
        "np": np,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "optim": torch.optim,
        "grad": torch.autograd.grad,
        "no_grad": torch.no_grad,
        "Function": torch.autograd.Function,
        "checkpoint": lambda *xs: checkpoints.checkpoint(*xs, use_reentrant=False),
        "leaf": leaf,
        "constant": constant,
    }


def outcome(code: str, names: dict[str, Any]) -> tuple[str, list[str]]:
    """Run lines, and return what the last one gives, and the warnings on the way.

    An error is written as its kind and its message, and so is a warning.
    """
    *before, last = ast.parse(code).body
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # PyTorch's own, when it loads a part of itself.
        warnings.filterwarnings("ignore", message=".*torch.jit.script")
        try:
            exec(compile(ast.Module(before, []), "<row>", "exec"), names)
            found = as_cell(final(last, names))
        except Exception as error:
            found = error_text(error)
    return found, [error_text(w.message) for w in caught]


def final(last: ast.stmt, names: dict[str, Any]) -> Any:
    """Run the last line, and return its value if it is an expression."""
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<row>", "eval"), names)
    exec(compile(ast.Module([last], []), "<row>", "exec"), names)
    return "no error"


def error_text(message: Any) -> str:
    """Return an error or a warning as text, on one line."""
    return f"{type(message).__name__}: {' '.join(str(message).split())}"


def as_cell(value: Any) -> str:
    """Return a value as the table writes it: arrays as lists, four digits of floats."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(map(as_cell, value))
    if isinstance(value, list):
        return f"[{', '.join(map(as_cell, value))}]"
    if isinstance(value, bool | np.bool_ | int | np.integer | None):
        return str(value)
    if isinstance(value, float | np.floating):
        return rounded(float(value))
    if isinstance(value, np.dtype | type):
        return np.dtype(value).name if isinstance(value, np.dtype) else value.__name__
    if hasattr(value, "tolist"):
        return as_cell(
            value.detach().tolist() if hasattr(value, "detach") else value.tolist()
        )
    return str(value).removeprefix("torch.")


def rounded(x: float) -> str:
    """Return a number with four digits."""
    if not math.isfinite(x):
        return str(x)
    text = f"{x:.4g}"
    return text if set(text) & set(".e") else f"{text}.0"
