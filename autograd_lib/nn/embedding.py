"""A layer that looks vectors up by number (chapter 16)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, floating, generator, whole
from autograd_lib.nn.module import Module, head


class Embedding(Module):
    """A table with a learned vector for each of n items, initially normal numbers.

    Args:
        num_embeddings: n, the number of vectors.
        embedding_dim: the length of each.
        rng: the generator of the initial vectors, or its seed.
        dtype: the type of the vectors.

    Attributes:
        weight: the vectors, of shape (num_embeddings, embedding_dim).
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        *,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        self.num_embeddings = whole("Embedding: num_embeddings", num_embeddings)
        self.embedding_dim = whole("Embedding: embedding_dim", embedding_dim)
        rng, dtype = generator("Embedding", rng), floating("Embedding", dtype)
        rows = rng.normal(size=(num_embeddings, embedding_dim))
        self.weight = Tensor(rows, True, dtype)

    def forward(self, x: Any) -> Tensor:
        """Return the vectors with the numbers in `x`, along a new last axis.

        Raises:
            TypeError: if they are not whole numbers.
            IndexError: if there is no such vector. Negative numbers are out of range.
        """
        chosen = numpy().asarray(array_of(x))
        if chosen.dtype.kind not in "iu":
            raise TypeError(
                f"{head(self)}: needs whole numbers, which rows it shall be, got "
                f"{chosen.dtype}; use .astype(int)"
            )
        n = self.num_embeddings
        if chosen.size and (chosen.min() < 0 or chosen.max() >= n):
            raise IndexError(
                f"{head(self)}: its rows are 0 to {n - 1}, got numbers from "
                f"{chosen.min()} to {chosen.max()}; give it as many rows as needed"
            )
        return self.weight[chosen]

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"{self.num_embeddings}, {self.embedding_dim}"
