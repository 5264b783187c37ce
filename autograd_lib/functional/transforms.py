"""Derivatives as functions of functions (chapter 20).

`grad(f)` is a function too, so it can be passed to `grad`, or to any other transform,
in any order and depth, whether the engine is recording or not. The argument of f may be
a tensor, a float, an array of floats, or any `tree` of these, such as a dictionary of
weights or a module; derivatives are tensors in the same structure. No `.grad` is read
or changed.

An argument z = x + iy may be complex, if every operation supports that. The gradient
of a real result f is then ∂f/∂x - i·∂f/∂y. For f = Re(h) and an analytic h this is the
derivative h′(z). Its conjugate, which is PyTorch's `.grad`, is the direction of
steepest ascent.

The names and arguments are JAX's, and `elementwise_grad` is HIPS autograd's. The
differences:

=============== ============================ ======================================
..              JAX, HIPS autograd           here
=============== ============================ ======================================
results         arrays; floats in HIPS       tensors, connected with what outside they
                                             depend on, else constants
result of f     shape (), in HIPS size 1     a tensor with one element; a Python number
                                             or an array is refused: ``float(t)`` would
                                             have lost the gradient
`argnums`       HIPS: `argnum`               JAX's name
dictionaries    JAX sorts the keys           keep their order; another order fits
models          not known                    leaves are the parameters; the gradient is
                                             a dictionary by their names
``no_grad``     not known                    around a transform: the result is a
                                             constant; inside: what it covers is one
`jacobian`      ``jax.jacrev``               HIPS's name; reverse mode, also on trees
complex         JAX: ``holomorphic=True``,   f returns a real number; the gradient is
numbers         also in `jacobian`; HIPS:    ∂f/∂x - i·∂f/∂y, as in both; `jacobian` and
                `holomorphic_grad`           `hessian` refuse them
`hvp`, `vhp`    a recipe of JAX's cookbook;  the recipe's arguments; of one primal the
                hessian_vector_product       product itself, of several a tuple
=============== ============================ ======================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograd_lib.functional.run import (
    Argnums,
    Function,
    Run,
    check_argnums,
    name_of,
)
from autograd_lib.spelling import explain_keywords


@explain_keywords
def grad(fun: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives the gradient of `fun`.

    Args:
        fun: returns a tensor with one element.
        argnums: which of its positional arguments, counted from 0, or from the end if
            negative; the gradient of several is a tuple.
        has_aux: whether `fun` returns a pair of the result and auxiliary data; then the
            gradient function returns a pair, too.

    Raises:
        TypeError: when called, if the arguments are not floating-point or complex, or
            the result isn't a tensor of real numbers.
        ValueError: when called, if the result has more than one element, or an
            argument is missing or has no leaves.

    >>> float(grad(grad(lambda x: x**3))(2.0))
    12.0
    >>> grad(lambda w: w["a"] * w["b"] ** 2)({"b": 3.0, "a": 2.0})
    {'b': Tensor(12.), 'a': Tensor(9.)}
    """
    check_argnums(f"grad({name_of(fun)})", argnums)
    both = value_and_grad(fun, argnums, has_aux)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return named(gradient, "grad", fun, argnums)


@explain_keywords
def value_and_grad(
    fun: Function, argnums: Argnums = 0, has_aux: bool = False
) -> Function:
    """Return a function that gives the value of `fun` and its gradient, like `grad`.

    With `has_aux` it gives ``((value, aux), gradient)``.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (Tensor(9.), Tensor(6.))
    """

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        run = Run.of("grad", fun, args, kwargs, argnums, has_aux)
        value = run.outside(run.only_number())
        found = run.gradient(run.back(run.ones()))
        return ((value, run.aux) if has_aux else value), found

    return named(value_and_gradient, "value_and_grad", fun, argnums)


@explain_keywords
def elementwise_grad(fun: Function, argnums: Argnums = 0) -> Function:
    """Return a function that gives the gradient of the sum of the result of `fun`.

    If `fun` works element by element, this is the derivative at each element.

    >>> import numpy as np
    >>> elementwise_grad(lambda x: x**2)(np.array([1.0, 2.0, 3.0]))
    Tensor([2., 4., 6.])
    """

    def gradient(*args: Any, **kwargs: Any) -> Any:
        run = Run.of("elementwise_grad", fun, args, kwargs, argnums)
        run.real_results()
        return run.gradient(run.back(run.ones()))

    return named(gradient, "elementwise_grad", fun, argnums)


