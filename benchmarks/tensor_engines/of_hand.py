"""NumPy with gradients written by hand: the limit of engines on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine, Step


class ByHand(Engine):
    """The gradients are those of `by_hand` of each work."""

    version = np.__version__

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        return lambda: work.by_hand(parameters, constants)

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        def step() -> Arrays:
            for p, g in zip(
                parameters, work.by_hand(parameters, constants), strict=True
            ):
                g *= rate
                p -= g
            return parameters

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        return lambda: work.hessian_by_hand(parameters, constants, vectors)


ENGINE = ByHand
