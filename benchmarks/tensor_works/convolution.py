"""Two convolutions with ReLU, pooling between them, and a linear layer."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine

KERNEL, FIRST, SECOND, CLASSES = 3, 8, 16, 10


def data(dtype: Any, side: int, batch: int) -> tuple[Arrays, Any]:
    """Return kernels and the weights of the last layer, and images with labels."""
    rng = np.random.default_rng(0)
    last = (side - 2) // 2 - 2
    shapes: list[tuple[int, ...]] = [
        (FIRST, 1, KERNEL, KERNEL),
        (SECOND, FIRST, KERNEL, KERNEL),
        (SECOND * last * last, CLASSES),
        (CLASSES,),
    ]
    scales = (0.4, 0.2, 0.1, 0.1)
    parameters = [
        (rng.standard_normal(shape) * scale).astype(dtype)
        for shape, scale in zip(shapes, scales, strict=True)
    ]
    images = rng.standard_normal((batch, 1, side, side)).astype(dtype)
    return parameters, {"images": images, "labels": rng.integers(0, CLASSES, batch)}


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return the loss of the batch."""
    kernels, more_kernels, w, b = parameters
    h = engine.relu(engine.convolution(constants.images, kernels))
    h = engine.pool(h)
    h = engine.relu(engine.convolution(h, more_kernels))
    return engine.cross_entropy(engine.linear(engine.rows(h), w, b), constants.labels)


def patches_of(x: np.ndarray) -> np.ndarray:
    """Return the 3 by 3 patch around each pixel as a column of a matrix."""
    channels, n, height, width = x.shape
    high, wide = height - KERNEL + 1, width - KERNEL + 1
    patches = np.empty((channels, KERNEL, KERNEL, n, high, wide), x.dtype)
    for i in range(KERNEL):
        for j in range(KERNEL):
            patches[:, i, j] = x[:, :, i : i + high, j : j + wide]
    return patches.reshape(channels * KERNEL * KERNEL, -1)


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients; with images (C, N, H, W), a convolution is a product."""
    kernels, more_kernels, w, b = parameters
    x = constants.images
    n, side = x.shape[1], x.shape[2] - 2
    first = patches_of(x)
    y = kernels.reshape(FIRST, -1) @ first
    np.maximum(y, 0, out=y)
    y = y.reshape(FIRST, n, side, side)
    pooled = y[..., ::2, ::2] + y[..., ::2, 1::2]
    pooled += y[..., 1::2, ::2]
    pooled += y[..., 1::2, 1::2]
    pooled *= 0.25
    second = patches_of(pooled)
    z = more_kernels.reshape(SECOND, -1) @ second
    np.maximum(z, 0, out=z)
    last = side // 2 - 2
    rows = z.reshape(SECOND, n, last, last).transpose(1, 0, 2, 3).reshape(n, -1)
    p = rows @ w
    p += b
    p -= p.max(axis=-1, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=-1, keepdims=True)

    p[np.arange(n), constants.labels] -= 1
    p *= 1 / n
    g = (p @ w.T).reshape(n, SECOND, last, last).transpose(1, 0, 2, 3)
    g = g.reshape(SECOND, -1)
    g *= z > 0
    toward_more = (g @ second.T).reshape(more_kernels.shape)
    parts = (more_kernels.reshape(SECOND, -1).T @ g).reshape(
        FIRST, KERNEL, KERNEL, n, last, last
    )
    toward_pooled = np.zeros_like(pooled)
    for i in range(KERNEL):
        for j in range(KERNEL):
            toward_pooled[:, :, i : i + last, j : j + last] += parts[:, i, j]
    toward_pooled *= 0.25
    g = np.empty_like(y)
    for i in range(2):
        for j in range(2):
            g[..., i::2, j::2] = toward_pooled
    g *= y > 0
    toward_kernels = (g.reshape(FIRST, -1) @ first.T).reshape(kernels.shape)
    return [toward_kernels, toward_more, rows.T @ p, p.sum(axis=0)]