@explain_keywords
def vjp(fun: Function, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return ``fun(*primals)``, and a function for vector-Jacobian products.

    Args:
        fun: returns a tensor, or a tree of them.
        primals: its arguments.
        has_aux: as in `grad`.

    Returns:
        The result and ``pullback``, and with `has_aux` the auxiliary data that `fun`
        returned. ``pullback(cotangents)`` takes a tree of the result's structure and
        shapes, and returns a tuple with the product for each primal. It may be called
        again: it keeps the graph alive.

    Raises:
        TypeError: if a primal is not floating-point or complex, or a result isn't a
            tensor.
        ValueError: from ``pullback``, if structures or shapes differ.

    >>> import numpy as np
    >>> y, pullback = vjp(lambda x, w: x * w, np.array([1.0, 2.0]), 3.0)
    >>> pullback(np.array([1.0, 10.0]))
    (Tensor([ 3., 30.]), Tensor(21.))
    """
    run = Run.of("vjp", fun, primals, {}, range(len(primals)), has_aux)

    def pullback(cotangents: Any) -> Any:
        weights = run.fitting(cotangents)
        return run.gradient(run.back(weights, retain=True))

    out = run.structure.unflatten([run.outside(y) for y in run.outputs])
    return (out, pullback, run.aux) if has_aux else (out, pullback)


@explain_keywords
def jacobian(fun: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives all derivatives of all results of `fun`.

    For a result of shape (m, …) and an argument of shape (n, …) the Jacobian has shape
    (m, …, n, …). For trees it is a tree of the result's structure with trees of the
    argument's structure as leaves. All rows share one run of `fun`, and each takes a
    backward pass; so it is best for functions with few results.

    Raises:
        TypeError, ValueError: as in `grad`, but the result may have any shape, and no
            argument may be complex.

    >>> import numpy as np
    >>> jacobian(lambda x: x[:2] * x[2])(np.array([1.0, 2.0, 3.0]))
    Tensor([[3., 0., 1.],
            [0., 3., 2.]])
    """

    def table(*args: Any, **kwargs: Any) -> Any:
        run = Run.of("jacobian", fun, args, kwargs, argnums, has_aux)
        run.real_results()
        run.real_inputs()
        found = [run.gradient(run.rows(i)) for i in range(len(run.outputs))]
        result = run.structure.unflatten(found, gradient=True)
        return (result, run.aux) if has_aux else result

    return named(table, "jacobian", fun, argnums)


@explain_keywords
def hessian(fun: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives all second derivatives of `fun`.

    It is the Jacobian of the Jacobian, of shape (n, …, n, …) for a function that maps
    an argument of shape (n, …) to a number; for a tree, a tree of trees.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] ** 2 * x[1])(np.array([3.0, 5.0]))
    Tensor([[10.,  6.],
            [ 6.,  0.]])
    """
    check_argnums(f"hessian({name_of(fun)})", argnums)
    return named(
        jacobian(jacobian(fun, argnums, has_aux), argnums, has_aux), "hessian", fun
    )


@explain_keywords
def hvp(fun: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Return the product of the Hessian of `fun` with a vector.

    It is calculated like `vhp`, because a Hessian is symmetric where the second
    derivatives are continuous (Schwarz). The Hessian itself is never built.

    Args:
        fun: returns a tensor with one element.
        primals: the arguments, in a list or tuple.
        tangents: for each primal a vector, of the same structure and shape.

    Returns:
        The product, in the structure of the primal; of several a tuple.

    Raises:
        TypeError, ValueError: as `grad` and `vjp`.

    >>> import numpy as np
    >>> x, v = np.array([3.0, 5.0]), np.array([1.0, 0.0])
    >>> hvp(lambda x: x[0] ** 2 * x[1], (x,), (v,))
    Tensor([10.,  6.])
    """
    return second_order("hvp", fun, primals, tangents)


@explain_keywords
def vhp(fun: Function, primals: Sequence[Any], cotangents: Sequence[Any]) -> Any:
    """Return the product of a vector with the Hessian of `fun`.

    It is the vector-Jacobian product of the gradient. For several products at one point
    use ``vjp(grad(fun), x)``, which records the gradient once.

    Args:
        fun: returns a tensor with one element.
        primals: the arguments, in a list or tuple.
        cotangents: for each primal a vector, of the same structure and shape.

    Returns:
        The product, in the structure of the primal; of several a tuple.

    Raises:
        TypeError, ValueError: as `grad` and `vjp`.
    """
    return second_order("vhp", fun, primals, cotangents)


def second_order(
    name: str, fun: Function, primals: Sequence[Any], vectors: Sequence[Any]
) -> Any:
    """Return the vector-Jacobian products of a gradient."""
    for what in (primals, vectors):
        if not isinstance(what, list | tuple) or len(what) != len(primals):
            raise TypeError(
                f"{name}({name_of(fun)}): needs a tuple of arguments and a tuple of as "
                f"many vectors, such as (x,) and (v,), got {primals!r:.60} and "
                f"{vectors!r:.60}"
            )
    _, pullback = vjp(grad(fun, range(len(primals))), *primals)
    products = pullback(tuple(vectors))
    return products[0] if len(primals) == 1 else products


def named(
    function: Function, transform: str, fun: Function, argnums: Argnums = 0
) -> Function:
    """Name a function after the transform that made it and its argument."""
    name = f"{transform}({name_of(fun)})"
    check_argnums(name, argnums)
    function.__name__ = function.__qualname__ = name
    return function
