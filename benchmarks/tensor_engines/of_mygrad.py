"""MyGrad, without the guard that locks arrays, as its page on performance advises."""

from __future__ import annotations

from typing import Any

import mygrad
import numpy as np
from mygrad.nnet.activations import relu, softmax
from mygrad.nnet.layers import conv_nd
from mygrad.nnet.losses import softmax_crossentropy

from benchmarks.tensor_engines.base import Arrays, Engine, Step


class MyGrad(Engine):
    """MyGrad, which has no second derivatives."""

    np = mygrad
    version = mygrad.__version__

    def __init__(self) -> None:
        mygrad.turn_memory_guarding_off()

    def constant(self, array: np.ndarray) -> Any:
        return mygrad.tensor(array, constant=True, copy=False)

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        leaves = [mygrad.tensor(p) for p in parameters]

        def step() -> Any:
            work.loss(self, leaves, constants).backward()
            return [p.grad for p in leaves]

        return step

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        leaves = [mygrad.tensor(p) for p in parameters]

        def step() -> Any:
            work.loss(self, leaves, constants).backward()
            for p in leaves:
                change = p.grad
                change *= rate
                p.data -= change
            return leaves

        return step

    def relu(self, x: Any) -> Any:
        return relu(x)

    def softmax(self, x: Any) -> Any:
        return softmax(x, axis=-1)

    def cross_entropy(self, z: Any, labels: np.ndarray) -> Any:
        return softmax_crossentropy(z, labels)

    def images(self, x: np.ndarray) -> Any:
        return self.constant(x)

    def convolution(self, x: Any, w: Any) -> Any:
        return conv_nd(x, w, stride=1)

    def rows(self, x: Any) -> Any:
        return mygrad.reshape(x, (x.shape[0], -1))


ENGINE = MyGrad
