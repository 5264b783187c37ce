"""What is asked of complex numbers, asked of real tensors; and Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor

A = np.array([[1.0, -2.0, 3.0]])
C = np.array([1.0 + 2.0j, 3.0])


def test_real_tensors_are_their_own_real_parts() -> None:
    x = Tensor(A, True)
    for same in (np.real(x), x.real, x.conj(), x.conjugate(), np.real_if_close(x)):
        assert same is x  # as of arrays in NumPy
    assert np.conj(x) is not x


def test_what_jumps_or_is_0_is_a_plain_array() -> None:
    x = Tensor(A, True)
    for function in (np.imag, np.angle, np.iscomplex, np.isreal):
        found = function(x)
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, function(A))
    np.testing.assert_array_equal(np.angle(x, deg=True), [[0.0, 180.0, 0.0]])
    np.testing.assert_array_equal(x.imag, np.zeros((1, 3)))


def test_complex_constants_have_parts() -> None:
    c = Tensor(C)
    for found, right in (
        (np.real(c), C.real),
        (c.real, C.real),
        (np.conj(c), C.conj()),
        (c.conj(), C.conj()),
        (np.real_if_close(c), C),
        (np.real_if_close(Tensor(C.real + 1e-15j)), C.real),
    ):
        assert not found.requires_grad
        np.testing.assert_array_equal(found.data, right)
    np.testing.assert_array_equal(c.imag, C.imag)


@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile"])
def test_complex_numbers_have_no_quantiles(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name}: complex .* no order; .*t\.real"):
        getattr(np, name)(Tensor(C), 0.5)


def test_a_variance_of_complex_numbers_is_real() -> None:
    for f in (np.var, np.std, np.nanvar, np.nanstd):
        for a in (C, C.astype(np.complex64)):
            for options in (
                {},
                {"where": [True, True]},
                {"mean": a.mean(keepdims=True)},
            ):
                found, right = f(Tensor(a), **options), f(a, **options)
                assert found.dtype == right.dtype
                np.testing.assert_allclose(found.data, right)
    gap = np.array([1.0 + 2.0j, 3.0, np.nan])
    assert np.nanvar(Tensor(gap)).item() == np.var(C)


NAMES = [name for name in np.fft.__all__ if name[-3:] in ("fft", "ft2", "ftn")]
TRANSFORMS = [getattr(np.fft, name) for name in NAMES]


@pytest.mark.parametrize("function", TRANSFORMS, ids=lambda f: f.__name__)
def test_transforms_have_the_values_and_the_types_of_numpy(function: Any) -> None:
    assert len(TRANSFORMS) == 14
    for kind in (float, np.float32, int):
        for shape in ((4, 6), (3, 5), (2, 1, 2)):
            a = (10 * np.cos(np.arange(float(np.prod(shape))))).reshape(shape)
            right = function(a.astype(kind))
            found = function(Tensor(a.astype(kind)))
            assert found.dtype == right.dtype
            digits = (
                1e-6 if kind is np.float32 else 0.0
            )  # NumPy may take more on the way
            np.testing.assert_allclose(found.data, right, digits, 10 * digits)


@pytest.mark.parametrize("function", TRANSFORMS, ids=lambda f: f.__name__)
def test_transforms_take_numpys_arguments(function: Any) -> None:
    a = np.cos(np.arange(24.0)).reshape(4, 6)
    several = function.__name__[-1] in "2n"
    ways: list[dict[str, Any]] = [{"norm": "ortho"}, {"norm": "forward"}]
    ways += [{"n": 3, "axis": 0}, {"n": 7}] if not several else [{"axes": (1, 0)}]
    ways += [{"s": (3, -1), "axes": (0, 1)}, {"axes": (0, 0)}] if several else []
    for way in ways:
        np.testing.assert_array_equal(
            function(Tensor(a), **way).data, function(a, **way)
        )
    with pytest.raises(TypeError, match=r"out="):
        function(Tensor(a, True), out=np.empty(0))
    with pytest.raises(ValueError, match=r"axis=2 does not fit shape \(4, 6\)"):
        function(Tensor(a, True), **({"axes": (0, 2)} if several else {"axis": 2}))
    with pytest.raises(ValueError, match=r"norm|Invalid"):
        function(Tensor(a, True), norm="other")
    if several:
        with pytest.raises(ValueError, match=r"s has 1 lengths and axes 2 axes"):
            function(Tensor(a), s=(3,), axes=(0, 1))


def test_parsevals_gradient() -> None:
    a = np.array([1.0, -2.0, 0.5, 3.0, 1.5])
    x = Tensor(a, True)
    (np.abs(np.fft.fft(x)) ** 2).sum().backward()  # 5·Σx²
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.data, 10 * a, rtol=1e-13)


def test_shifts_are_those_of_numpy() -> None:
    for shape in ((4,), (5,), (3, 4), (0,)):
        a = np.arange(float(np.prod(shape))).reshape(shape)
        for f in (np.fft.fftshift, np.fft.ifftshift):
            np.testing.assert_array_equal(f(Tensor(a, True)).data, f(a))
    for f in (np.fft.fftshift, np.fft.ifftshift):
        with pytest.raises(ValueError, match=rf"{f.__name__}: axis=2 does not fit"):
            f(Tensor(np.eye(2), True), 2)
