"""Derivatives in forward mode: tangents are calculated along with values (chapter 19).

`jvp` is JAX's, `make_jvp` is HIPS autograd's. Arguments may be tensors, arrays,
numbers, or trees of these (see `functional.tree`).

Forward mode gives the derivatives of all outputs along one direction of the inputs, in
about twice the time of the function, and keeps nothing for later. Reverse mode gives
the derivatives of one output with respect to all inputs. So forward mode is best for
few inputs, and reverse mode for few outputs.

Results of `no_grad` or `detach` are constants; a tensor that carries a tangent can't be
written into. Inside a function that `jvp` calls, `grad` and `backward` give gradients
with tangents; an argument that they differentiate with respect to must first be made a
leaf with `requires_grad_`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import autograd_lib.functional.tree as tree
from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.forward.tangents import Level
from autograd_lib.engine.leaves.grad_mode import enable_grad
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.numpy.conversion import own_words
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.functional.run import Run, name_of, pair, refuse_result
from autograd_lib.functional.transforms import grad

Function = Callable[..., Any]
BLOCK = 64  # tangents that are propagated together


def jvp(f: Function, primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Return f at a point, and its derivative there along a direction.

    Args:
        f: a function of tensors.
        primals: its arguments, in a tuple or list; a single one may be given alone.
        tangents: a tangent for each, of the same shape.
        has_aux: whether f returns a pair of the result and auxiliary data.

    Returns:
        The result of f and its tangent, of the same structure; with `has_aux` also the
        auxiliary data. Both are recorded if anything that they are made from is.

    Raises:
        NotImplementedError: if no JVP is declared for an operation.
        TypeError: if a primal is not of floating-point or complex numbers, the tangent
            of a real one is complex, or f returns something other than tensors.
        ValueError: if primals and tangents do not fit.

    >>> jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 0.0))
    (Tensor(6.), Tensor(3.))
    """
    xs, vs = arguments("jvp", primals, tangents)
    return swept("jvp", f, xs, vs, has_aux)


def jvps(f: Function, primals: Any, tangents: Any) -> Any:
    """Return f at a point, and its derivatives there along several directions.

    f is called once. Elementwise operations and products with a matrix map all tangents
    in one step; other operations map one after the other.

    Args:
        f: a function of tensors.
        primals: its arguments, as in `jvp`.
        tangents: several tangents for each, along a new first axis, of one length.

    Returns:
        The result of f, and its tangents, along a first axis.

    >>> jvps(lambda x: x * x, 3.0, [1.0, 10.0])
    (Tensor(9.), Tensor([ 6., 60.]))
    """
    xs, vs = arguments("jvps", primals, tangents)
    lengths: set[Any] = set()
    for x, v in zip(xs, vs, strict=True):
        tree.map(lambda _, v: lengths.add(np.shape(array(v))[:1]), x, v)
    if len(lengths) != 1 or lengths == {()}:
        raise ValueError(
            "jvps: tangents are along a first axis, of the same length for all; got "
            f"lengths {sorted(lengths)}"
        )
    return swept("jvps", f, xs, vs, False, *lengths.pop())


def make_jvp(f: Function, argnum: int = 0) -> Function:
    """Return a function of f's arguments that returns a function of the tangent.

    ``make_jvp(f, argnum)(*args)(v)`` is the value of f and its derivative along `v`
    with respect to the argument of that number.
    """

    def jvp_at(*args: Any, **options: Any) -> Function:
        def along(v: Any) -> Any:
            def of_one(x: Any) -> Any:
                return f(*args[:argnum], x, *args[argnum + 1 :], **options)

            return jvp(of_one, (args[argnum],), (v,))

        return along

    return jvp_at


def jacfwd(f: Function) -> Function:
    """Return a function that calculates the Jacobian of f, column by column.

    f takes one tensor, of real numbers, and returns one. The Jacobian's shape is that
    of the output followed by that of the input. 64 columns are calculated at a time.
    """

    def jacobian_at(x: Any) -> Tensor:
        t = real_tensor_of("jacfwd", x)
        units = np.eye(t.size, dtype=t.dtype).reshape((t.size, *t.shape))
        blocks = [units[i : i + BLOCK] for i in range(0, max(t.size, 1), BLOCK)]
        columns = np.concatenate([jvps(f, t, block)[1] for block in blocks])
        found: Tensor = np.moveaxis(columns, 0, -1)  # type: ignore[assignment]
        return found.reshape((*found.shape[:-1], *t.shape))

    return jacobian_at


def jacobian(f: Function) -> Function:
    """Return a function that calculates the Jacobian of f in the cheaper mode.

    f takes one tensor and returns one. Forward mode takes a step for each element of
    the input, and needs no graph; reverse mode, `functional.jacobian`, takes one for
    each element of the output. So reverse mode is used if the output has fewer elements
    than the input, and isn't complex.
    """

    def jacobian_at(x: Any) -> Tensor:
        t = real_tensor_of("jacobian", x)
        run = Run.of("jacobian", f, (t,), {}, 0)
        if len(run.outputs) != 1:
            raise TypeError(
                f"jacobian: f returns one tensor, got {len(run.outputs)}; "
                "functional.jacobian takes trees of them"
            )
        y = run.outputs[0]
        if y.size < t.size and y.dtype.kind != "c":  # complex rows would have two parts
            return run.rows(0)[0]
        return jacfwd(f)(t)  # type: ignore[no-any-return]

    return jacobian_at


