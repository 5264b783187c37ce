"""What differs between a system and its counterpart here, by programs.

Each row is a sentence, which stands in the docstring of the counterpart's module and on
the page *Run your own program here*, and programs that show it: what each prints with
the system itself, and what it prints here. micrograd is installed with the tests, so
both are run; for the others the left side was printed by their own code.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from autograd_lib.designs import dependency, function, tracing, tracing_numpy
from autograd_lib.scalar import float_var, nn, value

Program = Callable[[Any], Any]


@dataclass(frozen=True)
class Difference:
    """A sentence, and programs with what they print there and here."""

    says: str
    programs: tuple[tuple[Program, str, str], ...]


def printed(program: Program, system: Any) -> str:
    """Return what a program returns, or the kind of error that it ends in."""
    try:
        return repr(program(system))
    except Exception as error:
        return type(error).__name__


def chained(start: Any, length: int) -> Any:
    """Return a number after many products with itself."""
    y = start
    for _ in range(length):
        y = y * start
    return y


def after_two_passes(leaf: Any) -> float:
    """Return the gradient of 2 a² at 3 after `backward` was called twice."""
    b = leaf * leaf
    c = b * 2
    c.backward()
    c.backward()
    return float(getattr(leaf.grad, "data", leaf.grad))


def after_a_write(e: Any) -> float:
    """Return ∂(a b)/∂a, where b is 3 during the calculation and 10 during the pass."""
    a, b = e.Value(2.0), e.Value(3.0)
    c = a * b
    b.data = 10.0
    c.backward()
    return float(a.grad)


def deep_value(e: Any) -> float:
    """Return the gradient of a power of 1 that is made of 5,000 products."""
    x = e.Value(1.0)
    chained(x, 5_000).backward()
    return float(x.grad)


MICROGRAD = (
    Difference(
        "a second `backward` adds to the gradients of leaves but not to those in "
        "between",
        ((lambda e: after_two_passes(e.Value(3.0)), "36.0", "24.0"),),
    ),
    Difference(
        "slopes are those at the time of the calculation",
        ((after_a_write, "10.0", "3.0"),),
    ),
    Difference(
        "a plain number in an operation is no node: `x + 1` has one parent",
        ((lambda e: len((e.Value(2.0) + 1)._prev), "2", "1"),),
    ),
    Difference(
        "`-x`, `x - y` and `x / y` are operations of their own, and a neuron of "
        '`scalar.nn` is one node, "relu dot" or "dot"',
        (
            (lambda e: (-e.Value(2.0))._op, "'*'", "'neg'"),
            (lambda e: (e.Value(2.0) - e.Value(1.0))._op, "'+'", "'-'"),
            (lambda e: (e.Value(2.0) / e.Value(1.0))._op, "'*'", "'/'"),
            (lambda e: e.Neuron(2)([1.0, 2.0])._op, "'ReLU'", "'relu dot'"),
        ),
    ),
    Difference(
        "gradients are floats; outside a function's domain a result is inf or NaN, as "
        "in NumPy",
        (
            (lambda e: e.Value(2), "Value(data=2, grad=0)", "Value(data=2, grad=0.0)"),
            (lambda e: (e.Value(0.0) ** -1).data, "ZeroDivisionError", "inf"),
        ),
    ),
    Difference(
        "an array as data is refused: `autograd_lib.Tensor` holds arrays",
        (
            (
                lambda e: (e.Value(np.array([1.0, 2.0])) * 2).data,
                "array([2., 4.])",
                "TypeError",
            ),
        ),
    ),
    Difference(
        "there is no recursion, so a graph may be as deep as memory allows",
        ((deep_value, "RecursionError", "5001.0"),),
    ),
)


def forgotten_seed(e: Any) -> float:
    """Return the gradient of a square at 3, where nobody set the output's."""
    x = e.float_var(3.0)
    square = e.autograd_chainer(lambda v: v * v, lambda v, y, g: 2 * v * g)
    square(x).backprop()
    return float(x.grad)


def plain_input(e: Any) -> float:
    """Return a square of a plain float, after a backward pass."""
    y = e.autograd_chainer(lambda v: v * v, lambda v, y, g: 2 * v * g)(3.0)
    y.backprop()
    return float(y)


MAO = (
    Difference(
        "a seed that was never set is 1 instead of a silent 0",
        ((forgotten_seed, "0.0", "6.0"),),
    ),
    Difference(
        "plain floats may be passed in",
        ((plain_input, "AttributeError", "9.0"),),
    ),
    Difference(
        "NaN is refused",
        ((lambda e: float(e.float_var(math.nan)), "nan", "ValueError"),),
    ),
)


def leaf(e: Any, data: Any) -> Any:
    """Return a tensor that requires a gradient."""
    return e.Tensor(data, requires_grad=True)


