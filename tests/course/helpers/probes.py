"""How the probe card talks to `Value`, the designs of the past, and the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.designs import dependency, function
from autograd_lib.designs.dependency import Dependency
from autograd_lib.designs.function_ops import Context
from autograd_lib.designs.function_ops import Function as Operation
from autograd_lib.designs.tracing import grad, make_vjp
from autograd_lib.designs.tracing_boxes import defvjp, primitive
from autograd_lib.engine.tape.mode import recording
from autograd_lib.engine.tape.record import unary
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.scalar.value import Value
from course.capstone.probe_card import SPREAD, Function, Probe


class OfValue(Probe):
    """Scalars in a graph that is data."""

    name = "Value"

    def leaf(self, array: np.ndarray) -> Any:
        """Return a Value; an array of several numbers is refused by it."""
        number: Any = array
        return Value(number)

    def write(self, leaf: Any, number: float) -> None:
        """Set the number."""
        leaf.data = number


class OfDependency(Probe):
    """Tensors that list what they depend on."""

    name = "Dependency"

    def leaf(self, array: np.ndarray) -> Any:
        """Return a leaf that requires a gradient."""
        return dependency.Tensor(array, requires_grad=True)

    def write(self, leaf: Any, number: float) -> None:
        """Move the leaf to the number; writing into its array is an error."""
        leaf += number - leaf.data

    def second(self, f: Function, array: np.ndarray) -> Any:
        """Walk back from the gradient, which is a tensor too."""
        leaf = self.leaf(array)
        self.walk_back(f(leaf))
        gradient = leaf.grad
        leaf.zero_grad()
        self.walk_back(gradient)
        return leaf.grad

    def spread(self, t: Any) -> Any:
        """List a dependency whose rule returns what it gets."""
        way = Dependency(t, lambda grad: grad)
        return dependency.Tensor(t.data @ SPREAD, True, [way])


class Spread(Operation):
    """A product whose backward forgets it."""

    @staticmethod
    def forward(ctx: Context, x: Any) -> Any:
        """Return the product."""
        return x.data @ SPREAD

    @staticmethod
    def backward(ctx: Context, grad_output: Any) -> Any:
        """Return the gradient as it came."""
        return grad_output


class OfFunction(Probe):
    """Tensors that know the function that made them, and its context."""

    name = "Function"

    def leaf(self, array: np.ndarray) -> Any:
        """Return a tensor of the array's numbers."""
        return function.Tensor(array.copy())

    def second(self, f: Function, array: np.ndarray) -> Any:
        """Walk back from the gradient, which is a tensor with a `backward`."""
        leaf = self.leaf(array)
        self.walk_back(f(leaf))
        gradient, leaf.grad = leaf.grad, None
        self.walk_back(gradient)
        return leaf.grad

    def spread(self, t: Any) -> Any:
        """Call a function whose backward returns what it gets."""
        return Spread.apply(t)


spread = primitive(lambda x: x @ SPREAD)
defvjp(spread, lambda g, ans, x: g)


class OfTracing(Probe):
    """Functions in, functions out: there is no leaf to hold, and no `.grad` to read."""

    name = "tracing"

    def gradients(self, f: Function, *arrays: np.ndarray) -> list[Any]:
        """Ask for the gradient with respect to each argument, one after the other."""
        return [grad(f, i)(*arrays) for i in range(len(arrays))]

    def after_two_walks(self, f: Function, array: np.ndarray) -> Any:
        """Add up what two walks return, since nothing else would."""
        vjp, _ = make_vjp(f, array)
        return vjp(1.0) + vjp(1.0)

    def second(self, f: Function, array: np.ndarray) -> Any:
        """Ask for the gradient of the gradient."""
        return grad(grad(f))(array)

    def after_a_write(self, f: Function, array: np.ndarray, number: float) -> Any:
        """Write into the array that the function was run on, then walk."""
        vjp, _ = make_vjp(f, array)
        array[...] = number
        return vjp(1.0)

    def after_a_write_outside(
        self, f: Function, array: np.ndarray, write: Callable[[], None]
    ) -> Any:
        """Run the function, write, then walk."""
        vjp, _ = make_vjp(f, array)
        write()
        return vjp(1.0)

    def spread(self, t: Any) -> Any:
        """Call a primitive whose rule returns what it gets."""
        return spread(t)

    def kept(self, f: Function, array: np.ndarray) -> Any:
        """Hold on to the way back."""
        return make_vjp(f, array)


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
