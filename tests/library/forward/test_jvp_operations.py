"""Every operation in forward mode, against backward passes and plain numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.rules import nature_of
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import watchers
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp, jvps
from tests.library.operations.case import WRITES, Case, all_cases, each_case

EVERY = all_cases()
CASES = [case for case in EVERY if not case.id.startswith(WRITES)]
SMOOTH = [case for case in CASES if not case.kink]
TWICE = [case for case in SMOOTH if case.twice]


def direction(x: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return fixed numbers, no two alike, in the shape and type of x."""
    n = np.arange(x.size) + seed
    return np.sin(1.0 + 2.0 * n).reshape(x.shape).astype(x.dtype)


def directions(case: Case) -> tuple[np.ndarray, ...]:
    return tuple(direction(x, i) for i, x in enumerate(case.inputs))


def quiet(case: Case) -> Any:
    """Slopes may be infinite, or nan, at a kink; elsewhere a warning is an error."""
    return np.errstate(**{"all": "ignore"} if case.kink else {})


def pushed(case: Case) -> tuple[Tensor, np.ndarray]:
    with quiet(case):
        y, t = jvp(case.f, case.inputs, directions(case))
    assert t.shape == y.shape
    return y, t.data


@each_case(CASES)
def test_forward_and_backward_are_transposes(case: Case) -> None:
    y, t = pushed(case)
    u = direction(y.data, 7)
    leaves = [Tensor(x, requires_grad=True) for x in case.inputs]
    result = case.f(*leaves)
    gradients: Any = grad(result, leaves, u, allow_unused=True)
    with quiet(case):
        back = sum(
            float((g.data * v).sum())
            for g, v in zip(gradients, directions(case), strict=True)
            if g is not None
        )
        forth = float((t * u).sum())
    if case.kink and not np.isfinite(back):  # ∞ - ∞ in one of the two
        assert not np.isfinite(forth)
        return
    # Both are sums of the same products in another order.
    np.testing.assert_allclose(forth, back, rtol=1e-9, atol=1e-10)


@each_case(SMOOTH)
def test_tangents_are_those_of_plain_numbers(case: Case) -> None:
    """The complex step is exact to rounding, a difference errs by some 1e-9."""
    h = 1e-30 if case.complex_step else 1e-5
    moves = [(1j if case.complex_step else 1.0) * h * v for v in directions(case)]

    def value_at(sign: float) -> Any:
        moved = [Tensor(x + sign * m) for x, m in zip(case.inputs, moves, strict=True)]
        return case.f(*moved).data

    right = (
        value_at(1).imag / h
        if case.complex_step
        else (value_at(1) - value_at(-1)) / (2 * h)
    )
    np.testing.assert_allclose(
        pushed(case)[1],
        right,
        rtol=1e-9 if case.complex_step else 1e-6,
        atol=1e-11 if case.complex_step else 1e-7,
    )


@each_case(TWICE)
def test_three_ways_to_a_second_derivative_agree(case: Case) -> None:
    """Backward of backward, forward of backward, backward of forward."""
    vs = directions(case)
    along = np.concatenate([v.reshape(-1) for v in vs])

    def slopes(*xs: Tensor) -> Any:
        for x in xs:
            x.requires_grad_()
        y = case.f(*xs)
        u = direction(y.data, 7)
        return flat(xs, grad(y, xs, u, create_graph=True, allow_unused=True))

    leaves = [Tensor(x, requires_grad=True) for x in case.inputs]
    right = flat(leaves, grad((slopes(*leaves) * along).sum(), leaves)).data
    _, over = jvp(slopes, case.inputs, vs)
    np.testing.assert_allclose(over.data, right, rtol=1e-8, atol=1e-9)
    leaves = [Tensor(x, requires_grad=True) for x in case.inputs]
    y, t = jvp(case.f, tuple(leaves), vs)
    moved = (t * direction(y.data, 7)).sum() + 0.0 * flat(leaves, leaves).sum()
    under = flat(leaves, grad(moved, leaves)).data
    np.testing.assert_allclose(under, right, rtol=1e-8, atol=1e-9)


def flat(xs: Any, gradients: Any) -> Any:
    """Return all gradients in one row, which depends on all of xs."""
    pairs = zip(gradients, xs, strict=True)
    rows = [0.0 * x if g is None else g + 0.0 * x for g, x in pairs]
    return np.concatenate([row.reshape(-1) for row in rows])


@each_case(TWICE)
def test_forward_of_forward_is_the_second_derivative(case: Case) -> None:
    vs = directions(case)

    def slope(*xs: Tensor) -> Tensor:
        return jvp(case.f, xs, vs)[1]

    _, second = jvp(slope, case.inputs, vs)
    along = np.concatenate([v.reshape(-1) for v in vs])
    leaves = [Tensor(x, requires_grad=True) for x in case.inputs]
    y = case.f(*leaves)
    u = direction(y.data, 7)
    first = grad(y, leaves, u, create_graph=True, allow_unused=True)
    twice = grad((flat(leaves, first) * along).sum(), leaves)
    right = float((flat(leaves, twice).data * along).sum())
    # The same sum of products, by two passes back.
    assert float((second.data * u).sum()) == pytest.approx(right, rel=1e-8, abs=1e-9)


@each_case(CASES)
def test_float32_stays_float32(case: Case) -> None:
    inputs = tuple(x.astype(np.float32) for x in case.inputs)
    with quiet(case):
        y, t = jvp(case.f, inputs, tuple(direction(x) for x in inputs))
    assert (y.dtype, t.dtype) == (np.float32, np.float32)


@each_case(CASES)
def test_several_tangents_at_once_are_what_each_is_alone(case: Case) -> None:
    several = tuple(
        np.stack([direction(x, i + 10 * k) for k in range(3)])
        for i, x in enumerate(case.inputs)
    )
    with quiet(case):
        y, together = jvps(case.f, case.inputs, several)
        alone = [
            jvp(case.f, case.inputs, tuple(v[k] for v in several)) for k in range(3)
        ]
    np.testing.assert_array_equal(y.data, alone[0][0].data)
    right = np.stack([t.data for _, t in alone])
    # A product of stacks may add in another order.
    np.testing.assert_allclose(together.data, right, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    "case", [c for c in EVERY if c.id.startswith(WRITES)], ids=lambda case: case.id
)
def test_writes_in_place_are_refused_before_anything_is_written(case: Case) -> None:
    inputs = [x.copy() for x in case.inputs]
    with pytest.raises(RuntimeError, match="in forward mode"):
        jvp(case.f, tuple(inputs), directions(case))
    for x, before in zip(inputs, case.inputs, strict=True):
        np.testing.assert_array_equal(x, before)


def test_every_rule_of_every_operation_is_declared() -> None:
    """An operation is found by its cases; without any, another test fails."""
    missing: set[str] = set()

    def look(t: Tensor) -> None:
        assert t.node is not None
        for _, rule, _ in t.node.edges or ():
            if not nature_of(rule).kind:
                missing.add(f"{rule.__module__}.{rule.__qualname__}")

    watchers.append(look)
    try:
        for case in CASES:
            case.f(*[Tensor(x, requires_grad=True) for x in case.inputs])
    finally:
        watchers.remove(look)
    assert not missing
