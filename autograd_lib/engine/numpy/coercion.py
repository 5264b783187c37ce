"""Conversion of data and operands to arrays of numbers (chapter 10)."""

from __future__ import annotations

from types import EllipsisType
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.conversion import constant_array
from autograd_lib.engine.numpy.operands import refuse_subclass
from autograd_lib.engine.numpy.protocol import gradient_needed
from autograd_lib.engine.tape.gradient import wrong
from autograd_lib.engine.tape.node import Node, Rule, name_of
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.tape.walk import is_part
from autograd_lib.spelling import explain_keywords


def copied(data: Any, dtype: Any) -> np.ndarray:
    """Return the data for a new tensor as a new array.

    Raises:
        TypeError: if the data isn't numeric, or needs a gradient.
        ValueError: if lists within a list differ in length.
    """
    refuse_subclass("Tensor: the data", data)
    if isinstance(data, Tensor):
        data = constant_array(data, "Tensor()")
    try:
        array = numpy().array(data, subok=False)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
    except TypeError:
        if not gradient_needed(data):
            raise
        raise TypeError(
            "Tensor(): would lose the gradient of a tensor that needs one, in a list; "
            "np.stack makes one tensor of a list of them, of lists in a list row by "
            "row, or t.detach() for a constant"
        ) from None
    else:
        return numbers(array, "Tensor", dtype, data)
    raise ValueError(
        "Tensor: the lists within the list differ in length or depth, so they make no "
        f"array: {data!r:.60}; fill them up, or make a tensor of each"
    )


def numbers(
    array: np.ndarray, where: str, dtype: Any = None, data: Any = ...
) -> np.ndarray:
    """Return an array in the given type, if it holds numbers or truth values.

    Args:
        array: the array.
        where: the function that needs numbers, for messages.
        dtype: the type wanted.
        data: what the array was made from, if that wasn't an array.

    Raises:
        TypeError: if it holds anything else, or complex numbers although real ones are
            wanted.
    """
    wanted = array.dtype if dtype is None else np.dtype(dtype)
    for kind in (array.dtype, wanted):
        if kind.kind in "fiubc":
            continue
        got = f"an array of {kind}"
        if not isinstance(data, np.ndarray | EllipsisType) and kind is array.dtype:
            got = f"{data!r:.60}"
        objects = kind.kind == "O" and array.size > 0
        whole = objects and all(isinstance(x, int) for x in array.flat)
        way = "; of whole numbers with more than 64 bits make floats" if whole else ""
        raise TypeError(f"{where}: needs numbers, got {got}{way}")
    if array.dtype.kind == "c" and wanted.kind != "c":
        raise TypeError(
            f"{where}: {wanted} cannot hold complex numbers; give it their .real, "
            ".imag or np.abs(...)"
        )
    return array.astype(wanted, copy=False)


def plain(v: Node, p: Node, rule: Rule, d: Any) -> np.ndarray:
    """Return a rule's result as an array, if it is a number or an array of a subclass.

    Raises:
        RuntimeError: if it is neither.
        TypeError: if the subclass carries more than numbers, such as a mask.
    """
    if is_part(d):
        return d.whole()  # type: ignore[no-any-return]
    if not isinstance(d, np.generic | float):
        refuse_subclass(f"backward: what the rule {name_of(rule)} returned", d)
        if not isinstance(d, np.ndarray):
            wrong(v, p, rule, "None" if d is None else type(d).__name__)
    return numpy().asarray(d)


def memory_of(array: np.ndarray) -> np.ndarray:
    """Return the array that owns an array's memory."""
    base: Any = array.base
    while base is not None:
        if isinstance(base, np.ndarray):
            array = base
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    return array


@explain_keywords
def tensor(data: Any, *, requires_grad: bool = False, dtype: Any = None) -> Tensor:
    """Return ``Tensor(data, requires_grad, dtype)``, under PyTorch's name.

    Python's floats become float64, as in NumPy; in PyTorch they become float32. The
    layers of `nn` hold float32, so their inputs should have ``dtype=np.float32``.
    """
    return Tensor(data, requires_grad, dtype)


def from_numpy(array: np.ndarray) -> Tensor:
    """Return a tensor that shares an array's memory.

    Raises:
        TypeError: if `array` isn't an array of numbers.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"from_numpy: shares an array, got {type(array).__name__}; Tensor(data) "
            "copies what is not one"
        )
    refuse_subclass("from_numpy: the array", array)
    return constant(numbers(numpy().asarray(array), "from_numpy"))


def operand(x: Any) -> Any:
    """Return an operand that is neither a tensor nor an array as numbers.

    Raises:
        TypeError: if it isn't numeric, or is an instance of an array subclass that
            carries more than numbers, such as a mask.
    """
    refuse_subclass("an operand", x)
    if x.__class__ in (int, float):  # a number that `compile` records
        return x
    converted = numpy().asarray(x)
    if converted.dtype.kind not in "fiubc":
        raise TypeError(
            f"an operand must be a tensor, an array or a number, got {x!r:.60}; "
            "where a list holds tensors, np.stack makes one of them"
        )
    return x if isinstance(x, bool | complex | np.generic) else converted
