"""Attention: each place takes a weighted mean of the places before it (chapter 18).

Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762. It is composed of
existing operations: a single operation for the scaled, masked softmax was tried, and
saved nothing measurable.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.operands import truth
from autograd_lib.engine.ops.activations import softmax
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, floating, generator, whole
from autograd_lib.nn.functional import linear
from autograd_lib.nn.layers import Linear
from autograd_lib.nn.module import Module, head
from autograd_lib.spelling import explain_keywords


def attention_weights(
    q: Any, k: Any, is_causal: bool = False, attn_mask: Any = None
) -> Tensor:
    """Return how much each query takes from each key: rows that sum to 1.

    Args:
        q: queries, of shape (…, n, e).
        k: keys, of shape (…, m, e).
        is_causal: whether query i ignores the keys after place i.
        attn_mask: truth values, where a query may take from a key, or numbers that are
            added to the scores; broadcast to (…, n, m).

    Raises:
        ValueError: if queries and keys differ in their length e, or are empty, or the
            mask does not broadcast to the scores.
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
    if attn_mask is not None:
        scores = masked(scores, attn_mask)
    return softmax(scores)


def masked(scores: Any, mask: Any) -> Any:
    """Return scores with -inf where a mask is False, or with its numbers added.

    Raises:
        ValueError: if the mask does not broadcast to the scores.
    """
    mask = mask if isinstance(mask, Tensor) else numpy().asarray(mask)
    try:
        fits = np.broadcast_shapes(mask.shape, scores.shape) == scores.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"attention: attn_mask of shape {mask.shape} does not broadcast to the "
            f"scores, of shape {scores.shape}; padding of shape (batch, keys) is "
            "padding[:, None, None, :] for several heads"
        )
    if mask.dtype == bool:
        return np.where(mask, scores, -np.inf)
    return scores + (mask if isinstance(mask, Tensor) else mask.astype(scores.dtype))


def later_places(n: int, m: int, dtype: Any) -> np.ndarray:
    """Return the causal mask: -inf where a key is after its query, else 0."""
    return np.triu(numpy().full((n, m), -np.inf, dtype), 1)


@explain_keywords
def scaled_dot_product_attention(
    q: Any, k: Any, v: Any, is_causal: bool = False, *, attn_mask: Any = None
) -> Tensor:
    """Return, for each query, a mean of the values, weighted by how well its key fits.

    Args:
        q: queries, of shape (…, n, e).
        k: keys, of shape (…, m, e).
        v: values, of shape (…, m, f).
        is_causal: whether query i ignores the values after place i.
        attn_mask: truth values, where a query may take from a key, or numbers that are
            added to the scores; broadcast to (…, n, m). A query without any key gives
            NaN, as in PyTorch.

    Raises:
        ValueError: if the shapes do not fit.
    """
    if len(np.shape(v)) < 2 or np.shape(v)[-2] != np.shape(k)[-2]:
        raise ValueError(
            f"attention: keys of shape {np.shape(k)} and values of shape {np.shape(v)} "
            "do not fit; to each key belongs a value, (…, m, e) and (…, m, f)"
        )
    return matmul(attention_weights(q, k, is_causal, attn_mask), v)


class SelfAttention(Module):
    """Self-attention: each place takes from all places, or from those up to it.

    Args:
        embed_dim: how many numbers a place has.
        num_heads: how many heads there are; each takes means of its share of them.
        causal: whether no place sees the places after it.
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
        causal: bool = False,
        *,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        name = type(self).__name__
        self.embed_dim = whole(f"{name}: embed_dim", embed_dim)
        self.num_heads = whole(f"{name}: num_heads", num_heads)
        self.causal = truth(causal, f"{name}: causal")
        check_heads(name, embed_dim, num_heads)
        rng = generator(name, rng)
        self.in_proj = Linear(embed_dim, 3 * embed_dim, rng=rng, dtype=dtype)
        self.out_proj = Linear(embed_dim, embed_dim, rng=rng, dtype=dtype)

    def forward(self, x: Any, attn_mask: Any = None) -> Any:
        """Return, for each place, a mixture of the values of the places that it sees.

        Args:
            x: of shape (batch, places, embed_dim).
            attn_mask: as in `scaled_dot_product_attention`; of texts of different
                lengths, ``real[:, None, None, :]`` with the truth values `real` of
                shape (batch, places), which are False where a text is over.

        Raises:
            ValueError: if `x` or the mask has another shape.
        """
        q, k, v = self.heads(x)
        found = scaled_dot_product_attention(q, k, v, self.causal, attn_mask=attn_mask)
        return self.out_proj(found.swapaxes(1, 2).reshape(np.shape(x)))

    def weights(self, x: Any, attn_mask: Any = None) -> Tensor:
        """Return the attention weights, of shape (batch, heads, places, places)."""
        q, k, _ = self.heads(x)
        return attention_weights(q, k, self.causal, attn_mask)

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


class CausalSelfAttention(SelfAttention):
    """Self-attention in which no place sees the places after it.

    Args:
        embed_dim: how many numbers a place has.
        num_heads: how many heads there are; each takes means of its share of them.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.

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
        super().__init__(embed_dim, num_heads, True, rng=rng, dtype=dtype)


