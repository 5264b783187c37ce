"""The densities and special functions that programs take from HIPS's `scipy`.

Each is calculated by differentiable operations of NumPy, so that derivatives of any
order follow.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine import Tensor
from autograd_lib.engine.ops import activations
from autograd_lib.engine.ops import logsumexp as shifted
from autograd_lib.hips.extend import defvjp, primitive

ERFC = np.frompyfunc(math.erfc, 1, 1)
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
SHIFT = 10  # above it Stirling's series is exact to the last digit
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


def array(x: Any) -> Any:
    """Return a tensor as it is, and anything else as an array of floats."""
    return x if isinstance(x, Tensor) else np.asarray(x, float)


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the logarithm of the sum of exp(x), without overflow."""
    found = shifted.logsumexp(x, axis=axis, keepdims=keepdims)
    return found if isinstance(x, Tensor) else found.data[()]


def expit(x: Any) -> Any:
    """Return the logistic function 1 / (1 + exp(-x)), without overflow."""
    found = activations.sigmoid(array(x))
    return found if isinstance(x, Tensor) else found.data[()]


def gammaln(x: Any) -> Any:
    """Return the logarithm of the gamma function of numbers above 0, NaN for others.

    By Stirling's series at x + 10 (Abramowitz and Stegun, 6.1.41), and from there down
    by Γ(x + 1) = x Γ(x). Derivatives are those of the formula.
    """
    x = array(x)
    z = np.where(x > 0, x, np.nan) + float(SHIFT)
    series = sum(c / z ** (2 * k + 1) for k, c in enumerate(STIRLING))
    down = sum(np.log(z - k) for k in range(1, SHIFT + 1))
    return (z - 0.5) * np.log(z) - z + HALF_LOG_2PI + series - down


class norm:
    """The normal density, with SciPy's names and arguments."""

    @staticmethod
    def logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
        """Return the logarithm of the density at x, element by element."""
        z = (array(x) - loc) / scale
        return -0.5 * z * z - HALF_LOG_2PI - np.log(scale)

    @staticmethod
    def pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
        """Return the density at x."""
        return np.exp(norm.logpdf(x, loc, scale))

    @staticmethod
    def cdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
        """Return the probability of a number up to x."""
        return below((array(x) - loc) / scale)


@primitive
def below(z: Any) -> Any:
    """Return the standard normal probability, exact in its last digits at both ends."""
    return 0.5 * np.asarray(ERFC(-z / math.sqrt(2.0)), float)[()]


defvjp(below, lambda ans, z: lambda g: g * norm.pdf(z))


class multivariate_normal:
    """The normal density of vectors, with SciPy's names and arguments."""

    @staticmethod
    def logpdf(x: Any, mean: Any, cov: Any) -> Any:
        """Return the logarithm of the density at x, of shape (…, n).

        Args:
            x: the points; a number, or a vector of them, if n is 1.
            mean: of shape (n,), or one number.
            cov: of shape (n, n), symmetric and positive definite, or one number.
        """
        cov = array(cov)
        n = cov.shape[0] if cov.ndim else 1
        apart = array(x) - mean
        if not cov.ndim:
            return norm.logpdf(apart, 0.0, np.sqrt(cov))
        rows = apart.reshape(-1, n)
        solved = np.linalg.solve(cov, rows.T).T
        squares = (rows * solved).sum(axis=-1).reshape(apart.shape[:-1])
        log_det = np.linalg.slogdet(cov)[1]
        return -0.5 * (squares + log_det) - n * HALF_LOG_2PI

    @staticmethod
    def pdf(x: Any, mean: Any, cov: Any) -> Any:
        """Return the density at x."""
        return np.exp(multivariate_normal.logpdf(x, mean, cov))

    @staticmethod
    def entropy(mean: Any, cov: Any) -> Any:
        """Return the entropy in nats; `mean` is not used, as in SciPy."""
        cov = array(cov)
        n = cov.shape[0] if cov.ndim else 1
        log_det = np.linalg.slogdet(cov)[1] if cov.ndim else np.log(cov)
        return 0.5 * log_det + n * (HALF_LOG_2PI + 0.5)


class t:
    """Student's density, with SciPy's names and arguments."""

    @staticmethod
    def logpdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
        """Return the logarithm of the density with `df` degrees of freedom at x."""
        z = (array(x) - loc) / scale
        half = 0.5 * (array(df) + 1.0)
        size = gammaln(half) - gammaln(half - 0.5) - 0.5 * np.log(math.pi * array(df))
        return size - np.log(scale) - half * np.log1p(z * z / df)

    @staticmethod
    def pdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
        """Return the density at x."""
        return np.exp(t.logpdf(x, df, loc, scale))
