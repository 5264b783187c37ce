"""The steps of SGD, Adam and AdamW (chapter 16)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from autograd_lib.engine.numpy.operands import truth
from autograd_lib.nn.arguments import at_least_zero, real
from autograd_lib.optim.optimizer import Optimizer
from autograd_lib.optim.parameters import Parameters


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum and weight decay.

    The velocity is v ← momentum·v + g, and the step lr·v; in Nesterov's variant it is
    lr·(g + momentum·v), which looks one step ahead.

    Args:
        params: as in `Optimizer`.
        lr: the learning rate.
        momentum: how much of the last velocity is kept, 0 for none.
        nesterov: whether to look ahead (Sutskever et al., 2013).
        weight_decay: weight_decay·p is added to the gradient.

    Raises:
        ValueError: if `nesterov` is set without momentum.
    """

    _settings: ClassVar = {
        "momentum": at_least_zero,
        "weight_decay": at_least_zero,
        "nesterov": lambda name, value: truth(value, name),
    }

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        momentum: float = 0,
        *,
        nesterov: bool = False,
        weight_decay: float = 0,
    ) -> None:
        self.momentum, self.weight_decay = momentum, weight_decay
        self.nesterov = nesterov
        super().__init__(params, lr)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "nesterov" and value and not self.momentum:
            raise ValueError("SGD: nesterov needs a momentum, such as momentum=0.9")
        if name == "momentum" and not value and getattr(self, "nesterov", False):
            raise ValueError("SGD: momentum is above 0, as nesterov needs it; got 0")
        super().__setattr__(name, value)
        if name == "momentum" and value and not self.remembers:
            self.remembers = ("velocity",)
            if hasattr(self, "memory"):  # assigned later: the velocities begin at 0
                self.memory = [[np.zeros_like(p.data)] for p in self.params]

    def change(
        self, p: np.ndarray, g: np.ndarray, memory: list[np.ndarray], move: int
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return lr·v, and v."""
        if self.weight_decay:
            g = g + self.weight_decay * p
        if not memory:
            return self.lr * g, []
        v = self.momentum * memory[0] + g
        ahead = g + self.momentum * v if self.nesterov else v
        return self.lr * ahead, [v]


class Adam(Optimizer):
    """Steps of about lr in each direction: the mean gradient over its root mean square.

    The means m of g and v of g² decay with β₁ and β₂. They start at 0, which the step
    corrects: lr · m/(1 - β₁ᵗ) / (√(v/(1 - β₂ᵗ)) + eps).
    Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015), arXiv:1412.6980.

    Args:
        params: as in `Optimizer`.
        lr: the learning rate.
        betas: β₁ and β₂, each at least 0 and below 1.
        eps: a small number that keeps the quotient finite.
        weight_decay: weight_decay·p is added to the gradient.
    """

    remembers = ("mean", "mean_square")
    _settings: ClassVar = {
        "betas": lambda name, value: two_below_one(name, value),
        "eps": at_least_zero,
        "weight_decay": at_least_zero,
    }

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
    ) -> None:
        self.betas, self.eps, self.weight_decay = betas, eps, weight_decay
        super().__init__(params, lr)

    def change(
        self, p: np.ndarray, g: np.ndarray, memory: list[np.ndarray], move: int
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the step, and the two means."""
        if self.weight_decay:
            g = g + self.weight_decay * p
        return self.adapted(g, memory, move)

    def adapted(
        self, g: np.ndarray, memory: list[np.ndarray], move: int
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return Adam's step, and the means."""
        beta, gamma = self.betas
        m = beta * memory[0]
        m += (1 - beta) * g
        v = gamma * memory[1]
        v += (1 - gamma) * (g * g)
        d = np.sqrt(v)
        d /= (1 - gamma**move) ** 0.5
        d += self.eps
        d = np.divide(m, d, out=d) if d.shape else m / d
        d *= self.lr / (1 - beta**move)
        return d, [m, v]


class AdamW(Adam):
    """Adam with decoupled weight decay: the step is larger by lr·weight_decay·p.

    Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019),
    arXiv:1711.05101.

    Args:
        params: as in `Optimizer`.
        lr: the learning rate.
        betas: as in `Adam`.
        eps: as in `Adam`.
        weight_decay: the share of the parameter that a step with lr = 1 removes.
    """

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)

    def change(
        self, p: np.ndarray, g: np.ndarray, memory: list[np.ndarray], move: int
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the step, and the two means."""
        d, kept = self.adapted(g, memory, move)
        if self.weight_decay:
            d += (self.lr * self.weight_decay) * p
        return d, kept


def two_below_one(name: str, betas: Any) -> tuple[float, float]:
    """Return two settings as floats, each from 0 to below 1.

    Raises:
        TypeError: if they are not two numbers.
        ValueError: if one is not allowed.
    """
    try:
        first, second = betas
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} are two numbers, such as (0.9, 0.999), got {betas!r:.60}"
        ) from None
    who, _, _ = name.rpartition("betas")

    def below_one(which: str, beta: Any) -> float:
        called = f"{who}the {which} of betas"
        return real(called, beta, lambda b: 0 <= b < 1, "from 0 to below 1")

    return below_one("first", first), below_one("second", second)
