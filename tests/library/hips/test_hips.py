"""Programs in the habits of HIPS autograd's examples, with other import lines."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib.check import WrongGradient
from autograd_lib.hips import (
    adam,
    check_grads,
    defvjp,
    elementwise_grad,
    expit,
    fixed_point,
    flatten,
    flatten_func,
    gammaln,
    grad,
    hessian,
    hessian_vector_product,
    jacobian,
    logsumexp,
    make_vjp,
    multivariate_normal,
    norm,
    primitive,
    rmsprop,
    sgd,
    t,
    value_and_grad,
)

X = np.array([[0.52, 1.12], [0.88, -1.08], [0.52, 0.06], [0.74, -2.49]])
Y = np.array([True, True, False, True])


def log_loss(weights: Any, offset: Any = 0.0) -> Any:
    right = expit(np.dot(X, weights) + offset)
    return -np.sum(np.log(right * Y + (1 - right) * (1 - Y)))


def test_a_logistic_regression() -> None:
    weights = np.zeros(2)
    check_grads(log_loss, modes=("rev",))(weights)
    gradient = grad(log_loss)
    for _ in range(100):
        weights -= gradient(weights) * 0.1
    assert type(weights) is np.ndarray
    assert log_loss(weights) < log_loss(np.zeros(2)) - 0.4


def test_argnum_takes_a_number_or_several() -> None:
    w = np.array([0.1, -0.2])
    first, second = grad(log_loss, argnum=[0, 1])(w, 0.3)
    np.testing.assert_array_equal(first, grad(log_loss)(w, 0.3))
    assert second == grad(log_loss, 1)(w, 0.3)
    assert isinstance(second, float)


def test_results_are_arrays_outside_and_tensors_inside() -> None:
    value, slope = value_and_grad(lambda x: np.sum(x**3))(np.array([1.0, 2.0]))
    assert type(slope) is np.ndarray
    assert (value, slope.tolist()) == (9.0, [3.0, 12.0])
    assert grad(grad(lambda x: x**4))(2.0) == 48.0
    inner = ag.functional.grad(lambda x: grad(lambda y: x * y**2)(x))
    assert float(inner(3.0)) == 12.0
    _, tangent = ag.jvp(lambda x: grad(lambda y: x * y**2)(x), (3.0,), (1.0,))
    assert float(tangent) == 12.0


def test_the_other_transforms() -> None:
    x = np.array([0.5, -1.0])
    f = elementwise_grad(elementwise_grad(np.tanh))
    second = -2 * np.tanh(x) * (1 - np.tanh(x) ** 2)
    np.testing.assert_allclose(f(x), second, rtol=1e-12)
    cubes = np.diag(3 * x**2)
    np.testing.assert_allclose(jacobian(lambda x: x**3)(x), cubes, rtol=1e-12)
    total = hessian(lambda x: np.sum(x**3))
    np.testing.assert_allclose(total(x), np.diag(6 * x), rtol=1e-12)
    v = np.array([2.0, 3.0])
    product = hessian_vector_product(lambda x: np.sum(x**3))(x, v)
    np.testing.assert_allclose(product, 6 * x * v, rtol=1e-12)
    vjp, ans = make_vjp(lambda x: x**2)(x)
    np.testing.assert_array_equal(ans, x**2)
    for _ in range(2):
        np.testing.assert_array_equal(vjp(v), 2 * x * v)


def test_flatten_goes_there_and_back_and_can_be_differentiated() -> None:
    params = {"b": np.arange(3.0), "a": [np.eye(2), (5.0,)]}
    vector, back = flatten(params)
    assert vector.tolist() == [1, 0, 0, 1, 5, 0, 1, 2]
    again = back(vector)
    assert (list(again), type(again["a"][1])) == (["a", "b"], tuple)
    of_vector, _, start = flatten_func(lambda p: {"s": p["b"] * p["a"][1][0]}, params)
    np.testing.assert_array_equal(of_vector(start), [0, 5, 10])
    slope = grad(lambda x: np.sum(of_vector(x)))(start)
    np.testing.assert_array_equal(slope, [0, 0, 0, 0, 3, 5, 5, 5])
    with pytest.raises(ValueError, match=r"has 8 numbers, got the shape \(7,\); give"):
        back(vector[1:])
    assert flatten([])[0].shape == (0,)


def by_hand(steps: int, rate: float = 0.1) -> float:
    """Adam on (x - 3)² from 0, with its formulas written out."""
    x, m, v = 0.0, 0.0, 0.0
    for i in range(1, steps + 1):
        g = 2 * (x - 3)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        x -= rate * (m / (1 - 0.9**i)) / ((v / (1 - 0.999**i)) ** 0.5 + 1e-8)
    return x


def test_adam_on_a_tree_calls_back_before_each_step() -> None:
    seen: list[Any] = []

    def loss(params: Any, i: int) -> Any:
        return np.sum((params["w"] - 3.0) ** 2) + params["b"] ** 2

    start = {"w": np.zeros((2, 2)), "b": 1.0}
    end = adam(
        grad(loss),
        start,
        callback=lambda p, i, g: seen.append((i, p["b"], g["b"])),
        num_iters=50,
        step_size=0.1,
    )
    np.testing.assert_allclose(end["w"], np.full((2, 2), by_hand(50)), rtol=1e-12)
    assert seen[0] == (0, 1.0, 2.0)
    assert len(seen) == 50
    assert start["b"] == 1.0


@pytest.mark.parametrize("optimise", [sgd, rmsprop, adam])
def test_optimisers_find_a_minimum(optimise: Any) -> None:
    found = optimise(
        grad(lambda x, i: np.sum((x - 1.5) ** 2)),
        np.zeros(3),
        num_iters=400,
        step_size=0.05,
    )
    np.testing.assert_allclose(found, np.full(3, 1.5), atol=2e-2)


def test_a_primitive_with_a_rule_of_its_own() -> None:
    calls: list[Any] = []

    @primitive
    def stable(x: Any, shift: float = 0.0) -> Any:
        calls.append(x)
        top = np.max(x)
        return top + np.log(np.sum(np.exp(x - top))) + shift

    defvjp(
        stable,
        lambda ans, x, shift=0.0: lambda g: g * np.exp(x - (ans - shift)),
        None,
    )
    x = np.array([1.0, 2.0, 4.0])
    check_grads(lambda x: stable(x**2, shift=0.5) * 3.0, modes=("rev",))(x)
    assert all(type(seen) is np.ndarray for seen in calls)
    assert type(stable(x)) is np.float64
    with pytest.raises(
        TypeError, match="defvjp: sum is not a primitive; make one, f ="
    ):
        defvjp(np.sum, lambda ans, x: lambda g: g)
    with pytest.raises(TypeError, match="argument 0 is 3; give lambda ans"):
        defvjp(stable, 3)  # type: ignore[arg-type]
    lone = primitive(lambda x: x)
    with pytest.raises(NotImplementedError, match="no rule says how its result moves"):
        grad(lone)(1.0)


def test_a_wrong_rule_is_found() -> None:
    wrong = primitive(lambda x: x**2)
    defvjp(wrong, lambda ans, x: lambda g: g * 3 * x)
    with pytest.raises(WrongGradient):
        check_grads(wrong)(2.0)


def test_the_derivative_of_a_fixed_point() -> None:
    def descend(a: Any) -> Any:
        return lambda x: x - 0.05 * (x**2 - a)

    def root(a: Any) -> Any:
        return fixed_point(descend, a, 10.0, lambda x, y: np.abs(x - y), 1e-12)

    assert float(root(2.0)) == pytest.approx(2**0.5, rel=1e-10)
    assert grad(root)(2.0) == pytest.approx(0.5 * 2**-0.5, rel=1e-9)
    assert grad(grad(root))(2.0) == pytest.approx(-0.25 * 2**-1.5, rel=1e-8)

    def of_both(a: Any, rate: Any) -> Any:
        def step(p: Any) -> Any:
            return lambda x: x - p[1] * (x**2 - p[0])

        return fixed_point(step, (a, rate), 1.0, lambda x, y: np.abs(x - y), 1e-13)

    found = grad(of_both, argnum=(0, 1))(2.0, 0.1)
    np.testing.assert_allclose(found, [0.5 * 2**-0.5, 0.0], atol=1e-9)


POINTS = [(0.3, 1.0, 2.0), (-2.0, 0.5, 0.25), (4.0, 0.0, 3.0)]


@pytest.mark.parametrize("point", POINTS)
def test_densities_agree_with_fifty_digits(point: tuple[float, float, float]) -> None:
    x, loc, scale = point
    with mpmath.workdps(50):
        density = mpmath.npdf(x, loc, scale)
        below = mpmath.ncdf(x, loc, scale)
        nu = mpmath.mpf(5)
        z = (x - mpmath.mpf(loc)) / scale
        size = mpmath.gamma((nu + 1) / 2) / mpmath.gamma(nu / 2)
        student = size / mpmath.sqrt(nu * mpmath.pi) / scale
        student *= (1 + z * z / nu) ** (-(nu + 1) / 2)
        expected = [*map(float, (density, below, student, mpmath.log(student)))]
    found = [
        norm.pdf(x, loc, scale),
        norm.cdf(x, loc, scale),
        t.pdf(x, 5.0, loc, scale),
        t.logpdf(x, 5.0, loc, scale),
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    for f in (norm.logpdf, norm.cdf, lambda x, m, s: t.logpdf(x, 5.0, m, s)):
        check_grads(f, modes=("rev",))(x, loc, scale)
    check_grads(lambda df: t.logpdf(x, df, loc, scale), modes=("rev",))(5.0)


@pytest.mark.parametrize("x", [1e-3, 0.5, 1.0, 2.0, 7.3, 40.0, 1e6])
def test_gammaln_and_its_derivatives(x: float) -> None:
    scale = max(1.0, abs(float(mpmath.loggamma(x))))
    assert abs(gammaln(x) - float(mpmath.loggamma(x))) < 1e-13 * scale
    assert grad(gammaln)(x) == pytest.approx(float(mpmath.digamma(x)), rel=1e-9)
    second = float(mpmath.polygamma(1, x))
    assert grad(grad(gammaln))(x) == pytest.approx(second, rel=1e-6)
    assert np.isnan(gammaln(-x))


def test_a_normal_density_of_vectors() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(3, 3))
    cov, mean = root @ root.T + np.eye(3), rng.normal(size=3)
    points = rng.normal(size=(5, 3))
    apart = points - mean
    squares = np.einsum("ni,ij,nj->n", apart, np.linalg.inv(cov), apart)
    expected = -0.5 * (squares + np.log(np.linalg.det(2 * np.pi * cov)))
    found = multivariate_normal.logpdf(points, mean, cov)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    one = multivariate_normal.logpdf(points[0], mean, cov)
    assert one == pytest.approx(expected[0], rel=1e-12)
    assert multivariate_normal.pdf(0.3, 0.0, 4.0) == pytest.approx(norm.pdf(0.3, 0, 2))
    entropy = 0.5 * np.log(np.linalg.det(2 * np.pi * np.e * cov))
    assert multivariate_normal.entropy(mean, cov) == pytest.approx(entropy, rel=1e-12)

    def of_root(x: Any, mean: Any, root: Any) -> Any:
        cov = np.dot(root, root.T) + np.eye(3)
        return np.sum(multivariate_normal.logpdf(x, mean, cov))

    check_grads(of_root, modes=("rev",))(points, mean, root)


def test_logsumexp_and_expit_do_not_overflow() -> None:
    assert logsumexp(np.array([1000.0, 1000.0])) == pytest.approx(1000 + np.log(2))
    rows = logsumexp(np.zeros((2, 4)), axis=1, keepdims=True)
    np.testing.assert_allclose(rows, np.full((2, 1), np.log(4)))
    with np.errstate(over="raise", invalid="raise"):
        assert expit(np.array([-800.0, 0.0, 800.0])).tolist() == [0.0, 0.5, 1.0]
    assert grad(expit)(0.0) == 0.25
    assert expit(-40.0) == pytest.approx(np.exp(-40.0), rel=1e-12)
    assert type(expit(0.0)) is np.float64
