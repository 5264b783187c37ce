"""Methods that PyTorch's tensors have and NumPy's arrays don't (chapter 13)."""

from __future__ import annotations

from typing import Any

from autograd_lib.engine.ops.arithmetic import power
from autograd_lib.engine.ops.choices import absolute
from autograd_lib.engine.ops.copies import copy
from autograd_lib.engine.ops.norms import norm
from autograd_lib.engine.tape.tensor import Tensor


def clone(x: Tensor) -> Tensor:
    """Return a copy of the elements, which passes gradients on, like `copy`."""
    return copy(x)


METHODS: dict[str, Any] = {
    "abs": absolute,
    "clone": clone,
    "norm": norm,
    "pow": power,
}
for name, method in METHODS.items():
    setattr(Tensor, name, method)
