"""Derivatives in forward mode: values and tangents go together (chapter 22).

`jvp` is JAX's, `make_jvp` that of HIPS autograd. What is differentiated may be a
tensor, an array, a number, or a tree of these (see `functional.tree`).

Forward mode finds how all outputs move for one direction of the inputs, in some twice
the time of the function, and keeps nothing for later. Reverse mode finds how one output
moves for all inputs. So the first is for few inputs, the second for few outputs.

What is calculated under `no_grad`, or after `detach`, stands still; a tensor that moves
is not written into. Inside a function that `jvp` calls, `grad` and `backward` give
gradients with tangents, and an argument that they ask for is made a leaf before, with
`requires_grad_`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import autograd_lib.functional.tree as tree
from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.forward.tangents import Level
from autograd_lib.engine.leaves.grad_mode import enable_grad
from autograd_lib.engine.numpy.conversion import own_words
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.functional.run import Run
from autograd_lib.functional.transforms import grad

Function = Callable[..., Any]
BLOCK = 64  # tangents that go through a function together


def jvp(f: Function, primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Return f at a point, and its derivative there along a direction.

    Args:
        f: a function of tensors.
        primals: its arguments, in a tuple or list; a single one may stand alone.
        tangents: for each how it moves, of the same shape.
        has_aux: whether f returns a pair, of which only the first is differentiated.

    Returns:
        What f returns, and its tangent, of the same structure; and what else f returned
        if `has_aux`. Both are recorded if anything that they are made from is.

    Raises:
        NotImplementedError: if nothing says what an operation does to a tangent.
        TypeError: if a primal is not of floating-point or complex numbers, or the
            tangent of a real one is complex.
        ValueError: if primals and tangents do not fit.

    >>> jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 0.0))
    (Tensor(6.), Tensor(3.))
    """
    xs, vs = arguments("jvp", primals, tangents)
    return swept("jvp", f, xs, vs, has_aux)


def jvps(f: Function, primals: Any, tangents: Any) -> Any:
    """Return f at a point, and its derivatives there along several directions.

    f is called once. What works element by element takes all directions in one step,
    and so do products with a matrix; other operations take one after the other.

    Args:
        f: a function of tensors.
        primals: its arguments, as for `jvp`.
        tangents: for each several, along a new first axis, of one length.

    Returns:
        What f returns, and its tangents, along a first axis.

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

    ``make_jvp(f, argnum)(*args)(v)`` is the value of f and its derivative along `v` in
    the argument of that number.
    """

    def at(*args: Any, **options: Any) -> Function:
        def along(v: Any) -> Any:
            def of_one(x: Any) -> Any:
                return f(*args[:argnum], x, *args[argnum + 1 :], **options)

            return jvp(of_one, (args[argnum],), (v,))

        return along

    return at


def jacfwd(f: Function) -> Function:
    """Return a function that calculates the Jacobian of f, column by column.

    f takes one tensor, of real numbers, and returns one. The Jacobian has the shape of
    the output and then that of the input. Blocks of 64 columns go through f together.
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
    """Return a function that calculates the Jacobian of f the cheaper way.

    f takes one tensor and returns one. Forward mode takes a step for each element of
    the input, which needs no graph; reverse mode, `functional.jacobian`, a step for
    each of the output. So it is forward mode unless there are fewer outputs than
    inputs, and where they are complex.
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
        if y.size < t.size and y.dtype.kind != "c":  # whose rows would be of two parts
            return run.rows(0)[0]
        return jacfwd(f)(t)  # type: ignore[no-any-return]

    return jacobian_at


def grad_and_hvp(f: Function, x: Any, v: Any) -> Any:
    """Return the gradient of f, and the product of its Hessian and `v`, in one sweep.

    It is forward mode over reverse mode: how the gradient moves where x moves along v.

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
    """Return what f returns at xs, and its tangents along vs."""
    level = Level()
    with enable_grad(), level, own_words():
        inputs = [
            tree.map(lambda x, v: level.dual(*fitted(who, x, v, several)), x, v)
            for x, v in zip(xs, vs, strict=True)
        ]
        returned = f(*inputs)
        y, aux = returned if has_aux else (returned, None)
        primal = tree.map(lambda t: level.parts(as_result(t))[0], y)
        tangent = tree.map(lambda t: moved(level, as_result(t), several), y)
        if has_aux:
            aux = tree.map(lambda t: level.parts(t)[0] if type(t) is Tensor else t, aux)
    return (primal, tangent, aux) if has_aux else (primal, tangent)


def moved(level: Level, y: Tensor, several: tuple[int, ...]) -> Tensor:
    """Return the tangent of a result, zeros where it does not move.

    It has an array of its own, which no input and no other result shares.
    """
    primal, tangent = level.parts(y)
    if tangent is None:
        dtype = primal.dtype if primal.dtype.kind in "fc" else float
        return constant(numpy().zeros((*several, *primal.shape), dtype))
    if tangent.node is None:
        return constant(tangent._array.copy())
    return tangent


def arguments(who: str, primals: Any, tangents: Any) -> tuple[list[Any], list[Any]]:
    """Return primals and tangents in lists, where a single one may stand alone."""
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
        TypeError: if it is not of floating-point numbers.
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
        TypeError: if it is complex, so that its two parts may have slopes of their own.
    """
    t = tensor_of(who, x)
    if t.dtype.kind == "c":
        raise TypeError(
            f"{who}: the argument is of {t.dtype}, whose two parts may have slopes of "
            "their own; make it of two real arguments, or use jvp"
        )
    return t


def as_result(y: Any) -> Tensor:
    """Return what a function returned as a tensor."""
    return y if isinstance(y, Tensor) else constant(numpy().asarray(array(y)))
