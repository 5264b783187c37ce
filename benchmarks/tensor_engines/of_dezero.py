"""DeZero. Its last release uses a name that NumPy has removed."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np

if not hasattr(np, "int"):
    np.int = int  # type: ignore[attr-defined]

import dezero
import dezero.functions as F

from benchmarks.tensor_engines.base import Arrays, Engine, Step


class DeZero(Engine):
    """DeZero, whose matrix product takes only matrices."""

    np = F
    version = version("dezero")

    def constant(self, array: np.ndarray) -> Any:
        return dezero.as_variable(array)

    def arrays(self, results: Any) -> Arrays:
        return [g.data for g in results]

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        leaves = [dezero.Variable(p) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.cleargrad()
            work.loss(self, leaves, constants).backward()
            return [p.grad for p in leaves]

        return step

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        leaves = [dezero.Variable(p) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.cleargrad()
            work.loss(self, leaves, constants).backward()
            for p in leaves:
                p.grad.data *= rate
                p.data -= p.grad.data
            return leaves

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        leaves = [dezero.Variable(p) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.cleargrad()
            work.loss(self, leaves, constants).backward(create_graph=True)
            slopes = [p.grad for p in leaves]
            for p in leaves:
                p.cleargrad()
            parts = [F.sum(g * v) for g, v in zip(slopes, vectors, strict=True)]
            total = parts[0]
            for part in parts[1:]:
                total = total + part
            total.backward()
            return [p.grad for p in leaves]

        return step

    def linear(self, x: Any, w: Any, b: Any) -> Any:
        return F.linear(x, w, b)

    def tanh(self, x: Any) -> Any:
        return F.tanh(x)

    def relu(self, x: Any) -> Any:
        return F.relu(x)

    def cross_entropy(self, z: Any, labels: np.ndarray) -> Any:
        return F.softmax_cross_entropy(z, labels)

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        raise NotImplementedError(
            "its matrix product takes matrices only, and attention has a batch of them"
        )

    def images(self, x: np.ndarray) -> Any:
        return self.constant(x)

    def convolution(self, x: Any, w: Any) -> Any:
        return F.conv2d(x, w)

    def rows(self, x: Any) -> Any:
        return F.flatten(x)


ENGINE = DeZero
