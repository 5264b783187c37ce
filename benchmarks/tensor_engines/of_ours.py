"""The engine of the book, called by NumPy's functions through NumPy's protocols."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograd_lib
from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.convolution import conv2d
from autograd_lib.nn.functional import normalize
from autograd_lib.nn.pooling import avg_pool2d
from benchmarks.tensor_engines.base import Arrays, Engine, Step


class Ours(Engine):
    """The book's engine, with public operations only."""

    version = autograd_lib.__version__

    def constant(self, array: np.ndarray) -> Any:
        return from_numpy(array)

    def arrays(self, results: Any) -> Arrays:
        return [g.detach().numpy() for g in results]

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        leaves = [Tensor(p, requires_grad=True) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.grad = None
            work.loss(self, leaves, constants).backward()
            return [p.grad for p in leaves]

        return step

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        leaves: list[Any] = [Tensor(p, requires_grad=True) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.grad = None
            work.loss(self, leaves, constants).backward()
            with no_grad():
                for p in leaves:
                    g = p.grad.numpy()  # the array itself
                    g *= rate
                    p -= g
            return leaves

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        leaves = [Tensor(p, requires_grad=True) for p in parameters]
        directions = [from_numpy(v) for v in vectors]

        def step() -> Any:
            loss = work.loss(self, leaves, constants)
            slopes = grad(loss, leaves, create_graph=True)
            return grad(slopes, leaves, directions)

        return step

    # Methods are a little faster than NumPy's functions, which dispatch to them.

    def linear(self, x: Any, w: Any, b: Any) -> Any:
        return x.linear(w, b)

    def tanh(self, x: Any) -> Any:
        return x.tanh()

    def relu(self, x: Any) -> Any:
        return x.relu()

    def gelu(self, x: Any) -> Any:
        return x.gelu("tanh")

    def softmax(self, x: Any) -> Any:
        return x.softmax()

    def transpose(self, x: Any, axes: tuple[int, ...]) -> Any:
        return x.transpose(axes)

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        return normalize(x, (-1,), scale, shift, 1e-5)

    def images(self, x: np.ndarray) -> Any:
        return self.constant(x)

    def convolution(self, x: Any, w: Any) -> Any:
        return conv2d(x, w)

    def pool(self, x: Any) -> Any:
        return avg_pool2d(x, 2)

    def rows(self, x: Any) -> Any:
        return x.reshape(x.shape[0], -1)

    def cross_entropy(self, z: Any, labels: np.ndarray) -> Any:
        return z.cross_entropy(labels)


ENGINE = Ours
