"""Functions with derivatives of one's own, in HIPS autograd's form."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any

import numpy as np

from autograd_lib.engine import Tensor
from autograd_lib.engine.function import Function

Rule = Callable[..., Any] | None

rules: dict[Callable[..., Any], dict[int, Rule]] = {}
"""For each primitive the rule for each argument, by the argument's number."""


def primitive(f_raw: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is recorded as one operation; `defvjp` gives it rules.

    Args:
        f_raw: a function of arrays, which returns one array. Arguments that may have a
            gradient are passed by position.

    Raises:
        NotImplementedError: from a backward pass, if there is no rule.

    >>> from autograd_lib.hips import grad
    >>> cube = primitive(lambda x: x**3)
    >>> defvjp(cube, lambda ans, x: lambda g: g * 3 * x**2)
    >>> grad(cube)(2.0), grad(grad(cube))(2.0)
    (np.float64(12.0), np.float64(12.0))
    """

    @wraps(f_raw)
    def recorded(*args: Any, **kwargs: Any) -> Any:
        if not any(isinstance(arg, Tensor) for arg in args):
            return f_raw(*args, **kwargs)
        return Primitive.apply(recorded, kwargs, *args)

    rules[recorded] = {}
    return recorded


class Primitive(Function):
    """A call of a primitive, as one operation of the engine."""

    @staticmethod
    def forward(ctx: Any, f: Any, kwargs: dict[str, Any], *args: Any) -> Tensor:
        arrays = [arg.data if isinstance(arg, Tensor) else arg for arg in args]
        ans = Tensor(np.asarray(f.__wrapped__(*arrays, **kwargs)))
        ctx.f, ctx.kwargs = f, kwargs
        ctx.args = [None if isinstance(arg, Tensor) else arg for arg in args]
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)), ans)
        return ans

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        (g,) = gradients
        *tensors, ans = ctx.saved_tensors
        waiting = iter(tensors)
        args = [next(waiting) if arg is None else arg for arg in ctx.args]
        found: list[Any] = [None, None]
        for argnum, needed in enumerate(ctx.needs_input_grad[2:]):
            rule = rule_for(ctx.f, argnum) if needed else None
            found.append(rule and as_tensor(rule(ans, *args, **ctx.kwargs)(g)))
        return tuple(found)


def as_tensor(gradient: Any) -> Tensor:
    """Return what a rule gave as a tensor."""
    return gradient if isinstance(gradient, Tensor) else Tensor(np.asarray(gradient))


def defvjp(
    fun: Callable[..., Any], *vjps: Rule, argnums: tuple[int, ...] | None = None
) -> None:
    """Give a primitive its rules.

    Args:
        fun: a result of `primitive`.
        vjps: a rule for each argument, ``lambda ans, *args: lambda g: …``, or None if
            the result does not depend on it. A rule that is written with NumPy can be
            differentiated itself.
        argnums: the numbers of these arguments, if they aren't the first ones.

    Raises:
        TypeError: if `fun` isn't a primitive, or a rule isn't a function.
    """
    name = getattr(fun, "__name__", repr(fun))
    if fun not in rules:
        raise TypeError(
            f"defvjp: {name} is not a primitive; make one, f = primitive({name}), and "
            "give f the rules"
        )
    for argnum, vjp in zip(argnums or count(), vjps, strict=False):
        if vjp is not None and not callable(vjp):
            raise TypeError(
                f"defvjp: the rule of {name} for argument {argnum} is {vjp!r}; give "
                "lambda ans, *args: lambda g: …, or None"
            )
        rules[fun][argnum] = vjp


def rule_for(fun: Callable[..., Any], argnum: int) -> Rule:
    """Return a primitive's rule for an argument; None if it doesn't depend on it."""
    if argnum not in rules[fun]:
        name = getattr(fun, "__name__", repr(fun))
        raise NotImplementedError(
            f"{name}: no rule says how its result moves with argument {argnum}; give "
            f"one by defvjp({name}, …), or None if it does not"
        )
    return rules[fun][argnum]
