"""Random functions, compiled: values, first and second derivatives, with writes too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp
from autograd_lib.functional import grad as slope_of
from autograd_lib.functional import hvp
from autograd_lib.program import PASSES, compile
from autograd_lib.program.rewrites.blocks import blocks, in_blocks
from autograd_lib.program.rewrites.reuse_memory import in_slots, reuse_memory
from tests.library.helpers.programs import program
from tests.library.helpers.witness_of_writes import weights
from tests.library.helpers.written_programs import IN_PLACE, STEPS, P, X, run
from tests.library.operations.case import Case, all_cases

PLANNED = in_slots(0)  # also for the small arrays of these tests
ALL = tuple(PLANNED if p is reuse_memory else p for p in PASSES)
SOME = st.sets(st.sampled_from(ALL)).map(
    lambda chosen: tuple(p for p in ALL if p in chosen)
)


def assert_near(got: Any, want: Any) -> None:
    """Assert that results are the same but for the order in which sums are taken."""
    assert len(got) == len(want)
    for a, b in zip(got, want, strict=True):
        if b is None:
            assert a is None
            continue
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        scale = 1 + np.max(np.abs(b.data), initial=0)
        np.testing.assert_allclose(a.data, b.data, rtol=1e-9, atol=1e-10 * scale)


def derivatives(f: Any) -> Any:
    """Return a function of arrays: values, gradients and second derivatives of f."""

    def of(*arrays: Any) -> list[Any]:
        leaves = [Tensor(a, requires_grad=True) for a in arrays]
        made = f(*leaves)
        total: Any = sum((t * t * weights(t.shape)).sum() for t in made)
        first = grad(total, leaves, create_graph=True, allow_unused=True)
        size: Any = sum((g * weights(g.shape)).sum() for g in first if g is not None)
        second = [None] * len(leaves)
        if isinstance(size, Tensor) and size.requires_grad:
            second = list(grad(size, leaves, allow_unused=True))
        return [t if t is None else t.detach() for t in (*made, total, *first, *second)]

    return of


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), SOME)
def test_random_functions(seed: int, passes: Any) -> None:
    f = program(seed)
    eager = derivatives(lambda x, w: [f(x, w)])
    compiled = compile(eager, passes=passes)
    rng = np.random.default_rng(seed)
    for _ in range(2):
        given_ = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
        assert_near(compiled(*given_), eager(*given_))
    assert len(compiled.programs) == 1


@settings(max_examples=30, deadline=None)
@given(STEPS, SOME)
def test_random_functions_that_write_into_results(steps: Any, passes: Any) -> None:
    eager = derivatives(lambda x, p: run(steps, IN_PLACE, x, p))
    compiled = compile(eager, passes=passes)
    for x, p in ((X, P), (X + 0.1, P * 0.9)):
        assert_near(compiled(x, p), eager(x, p))


@settings(max_examples=30, deadline=None)
@given(STEPS, SOME)
def test_random_functions_of_arrays_that_write(steps: Any, passes: Any) -> None:
    def eager(x: Any, p: Any) -> Any:
        return run(steps, IN_PLACE, x, p)

    compiled = compile(eager, passes=passes)
    for x, p in ((X, P), (X + 0.1, P * 0.9)):
        kept = compiled(x, p)
        again, want = compiled(x, p), eager(x, p)
        for a, b, c in zip(kept, again, want, strict=True):
            np.testing.assert_allclose(a, c, rtol=1e-9, atol=1e-10)
            np.testing.assert_allclose(b, c, rtol=1e-9, atol=1e-10)


def elementwise(seed: int) -> Any:
    """Return a random function of two arrays of one shape, nearly all by elements."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 7, 12)

    def f(x: Any, y: Any) -> Any:
        values = [x, y]
        for kind, a, b in zip(kinds, *rng_pairs(seed, len(kinds)), strict=True):
            u, v = values[a % len(values)], values[b % len(values)]
            values.append(
                (
                    lambda u, v: u * v,
                    lambda u, v: u + v,
                    lambda u, v: np.tanh(u),
                    lambda u, v: u - 0.5,
                    lambda u, v: np.maximum(u, v),
                    lambda u, v: u * v.sum(),
                    lambda u, v: u * (v > 0),
                )[kind](u, v)
            )
        return values[-1], values[len(values) // 2]

    return f


def rng_pairs(seed: int, n: int) -> Any:
    rng = np.random.default_rng(seed + 1)
    return rng.integers(0, 100, n), rng.integers(0, 100, n)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_blocks(seed: int, bytes_of_block: int) -> None:
    f = elementwise(seed)
    small = in_blocks(0, bytes_of_block)
    passes = [small if p is blocks else p for p in ALL]
    rng = np.random.default_rng(seed)
    for eager in (f, derivatives(lambda x, y: [f(x, y)[0] * 1.0])):
        compiled = compile(eager, passes=passes)
        for _ in range(2):
            given_ = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
            for a, b in zip(compiled(*given_), eager(*given_), strict=True):
                if b is not None:
                    far = np.abs(
                        np.asarray(getattr(a, "data", a)) - getattr(b, "data", b)
                    )
                    assert far.max() <= 1e-9 * (1 + np.abs(getattr(b, "data", b)).max())


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_products_with_the_hessian(seed: int) -> None:
    f = program(seed)

    def number(x: Any) -> Any:
        return (np.tanh(f(x, Tensor(np.eye(3) + 0.1))) ** 2).sum()

    def backward(x: Any, v: Any) -> Any:
        return [hvp(number, (x,), (v,))]

    def forward(x: Any, v: Any) -> Any:
        return list(jvp(slope_of(number), (x,), (v,)))

    rng = np.random.default_rng(seed)
    for eager in (backward, forward):
        compiled = compile(eager)
        for _ in range(2):
            x, v = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
            assert_near(compiled(x, v), eager(x, v))


BY_FILE: dict[str, list[Case]] = {}
for _case in all_cases():
    BY_FILE.setdefault(_case.id.partition(":")[0], []).append(_case)
# It looks elements up in a table that no program has, by recorded numbers.
LOOKS_UP = "numpy.interp: other values outside"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.exhaustive] * (i % 3 > 0))
        for i, name in enumerate(BY_FILE)
    ],
)
def test_every_operation(name: str) -> None:
    """Each with the numbers that it was recorded with and with others; two files of
    three weekly.
    """
    for case in BY_FILE[name]:
        if case.id == LOOKS_UP:
            continue

        def eager(*arrays: Any, f: Any = case.f) -> Any:
            leaves = [Tensor(a, requires_grad=True) for a in arrays]
            y = f(*leaves)
            total = (y * weights(y.shape)).sum()
            return [y.detach(), *grad(total, leaves, allow_unused=True)]

        compiled = compile(eager, passes=ALL)
        others = [x * 0.97 + 0.01 * np.cos(weights(x.shape)) for x in case.inputs]
        for arrays in (case.inputs, others):
            assert_near(compiled(*arrays), eager(*arrays))


