"""What `y = a * b` keeps alive in each design."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from autograd_lib.designs import dependency, function, tracing
from autograd_lib.scalar.value import Value

Kept = tuple[list[Any], list[Any], list[Any]]


def of_value() -> Kept:
    a, b = Value(1234.5), Value(6789.5)
    y = a * b
    return [a.data, b.data], [p.data for p in y.parents], list(y.slopes)


def of_dependency() -> Kept:
    a, b = (dependency.Tensor([v], requires_grad=True) for v in (2.0, 3.0))
    y = a * b
    return [a.data, b.data], [p.data for p in y.parents], in_closures(y)


def in_closures(y: dependency.Tensor) -> list[Any]:
    """Return what the rules hold in their closures."""
    rules = [arrow.grad_fn for arrow in y.depends_on]
    assert all(isinstance(rule, FunctionType) for rule in rules)
    return [cell.cell_contents for rule in rules for cell in rule.__closure__ or ()]


def of_function() -> Kept:
    a, b = function.Tensor([2.0]), function.Tensor([3.0])
    y = a * b
    assert y.ctx is not None
    saved = [t.data for t in y.ctx.saved_tensors]
    return [a.data, b.data], [p.data for p in y.parents], saved


def of_tracing() -> Kept:
    a, b, found = np.array([2.0]), np.array([3.0]), []

    def f(x: Any) -> Any:
        def g(z: Any) -> Any:
            found.append((x, z, x * z))
            return x * z

        return tracing.make_vjp(g, b)[1]

    tracing.make_vjp(f, a)
    x, z, y = found[0]
    given = [tracing.getval(t) for t in (x, z)]
    # Two traces, one inside the other, so that both factors are boxes.
    parents = [tracing.getval(p.ans) for p in (*y.value.node.parents, *y.node.parents)]
    return given, parents, [tracing.getval(t) for t in y.node.args]


def test_two_ways_lead_from_a_product_to_its_factors() -> None:
    """Parents hold the factors, and so does what the rules read: the same objects."""
    for kept in (of_value, of_dependency, of_function, of_tracing):
        given, by_parents, by_rules = kept()
        for held in (by_parents, by_rules):
            assert {id(v) for v in held} == {id(v) for v in given}, kept.__name__
