"""Attention: each place takes a weighted mean of the places before it (chapter 20).

Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762. It is composed of
existing operations: a single operation for the scaled, masked softmax was tried, and
saved nothing measurable.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.activations import softmax
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, generator, whole
from autograd_lib.nn.layers import Linear
from autograd_lib.nn.module import Module, head
from autograd_lib.spelling import explain_keywords


def attention_weights(q: Any, k: Any, is_causal: bool = False) -> Tensor:
    """Return how much each query takes from each key: rows that sum to 1.

    Args:
        q: queries, of shape (…, n, e).
        k: keys, of shape (…, m, e).
        is_causal: whether query i ignores the keys after place i.

    Raises:
        ValueError: if queries and keys differ in their length e, or are empty.
    """
    a, b = np.shape(q), np.shape(k)
    if len(a) < 2 or len(b) < 2 or a[-1] != b[-1] or not (a[-1] and b[-2]):
        raise ValueError(
            f"attention: queries of shape {a} and keys of shape {b} do not fit; they "
            "are rows, of shapes (…, n, e) and (…, m, e), with one length e"
        )
    k = k if isinstance(k, Tensor) else Tensor(k)
    scores = (q * (1 / math.sqrt(a[-1]))) @ k.swapaxes(-1, -2)
    if is_causal:
        scores = scores + later_places(a[-2], b[-2], scores.dtype)
    return softmax(scores)


def later_places(n: int, m: int, dtype: Any) -> np.ndarray:
    """Return the causal mask: -inf where a key is after its query, else 0."""
    return np.triu(numpy().full((n, m), -np.inf, dtype), 1)


@explain_keywords
def scaled_dot_product_attention(
    q: Any, k: Any, v: Any, is_causal: bool = False
) -> Tensor:
    """Return, for each query, a mean of the values, weighted by how well its key fits.

    Args:
        q: queries, of shape (…, n, e).
        k: keys, of shape (…, m, e).
        v: values, of shape (…, m, f).
        is_causal: whether query i ignores the values after place i.

    Raises:
        ValueError: if the shapes do not fit.
    """
    if len(np.shape(v)) < 2 or np.shape(v)[-2] != np.shape(k)[-2]:
        raise ValueError(
            f"attention: keys of shape {np.shape(k)} and values of shape {np.shape(v)} "
            "do not fit; to each key belongs a value, (…, m, e) and (…, m, f)"
        )
    return matmul(attention_weights(q, k, is_causal), v)


class CausalSelfAttention(Module):
    """Self-attention in which no place sees the places after it.

    Args:
        embed_dim: how many numbers a place has.
        num_heads: how many heads there are; each takes means of its share of them.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.

    Attributes:
        in_proj: makes the queries, keys and values of all heads, with one matrix.
        out_proj: mixes the results of the heads.

    Raises:
        ValueError: if `num_heads` doesn't divide `embed_dim`.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        *,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        self.embed_dim = whole("CausalSelfAttention: embed_dim", embed_dim)
        self.num_heads = whole("CausalSelfAttention: num_heads", num_heads)
        if embed_dim % num_heads:
            raise ValueError(
                f"CausalSelfAttention: embed_dim={embed_dim} does not divide into "
                f"num_heads={num_heads} equal parts; make it a multiple"
            )
        rng = generator("CausalSelfAttention", rng)
        self.in_proj = Linear(embed_dim, 3 * embed_dim, rng=rng, dtype=dtype)
        self.out_proj = Linear(embed_dim, embed_dim, rng=rng, dtype=dtype)

    def forward(self, x: Any) -> Any:
        """Return, for each place, a mixture of the values up to it.

        Args:
            x: of shape (batch, places, embed_dim).

        Raises:
            ValueError: if `x` has another shape.
        """
        q, k, v = self.heads(x)
        found = scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out_proj(found.swapaxes(1, 2).reshape(np.shape(x)))

    def weights(self, x: Any) -> Tensor:
        """Return the attention weights, of shape (batch, heads, places, places)."""
        q, k, _ = self.heads(x)
        return attention_weights(q, k, is_causal=True)

    def heads(self, x: Any) -> Any:
        """Return queries, keys and values: (3, batch, heads, places, share)."""
        shape = np.shape(x)
        if len(shape) != 3 or shape[-1] != self.embed_dim:
            raise ValueError(
                f"{head(self)}: needs shape (batch, places, {self.embed_dim}), got "
                f"{shape}; one text is x[None]"
            )
        share = self.embed_dim // self.num_heads
        split = self.in_proj(x).reshape(*shape[:2], 3, self.num_heads, share)
        return split.transpose(2, 0, 3, 1, 4)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"{self.embed_dim}, {self.num_heads}"