def grad_and_hvp(f: Function, x: Any, v: Any) -> Any:
    """Return the gradient of f, and the product of its Hessian and `v`, in one pass.

    It is forward mode over reverse mode: the tangent of the gradient along v.

    Args:
        f: a function that returns one number.
        x: its argument: a tensor, an array, or a tree of them.
        v: the direction, of the same shapes.

    >>> x, v = np.array([1.0, 2.0]), np.array([1.0, 0.0])
    >>> grad_and_hvp(lambda x: (x * x * x).sum(), x, v)
    (Tensor([ 3., 12.]), Tensor([6., 0.]))
    """
    return jvp(grad(f), (x,), (v,))


def swept(
    who: str, f: Function, xs: list[Any], vs: list[Any], has_aux: bool, *several: int
) -> Any:
    """Return the result of f at xs, and its tangents along vs."""
    level = Level()
    name = f"{who}({name_of(f)})"
    with enable_grad(), level, own_words():
        inputs = [
            tree.map(lambda x, v: level.dual(*fitted(who, x, v, several)), x, v)
            for x, v in zip(xs, vs, strict=True)
        ]
        returned = f(*inputs)
        y, aux = pair(returned, name) if has_aux else (returned, None)
        for part, path in with_paths(y):
            if not isinstance(part, Tensor):
                refuse_result(part, path, name)
        given = [t for x in inputs for t in tree.leaves(x)]

        def primal_of(t: Any) -> Any:
            tensor = type(t) is Tensor
            return apart(level.primal_and_tangent(t)[0], given) if tensor else t

        primal, aux = tree.map(primal_of, y), tree.map(primal_of, aux)
        tangent = tree.map(lambda t: moved(level, t, several), y)
    return (primal, tangent, aux) if has_aux else (primal, tangent)


def apart(t: Tensor, inputs: list[Tensor]) -> Tensor:
    """Return a result in memory of its own, where it shows that of an input."""
    memory = memory_of(t._array)
    shown = any(memory_of(x._array) is memory for x in inputs)
    return np.copy(t) if shown else t  # type: ignore[return-value]


def moved(level: Level, y: Tensor, several: tuple[int, ...]) -> Tensor:
    """Return the tangent of a result, zeros if it is constant.

    An unrecorded tangent gets its own array, shared with no input or other result.
    """
    primal, tangent = level.primal_and_tangent(y)
    if tangent is None:
        dtype = primal.dtype if primal.dtype.kind in "fc" else float
        return constant(numpy().zeros((*several, *primal.shape), dtype))
    if tangent.node is None:
        return constant(tangent._array.copy())
    return tangent


def arguments(who: str, primals: Any, tangents: Any) -> tuple[list[Any], list[Any]]:
    """Return primals and tangents as lists; a single primal may be given alone."""
    if not isinstance(primals, tuple | list):
        return [primals], [tangents]
    if not isinstance(tangents, tuple | list) or len(tangents) != len(primals):
        raise ValueError(
            f"{who}: there are {len(primals)} primals in a {type(primals).__name__}, "
            f"so the tangents are as many, in a tuple or list; got {tangents!r:.60}"
        )
    return list(primals), list(tangents)


def fitted(who: str, x: Any, v: Any, several: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    """Return a primal and its tangent as tensors of one type.

    Raises:
        TypeError: if they are not numbers, the primal is of integers, or the tangent
            of a real primal is complex.
        ValueError: if the tangent has another shape.
    """
    t, moves = tensor_of(who, x), v if isinstance(v, Tensor) else Tensor(v)
    if moves.dtype.kind not in ("fiubc" if t.dtype.kind == "c" else "fiub"):
        raise TypeError(
            f"{who}: the tangent of {t.dtype} is of real numbers, got {moves.dtype}"
        )
    if moves.shape != (*several, *t.shape):
        raise ValueError(
            f"{who}: a primal of shape {t.shape} needs a tangent of shape "
            f"{(*several, *t.shape)}, got {moves.shape}"
        )
    return t, moves if moves.dtype == t.dtype else np.astype(moves, t.dtype)  # type: ignore[call-overload]


def tensor_of(who: str, x: Any) -> Tensor:
    """Return a point as a tensor.

    Raises:
        TypeError: if it isn't made of floating-point or complex numbers.
    """
    t = x if isinstance(x, Tensor) else Tensor(x)
    if t.dtype.kind not in "fc":
        raise TypeError(
            f"{who}: only floating-point numbers move by small steps, got {t.dtype}; "
            "write 1.0 for 1, or use x.astype(float)"
        )
    return t


def real_tensor_of(who: str, x: Any) -> Tensor:
    """Return a point as a tensor of real numbers.

    Raises:
        TypeError: if it is complex: its two parts may have different slopes.
    """
    t = tensor_of(who, x)
    if t.dtype.kind == "c":
        raise TypeError(
            f"{who}: the argument is of {t.dtype}, whose two parts may have slopes of "
            "their own; make it of two real arguments, or use jvp"
        )
    return t


def with_paths(y: Any) -> list[tuple[Any, str]]:
    """Return the parts of a result with their paths; None alone is one part."""
    leaves, structure = tree.flatten(y)
    return list(zip(leaves, structure.paths, strict=True)) or [(y, "")]
