"""Neurons, layers and a network, made of `Value` (chapter 05).

The names are those of micrograd's `nn` (A. Karpathy, 2020), and so are the range and
the order of the random numbers: after the same `random.seed` both make the same
network.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, SupportsIndex

from autograd_lib.scalar.dot import Dot, Vector
from autograd_lib.scalar.real import Number
from autograd_lib.scalar.value import Value


class Module:
    """An object with parameters: numbers that training adjusts."""

    def parameters(self) -> list[Value]:
        """Return the parameters, always in the same order."""
        return []

    def zero_grad(self) -> None:
        """Set the gradient of each parameter to 0, as before each backward pass."""
        for p in self.parameters():
            p.grad = 0.0


class Neuron(Module):
    """A weighted sum of the inputs plus a bias, and then relu.

    Args:
        nin: how many inputs it has.
        nonlin: whether it ends with relu.

    Attributes:
        w: the weights, a list with one for each input.
        b: the bias, which is the weight of a constant 1.

    Raises:
        ValueError: if `nin` is below 1.
    """

    def __init__(self, nin: int, nonlin: bool = True) -> None:
        at_least_one("Neuron: nin", nin)
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0.0)
        self.nonlin = nonlin
        self._weights = Vector((self.b, *self.w))

    def __call__(self, x: Sequence[Value | Number] | Vector) -> Value:
        """Return the neuron's output for the inputs `x`.

        Raises:
            ValueError: if there isn't one input for each weight.
        """
        inputs = x if isinstance(x, Vector) else with_one(x)
        weights = (self.b, *self.w)
        if weights == self._weights.items:  # each is the same object
            self._weights.read()
        else:
            self._weights = Vector(weights)
        try:
            return Dot(self._weights, inputs, self.nonlin)
        except ValueError:
            raise ValueError(
                f"{self!r} has {len(self.w)} weights and got "
                f"{len(inputs.items) - 1} inputs; give one input for each weight"
            ) from None

    def parameters(self) -> list[Value]:
        """Return the weights, and then the bias."""
        return [*self.w, self.b]

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    """Neurons that all get the same inputs.

    Args:
        nin: how many inputs each has.
        nout: how many neurons there are.
        nonlin: whether they end with relu.
    """

    def __init__(self, nin: int, nout: int, nonlin: bool = True) -> None:
        at_least_one("Layer: nout", nout)
        self.neurons = [Neuron(nin, nonlin) for _ in range(nout)]

    def __call__(self, x: Sequence[Value | Number]) -> list[Value] | Value:
        """Return the neurons' outputs, or the output if there is one neuron."""
        inputs = with_one(x)
        out = [neuron(inputs) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Value]:
        """Return the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    """A multilayer perceptron: layers in a chain, the last one linear.

    Args:
        nin: how many inputs the first layer gets.
        nouts: how many neurons each layer has.

    >>> model = MLP(2, [16, 16, 1])
    >>> len(model.parameters())
    337
    """

    def __init__(self, nin: int, nouts: Sequence[int]) -> None:
        if not isinstance(nouts, Iterable):
            raise TypeError(f"MLP: nouts is a list of the layers' sizes, got {nouts!r}")
        if not nouts:
            raise ValueError("MLP: nouts is empty; give the size of each layer")
        sizes = pairwise([nin, *nouts])
        last = len(nouts) - 1
        self.layers = [Layer(n, m, nonlin=i != last) for i, (n, m) in enumerate(sizes)]

    def __call__(self, x: Sequence[Value | Number]) -> Any:
        """Return the last layer's outputs, or its output if it has one neuron."""
        out: Any = x
        for layer in self.layers:
            out = layer([out] if isinstance(out, Value) else out)
        return out

    def parameters(self) -> list[Value]:
        """Return the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(map(str, self.layers))}]"


def at_least_one(what: str, number: SupportsIndex) -> None:
    """Raise an error unless a number is whole, and 1 or more."""
    if not isinstance(number, SupportsIndex):
        raise TypeError(f"{what} must be a whole number, got {number!r}")
    if number.__index__() < 1:
        raise ValueError(f"{what} must be at least 1, got {number!r}")


def with_one(x: Sequence[Value | Number]) -> Vector:
    """Return the inputs of a neuron as a vector, after the constant 1 for the bias."""
    if not isinstance(x, Iterable):
        raise TypeError(
            f"a neuron, layer or network needs its inputs as a list, got {x!r}; put a "
            "single input into a list"
        )
    return Vector([1.0, *x])
