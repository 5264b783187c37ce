"""Splitting a tensor along its first, second or third axis (chapter 10).

All parts are views, made by `split` in `joining`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import newer, operation
from autograd_lib.engine.ops.axes import as_tensor, on_axis, one_axis
from autograd_lib.engine.ops.indexing import getitem
from autograd_lib.engine.ops.joining import split
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.vsplit)
def vsplit(x: Any, indices_or_sections: Any) -> list[Tensor]:
    """Return parts from top to bottom, along the first axis."""
    return split(with_axes("vsplit", x, 2), indices_or_sections, 0)


@operation(np.hsplit)
def hsplit(x: Any, indices_or_sections: Any) -> list[Tensor]:
    """Return parts from left to right: along the second axis, or the only one."""
    t = with_axes("hsplit", x, 1)
    return split(t, indices_or_sections, 1 if t.ndim > 1 else 0)


@operation(np.dsplit)
def dsplit(x: Any, indices_or_sections: Any) -> list[Tensor]:
    """Return parts from front to back, along the third axis."""
    return split(with_axes("dsplit", x, 3), indices_or_sections, 2)


def with_axes(name: str, x: Any, number: int) -> Tensor:
    """Return x as a tensor, which must have at least `number` axes."""
    t = as_tensor(x)
    if t.ndim < number:
        raise ValueError(
            f"{name}: needs {number} axes at least, got shape {t.shape}; np.split "
            "takes any axis"
        )
    return t


@operation(*newer("unstack"))
def unstack(x: Any, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along an axis, without that axis."""
    t = as_tensor(x)
    axis = one_axis("unstack", axis, t.shape)
    return tuple(getitem(t, on_axis(axis, i)) for i in range(t.shape[axis]))
