"""HIPS autograd's `misc`: one vector for many arrays, optimisers, a fixed point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib import functional
from autograd_lib.check import dotcheck, gradcheck, gradgradcheck
from autograd_lib.engine import Tensor
from autograd_lib.engine.function import Function as Operation

Function = Callable[..., Any]


def flatten(value: Any) -> tuple[Any, Function]:
    """Return the numbers of lists, tuples and dictionaries as one vector.

    Args:
        value: any nesting of them around arrays and numbers; dictionaries by their
            sorted keys.

    Returns:
        the vector, and a function that makes the same nesting of such a vector. Both
        can be differentiated through.

    >>> vector, back = flatten({"b": np.ones((1, 2)), "a": 3.0})
    >>> vector, back(vector * 2)
    (array([3., 1., 1.]), {'a': np.float64(6.0), 'b': array([[2., 2.]])})
    """
    pieces: list[Any] = []
    rebuild = taken_apart(value, pieces)
    vector = np.concatenate(pieces) if pieces else np.zeros(0)

    def unflatten(vector: Any) -> Any:
        if np.shape(vector) != (size,):
            raise ValueError(
                f"unflatten: the vector has {size} numbers, got the shape "
                f"{np.shape(vector)}; give one of shape ({size},)"
            )
        return rebuild(vector)

    size = len(vector)
    return vector, unflatten


def taken_apart(value: Any, pieces: list[Any]) -> Function:
    """Add a value's arrays to `pieces`; return what makes it of the whole vector."""
    if isinstance(value, dict):
        parts = {key: taken_apart(value[key], pieces) for key in sorted(value)}
        return lambda vector: {key: part(vector) for key, part in parts.items()}
    if isinstance(value, list | tuple):
        kind, members = type(value), [taken_apart(v, pieces) for v in value]
        return lambda vector: kind([member(vector) for member in members])
    array = value if isinstance(value, Tensor) else np.asarray(value, float)
    start, shape = sum(len(piece) for piece in pieces), array.shape
    pieces.append(array.reshape(-1))
    end = start + len(pieces[-1])
    return lambda vector: vector[start:end].reshape(shape)[()]


def flatten_func(func: Function, example: Any) -> tuple[Function, Function, Any]:
    """Return `func` on vectors, the function back from them, and the example as one."""
    vector, unflatten = flatten(example)

    def of_vector(x: Any, *args: Any) -> Any:
        return flatten(func(unflatten(x), *args))[0]

    return of_vector, unflatten, vector


def check_grads(
    f: Function, modes: tuple[str, ...] = ("fwd", "rev"), order: int = 2
) -> Function:
    """Return a function of the arguments that compares derivatives with differences.

    Args:
        f: a function of arrays and of lists, tuples and dictionaries of them.
        modes: "fwd" checks forward mode against reverse mode, which is always checked.
        order: 2 checks the second derivatives too.

    Raises:
        WrongGradient: from the function, as `gradcheck` and `dotcheck`.
    """

    def check_at(*args: Any) -> None:
        of_vector, _, vector = flatten_func(lambda args: f(*args), args)
        (gradgradcheck if order > 1 else gradcheck)(of_vector, vector)
        if "fwd" in modes:
            dotcheck(of_vector, vector)

    return check_at


def on_trees(optimise: Function) -> Function:
    """Turn an optimiser of one vector into one of any nesting of arrays."""

    def optimise_tree(
        grad: Function, x0: Any, callback: Function | None = None, **options: Any
    ) -> Any:
        vector, back = flatten(x0)

        def gradient(x: np.ndarray, i: int) -> np.ndarray:
            return np.asarray(flatten(arrays(grad(back(x), i)))[0])

        def report(x: np.ndarray, i: int, g: np.ndarray) -> None:
            if callback:
                callback(back(x), i, back(g))

        return back(optimise(gradient, vector, report, **options))

    optimise_tree.__name__, optimise_tree.__doc__ = optimise.__name__, optimise.__doc__
    return optimise_tree


def arrays(gradients: Any) -> Any:
    """Return a tree of gradients without their graph."""
    return functional.tree.map(lambda g: getattr(g, "data", g), gradients)