def deep_tensor(e: Any) -> list[float]:
    """Return the gradient of a chain of 3,000 products with a constant 1."""
    x = y = leaf(e, 1.0)
    for _ in range(3_000):
        y = y * 1.0
    y.backward()
    return float(x.grad.data)


def data_after_a_write(e: Any) -> list[float]:
    """Return the data of a tensor after a write into them."""
    x = leaf(e, [1.0, 2.0])
    x.data[0] = 5.0
    return list(map(float, x.data))


def of_sum(x: Any, y: Any) -> Any:
    """Return the gradient of the sum of y with respect to x, as a list."""
    y.sum().backward()
    return x.grad.data.tolist()


def by_slice(e: Any) -> Any:
    x = leaf(e, [1.0, 2.0, 3.0])
    return of_sum(x, x[[0, 0]])


def by_vector(e: Any) -> Any:
    x = leaf(e, [[1.0, 2.0], [3.0, 4.0]])
    return of_sum(x, x @ e.Tensor([1.0, 1.0]))


def by_iadd(e: Any) -> Any:
    x = leaf(e, [1.0, 2.0])
    y = x * 1
    y += x
    return of_sum(x, y)


JOELGRAD = (
    Difference(
        "graphs with many paths and long chains take linear time",
        ((deep_tensor, "RecursionError", "1.0"),),
    ),
    Difference(
        "slices, products with vectors and `+=` have right gradients",
        (
            (by_slice, "AttributeError", "[2.0, 0.0, 0.0]"),
            (by_vector, "[[2.0, 2.0], [2.0, 2.0]]", "[[1.0, 1.0], [1.0, 1.0]]"),
            (by_iadd, "AttributeError", "[2.0, 2.0]"),
        ),
    ),
    Difference(
        "data are read-only floats, so that gradients stay right, and print as such",
        (
            (data_after_a_write, "[5.0, 2.0]", "ValueError"),
            (
                lambda e: e.Tensor(371),
                "Tensor(371, requires_grad=False)",
                "Tensor(371.0, requires_grad=False)",
            ),
        ),
    ),
)


def vector(e: Any) -> Any:
    return e.Tensor(np.array([2.0, 3.0]))


def tensor_power(e: Any) -> Any:
    x = vector(e)
    return of_sum(x, x ** e.Tensor(np.array(3.0)))


def of_bias(e: Any) -> Any:
    b = e.Tensor(np.array(1.0))
    return of_sum(b, vector(e) * b)


def of_matrix(e: Any) -> Any:
    m = e.Tensor(np.eye(2))
    return of_sum(m, m.dot(vector(e)))


def deep_function(e: Any) -> float:
    x = e.Tensor(np.array(1.0))
    chained(x, 2_000).backward()
    return float(x.grad.data)


SLIDES = (
    Difference(
        "a second pass adds to leaves only",
        ((lambda e: after_two_passes(e.Tensor(np.array(3.0))), "36.0", "24.0"),),
    ),
    Difference(
        "gradients have the shapes of their tensors, `Dot` takes matrices, nothing "
        "recurses",
        (
            (of_bias, "[2.0, 3.0]", "5.0"),
            (of_matrix, "[2.0, 3.0]", "[[2.0, 3.0], [2.0, 3.0]]"),
            (deep_function, "RecursionError", "2001.0"),
        ),
    ),
    Difference(
        "an exponent that is a Tensor must be a constant: one made from a plain number",
        ((tensor_power, "[12.0, 27.0]", "TypeError"),),
    ),
)


def outlived(e: Any) -> float:
    """Use a box of one function's run in another."""
    kept: list[Any] = []
    e.grad(lambda x: kept.append(x) or x * x)(2.0)
    return float(e.grad(lambda y: y * kept[0])(3.0))


AUTODIDACT = (
    Difference(
        "a box that outlives its trace is refused",
        ((outlived, "2.0", "ValueError"),),
    ),
    Difference(
        "a call without a rule is refused when it is recorded",
        (
            (
                lambda e: e.grad(e.primitive(lambda x: x * 2.0))(1.0),
                "KeyError",
                "NotImplementedError",
            ),
        ),
    ),
    Difference(
        "there is no `Box.register` and no `new_box`: values are arrays and floats",
        ((lambda e: callable(e.Box.register), "True", "AttributeError"),),
    ),
)


@dataclass(frozen=True)
class System:
    """A system, our counterpart's modules, and what differs."""

    modules: tuple[ModuleType, ...]
    differences: tuple[Difference, ...]

    def __getattr__(self, name: str) -> Any:
        for module in self.modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(name)


SYSTEMS = {
    "Mao's float_var": System((float_var,), MAO),
    "micrograd": System((value, nn), MICROGRAD),
    "joelgrad": System((dependency,), JOELGRAD),
    "the slides' mini autograd": System((function,), SLIDES),
    "autodidact": System((tracing, tracing_numpy), AUTODIDACT),
}
