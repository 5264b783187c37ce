"""A layer split among ranks: columns first, then rows, and one sum (chapter 24).

In y = f(x·A)·B, rank i holds some columns of A and the matching rows of B: the result
of the first product is the input of the second, with no message in between. Shoeybi et
al., "Megatron-LM" (2019), arXiv:1909.08053.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.functional import linear
from autograd_lib.nn.layers import Linear
from autograd_lib.nn.module import Module
from autograd_lib.parallel.collectives import sum_of_all, to_all
from autograd_lib.parallel.ranks import Ranks, world


class ColumnLinear(Module):
    """This rank's outputs of a linear layer: from shared rows to a part of each output.

    Args:
        whole: the layer to split, the same on each rank; made from the same seed, or
            after `share`.
        ranks: the processes; by default all.

    Attributes:
        weight: the part of W, of shape (part of out_features, in_features).
        bias: the part of b, or None.
    """

    def __init__(self, whole: Linear, ranks: Ranks | None = None) -> None:
        self.ranks = ranks or world()
        part = self.ranks.part(whole.out_features)
        self.weight = leaf(whole.weight.data[part])
        self.bias = None if whole.bias is None else leaf(whole.bias.data[part])

    def forward(self, x: Any) -> Tensor:
        """Return this rank's part of x·Wᵀ + b, along the last axis."""
        return linear(to_all(x, self.ranks), self.weight, self.bias)


class RowLinear(Module):
    """This rank's inputs of a linear layer: from its part of each row to shared sums.

    Args:
        whole: the layer to split, the same on each rank.
        ranks: the processes; by default all.

    Attributes:
        weight: the part of W, of shape (out_features, part of in_features).
        bias: the whole b, shared, or None. It is added once, after the sum.
    """

    def __init__(self, whole: Linear, ranks: Ranks | None = None) -> None:
        self.ranks = ranks or world()
        part = self.ranks.part(whole.in_features)
        self.weight = leaf(whole.weight.data[:, part])
        self.bias = None if whole.bias is None else leaf(whole.bias.data)

    def forward(self, x: Any) -> Tensor:
        """Return x·Wᵀ + b; each rank has a part of x and of W."""
        y = sum_of_all(linear(x, self.weight), self.ranks)
        return y if self.bias is None else y + self.bias


def leaf(a: np.ndarray) -> Tensor:
    """Return a parameter with a copy of an array."""
    return Tensor(a, True, a.dtype)
