"""The engine of the book, compiled: a whole step is one program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.functional import grad, hvp
from autograd_lib.program import PASSES, compile
from benchmarks.tensor_engines.base import Arrays, Step
from benchmarks.tensor_engines.of_ours import Ours


class Compiled(Ours):
    """Parameters, data and Python's numbers are arguments of the compiled step.

    Attributes:
        passes: the rewrites of the program.
        calls: how many calls it takes until the program is the one that stays: the
            first records it, and the second writes it.
    """

    passes: Any = PASSES
    calls = 2

    def run(self, function: Callable[..., Any], *args: Any) -> Step:
        """Return a step that calls a function, compiled."""
        compiled = compile(function, passes=self.passes)
        for _ in range(self.calls):
            compiled(*args)
        return lambda: compiled(*args)

    def gradients(self, work: Any, parameters: Arrays, constants: Any) -> Step:
        def slopes(params: Any, given: Any) -> Any:
            return grad(partial(work.loss, self))(params, SimpleNamespace(**given))

        return self.run(slopes, list(map(from_numpy, parameters)), vars(constants))

    def training(
        self, work: Any, parameters: Arrays, constants: Any, rate: float
    ) -> Step:
        def moved(params: Any, given: Any) -> Any:
            slopes = grad(partial(work.loss, self))(params, SimpleNamespace(**given))
            return [p - rate * g for p, g in zip(params, slopes, strict=True)]

        leaves = list(map(from_numpy, parameters))
        run = self.run(moved, leaves, vars(constants))

        def step() -> Any:
            leaves[:] = run()
            return leaves

        return step

    def hessian_vector(
        self, work: Any, parameters: Arrays, constants: Any, vectors: Arrays
    ) -> Step:
        def product(params: Any, directions: Any, given: Any) -> Any:
            def loss(ps: Any) -> Any:
                return work.loss(self, ps, SimpleNamespace(**given))

            return hvp(loss, (params,), (directions,))

        several = [list(map(from_numpy, arrays)) for arrays in (parameters, vectors)]
        return self.run(product, *several, vars(constants))


ENGINE = Compiled