def test_a_plan_of_memory_never_has_two_living_values_in_one_slot() -> None:
    for seed in range(20):
        f = program(seed)
        compiled = compile(derivatives(lambda x, w, f=f: [f(x, w)]), passes=ALL)
        rng = np.random.default_rng(seed)
        made = compiled.program(rng.normal(size=(3, 3)), rng.normal(size=(3, 3)))
        assert made.plan
        for a in made.plan:
            assert a.bytes <= made.slots[a.slot]
            for b in made.plan:
                if a is not b and a.slot == b.slot:
                    # One may be born where the other dies: in the same call.
                    assert a.death <= b.birth or b.death <= a.birth


def test_what_leads_to_an_output_is_made_in_its_memory() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x @ y
        return [y - 0.1 * z, np.exp(z.T).T, (z + 1)[0]]

    x, y = np.ones((16, 16)), np.linspace(0, 1, 256).reshape(16, 16)
    compiled = compile(f)
    first = compiled(x, y)
    kept = [a.copy() for a in first]
    made = compiled.programs[0]
    assert not made.plan  # 0.1 * z lies where the first result does, z where z + 1
    assert made.source.count("out=") == 2
    second = compiled(2 * x, y)
    for a, b, c, right in zip(first, kept, second, f(2 * x, y), strict=True):
        assert a.tobytes() == b.tobytes()
        assert not np.shares_memory(a, c)
        np.testing.assert_allclose(c, right, rtol=1e-12)


def test_a_part_is_added_to_a_gradient_that_no_argument_moves() -> None:
    def f(x: Any) -> Any:
        t = Tensor(x, requires_grad=True)
        y = t * 1.0
        part, whole = (y[:1] * y[:1]).sum(), (y * np.array([2.0, 3.0, 4.0])).sum()
        return grad(part + whole, t)[0]

    assert compile(f)(np.ones(3)).data.tolist() == [4.0, 3.0, 4.0]
