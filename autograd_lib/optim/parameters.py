"""Lists of parameters: checked, named, and in groups (chapter 16)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograd_lib.engine.leaves.leaf import is_parameter
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.module import Module

Parameters = Iterable[Tensor] | Iterable[tuple[str, Tensor]] | Iterable[dict[str, Any]]


def in_groups(who: str, params: Any) -> list[dict[str, Any]]:
    """Return groups of parameters: one group if they come without groups.

    Raises:
        TypeError: if `params` isn't a list of parameters, or only some are in groups.
        ValueError: if a group has no parameters.
    """
    if isinstance(params, Tensor | Module | str | dict) or not isinstance(
        params, Iterable
    ):
        raise TypeError(
            f"{who}: params is several tensors, such as model.parameters() or "
            f"[tensor], got {type(params).__name__}"
        )
    items = list(params)
    if not any(isinstance(item, dict) for item in items):
        return [{"params": items}]
    groups = []
    for i, group in enumerate(items):
        if not isinstance(group, dict) or "params" not in group:
            raise TypeError(
                f"{who}: group {i} must be a dictionary with params, such as "
                f'{{"params": layer.parameters(), "lr": 0.1}}, got {group!r:.60}'
            )
        given = group["params"]
        groups.append(
            {**group, "params": [given] if isinstance(given, Tensor) else list(given)}
        )
        if not groups[-1]["params"]:
            raise ValueError(
                f"{who}: there are no parameters in group {i}; a generator such as "
                "model.parameters() can be gone through once"
            )
    return groups


def listed(who: str, params: Iterable[Any]) -> dict[str, Tensor]:
    """Return parameters by name, or by number if they have none.

    Raises:
        TypeError: if one isn't a tensor.
        ValueError: if there are none, or one isn't a leaf that requires a gradient, nor
            a frozen one, is listed twice, or is read-only.
    """
    named: dict[str, Tensor] = {}
    seen: dict[int, str] = {}
    for i, item in enumerate(params):
        name, p = item if isinstance(item, tuple) else (f"parameter {i}", item)
        if not isinstance(p, Tensor):
            raise TypeError(f"{who}: {name} must be a tensor, got {p!r:.60}")
        if not (p.is_leaf and is_parameter(p)):
            made = "is a constant" if p.is_leaf else "was made by an operation"
            raise ValueError(
                f"{who}: {name}, of shape {p.shape}, {made}; only a leaf that requires "
                "a gradient can be trained: Tensor(data, requires_grad=True)"
            )
        if id(p) in seen or name in named:
            raise ValueError(
                f"{who}: {seen.get(id(p), name)} is there twice, again as {name}; each "
                "parameter is given once, or it would be moved twice"
            )
        if not p.data.flags.writeable:
            raise ValueError(f"{who}: {name} is for reading only; make it of a copy")
        named[name], seen[id(p)] = p, name
    if not named:
        raise ValueError(
            f"{who}: there are no parameters; a module keeps them in attributes, and a "
            "generator such as model.parameters() can be gone through once"
        )
    return named


def is_finite(a: np.ndarray) -> bool:
    """Return whether no number is NaN or infinite.

    The sum of squares, which is fast and needs no memory, tells unless it overflows.
    """
    return bool(np.vdot(a, a) < math.inf) or bool(np.isfinite(a).all())
