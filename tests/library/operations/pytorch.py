"""PyTorch, imported when something of it is first used: cases are read without it.

After ``from tests.library.operations import pytorch as torch`` a case may have
``lambda x: torch.linalg.inv(x)`` or ``torch.function("linalg.inv")``.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any


def function(name: str) -> Callable[..., Any]:
    """Return a function that calls PyTorch's of that name."""

    def call(*arguments: Any, **options: Any) -> Any:
        torch = importlib.import_module("torch")
        return operator.attrgetter(name)(torch)(*arguments, **options)

    return call


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        torch = importlib.import_module("torch")
    except ModuleNotFoundError:
        raise AttributeError(f"PyTorch, which has {name}, is not installed") from None
    return getattr(torch, name)
