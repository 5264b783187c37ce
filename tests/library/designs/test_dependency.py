"""The tensor of Dependency: its gradients are those of a witness, over all shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograd_lib.designs.dependency import Dependency, Tensor
from autograd_lib.designs.dependency_nn import tanh
from autograd_lib.graph import topological_order

# A complex step has no truncation error here: both sides are right to a few roundings
# of numbers of size 10 to 100, in sums of at most some dozens.
TOLERANCE = 1e-10
STEP = 1e-20

RNG = np.random.default_rng(0)

Formula = Callable[..., Any]


def numbers(*shape: int) -> np.ndarray:
    return RNG.uniform(-2, 2, shape)


def witness(f: Formula, arrays: list[np.ndarray], which: int, over: np.ndarray) -> Any:
    """Return the gradient of sum(f * over) for one array, by complex steps."""
    grad = np.zeros(arrays[which].shape)
    for i in np.ndindex(grad.shape):
        moved = [a.astype(complex) for a in arrays]
        moved[which][i] += STEP * 1j
        grad[i] = np.sum(f(*moved) * over).imag / STEP
    return grad


def compare(f: Formula, *arrays: np.ndarray, plain: Formula | None = None) -> None:
    """Compare value and gradients of f on tensors with those of `plain` on arrays."""
    plain = plain or f
    leaves = [Tensor(a, requires_grad=True) for a in arrays]
    out = f(*leaves)
    np.testing.assert_allclose(out.data, plain(*arrays), rtol=TOLERANCE)
    over = numbers(*out.shape)
    out.backward(Tensor(over))
    for i, leaf in enumerate(leaves):
        expected = witness(plain, list(arrays), i, over)
        assert leaf.grad is not None
        assert leaf.grad.shape == leaf.shape
        np.testing.assert_allclose(leaf.grad.data, expected, TOLERANCE, TOLERANCE)


BINARY: dict[str, Formula] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


@pytest.mark.parametrize("sign", BINARY)
@settings(max_examples=60)
@given(hnp.mutually_broadcastable_shapes(num_shapes=2, min_side=0, max_side=3))
def test_elementwise(sign: str, shapes: Any) -> None:
    compare(BINARY[sign], *(numbers(*shape) for shape in shapes.input_shapes))


@settings(max_examples=150)
@given(hnp.mutually_broadcastable_shapes(signature=np.matmul.signature, max_side=3))
def test_products(shapes: Any) -> None:
    # The signature leaves out axes too, for which NumPy's @ takes vectors.
    compare(lambda a, b: a @ b, *(numbers(*shape) for shape in shapes.input_shapes))


@pytest.mark.parametrize("k", [0, 1])
def test_products_of_nothing(k: int) -> None:
    for left, right in [((2, k), (k, 3)), ((k,), (k,)), ((k, 2), (2,)), ((k,), (k, 2))]:
        compare(lambda a, b: a @ b, numbers(*left), numbers(*right))


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_of_one_tensor(shape: tuple[int, ...]) -> None:
    a = numbers(*shape)
    compare(lambda t: -t, a)
    compare(lambda t: t.sum(), a)
    compare(tanh, a, plain=np.tanh)
    compare(lambda t: (2.0 - t) * 3 + t * t - 1, a)


@pytest.mark.parametrize(
    "index",
    [
        0,
        -1,
        slice(1, 3),
        slice(None, None, -2),
        (1, 2),
        (..., 1),
        (None, 2),
        [0, 2, 0, 0],
        (np.array([[0, 1], [1, 1]]), np.array([2, 0])),
        np.array([True, False, True]),
        slice(3, 3),
    ],
    ids=str,
)
def test_slices(index: Any) -> None:
    compare(lambda t: t[index], numbers(3, 4))


def test_an_index_that_is_changed_later() -> None:
    order, t = np.array([0, 1, 1]), Tensor([1.0, 2.0, 3.0], requires_grad=True)
    taken = t[order]
    order[:] = 2
    taken.sum().backward()
    assert t.grad.data.tolist() == [1.0, 2.0, 0.0]


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from("+-*@t"), st.integers(0, 9)), max_size=6))
def test_programs(steps: list[tuple[str, int]]) -> None:
    """A number that is used in several places gets the sum over all of them."""

    def f(*inputs: Any) -> Any:
        made: list[Any] = list(inputs)
        for sign, place in steps:
            x, y = made[-1], made[-1 - place % len(made)]
            bend = tanh if isinstance(x, Tensor) else np.tanh
            if sign == "@":
                made.append(bend(x @ y))
            else:
                made.append(bend(x) if sign == "t" else BINARY[sign](x, y))
            made[-1] = bend(made[-1])  # keeps the numbers small
        return made[-1]

    compare(f, numbers(2, 2), numbers(2, 2))


def test_arrays_and_numbers_stand_on_either_side() -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    t = Tensor([10.0, 20.0], requires_grad=True)
    for made, expected in [
        (array * t, [[10, 40], [30, 80]]),
        (np.float64(2) * t, [20, 40]),
        (1 - t, [-9, -19]),
        (array + t, [[11, 22], [13, 24]]),
        (array @ t, [50, 110]),
        (t @ array, [70, 100]),
        ([1, 2] - t, [-9, -18]),
    ]:
        assert isinstance(made, Tensor)
        assert made.data.tolist() == expected
        assert [d.tensor for d in made.depends_on] == [t]


def test_arrows_lead_only_to_what_requires_a_gradient() -> None:
    x, w = Tensor([1.0, 2.0]), Tensor([3.0, 4.0], requires_grad=True)
    assert (x * 2 + x).depends_on == []
    y = x * w
    (arrow,) = y.depends_on
    assert arrow.tensor is w
    assert arrow.grad_fn(np.array([10.0, 100.0])).tolist() == [10.0, 200.0]
    y.sum().backward()
    assert x.grad is None
    assert w.grad.data.tolist() == [1.0, 2.0]


def test_leaves_accumulate_and_what_is_in_between_does_not() -> None:
    a = Tensor(3.0, requires_grad=True)
    square = a * a
    out = square * 2
    out.backward()
    out.backward()
    assert a.grad.data == 24.0
    assert square.grad.data == 2.0
    a.zero_grad()
    (out + square).backward(10)
    assert a.grad.data == 180.0


def test_an_operation_of_ones_own() -> None:
    def exp(t: Tensor) -> Tensor:
        y = np.exp(t.data)
        return Tensor(y, t.requires_grad, [Dependency(t, lambda grad: grad * y)])

    compare(lambda t: exp(t) * t, numbers(3), plain=lambda a: np.exp(a) * a)
    assert exp(Tensor(1.0)).depends_on == []


def test_iterating_is_slicing() -> None:
    t = Tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    first, second = t
    (first * second).sum().backward()
    assert t.grad.data.tolist() == [[3.0, 4.0], [1.0, 2.0]]


def test_long_chains_are_freed() -> None:
    x = y = Tensor(1.0, requires_grad=True)
    for _ in range(100_000):
        y = y + x
    assert len(topological_order(y)) == 100_001
    del y