@on_trees
def sgd(
    grad: Function,
    x: np.ndarray,
    callback: Function,
    num_iters: int = 200,
    step_size: float = 0.1,
    mass: float = 0.9,
) -> np.ndarray:
    """Descend with momentum; return the point that is reached.

    Args:
        grad: ``grad(x, i)`` returns the gradient at step i, of the structure of x.
        x: where to start: any nesting of lists, tuples and dictionaries.
        callback: ``callback(x, i, gradient)`` is called before each step.
        num_iters: the number of steps.
        step_size: the rate.
        mass: the share of the velocity that stays; its rest is the gradient's.
    """
    velocity = np.zeros_like(x)
    for i in range(num_iters):
        g = grad(x, i)
        callback(x, i, g)
        velocity = mass * velocity - (1.0 - mass) * g
        x = x + step_size * velocity
    return x


@on_trees
def rmsprop(  # noqa: PLR0913 (HIPS's arguments)
    grad: Function,
    x: np.ndarray,
    callback: Function,
    num_iters: int = 100,
    step_size: float = 0.1,
    gamma: float = 0.9,
    eps: float = 1e-8,
) -> np.ndarray:
    """Divide each step by the root of a running mean of the squared gradients.

    Arguments as in `sgd`; `gamma` is the share of that mean which stays, and `eps` is
    added to the root. The mean begins at 1.
    """
    mean = np.ones_like(x)
    for i in range(num_iters):
        g = grad(x, i)
        callback(x, i, g)
        mean = gamma * mean + (1 - gamma) * g**2
        x = x - step_size * g / (np.sqrt(mean) + eps)
    return x


@on_trees
def adam(  # noqa: PLR0913 (HIPS's arguments)
    grad: Function,
    x: np.ndarray,
    callback: Function,
    num_iters: int = 100,
    step_size: float = 0.001,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
) -> np.ndarray:
    """Adam (D. Kingma and J. Ba, 2015), with the arguments of `sgd`.

    `b1` and `b2` are the shares of the two running means that stay in each step.
    """
    m, v = np.zeros_like(x), np.zeros_like(x)
    for i in range(num_iters):
        g = grad(x, i)
        callback(x, i, g)
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g**2
        m_hat, v_hat = m / (1 - b1 ** (i + 1)), v / (1 - b2 ** (i + 1))
        x = x - step_size * m_hat / (np.sqrt(v_hat) + eps)
    return x


def fixed_point(f: Function, a: Any, x0: Any, distance: Function, tol: float) -> Any:
    """Return the point that ``f(a)`` maps to itself, found by repeating it.

    Its derivative with respect to `a` is that of the implicit equation x = f(a)(x):
    the gradient w at x solves w = g + (∂f/∂x)ᵀ w, by repetition too.

    Args:
        f: ``f(a)`` returns a function of x.
        a: an array or a tree of arrays.
        x0: where to start, an array or a number.
        distance: ``distance(x, before)`` returns a number.
        tol: the distance at which to stop.
    """
    leaves, structure = functional.tree.flatten(a)

    def step(x: Any, *leaves: Any) -> Any:
        return f(structure.unflatten(list(leaves)))(x)

    return FixedPoint.apply(step, x0, distance, tol, *leaves)


def as_tensor(leaf: Any) -> Tensor:
    """Return a tensor as it is, and anything else as a constant one."""
    return leaf if isinstance(leaf, Tensor) else Tensor(np.asarray(leaf, float))


class FixedPoint(Operation):
    """The end of a repetition, as one operation of what its step depends on."""

    @staticmethod
    def forward(
        ctx: Any, step: Function, x0: Any, distance: Function, tol: float, *a: Any
    ) -> Tensor:
        fixed = [leaf.detach() if isinstance(leaf, Tensor) else leaf for leaf in a]
        before, x = x0, step(x0, *fixed)
        while float(distance(x, before)) > tol:
            before, x = x, step(x, *fixed)
        end = Tensor(np.asarray(getattr(x, "data", x)))
        ctx.step, ctx.distance, ctx.tol, ctx.count = step, distance, tol, len(a)
        ctx.save_for_backward(*map(as_tensor, a), end)
        return end

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        (g,) = gradients
        *a, x = ctx.saved_tensors

        def back(w: Any, x: Any, g: Any, *a: Any) -> Any:
            _, pullback = functional.vjp(lambda x: ctx.step(x, *a), x)
            return pullback(w)[0] + g

        zero = np.zeros(g.shape)
        w = FixedPoint.apply(back, zero, ctx.distance, ctx.tol, x, g, *a)
        _, pullback = functional.vjp(lambda *a: ctx.step(x, *a), *a)
        return None, None, None, None, *pullback(w)
