"""PyTorch on the CPU, on one thread, with its own functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.tensor_engines.base import Arrays, Engine, Step


class Torch(Engine):
    """PyTorch in eager mode."""

    np = torch
    version = torch.__version__

    def __init__(self) -> None:
        torch.set_num_threads(1)

    def constant(self, array: np.ndarray) -> Any:
        return torch.from_numpy(array)

    def arrays(self, results: Any) -> Arrays:
        return [g.detach().numpy() for g in results]

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        leaves = [torch.tensor(p, requires_grad=True) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.grad = None
            work.loss(self, leaves, constants).backward()
            return [p.grad for p in leaves]

        return step

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        leaves = [torch.tensor(p, requires_grad=True) for p in parameters]

        def step() -> Any:
            for p in leaves:
                p.grad = None
            work.loss(self, leaves, constants).backward()
            with torch.no_grad():
                for p in leaves:
                    p.add_(p.grad, alpha=-rate)
            return leaves

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        leaves = [torch.tensor(p, requires_grad=True) for p in parameters]
        directions = [torch.from_numpy(v) for v in vectors]

        def step() -> Any:
            loss = work.loss(self, leaves, constants)
            slopes = torch.autograd.grad(loss, leaves, create_graph=True)
            return torch.autograd.grad(slopes, leaves, directions)

        return step

    def linear(self, x: Any, w: Any, b: Any) -> Any:
        return torch.addmm(b, x, w)

    def relu(self, x: Any) -> Any:
        return torch.relu(x)

    def gelu(self, x: Any) -> Any:
        return F.gelu(x, approximate="tanh")

    def cross_entropy(self, z: Any, labels: np.ndarray) -> Any:
        return F.cross_entropy(z, torch.from_numpy(labels))

    def layer_norm(self, x: Any, scale: Any, shift: Any) -> Any:
        return F.layer_norm(x, scale.shape, scale, shift)

    def transpose(self, x: Any, axes: tuple[int, ...]) -> Any:
        return x.permute(axes)

    def attention(self, q: Any, k: Any, v: Any, mask: Any) -> Any:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def images(self, x: np.ndarray) -> Any:
        return self.constant(x)

    def convolution(self, x: Any, w: Any) -> Any:
        return F.conv2d(x, w)

    def pool(self, x: Any) -> Any:
        return F.avg_pool2d(x, 2)

    def rows(self, x: Any) -> Any:
        return x.flatten(1)


ENGINE = Torch
