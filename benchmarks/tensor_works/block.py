"""A GPT block: causal attention and a small network, each after a layer norm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import FLAT, Arrays, Engine


def data(
    dtype: Any, batch: int, time: int, width: int, heads: int
) -> tuple[Arrays, Any]:
    """Return the input and all weights, which need gradients, and the constants."""
    rng = np.random.default_rng(0)

    def normal(*shape: int, scale: float = 1.0) -> np.ndarray:
        return (rng.standard_normal(shape) * scale).astype(dtype)

    d, many = width, 4 * width
    parameters = [normal(batch * time, d)]
    for n, m in ((d, 3 * d), (d, d)):
        if m == 3 * d:
            parameters += [1 + normal(d, scale=0.1), normal(d, scale=0.1)]
        parameters += [normal(n, m, scale=n**-0.5), normal(m, scale=0.1)]
    parameters += [1 + normal(d, scale=0.1), normal(d, scale=0.1)]
    parameters += [normal(d, many, scale=d**-0.5), normal(many, scale=0.1)]
    parameters += [normal(many, d, scale=many**-0.5), normal(d, scale=0.1)]
    later = np.triu(np.ones((time, time), bool), 1)
    return parameters, {
        "shape": (batch, time, 3, heads, width // heads),
        "mask": np.where(later, -1e9, 0).astype(dtype),
        "weights": normal(batch * time, d),
    }


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return a weighted sum of the block's output, so that no gradient is simple."""
    x, s1, t1, w_qkv, b_qkv, w_o, b_o, s2, t2, w_up, b_up, w_down, b_down = parameters
    h = engine.linear(engine.layer_norm(x, s1, t1), w_qkv, b_qkv)
    h = engine.transpose(h.reshape(constants.shape), (2, 0, 3, 1, 4))
    h = engine.attention(h[0], h[1], h[2], constants.mask)
    h = engine.transpose(h, (0, 2, 1, 3)).reshape(x.shape)
    x = x + engine.linear(h, w_o, b_o)
    h = engine.linear(engine.layer_norm(x, s2, t2), w_up, b_up)
    x = x + engine.linear(engine.gelu(h), w_down, b_down)
    return (x * constants.weights).sum()


def normed(x: np.ndarray, scale: np.ndarray, shift: np.ndarray) -> tuple[Any, ...]:
    """Return the layer norm, and the arrays that its gradient needs."""
    hat = x - x.mean(axis=-1, keepdims=True)
    r = np.einsum("ij,ij->i", hat, hat)[:, None]
    r *= 1 / x.shape[-1]
    r += 1e-5
    np.sqrt(r, out=r)
    np.divide(1, r, out=r)
    hat *= r
    y = hat * scale
    y += shift
    return y, hat, r


def norm_back(
    g: np.ndarray, hat: np.ndarray, r: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradients with respect to input, scale and shift of a layer norm."""
    toward_scale = np.einsum("ij,ij->j", g, hat)
    toward_shift = g.sum(axis=0)
    t = g * scale
    m = np.einsum("ij,ij->i", t, hat)[:, None]
    m *= 1 / g.shape[-1]
    t -= t.mean(axis=-1, keepdims=True)
    t -= hat * m
    t *= r
    return t, toward_scale, toward_shift


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients."""
    x, s1, t1, w_qkv, b_qkv, w_o, b_o, s2, t2, w_up, b_up, w_down, b_down = parameters
    b, t, _, heads, e = constants.shape
    d = heads * e

    n1, hat1, r1 = normed(x, s1, t1)
    qkv = n1 @ w_qkv
    qkv += b_qkv
    q, k, v = qkv.reshape(constants.shape).transpose(2, 0, 3, 1, 4)
    q = q * (1 / math.sqrt(e))
    a = q @ k.swapaxes(-1, -2)
    a += constants.mask
    a -= a.max(axis=-1, keepdims=True)
    np.exp(a, out=a)
    a /= a.sum(axis=-1, keepdims=True)
    o = (a @ v).transpose(0, 2, 1, 3).reshape(-1, d)
    x2 = o @ w_o
    x2 += b_o
    x2 += x
    n2, hat2, r2 = normed(x2, s2, t2)
    f = n2 @ w_up
    f += b_up
    square = f * f
    th = square * (0.044715 * FLAT)
    th += FLAT
    th *= f
    np.tanh(th, out=th)
    u = th + 1
    u *= f
    u *= 0.5
    y = u @ w_down
    y += b_down
    y += x2
    y *= constants.weights
    y.sum()

    g = constants.weights
    toward_down = [u.T @ g, g.sum(axis=0)]
    du = g @ w_down.T
    square *= 3 * 0.044715 * FLAT
    square += FLAT
    square *= f
    slope = th * th
    np.subtract(1, slope, out=slope)
    slope *= square
    slope += th
    slope += 1
    slope *= 0.5
    slope *= du
    toward_up = [n2.T @ slope, slope.sum(axis=0)]
    dx2, *toward_norm2 = norm_back(slope @ w_up.T, hat2, r2, s2)
    dx2 += g
    toward_o = [o.T @ dx2, dx2.sum(axis=0)]
    do = (dx2 @ w_o.T).reshape(b, t, heads, e).transpose(0, 2, 1, 3)
    dqkv = np.empty(constants.shape, x.dtype)
    dq, dk, dv = dqkv.transpose(2, 0, 3, 1, 4)
    dv[...] = a.swapaxes(-1, -2) @ do
    da = do @ v.swapaxes(-1, -2)
    da -= np.einsum("bhij,bhij->bhi", da, a)[..., None]
    da *= a
    dk[...] = da.swapaxes(-1, -2) @ q
    np.multiply(da @ k, 1 / math.sqrt(e), out=dq)
    flat = dqkv.reshape(-1, 3 * d)
    toward_qkv = [n1.T @ flat, flat.sum(axis=0)]
    dx, *toward_norm1 = norm_back(flat @ w_qkv.T, hat1, r1, s1)
    dx += dx2
    return [
        dx,
        *toward_norm1,
        *toward_qkv,
        *toward_o,
        *toward_norm2,
        *toward_up,
        *toward_down,
    ]
