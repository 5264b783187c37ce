"""The gradient of plain code, by running it on boxes (chapter 11).

Who decides to record? In other designs the number does, by its class. Here it is the
caller: `grad(f)` runs f with a box in place of one argument, and what the box touches
is written down. Outside of that, f is the NumPy code it looks like.

After autodidact (M. Johnson and others), the teaching version of HIPS autograd, whose
names these are. Differences: what is wrong is said in words, a trace ends even where
its function fails, and a box that outlives its trace is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy

from autograd_lib.designs import tracing_numpy as np
from autograd_lib.designs.tracing_boxes import Box, Node, name_of, new_trace
from autograd_lib.designs.tracing_boxes import defvjp as defvjp
from autograd_lib.designs.tracing_boxes import getval as getval
from autograd_lib.designs.tracing_boxes import notrace_primitive as notrace_primitive
from autograd_lib.designs.tracing_boxes import primitive as primitive
from autograd_lib.graph import topological_order


def reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its two arguments the other way round."""
    return lambda y, x: function(x, y)


class ArrayBox(Box):
    """A box with an array or a float inside, which it acts like.

    Comparisons return plain arrays. What would lose the gradient in silence raises.
    """

    __slots__ = ()
    __array_priority__ = 100.0  # so that NumPy leaves `array * box` to the box

    __add__, __radd__ = np.add, reflected(np.add)
    __sub__, __rsub__ = np.subtract, reflected(np.subtract)
    __mul__, __rmul__ = np.multiply, reflected(np.multiply)
    __truediv__, __rtruediv__ = np.divide, reflected(np.divide)
    __pow__, __rpow__ = np.power, reflected(np.power)
    __matmul__, __rmatmul__ = np.matmul, reflected(np.matmul)
    __neg__, __abs__, __getitem__ = np.negative, np.absolute, np.getitem
    __eq__, __ne__ = np.equal, np.not_equal
    __lt__, __le__ = np.less, np.less_equal
    __gt__, __ge__ = np.greater, np.greater_equal
    __hash__ = object.__hash__

    sum, mean, dot, transpose = np.sum, np.mean, np.dot, np.transpose
    T = property(np.transpose)
    shape, ndim, size = property(np.shape), property(np.ndim), property(np.size)
    dtype = property(lambda self: numpy.asarray(getval(self)).dtype)

    def reshape(self, *shape: Any) -> Any:
        """Return the elements in another shape."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def __len__(self) -> int:
        return len(getval(self))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(getval(self))

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        loses("NumPy's own functions take arrays")

    def __array_function__(self, function: Callable[..., Any], *_: Any) -> NoReturn:
        loses(f"numpy.{function.__name__} takes arrays")

    def __float__(self) -> NoReturn:
        loses("float() and the functions of math take numbers")

    def __setitem__(self, *_: Any) -> NoReturn:
        raise TypeError(
            "a box: writing into one is not recorded; make a new array instead, such "
            "as where(condition, new, old)"
        )


def loses(what: str) -> NoReturn:
    """Say that a box was given to something that does not know boxes."""
    raise TypeError(
        f"a box: {what} and would lose the gradient; call the function of that name in "
        "autograd_lib.designs.tracing_numpy, or getval(box) for a constant"
    )


def make_vjp(fun: Callable[..., Any], x: Any) -> tuple[Callable[..., Any], Any]:
    """Run a function on a box, and return the way back and the result.

    Args:
        fun: a function of one array, which returns one array.
        x: a float, or an array of them, which is copied: a later write to it changes
            nothing. Inside a traced function also one of its boxes.

    Returns:
        ``vjp`` and ``fun(x)``, where ``vjp(g)`` returns the gradient toward x, of its
        shape and type, for a gradient `g` toward the result. It may be called again.

    Raises:
        TypeError: if `x` is not floats, or `fun` returns no array.
        ValueError: from ``vjp``, if the shape of `g` is not that of the result.

    >>> vjp, y = make_vjp(lambda x: x * x, 3.0)
    >>> float(y), float(vjp(1.0))
    (9.0, 6.0)
    """
    x = x if isinstance(x, Box) else floats(x, fun)
    with new_trace() as trace:
        start = Node(x)
        end = fun(ArrayBox(x, trace, start))
    moves = isinstance(end, Box) and end.trace is trace
    ans = end.value if moves else array_from(end, fun)

    def vjp(g: Any) -> Any:
        g = weights(g, ans, fun)
        return like(x, backward_pass(g, end.node) if moves else np.zeros_like(x))

    return vjp, ans


def backward_pass(g: Any, end: Node) -> Any:
    """Walk back from the end of a trace, and return the gradient at its beginning."""
    grads = {end: g}
    for node in reversed(topological_order(end)):
        g = grads.pop(node)
        for parent, argnum, rule in node.edges:
            part = rule(g, node.ans, *node.args, **node.kwargs)
            if part is None or np.shape(part) != np.shape(parent.ans):
                shape = "nothing" if part is None else f"the shape {np.shape(part)}"
                raise ValueError(
                    f"{node.label}: its rule toward argument {argnum} returned {shape},"
                    f" and the argument has the shape {np.shape(parent.ans)}; a "
                    "gradient has the shape of what it is toward"
                )
            grads[parent] = grads[parent] + part if parent in grads else part
    return g


def grad(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """Return a function that gives the gradient of `fun` toward one of its arguments.

    Where `fun` returns an array, it is the gradient of the sum: of a function that
    works element by element, the derivative at each element.

    Args:
        fun: a function of arrays, written with `tracing_numpy` and operators.
        argnum: which of its positional arguments.

    Raises:
        TypeError: when called, if the argument is missing, or is not floats.

    >>> float(grad(grad(lambda x: x**3))(2.0))
    12.0
    """
    refuse_value(fun)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        at = position(argnum, args, fun)

        def of_one(x: Any) -> Any:
            return fun(*args[:at], x, *args[at + 1 :], **kwargs)

        of_one.__name__ = name_of(fun)
        vjp, ans = make_vjp(of_one, args[at])
        return vjp(np.ones_like(ans))

    gradient.__name__ = f"grad of {name_of(fun)}"
    return gradient


# What is given and returned, as it is needed, or a sentence on what is wrong with it.


def floats(x: Any, fun: Callable[..., Any]) -> Any:
    """Return a copy of an array of floats, or say why there is no gradient toward x."""
    x = numpy.array(x)[()] if isinstance(x, numpy.ndarray | numpy.generic) else x
    kind = getattr(x, "dtype", numpy.dtype(type(x))).kind
    if kind == "f":
        return x
    way = "pass a float or numpy.array(…)"
    if kind in "iub":
        way = "integers have nothing in between to move to; pass 3.0 or x.astype(float)"
    if kind == "c":
        way = "pass the real and the imaginary part as two arguments"
    raise TypeError(
        f"{name_of(fun)}: a gradient is asked for toward {x!r}, which is neither a "
        f"float nor an array of floats; {way}"
    )


def array_from(end: Any, fun: Callable[..., Any]) -> Any:
    """Return what a function returned, if that is an array of numbers."""
    if isinstance(end, Box | numpy.ndarray | numpy.generic | float | int):
        return end
    raise TypeError(
        f"{name_of(fun)}: it returned {end!r}, which is no array; "
        + ("is a return missing?" if end is None else "return one array")
    )


def weights(g: Any, ans: Any, fun: Callable[..., Any]) -> Any:
    """Return a gradient toward a result as an array of floats."""
    if np.shape(g) != np.shape(ans):
        raise ValueError(
            f"vjp of {name_of(fun)}: g has the shape {np.shape(g)}, and the result "
            f"{np.shape(ans)}; give one number for each of the result's"
        )
    return g if isinstance(g, Box) else numpy.asarray(g) * 1.0


def like(x: Any, gradient: Any) -> Any:
    """Return a gradient in the type of what it is toward, unless it is traced."""
    if isinstance(gradient, Box):
        return gradient
    return numpy.asarray(gradient, numpy.asarray(getval(x)).dtype)[()]


def refuse_value(fun: Callable[..., Any]) -> None:
    """Say that something was passed in place of a function."""
    if not callable(fun):
        raise TypeError(
            f"grad: fun must be a function, got {fun!r}; write grad(f)(x) in place of "
            "grad(f(x))"
        )


def position(argnum: int, args: tuple[Any, ...], fun: Callable[..., Any]) -> int:
    """Return the number of an argument, counted from the first one."""
    if not -len(args) <= argnum < len(args):
        raise TypeError(
            f"grad of {name_of(fun)}: argument {argnum}, counted from 0, is not among "
            f"the {len(args)} that were passed by position"
        )
    return argnum % len(args)
