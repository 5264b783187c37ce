"""Methods that PyTorch's tensors have too, with another meaning (chapter 10).

Names are NumPy's here, and so are meanings. Where a habit from PyTorch would be another
calculation without a word, the method is refused, with both spellings: NumPy's function
of the same name takes what was meant here, and the other is named as well.
"""

from __future__ import annotations

import sys
from functools import wraps
from opcode import opname
from types import FrameType
from typing import Any, NoReturn

from autograd_lib.engine.ops import extremes, norms, repeating, shapes
from autograd_lib.engine.ops.options import refuse_flag
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor

SUBSCRIPTION = 26  # the argument of BINARY_OP for x[i], since Python 3.14


def refuse(name: str, here: str, there: str) -> NoReturn:
    """Raise TypeError with the spelling of NumPy's meaning, and of PyTorch's."""
    raise TypeError(
        f"{name} means one thing in NumPy and another in PyTorch; write {here}, or, as "
        f"PyTorch means it, {there}"
    )


def transpose(x: Tensor, *axes: Any) -> Tensor:
    """Return x with the axes in another order, given as numbers or as a tuple.

    Raises:
        TypeError: if two numbers leave a matrix as it is, where PyTorch exchanges them.
    """
    if len(axes) == 2 == x.ndim and axes in ((0, 1), (-2, -1), (0, -1), (-2, 1)):
        refuse(
            f"transpose: t.transpose{axes} of a matrix",
            f"t.transpose({axes}), which changes nothing",
            f"t.T or t.swapaxes{axes}",
        )
    return shapes.transpose_method(x, *axes)


@wraps(norms.norm)
def norm(x: Tensor, ord: Any = None, *args: Any, **options: Any) -> Tensor:
    """Return a norm, as `numpy.linalg.norm` does.

    Raises:
        TypeError: for a number as `ord` of a matrix without axes: PyTorch takes all
            elements as one vector.
    """
    alone = not args and options.get("axis") is None
    if alone and array(x).ndim == 2 and isinstance(ord, int | float):
        refuse(
            f"norm: t.norm({ord}) of a matrix",
            f"np.linalg.norm(t, {ord}), the norm of the matrix",
            f"np.linalg.norm(t.reshape(-1), {ord}), that of all its elements",
        )
    return norms.norm(x, ord, *args, **options)


@wraps(repeating.repeat)
def repeat(x: Tensor, repeats: Any, *axis: Any, **options: Any) -> Tensor:
    """Return x with its elements, or slices along an axis, repeated.

    Raises:
        TypeError: if no axis is named: PyTorch repeats the whole.
    """
    if "axis" not in options:
        times = ", ".join(map(repr, (repeats, *axis)))
        refuse(
            f"repeat: t.repeat({times})",
            f"np.repeat(t, {times})",
            f"np.tile(t, {(repeats, *axis) if axis else repeats!r})",
        )
    return repeating.repeat(x, repeats, *axis, **options)


@wraps(extremes.max)
def max(x: Tensor, *args: Any, **options: Any) -> Tensor:
    """Return the largest element, or the largest along axes, without their indices.

    Raises:
        TypeError: if an axis is named, and the result taken as a pair of the numbers
            and their indices, which PyTorch returns.
    """
    if args or "axis" in options:
        refuse_pair("max", sys._getframe(1), args, options)
    return extremes.max(x, *args, **options)


@wraps(extremes.min)
def min(x: Tensor, *args: Any, **options: Any) -> Tensor:
    """Return the smallest element, or the smallest along axes, without their indices.

    Raises:
        TypeError: as `max`.
    """
    if args or "axis" in options:
        refuse_pair("min", sys._getframe(1), args, options)
    return extremes.min(x, *args, **options)


def by_name(method: Any, name: str) -> Any:
    """Return a reduction that says what to write for ``t.sum(1, True)`` of PyTorch."""

    @wraps(method)
    def reduction(x: Any, axis: Any = None, *args: Any, **options: Any) -> Any:
        if args and args[0].__class__ is bool:
            refuse_flag(name, args[0])
        return method(x, axis, *args, **options)

    return reduction


def refuse_pair(
    name: str, frame: FrameType, args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """Raise TypeError if the calling line takes a result apart, as a pair."""
    axis = args[0] if args else options["axis"]
    if axis.__class__ is int and takes_pair(frame, bool(args)):
        refuse(
            f"{name}: t.{name}({axis}), whose result is taken apart,",
            f"np.{name}(t, {axis}), the numbers alone",
            f"the pair np.{name}(t, {axis}), np.arg{name}(t, {axis})",
        )


def takes_pair(frame: FrameType, indexed: bool) -> bool:
    """Return whether a frame unpacks two items of what it has called.

    Args:
        frame: the caller, in the middle of a call.
        indexed: whether an index 0 or 1 counts as well, as in ``t.max(1)[0]``.
    """
    code, at = frame.f_code.co_code, frame.f_lasti + 2
    while at < len(code) and opname[code[at]] == "CACHE":
        at += 2
    if at < 2 or at + 2 >= len(code):
        return False
    word, argument = opname[code[at]], code[at + 1]
    if word == "UNPACK_SEQUENCE":
        return argument == 2
    if not indexed or word not in ("LOAD_CONST", "LOAD_SMALL_INT"):
        return False
    index = argument if word != "LOAD_CONST" else frame.f_code.co_consts[argument]
    after, operator = opname[code[at + 2]], code[at + 3]
    taken = after == "BINARY_SUBSCR" or (
        after == "BINARY_OP" and operator == SUBSCRIPTION
    )
    return taken and index.__class__ is int and index in (0, 1)
