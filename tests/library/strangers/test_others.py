"""Programs for Mao's chainer, joelgrad, the slides' mini autograd and autodidact."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

from autograd_lib.designs import dependency, function, tracing
from autograd_lib.designs import tracing_numpy as np
from autograd_lib.designs.tracing_boxes import Node
from autograd_lib.scalar.float_var import autograd_chainer, float_var


def test_a_fresh_leaf_of_maos_has_a_gradient_to_add_to() -> None:
    x = float_var(3.0)
    assert x.grad == 0.0
    x.grad += 0.5
    assert x.grad == 0.5


def test_maos_chain_with_the_seed_set_by_hand() -> None:
    square = autograd_chainer(lambda v: v * v, lambda v, y, g: 2 * v * g)
    x = float_var(3.0)
    y = square(square(x))
    y.grad = 1.0
    y.backprop()
    assert (float(y), x.grad) == (81.0, 108.0)
    y.grad = 0.0
    y.backprop()
    assert x.grad == 0.0


def test_joelgrads_third_part_has_functions_in_place_of_operators() -> None:
    Tensor, mul = dependency.Tensor, dependency.mul
    x = Tensor([10, -10, 10, -5, 6, 3, 1], requires_grad=True)
    for _ in range(100):
        total = mul(x, x).sum()
        total.backward()
        assert x.grad is not None
        step = mul(Tensor(0.1), x.grad)
        x = Tensor(x.data - step.data, requires_grad=True)
    first = sum(v * v for v in (10, -10, 10, -5, 6, 3, 1))
    assert float(total.data) == pytest.approx(first * 0.64**99, rel=1e-9)


def test_joelgrads_functions_broadcast() -> None:
    Tensor = dependency.Tensor
    for f, left, right in (
        (dependency.add, 1.0, 2.0),
        (dependency.sub, 1.0, -2.0),
        (dependency.mul, None, None),
    ):
        a = Tensor([[1, 2, 3], [4, 5, 6]], requires_grad=True)
        b = Tensor([7, 8, 9], requires_grad=True)
        f(a, b).backward(Tensor(numpy.ones((2, 3))))
        assert a.grad is not None
        assert b.grad is not None
        of_a = numpy.full((2, 3), left) if left else [[7.0, 8, 9]] * 2
        of_b = numpy.full(3, right) if right else [5.0, 7, 9]
        numpy.testing.assert_array_equal(a.grad.data, of_a)
        numpy.testing.assert_array_equal(b.grad.data, of_b)
    t = Tensor([1.0, 2.0], requires_grad=True)
    dependency.tensor_sum(dependency.neg(t)).backward(Tensor(3.0))
    assert t.grad is not None
    assert t.grad.data.tolist() == [-3.0, -3.0]


def test_joelgrads_fourth_part_has_in_place_operators() -> None:
    Tensor = dependency.Tensor
    x = Tensor([10, -10, 10, -5, 6, 3, 1], requires_grad=True)
    for _ in range(100):
        x.zero_grad()
        total = (x * x).sum()
        total.backward()
        assert x.grad is not None
        delta = 0.1 * x.grad
        x -= delta
    assert float(total.data) == pytest.approx(371 * 0.64**99, rel=1e-9)


def test_the_slides_power_as_printed() -> None:
    Tensor = function.Tensor

    class PowConst(function.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, const: Any) -> Any:
            ctx.save_for_backward(x, const)
            return Tensor(x.data**const.data)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            x, const = ctx.saved_tensors
            return grad_output * const * x ** (const - 1), None

    x = Tensor([1.0, 2.0])
    x._run_forward_op(PowConst, 3).sum().backward()
    assert x.grad is not None
    assert x.grad.data.tolist() == [3.0, 12.0]


def test_a_gradient_set_before_the_slides_backward_is_its_seed() -> None:
    Tensor = function.Tensor
    x = Tensor([2.0, 3.0])
    y = (x * x).sum()
    y.grad = Tensor(3.0)
    y.backward()
    assert x.grad is not None
    assert x.grad.data.tolist() == [12.0, 18.0]
    x.grad = None
    y.backward()  # what was set is still there
    assert x.grad.data.tolist() == [12.0, 18.0]
    (y * 2).backward()  # and a pass from elsewhere replaces it
    x.grad = None
    y.backward()
    assert x.grad.data.tolist() == [4.0, 6.0]


def test_the_slides_backward_of_a_vector_starts_from_ones() -> None:
    Tensor = function.Tensor
    x = Tensor([2.0, 3.0])
    y = x * x
    y.backward()
    assert x.grad is not None
    assert x.grad.data.tolist() == [4.0, 6.0]
    assert [t is y for t in Tensor._backwards_tensors(y)] == [True, False]


def test_autodidacts_example_of_six_derivatives() -> None:
    def tanh(x: Any) -> Any:
        return (1.0 - np.exp(-x)) / (1.0 + np.exp(-x))

    f, found = tanh, []
    for _ in range(6):
        f = tracing.grad(f)
        found.append(float(f(0.0)))
    assert found == pytest.approx([0.5, 0, -0.25, 0, 0.5, 0], abs=1e-12)


def test_a_rule_in_the_form_of_hips_autograd() -> None:
    @tracing.primitive
    def logsumexp(x: Any) -> Any:
        top = numpy.max(x)
        return top + numpy.log(numpy.sum(numpy.exp(x - top)))

    tracing.defvjp(
        logsumexp,
        lambda ans, x: (
            lambda g: (
                np.full(x.shape, 1.0) * g * np.exp(x - ans)
                if hasattr(np, "full")
                else g * np.exp(x - ans)
            )
        ),
    )
    x = numpy.array([1.0, 2.0, 4.0])
    weights = numpy.exp(x) / numpy.exp(x).sum()
    numpy.testing.assert_allclose(tracing.grad(logsumexp)(x), weights, rtol=1e-12)

    @tracing.primitive
    def scaled(x: Any, by: Any, *, twice: bool = False) -> Any:
        return x * by * (2 if twice else 1)

    tracing.defvjp(
        scaled,
        lambda ans, x, by, twice=False: lambda g: g * by * (2 if twice else 1),
        lambda g, ans, x, by, twice=False: g * x * (2 if twice else 1),
    )

    def f(x: Any, by: Any) -> Any:
        return scaled(x, by, twice=True)

    assert float(tracing.grad(f)(3.0, 5.0)) == 10.0
    assert float(tracing.grad(f, argnum=1)(3.0, 5.0)) == 6.0
    assert float(tracing.grad(lambda x: tracing.grad(f)(x, x))(3.0)) == 2.0


def test_a_tracer_of_ones_own() -> None:
    """HIPS autograd's example: a class of nodes that prints what is calculated."""
    lines: list[str] = []

    class Printing(Node):
        def __init__(
            self,
            value: Any,
            fun: Any,
            args: Any,
            kwargs: Any,
            parent_argnums: Any,
            parents: Any,
        ) -> None:
            self.names = parents[0].names
            self.name = next(self.names)
            shown = list(args)
            for argnum, parent in zip(parent_argnums, parents, strict=True):
                shown[argnum] = parent.name
            lines.append(f"{self.name} = {fun.__name__}({', '.join(map(str, shown))})")

        def initialize_root(self, x: Any) -> None:
            self.names: Iterator[str] = (chr(i) for i in itertools.count(65))
            self.name = next(self.names)
            lines.append(f"{self.name} = {x}")

    def f(x: Any) -> Any:
        y = np.sin(x + x)
        return (y + y) / 2

    value, node = tracing.trace(Printing.new_root(1.25), f, 1.25)
    assert float(value) == pytest.approx(numpy.sin(2.5), rel=1e-12)
    assert isinstance(node, Printing)
    names = ["A = 1.25", "B = add(A, A)", "C = sin(B)", "D = add(C, C)"]
    assert lines == [*names, "E = divide(D, 2)"]


def test_a_trace_with_plain_nodes() -> None:
    value, node = tracing.trace(Node.new_root(), lambda x: np.exp(x) * 2.0, 0.0)
    assert node is not None
    fun, ans, args, _, argnums = node.recipe
    assert (fun.__name__, float(ans), argnums) == ("multiply", 2.0, (0,))
    assert (float(value), [float(a) for a in args]) == (2.0, [1.0, 2.0])
    assert float(tracing.backward_pass(numpy.float64(1.0), node)) == 2.0
    assert tracing.trace(Node.new_root(), lambda x: 5.0, 1.0) == (5.0, None)
