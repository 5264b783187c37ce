"""How the probe card talks to the engine (chapter 13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.tape.mode import recording
from autograd_lib.engine.tape.record import unary
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.probes.card import SPREAD, Function, Probe


def forgets_the_product(g: Any, _: Any) -> Any:
    """Return the gradient as it came."""
    return g


class OfTensor(Probe):
    """Tensors of the engine, whose graphs are freed as they are used."""

    name = "Tensor"

    def leaf(self, array: np.ndarray) -> Any:
        """Return a leaf with a copy of the array's numbers."""
        return Tensor(array, requires_grad=True)

    def write(self, leaf: Any, number: float) -> None:
        """Write as an update of parameters does."""
        with recording(False):
            leaf[...] = number

    def after_two_walks(self, f: Function, array: np.ndarray) -> Any:
        """Ask for the graph to be kept, since it is freed otherwise."""
        leaf = self.leaf(array)
        result = f(leaf)
        result.backward(retain_graph=True)
        result.backward()
        return self.grad(leaf)

    def second(self, f: Function, array: np.ndarray) -> Any:
        """Ask for a gradient that is recorded, and for its gradient."""
        leaf = self.leaf(array)
        f(leaf).backward(create_graph=True)
        slope, leaf.grad = leaf.grad, None
        slope.backward()
        return self.grad(leaf)

    def spread(self, t: Any) -> Any:
        """Record a product whose rule returns what it gets."""
        return unary(lambda a: a @ SPREAD, t, forgets_the_product, None)
