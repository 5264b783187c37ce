"""HIPS autograd's transforms: `argnum`, and arrays for results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lib import functional
from autograd_lib.engine import Tensor
from autograd_lib.functional import tree

Function = Callable[..., Any]
Argnum = int | tuple[int, ...] | list[int]


def plain(results: Any) -> Any:
    """Return a tree of results with arrays for its constants, floats for shape ().

    What a transform around this one depends on stays a tensor.
    """
    return tree.map(as_array, results)


def as_array(leaf: Any) -> Any:
    """Return a tensor's array unless it is recorded, and anything else unchanged."""
    if isinstance(leaf, Tensor) and not leaf.requires_grad:
        return leaf.data[()]
    return leaf


def argnums(argnum: Argnum) -> int | tuple[int, ...]:
    """Return HIPS's `argnum` in the form of `functional`."""
    return tuple(argnum) if isinstance(argnum, list) else argnum


def giving_arrays(transform: Function, fun: Function, argnum: Argnum) -> Function:
    """Return the transform of a function, with arrays for its results."""
    of_tensors = transform(fun, argnums(argnum))

    def of_arrays(*args: Any, **kwargs: Any) -> Any:
        return plain(of_tensors(*args, **kwargs))

    of_arrays.__name__ = of_arrays.__qualname__ = of_tensors.__name__
    return of_arrays


def grad(fun: Function, argnum: Argnum = 0) -> Function:
    """Return a function that gives the gradient of `fun` as arrays.

    Args:
        fun: returns one number, calculated with NumPy.
        argnum: which of its positional arguments; of several the gradient is a tuple.

    Raises:
        TypeError, ValueError: when called, as `functional.grad` does.

    >>> grad(lambda x, y: x * y**2, argnum=1)(2.0, 3.0)
    np.float64(12.0)
    """
    return giving_arrays(functional.grad, fun, argnum)


def value_and_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """Return a function that gives the value of `fun` and its gradient, as arrays.

    SciPy takes it: ``minimize(value_and_grad(f), x0, jac=True)``.
    """
    return giving_arrays(functional.value_and_grad, fun, argnum)


def elementwise_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """Return a function that gives the gradient of the sum of the result of `fun`."""
    return giving_arrays(functional.elementwise_grad, fun, argnum)


def jacobian(fun: Function, argnum: Argnum = 0) -> Function:
    """Return a function that gives the Jacobian, of shape result + argument."""
    return giving_arrays(functional.jacobian, fun, argnum)


def hessian(fun: Function, argnum: Argnum = 0) -> Function:
    """Return a function that gives the Hessian, of shape argument + argument."""
    return giving_arrays(functional.hessian, fun, argnum)


def hessian_vector_product(fun: Function, argnum: int = 0) -> Function:
    """Return a function of the arguments and a vector that gives their product.

    The vector comes last, and has the shape of the argument. The product is the
    gradient of ``(grad(fun) * vector).sum()``.

    >>> hessian_vector_product(lambda x: x**3)(2.0, 10.0)
    np.float64(120.0)
    """
    gradient = functional.grad(fun, argnum)

    def along(*args: Any, **kwargs: Any) -> Any:
        *primals, vector = args

        def slope(*primals: Any) -> Any:
            found = tree.map(
                lambda g, v: (g * v).sum(), gradient(*primals, **kwargs), vector
            )
            return sum(tree.leaves(found))

        return plain(functional.grad(slope, argnum)(*primals))

    return along


def make_vjp(fun: Function, argnum: int = 0) -> Function:
    """Return a function of the arguments that gives a VJP and the result.

    ``make_vjp(f)(x)`` returns ``vjp`` and ``f(x)``; ``vjp(g)`` returns the gradient for
    a gradient `g` of the result, as often as it is called.
    """

    def vjp_at(*args: Any, **kwargs: Any) -> tuple[Function, Any]:
        def of_one(x: Any) -> Any:
            return fun(*args[:argnum], x, *args[argnum + 1 :], **kwargs)

        ans, pullback = functional.vjp(of_one, args[argnum])
        return lambda g: plain(pullback(g)[0]), plain(ans)

    return vjp_at
