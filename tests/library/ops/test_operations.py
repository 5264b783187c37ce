"""Every operation against witnesses that know nothing of its rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import Case, all_cases, each_case

CASES = all_cases()
SMOOTH = [case for case in CASES if not case.kink]
TWICE = [case for case in SMOOTH if case.twice]


def weights(shape: tuple[int, ...]) -> np.ndarray:
    """Return fixed numbers, no two alike, to make a single number of a result."""
    numbers: np.ndarray = np.cos(1.0 + np.arange(int(np.prod(shape))))
    return numbers.reshape(shape)


def number(f: Any, *inputs: Any) -> Any:
    """Return a weighted sum of what f returns, an array or a tensor."""
    y = f(*inputs)
    return (y * weights(y.shape)).sum()


def plain_number(f: Any, *inputs: np.ndarray) -> Any:
    """Return the same as a number, of constants, through no rule."""
    y = number(f, *(Tensor(x) for x in inputs))
    return y.data[()] if isinstance(y, Tensor) else y


def witness(f: Any, inputs: Any, i: int, complex_step: bool) -> np.ndarray:
    """Return the derivative with respect to the elements of input i, without any rule.

    The complex step is exact to rounding; a central difference with h = 1e-5 errs by
    some h² of the third derivative plus rounding over h: 1e-9 for numbers about 1.
    """
    out = np.zeros(inputs[i].shape)
    h = 1e-30 if complex_step else 1e-5
    for index in np.ndindex(inputs[i].shape):
        moved = [x.astype(complex) if complex_step else x.copy() for x in inputs]
        moved[i][index] += 1j * h if complex_step else h
        up = plain_number(f, *moved)
        if complex_step:
            out[index] = up.imag / h
        else:
            moved[i][index] -= 2 * h
            out[index] = (up - plain_number(f, *moved)) / (2 * h)
    return out


def gradients(f: Any, inputs: Any) -> list[np.ndarray]:
    leaves = [Tensor(x, requires_grad=True) for x in inputs]
    number(f, *leaves).backward()
    assert any(t.grad is not None for t in leaves)
    return [
        np.zeros(x.shape) if t.grad is None else t.grad.data
        for t, x in zip(leaves, inputs, strict=True)
    ]


@each_case(SMOOTH)
def test_gradients_are_those_of_the_witness(case: Case) -> None:
    for i, got in enumerate(gradients(case.f, case.inputs)):
        right = witness(case.f, case.inputs, i, case.complex_step)
        np.testing.assert_allclose(
            got,
            right,
            rtol=1e-9 if case.complex_step else 1e-6,
            atol=1e-11 if case.complex_step else 1e-8,
        )


@each_case(TWICE)
def test_second_derivatives_are_those_of_differences(case: Case) -> None:
    def slope(*xs: np.ndarray) -> float:
        gs = gradients(case.f, xs)
        return sum(float((g * weights(g.shape)).sum()) for g in gs)

    leaves = [Tensor(x, requires_grad=True) for x in case.inputs]
    firsts: Any = grad(number(case.f, *leaves), leaves, create_graph=True)
    total = sum((g * weights(g.shape)).sum() for g in firsts)
    total = total + 0.0 * sum(t.sum() for t in leaves)  # where the slope is constant
    seconds: Any = grad(total, leaves)
    h = 1e-5
    for i, got in enumerate(seconds):
        right = np.zeros(case.inputs[i].shape)
        for index in np.ndindex(right.shape):
            up, down = ([x.copy() for x in case.inputs] for _ in range(2))
            up[i][index] += h
            down[i][index] -= h
            right[index] = (slope(*up) - slope(*down)) / (2 * h)
        np.testing.assert_allclose(got.data, right, rtol=1e-6, atol=1e-7)


@each_case(CASES)
def test_float32_stays_float32(case: Case) -> None:
    leaves = [Tensor(x, True, dtype=np.float32) for x in case.inputs]
    came: list[np.dtype[Any]] = []  # in what is added up; `grad` has the leaf's type
    for t in leaves:
        t.register_hook(lambda g: came.append(g.dtype))
    y = case.f(*leaves)
    assert y.dtype == np.float32
    y.sum().backward()
    got = [t.grad.dtype for t in leaves if t.grad is not None]
    assert set(came) == set(got) == {np.dtype(np.float32)}
    assert len(came) == len(got)


@each_case(CASES)
def test_layout_in_memory_changes_nothing(case: Case) -> None:
    def laid_out(x: np.ndarray) -> np.ndarray:
        big = np.zeros([2 * n for n in x.shape[::-1]])
        every_second: Any = (*(slice(None, None, 2) for _ in x.shape), ...)
        strided: np.ndarray = big[every_second].T
        strided[...] = x
        return strided

    from autograd_lib.engine.numpy.coercion import from_numpy

    plain = gradients(case.f, case.inputs)
    leaves = [from_numpy(laid_out(x)).requires_grad_() for x in case.inputs]
    for t in leaves:
        t.data.flags.writeable = False  # and no rule may write into what it was given
    number(case.f, *leaves).backward()
    for t, right in zip(leaves, plain, strict=True):
        got = np.zeros(t.shape) if t.grad is None else t.grad.data
        # Sums may be taken in another order, which changes the last digits.
        np.testing.assert_allclose(got, right, rtol=1e-12, atol=1e-13)
