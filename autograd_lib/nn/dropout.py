"""A layer that sets numbers to 0 at random, in training (chapter 16)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from autograd_lib.engine.ops.arithmetic import multiply
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, generator, share
from autograd_lib.nn.module import Module


class Dropout(Module):
    """Sets each number to 0 with probability p, in training; divides others by 1 - p.

    So the expected value is the number itself, which `forward` returns after `eval()`.
    Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from
    Overfitting" (2014).

    Args:
        p: the probability of 0, from 0 to 1.
        rng: the generator of the random choices, or its seed.
    """

    _settings: ClassVar = {"p": share}

    def __init__(self, p: float = 0.5, *, rng: Random = None) -> None:
        self.p = p
        self.rng = generator("Dropout", rng)

    def forward(self, x: Any) -> Tensor:
        """Return `x` with some numbers set to 0; outside training, `x` itself.

        Arrays and lists are constants.
        """
        if not self.training or not self.p:
            return as_tensor(x)
        kept = self.rng.random(np.shape(x), np.float32) >= self.p
        dtype = np.result_type(getattr(x, "dtype", float), np.float32)
        scale = 1 / (1 - self.p) if self.p < 1 else 0
        return multiply(x, kept * dtype.type(scale))

    def extra_repr(self) -> str:
        """Return p."""
        return f"{self.p:g}"
