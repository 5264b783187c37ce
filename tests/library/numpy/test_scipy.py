"""SciPy takes what transforms return, and its functions become operations."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.engine import Tensor
from autograd_lib.engine.numpy.protocol import OPERATIONS
from autograd_lib.engine.tape.record import unary

optimize = pytest.importorskip("scipy.optimize", reason="SciPy is not installed")
special = pytest.importorskip("scipy.special")

START = np.zeros(3)
SECOND = {"Newton-CG", "trust-ncg", "trust-krylov", "trust-exact", "trust-constr"}


def rosenbrock(x: Any) -> Any:
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def residuals(x: Any) -> Any:
    return np.stack([10 * (x[1] - x[0] ** 2), 1 - x[0]])


@pytest.mark.parametrize(
    "method", ["BFGS", "CG", "L-BFGS-B", "SLSQP", "TNC", *sorted(SECOND)]
)
def test_a_minimum_is_found_in_arrays(method: str) -> None:
    more = {"hess": ag.hessian(rosenbrock)} if method in SECOND else {}
    found = optimize.minimize(
        ag.value_and_grad(rosenbrock), START, jac=True, method=method, **more
    )
    assert type(found.x) is np.ndarray
    np.testing.assert_allclose(found.x, np.ones(3), atol=5e-3)
    gradient = ag.functional.grad(rosenbrock)
    apart = optimize.minimize(rosenbrock, START, jac=gradient, method=method, **more)
    assert type(apart.x) is np.ndarray
    np.testing.assert_allclose(apart.x, found.x, atol=5e-3)


def test_a_constraint_has_its_gradient() -> None:
    def circle(x: Any) -> Any:
        return (x * x).sum() - 1

    rule = {"type": "eq", "fun": circle, "jac": ag.functional.grad(circle)}
    found = optimize.minimize(
        ag.value_and_grad(rosenbrock), START + 0.5, jac=True, constraints=[rule]
    )
    assert found.success
    assert (found.x**2).sum() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("method", ["trf", "dogbox", "lm"])
def test_least_squares(method: str) -> None:
    found = optimize.least_squares(
        residuals, [0.0, 0.0], jac=ag.jacobian(residuals), method=method
    )
    assert (type(found.x), type(found.jac)) == (np.ndarray, np.ndarray)
    np.testing.assert_allclose(found.x, [1, 1], atol=1e-6)


def test_roots() -> None:
    jacobian = ag.jacobian(residuals)
    for method in ("hybr", "lm"):
        found = optimize.root(residuals, [0.0, 0.0], jac=jacobian, method=method)
        np.testing.assert_allclose(found.x, [1, 1], atol=1e-6)
    zero = optimize.fsolve(residuals, [0.0, 0.0], fprime=jacobian)
    np.testing.assert_allclose(zero, [1, 1], atol=1e-6)


def test_only_a_constant_becomes_an_array() -> None:
    w = Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(Exception, match=r"gradient"):
        optimize.least_squares(lambda x: w * x, [1.0, 1.0])
    assert isinstance(np.atleast_1d(Tensor([1.0])), Tensor)


@pytest.fixture
def registered() -> Any:
    before = dict(OPERATIONS)
    yield
    OPERATIONS.clear()
    OPERATIONS.update(before)


def test_a_function_of_scipys_has_the_derivative_that_it_is_given(
    registered: Any,
) -> None:
    gammaln, digamma = special.gammaln, special.digamma
    x = Tensor([0.5, 1.5, 100.0], requires_grad=True)
    with pytest.raises(NotImplementedError, match=r"@operation\(scipy.special.gammaln"):
        gammaln(x)

    @ag.operation(gammaln)
    def log_gamma(x: Any) -> Any:
        return unary(gammaln, x, lambda g, x: g * digamma(x), x)

    y = gammaln(x)
    assert y.data.tolist() == gammaln(x.data).tolist()
    (found,) = ag.grad(y.sum(), x)
    np.testing.assert_allclose(found.data, digamma(x.data))
    ag.gradcheck(gammaln, x[:2].detach())
    step = ag.compile(lambda x: ag.grad(gammaln(x).sum(), x)[0])
    for _ in range(2):
        np.testing.assert_allclose(step(x).data, digamma(x.data))
    with pytest.raises(NotImplementedError, match=r"has no rule yet"):
        ag.hessian(lambda x: gammaln(x).sum())(x)  # digamma is no operation


def test_an_operation_that_loses_the_gradient_is_refused(registered: Any) -> None:
    x = Tensor([0.5, 1.5], requires_grad=True)
    for lost in (lambda x: ag.tensor(special.erfcx(x.data)), lambda x: x.data * 2):
        ag.operation(special.erfcx)(lost)
        with pytest.raises(TypeError, match=r"returned a constant, .* return unary\("):
            special.erfcx(x)
        with ag.no_grad():
            assert special.erfcx(x).shape == (2,)

    @ag.operation(special.erfcx)
    def right(x: Any) -> Any:
        return 2 * x

    assert special.erfcx(x).requires_grad
    assert right.__name__ == "right"


def test_the_message_about_a_ufunc_of_anybody_names_it() -> None:
    code = (
        "import numpy as np, autograd_lib as ag; f = np.frompyfunc(abs, 1, 1); "
        "f(ag.tensor(1.0, requires_grad=True))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert "a ufunc.abs" in done.stderr