class MultiheadAttention(Module):
    """PyTorch's attention: queries from one sequence, keys and values from others.

    Names, shapes and masks are PyTorch's, so that its states can be loaded. In its two
    masks, True means *left out*; in `scaled_dot_product_attention` it means the
    opposite, as there.

    Args:
        embed_dim: how many numbers a place has.
        num_heads: how many heads there are; each takes means of its share of them.
        bias: whether the projections have a bias.
        batch_first: whether arrays are (batch, places, embed_dim); by default they are
            (places, batch, embed_dim), as in PyTorch.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.

    Attributes:
        in_proj_weight: makes queries, keys and values, of shape (3·embed_dim,
            embed_dim), uniform as in `init.xavier_uniform_`.
        in_proj_bias: their bias, initially 0, or None.
        out_proj: mixes the results of the heads.

    Raises:
        ValueError: if `num_heads` doesn't divide `embed_dim`.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        bias: bool = True,
        *,
        batch_first: bool = False,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        self.embed_dim = n = whole("MultiheadAttention: embed_dim", embed_dim)
        self.num_heads = whole("MultiheadAttention: num_heads", num_heads)
        check_heads("MultiheadAttention", embed_dim, num_heads)
        self.batch_first = truth(batch_first, "MultiheadAttention: batch_first")
        rng = generator("MultiheadAttention", rng)
        bound = math.sqrt(6 / (4 * n))
        dtype = floating("MultiheadAttention", dtype)
        self.in_proj_weight = Tensor(
            rng.uniform(-bound, bound, (3 * n, n)), True, dtype
        )
        self.in_proj_bias = Tensor(numpy().zeros(3 * n), True, dtype) if bias else None
        self.out_proj = Linear(n, n, bias, rng=rng, dtype=dtype)
        if self.out_proj.bias is not None:
            self.out_proj.bias.data[...] = 0

    def forward(  # noqa: PLR0913 - PyTorch's options
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Return mixtures of the values, one for each query, and the weights.

        Args:
            query: of shape (n, batch, embed_dim), or (batch, n, embed_dim).
            key: of shape (m, batch, embed_dim), or (batch, m, embed_dim).
            value: as key.
            key_padding_mask: truth values of shape (batch, m), True for keys to leave
                out, or numbers that are added to the scores.
            need_weights: whether the weights are returned, instead of None.
            attn_mask: truth values of shape (n, m) or (batch·heads, n, m), True for
                what to leave out, or numbers that are added to the scores.
            average_attn_weights: whether the weights are the mean over the heads, of
                shape (batch, n, m), instead of (batch, heads, n, m).
            is_causal: whether query i leaves out the keys after place i.

        Raises:
            ValueError: if a shape does not fit.
        """
        several = [
            t if isinstance(t, Tensor) else Tensor(t) for t in (query, key, value)
        ]
        if any(t.ndim != 3 or t.shape[2] != self.embed_dim for t in several):
            raise ValueError(
                f"{head(self)}: needs query, key and value with 3 axes, the last of "
                f"length {self.embed_dim}, got shapes "
                f"{', '.join(str(t.shape) for t in several)}; one text is x[None]"
            )
        if not self.batch_first:
            several = [t.swapaxes(0, 1) for t in several]
        q, k, v = (self.projected(i, t) for i, t in enumerate(several))
        (batch, heads, n, _), m = q.shape, k.shape[2]
        mask = added(attn_mask, q.dtype)
        if mask is not None and mask.ndim == 3:
            mask = mask.reshape(batch, heads, n, m)
        padding = added(key_padding_mask, q.dtype)
        if padding is not None:
            padding = padding[:, None, None, :]
            mask = padding if mask is None else mask + padding
        weights = attention_weights(q, k, is_causal, mask)
        y = matmul(weights, v).swapaxes(1, 2).reshape(batch, n, self.embed_dim)
        y = self.out_proj(y)
        y = y if self.batch_first else y.swapaxes(0, 1)
        if not need_weights:
            return y, None
        return y, weights.mean(axis=1) if average_attn_weights else weights

    def projected(self, i: int, x: Any) -> Any:
        """Return queries (i = 0), keys or values: (batch, heads, places, share)."""
        part = slice(i * self.embed_dim, (i + 1) * self.embed_dim)
        bias = None if self.in_proj_bias is None else self.in_proj_bias[part]
        y = linear(x, self.in_proj_weight[part], bias)
        share = self.embed_dim // self.num_heads
        return y.reshape(*x.shape[:2], self.num_heads, share).swapaxes(1, 2)

    def extra_repr(self) -> str:
        """Return the sizes."""
        first = ", batch_first=True" if self.batch_first else ""
        return f"{self.embed_dim}, {self.num_heads}{first}"


def added(mask: Any, dtype: Any) -> Any:
    """Return a mask of `MultiheadAttention` as numbers to add, -inf for True."""
    if mask is None or (isinstance(mask, Tensor) and mask.dtype != bool):
        return mask
    mask = numpy().asarray(getattr(mask, "_array", mask))
    if mask.dtype != bool:
        return mask.astype(dtype)
    return np.where(mask, dtype.type(-np.inf), dtype.type(0))


def check_heads(name: str, embed_dim: int, num_heads: int) -> None:
    """Raise ValueError if the heads do not divide the numbers of a place."""
    if embed_dim % num_heads:
        raise ValueError(
            f"{name}: embed_dim={embed_dim} does not divide into "
            f"num_heads={num_heads} equal parts; make it a multiple"
        )
