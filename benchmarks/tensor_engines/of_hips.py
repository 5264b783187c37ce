"""HIPS autograd."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import autograd
import autograd.numpy
from autograd.scipy.special import logsumexp

from benchmarks.tensor_engines.base import Arrays, Engine, Step


class Hips(Engine):
    """HIPS autograd, which differentiates functions."""

    np = autograd.numpy
    version = version("autograd")

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        slopes = autograd.grad(lambda ps: work.loss(self, ps, constants))
        return lambda: slopes(parameters)

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        slopes = self.gradients(work, parameters, constants)

        def step() -> Arrays:
            for p, g in zip(parameters, slopes(), strict=True):
                g *= rate
                p -= g
            return parameters

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        slopes = autograd.grad(lambda ps: work.loss(self, ps, constants))

        def along(ps: Any) -> Any:
            return sum(
                self.np.sum(g * v) for g, v in zip(slopes(ps), vectors, strict=True)
            )

        product = autograd.grad(along)
        return lambda: product(parameters)

    def log_softmax(self, x: Any) -> Any:
        return x - logsumexp(x, axis=-1, keepdims=True)


ENGINE = Hips
