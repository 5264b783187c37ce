"""The interface of engines, which the works use.

A work is written once, with operators, NumPy's functions in `np` and the functions
below. Their implementations here use NumPy's functions only. An engine that has a
better one, such as a convolution, overrides it, since its users would.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

Arrays = list[numpy.ndarray]
Step = Callable[[], Any]
FLAT = math.sqrt(2 / math.pi)


class Engine:
    """An engine that calculates gradients.

    Attributes:
        np: the module with the engine's versions of NumPy's functions.
        version: the installed version.
    """

    np: Any = numpy
    version = ""

    def constant(self, array: numpy.ndarray) -> Any:
        """Return an array as the engine's type, for data without gradients."""
        return array

    def arrays(self, results: Any) -> Arrays:
        """Return gradients as NumPy arrays."""
        return [numpy.asarray(g) for g in results]

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        """Return a step that returns the gradient with respect to each parameter."""
        raise NotImplementedError("has no gradients")

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        """Return a step that subtracts `rate` times its gradient from each parameter.

        The step returns the parameters.
        """
        raise NotImplementedError("has no training step here")

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        """Return a step that returns the Hessian times a vector."""
        raise NotImplementedError("has no second derivatives")

    # The functions that works are made of.

    def linear(self, x: Any, w: Any, b: Any) -> Any:
        """Return x·W + b."""
        return x @ w + b

    def tanh(self, x: Any) -> Any:
        """Return the hyperbolic tangent."""
        return self.np.tanh(x)

    def relu(self, x: Any) -> Any:
        """Return x where it is positive, else 0."""
        return self.np.maximum(x, 0)

    def gelu(self, x: Any) -> Any:
        """Return GELU by its approximation with tanh."""
        inner = self.tanh(FLAT * (x + 0.044715 * (x * x * x)))
        return 0.5 * x * (1 + inner)

    def softmax(self, x: Any) -> Any:
        """Return the softmax along the last axis."""
        e = self.np.exp(x - self.np.max(x, axis=-1, keepdims=True))
        return e / self.np.sum(e, axis=-1, keepdims=True)

    def log_softmax(self, x: Any) -> Any:
        """Return the logarithms of the softmax."""
        x = x - self.np.max(x, axis=-1, keepdims=True)
        return x - self.np.log(self.np.sum(self.np.exp(x), axis=-1, keepdims=True))

    def cross_entropy(self, z: Any, labels: numpy.ndarray) -> Any:
        """Return the mean of −log softmax(z) at the labels."""
        rows = numpy.arange(len(labels))
        return -self.np.mean(self.log_softmax(z)[rows, labels])

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        """Return rows of mean 0 and variance 1, scaled and shifted."""
        x = x - self.np.mean(x, axis=-1, keepdims=True)
        variance = self.np.mean(x * x, axis=-1, keepdims=True)
        return x * (1.0 / self.np.sqrt(variance + 1e-5)) * scale + shift

    def transpose(self, x: Any, axes: tuple[int, ...]) -> Any:
        """Return the axes in another order."""
        return self.np.transpose(x, axes)

    def attention(self, q: Any, k: Any, v: Any, mask: Any) -> Any:
        """Return softmax(Q·Kᵀ/√d + mask)·V for each head of shape (…, T, d)."""
        q = q * (1 / math.sqrt(q.shape[-1]))
        return self.softmax(q @ self.np.swapaxes(k, -1, -2) + mask) @ v

    def images(self, x: numpy.ndarray) -> Any:
        """Return images (N, C, H, W) with axes in the order of this engine, C first.

        A convolution is then one matrix product without transposing.
        """
        return self.constant(numpy.ascontiguousarray(x.transpose(1, 0, 2, 3)))

    def convolution(self, x: Any, w: Any) -> Any:
        """Return images (C, N, H, W) convolved with kernels (O, C, h, w), valid."""
        outputs, channels, rows, columns = w.shape
        _, n, height, width = x.shape
        high, wide = height - rows + 1, width - columns + 1
        shifted = [
            x[:, :, i : i + high, j : j + wide]
            for i in range(rows)
            for j in range(columns)
        ]
        patches = self.np.stack(shifted, axis=1)
        patches = self.np.reshape(patches, (channels * rows * columns, -1))
        y = self.np.reshape(w, (outputs, -1)) @ patches
        return self.np.reshape(y, (outputs, n, high, wide))

    def pool(self, x: Any) -> Any:
        """Return the means of 2 by 2 squares."""
        up = x[..., ::2, ::2] + x[..., ::2, 1::2]
        down = x[..., 1::2, ::2] + x[..., 1::2, 1::2]
        return (up + down) * 0.25

    def rows(self, x: Any) -> Any:
        """Return each image as one row."""
        x = self.np.transpose(x, (1, 0, 2, 3))
        return self.np.reshape(x, (x.shape[0], -1))
