"""PyTorch with `torch.compile`, and its default backend."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.tensor_engines.base import Arrays, Step
from benchmarks.tensor_engines.of_torch import Torch

torch.compiler.config.force_disable_caches = True  # no cache of earlier processes


class Compiled(Torch):
    """Loss and gradient are compiled; the update of a training step is not.

    A compiled loss has no second derivative, so the whole Hessian-vector product is
    compiled, with `torch.func`.
    """

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        return super().gradients(CompiledLoss(work), parameters, constants)

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        return super().training(CompiledLoss(work), parameters, constants, rate)

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        tensors = {
            k: torch.as_tensor(x) if isinstance(x, np.ndarray) else x
            for k, x in vars(constants).items()
        }

        def product(params: Any, directions: Any) -> Any:
            given = SimpleNamespace(**tensors)
            slopes = torch.func.grad(lambda ps: work.loss(self, ps, given))
            return torch.func.jvp(slopes, (params,), (directions,))[1]

        compiled = torch.compile(product)
        several = [list(map(torch.from_numpy, a)) for a in (parameters, vectors)]
        return lambda: compiled(*several)

    def cross_entropy(self, z: Any, labels: Any) -> Any:
        return F.cross_entropy(z, torch.as_tensor(labels))


class CompiledLoss:
    """A work whose loss is compiled."""

    def __init__(self, work: Any) -> None:
        self.loss = torch.compile(work.loss)


ENGINE = Compiled
