"""What is asked of complex numbers, asked of real tensors; and Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.ops import fourier
from autograd_lib.engine.tensor import Tensor

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


@pytest.mark.parametrize("function", fourier.COMPLEX, ids=lambda f: f.__name__)
def test_transforms_are_of_constants(function: Any) -> None:
    a = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(function(Tensor(a)).data, function(a))
    name = function.__name__
    said = rf"numpy.fft.{name}: a, of shape \(3, 4\), needs a gradient.*cos.*detach"
    with pytest.raises(TypeError, match=said):
        function(Tensor(a, True))


def test_all_transforms_of_numpy_are_known() -> None:
    others = {"fftshift", "ifftshift", "fftfreq", "rfftfreq"}
    public = {name for name in dir(np.fft) if "fft" in name and name[0] != "_"}
    assert {f.__name__ for f in fourier.COMPLEX} == public - others


def test_the_way_out_gives_the_two_parts_of_the_transform() -> None:
    a = np.array([1.0, -2.0, 0.5, 3.0, 1.5])
    n = np.arange(len(a))
    angle = 2 * np.pi * np.outer(n, n) / len(a)
    x = Tensor(a, True)
    parts = np.cos(angle) @ x, -np.sin(angle) @ x
    right = np.fft.fft(a)
    np.testing.assert_allclose(parts[0].data, right.real, atol=1e-13)
    np.testing.assert_allclose(parts[1].data, right.imag, atol=1e-13)
    (parts[0] ** 2 + parts[1] ** 2).sum().backward()  # Parseval: 5·Σx²
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
