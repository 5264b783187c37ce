"""A small GPT: blocks of attention that continue a text (chapter 18).

The architecture is GPT-2's: Radford et al., "Language Models are Unsupervised Multitask
Learners" (2019): layer norms before each part, GELU, and one matrix of embeddings for
input and output.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.numpy.operands import truth
from autograd_lib.nn.arguments import Random, generator, real, whole
from autograd_lib.nn.attention import CausalSelfAttention, SelfAttention
from autograd_lib.nn.embedding import Embedding
from autograd_lib.nn.layers import GELU, Linear, Sequential
from autograd_lib.nn.module import Module, head
from autograd_lib.nn.normalization import LayerNorm

SPREAD = 0.05  # of the initial embeddings; with 1, the first scores would be far off


class Block(Module):
    """Attention, then a small network at each place; each adds to its input.

    Attention is causal: no place sees the places after it. With ``causal=False`` it is
    a layer of an encoder, PyTorch's ``TransformerEncoderLayer(embed_dim, num_heads,
    4 * embed_dim, 0.0, gelu of tanh, norm_first=True, batch_first=True)``.

    Args:
        embed_dim: how many numbers a place has; the network has four times as many.
        num_heads: the heads of attention.
        causal: whether no place sees the places after it.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        causal: bool = True,
        *,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        rng = generator("Block", rng)
        self.norm1 = LayerNorm(embed_dim, dtype=dtype)
        own: dict[str, Any] = {"rng": rng, "dtype": dtype}
        self.attention: SelfAttention = (
            CausalSelfAttention(embed_dim, num_heads, **own)
            if truth(causal, "Block: causal")
            else SelfAttention(embed_dim, num_heads, **own)
        )
        self.norm2 = LayerNorm(embed_dim, dtype=dtype)
        self.network = Sequential(
            Linear(embed_dim, 4 * embed_dim, rng=rng, dtype=dtype),
            GELU("tanh"),
            Linear(4 * embed_dim, embed_dim, rng=rng, dtype=dtype),
        )

    def forward(self, x: Any, attn_mask: Any = None) -> Any:
        """Return `x`, of shape (batch, places, embed_dim), with both parts added.

        `attn_mask` is as in `SelfAttention`.
        """
        masks = () if attn_mask is None else (attn_mask,)
        x = x + self.attention(self.norm1(x), *masks)
        return x + self.network(self.norm2(x))


class GPT(Module):
    """Scores for the next token, after each token of a text.

    Args:
        tokens: how many different tokens there are.
        context: how many places a text can have.
        embed_dim: how many numbers a place has.
        num_heads: the heads of attention in each block.
        depth: how many blocks there are.
        rng: the generator of the initial weights, or its seed.

    Attributes:
        embedding: a row for each token: its vector as an input, and as an output the
            weights of its score.
        position: a row for each place.
        blocks: the blocks, in a list.
        norm: the last layer norm.

    >>> model = GPT(82, 64, rng=0)
    >>> model([[3, 1, 4]]).shape
    (1, 3, 82)
    """

    def __init__(
        self,
        tokens: int,
        context: int,
        embed_dim: int = 64,
        num_heads: int = 4,
        depth: int = 2,
        *,
        rng: Random = None,
    ) -> None:
        self.context = whole("GPT: context", context)
        self.num_heads = num_heads
        rng = generator("GPT", rng)
        self.embedding = Embedding(tokens, embed_dim, rng=rng)
        self.position = Embedding(context, embed_dim, rng=rng)
        self.blocks = [
            Block(embed_dim, num_heads, rng=rng)
            for _ in range(whole("GPT: depth", depth))
        ]
        self.norm = LayerNorm(embed_dim)
        for table in (self.embedding, self.position):
            table.weight.data *= SPREAD
        for block in self.blocks:  # so that 2·depth sums have the size of one
            for last in (block.attention.out_proj, block.network[-1]):
                last.weight.data /= math.sqrt(2 * depth)

    def forward(self, tokens: Any) -> Any:
        """Return scores of shape (batch, places, tokens).

        Args:
            tokens: integers of shape (batch, places).

        Raises:
            ValueError: if they have another shape, or there are more places than the
                model has positions for.
        """
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.weight.T

    def embed(self, tokens: Any) -> Any:
        """Return the sum of each token's vector and its place's vector."""
        tokens = numpy().asarray(tokens)
        if tokens.ndim != 2 or not tokens.shape[1]:
            raise ValueError(
                f"{head(self)}: needs tokens of shape (batch, places), got "
                f"{tokens.shape}; one text is tokens[None], and it is not empty"
            )
        places = tokens.shape[1]
        if places > self.context:
            raise ValueError(
                f"{head(self)}: got {places} places, and there are positions for "
                f"{self.context}; give it the last ones, tokens[:, -{self.context}:], "
                f"or build it with context={places}"
            )
        return self.embedding(tokens) + self.position.weight[:places]

    def generate(
        self,
        tokens: Any,
        length: int,
        temperature: float = 1.0,
        top_k: int | None = None,
        *,
        rng: Random = None,
    ) -> np.ndarray:
        """Return a text and the model's continuation, token by token.

        Args:
            tokens: the beginning, at least one token; the model sees the last `context`
                tokens of the text so far.
            length: how many tokens to write.
            temperature: scores are divided by it: below 1, likely tokens become more
                likely. 0 is the limit: the likeliest token each time.
            top_k: if given, draw only from that many of the likeliest tokens.
            rng: the generator of the draws, or its seed.

        Raises:
            TypeError: if an argument is not of its type.
            ValueError: if the beginning is empty or not a vector, the temperature
                is negative or not finite, or `length` or `top_k` is too small.
        """
        start = numpy().asarray(tokens)
        if start.ndim != 1 or not start.size:
            raise ValueError(
                f"generate: needs a row of at least one token to go on from, got shape "
                f"{start.shape}"
            )
        whole("generate: length", length, least=0)
        real("generate: temperature", temperature, lambda t: t >= 0, "from 0 on")
        k = None if top_k is None else whole("generate: top_k", top_k)
        rng = generator("generate", rng)
        written = list(start)
        with no_grad():
            for _ in range(length):
                scores = self([written[-self.context :]]).data[0, -1]
                p = chances(scores, temperature, k)
                written.append(rng.choice(p.size, p=p))
        return numpy().array(written)

    def extra_repr(self) -> str:
        """Return the sizes."""
        sizes = *self.embedding.weight.shape, self.num_heads, len(self.blocks)
        tokens, embed_dim, num_heads, depth = sizes
        return f"{tokens}, {self.context}, {embed_dim}, {num_heads}, {depth}"


def chances(scores: Any, temperature: float, top_k: int | None = None) -> np.ndarray:
    """Return the probability of each token, from a row of scores.

    Raises:
        ValueError: if a score is nan.
    """
    scores = numpy().asarray(scores, float)
    if np.isnan(scores).any():
        raise ValueError(
            "generate: the model's scores are nan, so there is nothing to draw from; "
            "its weights have become nan in training: look at the loss, and begin anew "
            "with a smaller learning rate, or with clip_grad_norm"
        )
    if top_k is not None and top_k < scores.size:
        scores = np.where(scores < np.sort(scores)[-top_k], -np.inf, scores)
    below = scores - scores.max()
    p: np.ndarray
    if temperature == 0:
        p = (numpy().arange(scores.size) == below.argmax()).astype(float)
    else:
        with np.errstate(over="ignore"):  # below -1e308 is -inf, whose chance is 0
            p = np.exp(below / temperature)
    p /= p.sum()
    return p
