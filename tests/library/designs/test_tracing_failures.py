"""What goes wrong in a traced function is said in words, and leaves no trace open."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from autograd_lib.designs import tracing_numpy as np
from autograd_lib.designs.tracing import defvjp, getval, grad, make_vjp, primitive
from autograd_lib.designs.tracing_boxes import open_traces


@pytest.fixture(autouse=True)
def every_test_leaves_no_trace_open() -> Any:
    yield
    assert open_traces == []


def failing(at: Any) -> Any:
    raise ZeroDivisionError


def test_a_failure_inside_leaks_no_trace() -> None:
    def outer(x: Any) -> Any:
        with pytest.raises(ZeroDivisionError):
            grad(failing)(x)
        assert len(open_traces) == 1
        return x * grad(lambda y: x * y)(1.0)

    assert grad(outer)(3.0) == 6.0
    for error in (KeyboardInterrupt, SystemExit):

        def interrupted(x: Any, error: Any = error) -> Any:
            raise error

        with pytest.raises(error):
            grad(interrupted)(1.0)
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: grad(grad(failing))(x))(2.0)


def test_a_box_that_outlives_its_trace_is_refused() -> None:
    kept: list[Any] = []
    grad(lambda x: kept.append(x) or x)(3.0)
    message = "multiply: a box was kept after its function had returned; return what"
    with pytest.raises(ValueError, match=message):
        kept[0] * 2.0
    with pytest.raises(ValueError, match=message):
        grad(lambda y: y * kept[0])(2.0)
    with pytest.raises(ValueError, match="a box was kept"):
        grad(lambda y: grad(lambda z: z * kept[0])(2.0))(2.0)
    assert getval(kept[0]) * 2.0 == 6.0


def test_a_primitive_of_ones_own() -> None:
    cube = primitive(lambda x, scale=1.0: scale * x * x * x)
    with pytest.raises(
        NotImplementedError, match="no rule says how its result moves w"
    ):
        grad(cube)(2.0)
    defvjp(cube, lambda g, ans, x, scale=1.0: g * scale * 3.0 * x**2)
    assert grad(cube)(2.0) == 12.0
    assert grad(grad(lambda x: cube(x, scale=2.0)))(2.0) == 24.0
    with pytest.raises(NotImplementedError, match=r"argument 1; give one by defvjp\("):
        grad(lambda s: cube(2.0, s))(1.0)
    defvjp(cube, None, argnums=(1,))
    assert grad(lambda s: cube(2.0, s))(1.0) == 0.0
    assert grad(cube, 0)(2.0, 3.0) == 36.0
    defvjp(cube, lambda g, ans, x: numpy.ones(3))
    with pytest.raises(
        ValueError, match=r"with respect to argument 0 returned the shape \(3,\)"
    ):
        grad(cube)(2.0)
    defvjp(cube, lambda g, ans, x: None)
    with pytest.raises(
        ValueError, match=r"returned nothing, and .* has the shape \(\)"
    ):
        grad(cube)(2.0)


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: grad(np.sin)(3),
        TypeError,
        r"sin: .* respect to 3, .* pass 3.0 or x.astype",
    ),
    (lambda: grad(np.sin)(True), TypeError, "have nothing in between"),
    (lambda: grad(np.sum)(numpy.arange(3)), TypeError, r"array\(\[0, 1, 2\]\), which"),
    (
        lambda: grad(np.sum)([3.0]),
        TypeError,
        r"respect to \[3.0\], .* numpy.array",
    ),
    (
        lambda: grad(np.sum)("a"),
        TypeError,
        "respect to 'a', which is neither a float nor",
    ),
    (lambda: grad(np.sin)(1j), TypeError, "the real and the imaginary part as two"),
    (lambda: grad(9.0), TypeError, r"got 9.0; write grad\(f\)\(x\) in place of grad"),
    (lambda: grad(np.sin, 1)(1.0), TypeError, "sin: argument 1, .* among the 1 that"),
    (lambda: grad(np.sin)(x=1.0), TypeError, "argument 0, .* not among the 0"),
    (lambda: grad(np.add, (0, 1))(1.0, 2.0), TypeError, r"\(0, 1\), .* not one n"),
    (lambda: grad(lambda x: None)(1.0), TypeError, "None, .* is a return missing"),
    (lambda: grad(lambda x: (x, x))(1.0), TypeError, "no array; return one array"),
    (lambda: make_vjp(np.sin, 1.0)[0]([1, 1]), ValueError, r"\(2,\), .* result \(\)"),
    (lambda: grad(numpy.sin)(1.0), TypeError, "would lose the gradient; call the fun"),
    (lambda: grad(numpy.sum)(1.0), TypeError, "numpy.sum takes arrays and would lose"),
    (lambda: grad(math.sin)(1.0), TypeError, "functions of math take numbers and"),
    (lambda: grad(lambda x: numpy.array([x]))(1.0), TypeError, "would lose the grad"),
    (lambda: grad(lambda x: np.sum(x=x))(1.0), TypeError, "x=… is a box, .* position"),
    (lambda: grad(lambda x: x.__setitem__(0, 1))(1.0), TypeError, "is not recorded"),
    (lambda: grad(lambda x: list(x))(1.0), TypeError, r"has no len\(\)"),
    (lambda: defvjp(numpy.sin), TypeError, r"make one, f = primitive\(sin\), and"),
    (
        lambda: defvjp(np.sin, 2),
        TypeError,
        "of sin with respect to argument 0 is 2",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_what_is_wrong_is_said(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()
    assert grad(np.sin)(0.0) == 1.0


def test_an_array_does_not_swallow_a_box() -> None:
    def write(x: Any) -> Any:
        a = numpy.ones(2)
        a[0] = x
        return a

    with pytest.raises((TypeError, ValueError)):  # NumPy words it, as it likes
        grad(write)(1.0)


def test_a_box_is_not_added_into_an_array_that_has_another_name() -> None:
    a = numpy.ones(2)

    def f(x: Any) -> Any:
        b = total = a
        total += x
        return np.sum(b)

    with pytest.raises(TypeError, match=r"add would write it into .*a = a \+ b"):
        grad(f)(numpy.ones(2))
    assert a.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.abs(x * 1j),
        lambda x: np.abs(np.exp(1j * x)),
        lambda x: np.sum(x * numpy.array([1.0, 1j])),
        lambda x: np.dot(x, numpy.array([1.0, 1j])),
    ],
)
def test_complex_numbers_are_refused(f: Any) -> None:
    with pytest.raises(TypeError, match=r"there are complex numbers.*imaginary part"):
        grad(f)(numpy.ones(2))


def test_masks_are_not_lost() -> None:
    m = numpy.ma.masked_array([1.0, 2.0], mask=[False, True])
    with pytest.raises(TypeError, match=r"multiply: .*masked array.*where\(mask"):
        grad(lambda x: np.sum(x * m))(numpy.ones(2))
    with pytest.raises(TypeError, match="would lose the gradient"):
        grad(lambda x: np.sum(m * x))(numpy.ones(2))


def test_arguments_have_the_names_of_numpy() -> None:
    x = numpy.ones((2, 3))
    swapped = grad(lambda x: np.sum(np.swapaxes(x, axis1=0, axis2=1)))(x)
    assert swapped.shape == (2, 3)
    copies = grad(lambda x: np.sum(np.broadcast_to(x, shape=(2, 3))))(numpy.ones(3))
    assert copies.tolist() == [2.0, 2.0, 2.0]
