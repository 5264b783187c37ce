"""Second derivatives where a part of a function has a kink: right, or NaN.

At 0 a length has a kink, and its square has none. What is calculated from the slope 0
that the length has there by convention would be finite and wrong.
"""

import numpy as np
import pytest

from autograd_lib import Tensor, functional
from autograd_lib.forward import jacfwd

norm, vector_norm = np.linalg.norm, np.linalg.vector_norm
ZERO, EQUAL = [0.0, 0.0], [1.0, 1.0]


def plane(x):
    return x[0] + 1j * x[1]


SMOOTH = {  # whose second derivative is not 0, though a part of it has a kink
    "norm": (lambda x: norm(x) ** 2, ZERO),
    "norm, itself": (lambda x: norm(x), ZERO),
    "norm times norm": (lambda x: norm(x) * norm(x), ZERO),
    "norm, fro": (lambda x: norm(x.reshape(2, 1), "fro") ** 2, ZERO),
    "norm, 3": (lambda x: norm(x, 3) ** 2, ZERO),
    "norm, 1.5": (lambda x: norm(x, 1.5), [0.0, 2.0]),
    "vector_norm": (lambda x: vector_norm(x) ** 2, ZERO),
    "hypot": (lambda x: np.hypot(x[0], x[1]) ** 2, ZERO),
    "arctan2": (lambda x: np.arctan2(x[0], x[1]), ZERO),
    "std": (lambda x: np.std(x) ** 2, EQUAL),
    "std, itself": (lambda x: np.std(x), EQUAL),
    "std, a part": (lambda x: np.std(x, where=[True, True]) ** 2, EQUAL),
    "nanstd": (lambda x: np.nanstd(x) ** 2, EQUAL),
    "modulus": (lambda x: abs(plane(x)) ** 2, ZERO),
    "modulus, itself": (lambda x: abs(plane(x)), ZERO),
    "angle": (lambda x: np.angle(plane(x)), ZERO),
    "norm of complex numbers": (lambda x: norm(np.stack([plane(x)])) ** 2, ZERO),
    "x to the power y": (lambda x: x[0] ** x[1], [0.0, 1.0]),
}
OF_ABS = {
    "abs": lambda x: (abs(x) ** 2).sum(),
    "fabs": lambda x: (np.fabs(x) ** 2).sum(),
    "cube": lambda x: (abs(x) ** 3).sum(),
    "copysign": lambda x: (np.copysign(x, 1.0) ** 2).sum(),
    "norm, 1": lambda x: norm(x, 1) ** 2,
    "norm, inf": lambda x: norm(x, np.inf) ** 2,
}


def hessian(f, x):
    with np.errstate(invalid="ignore"):
        return functional.jacobian(functional.grad(f))(Tensor(x)).data


@pytest.mark.parametrize("name", SMOOTH)
def test_a_second_derivative_at_a_kink_is_nan(name):
    f, x = SMOOTH[name]
    assert np.isfinite(functional.grad(f)(Tensor(x)).data).all()
    assert np.isnan(hessian(f, x)).any(axis=0)[0]
    with np.errstate(invalid="ignore"):
        for second in (
            jacfwd(functional.grad(f)),
            functional.jacobian(jacfwd(f)),
            jacfwd(jacfwd(f)),
        ):
            assert np.isnan(second(Tensor(x)).data[0]).any()


@pytest.mark.parametrize("name", OF_ABS)
def test_a_smooth_function_of_abs_is_nan_at_0(name):
    assert np.isnan(np.diag(hessian(OF_ABS[name], ZERO))).all()


def test_abs_itself_has_slope_0_and_no_curvature():
    np.testing.assert_array_equal(hessian(lambda x: abs(x).sum(), ZERO), 0)
    factor = np.array([0.0, 3.0])
    np.testing.assert_array_equal(hessian(lambda x: (abs(x) * factor).sum(), ZERO), 0)


def test_relu_has_slope_0_at_0():
    np.testing.assert_array_equal(hessian(lambda x: (x.relu() ** 2).sum(), ZERO), 0)


@pytest.mark.parametrize("power", [1, 2])
def test_one_row_of_zeros_spoils_no_other(power):
    def f(x):
        return (norm(x.reshape(2, 2), axis=1) ** power).sum()

    found = hessian(f, [0.0, 0.0, 3.0, 4.0])
    assert np.isnan(found[:2, :2]).all()
    expected = hessian(lambda x: norm(x) ** power, [3.0, 4.0])
    np.testing.assert_allclose(found[2:, 2:], expected, rtol=1e-14)


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0])
def test_powers_have_their_mixed_derivative(exponent):
    x, y = 2.0, exponent
    mixed = x ** (y - 1) * (1 + y * np.log(x))
    found = hessian(lambda t: t[0] ** t[1], [x, y])
    np.testing.assert_allclose([found[0, 1], found[1, 0]], mixed, rtol=1e-14)


def test_a_square_has_its_second_derivative_at_0_with_a_varying_exponent():
    found = hessian(lambda t: t[0] ** t[1], [0.0, 2.0])
    np.testing.assert_array_equal(found, [[2.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize("name", ["norm", "std", "abs"])
def test_first_derivatives_stay_0(name):
    f, x = SMOOTH.get(name, (OF_ABS.get(name), ZERO))
    np.testing.assert_array_equal(functional.grad(f)(Tensor(x)).data, 0)
