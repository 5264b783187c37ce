"""A tensor as Python numbers, as text, and as a plain array (chapter 10).

A number has no gradient. `t.item()` and `f"{t:.3f}"` ask for one explicitly and return
a constant. `float(t)` and the functions of `math`, which call it, return it with a
warning, once for each place, as in PyTorch: `math.exp(t)` may be meant to be
differentiated. Making an array, or putting a number into one, would lose a gradient
silently, so it raises an error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dis import get_instructions
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.numpy.callers import (
    caller_in_numpy,
    frame_above,
    is_called,
    is_write,
)
from autograd_lib.engine.tape.mode import is_recording

NUMPYS_WORDS = "setting an array element with a sequence"
COMPARING = ("numpy.array_equal", "numpy.array_equiv")
"""They treat any error as a difference; and True and False have no gradient to lose."""


class Conversions:
    """Methods that convert a tensor to something else."""

    _array: np.ndarray
    node: Any

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._array.nbytes

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, by axis."""
        return self._array.strides

    @property
    def flags(self) -> Any:
        """The memory layout of the array."""
        return self._array.flags

    @property
    def size(self) -> int:
        """How many elements it has, a number.

        Raises:
            TypeError: if it is called, as in PyTorch.
        """
        if is_called(sys._getframe(1)):
            raise TypeError(
                "a tensor's size is a number, and is not called: t.size() of PyTorch "
                "is t.shape here, and t.size(1) of PyTorch is t.shape[1] here"
            )
        return self._array.size

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self.node is not None and is_recording():
            frame = frame_above(__name__)
            if caller_in_numpy(frame) not in COMPARING:
                refuse_array(self, frame)
        array: np.ndarray = np.array(self._array, dtype=dtype, copy=True)
        return array

    def numpy(self) -> np.ndarray:
        """Return the array itself, unless the tensor needs a gradient."""
        return constant_array(self, "numpy()")

    def item(self, *index: Any) -> Any:
        """Return the only element, or the one at `index`, as a Python number.

        It has no gradient.
        """
        return self._array.item(*index) if index else only_element(self, "item")

    def tolist(self) -> Any:
        """Return the elements as Python numbers, in nested lists."""
        return self._array.tolist()

    def __float__(self) -> float:
        return float(number_for(self, "float"))

    def __int__(self) -> int:
        return int(number_for(self, "int"))

    def __complex__(self) -> complex:
        return complex(number_for(self, "complex"))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu":
            raise TypeError(
                f"a tensor of {self._array.dtype} is no index; only integers are"
            )
        return int(only_element(self, "an index"))

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise ValueError(
                f"bool: a tensor of shape {self._array.shape} is not one truth value; "
                "use np.any(t), np.all(t), or t.size for whether it has elements"
            )
        return bool(self._array)

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        if self._array.size != 1:
            raise TypeError(
                f"format: {spec!r} is for one number, and a tensor of shape "
                f"{self._array.shape} has several; format its elements, or use "
                "np.array2string(t.data, precision=4)"
            )
        return format(self._array.item(), spec)

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len: a tensor of shape () has no axis to count along")
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        if self._array.ndim == 0:
            raise TypeError("a tensor of shape () has no items to go through")
        tensor: Any = self
        return (tensor[i] for i in range(len(self._array)))

    def __contains__(self, item: Any) -> bool:
        tensor: Any = self
        return bool(np.any(tensor == item))


def only_element(tensor: Any, who: str) -> Any:
    """Return a tensor's only element.

    Raises:
        ValueError: if it has none, or several.
    """
    if tensor._array.size != 1:
        raise ValueError(
            f"{who}: a tensor of shape {tensor._array.shape} has no one element; "
            "tolist() returns all"
        )
    return tensor._array.item()


def number_for(tensor: Any, who: str) -> Any:
    """Return the only element, unless NumPy would write it into an array.

    Python asks for a number in ``float(t)`` as NumPy does in ``a[0] = t``. `int` does
    not warn, since an integer has no gradient.

    Raises:
        TypeError: if an array would get it, and the tensor needs a gradient.
    """
    if tensor.node is None or not is_recording():
        return only_element(tensor, who)
    frame = sys._getframe(2)
    called = caller_in_numpy(frame)
    if (is_write(frame) or called) and called not in COMPARING:
        refuse_array(tensor, frame)
    number = only_element(tensor, who)
    if not called and who != "int":
        warnings.warn(
            f"{who}(t) of a tensor that requires a gradient is a number without one, "
            "so what follows from it is a constant. If that is meant, write t.item() "
            "or t.detach(); if not, stay with tensors, such as np.exp(t) for "
            "math.exp(t)",
            stacklevel=3,
        )
    return number


def constant_array(tensor: Any, who: str) -> np.ndarray:
    """Return a tensor's array, unless a gradient would be lost.

    Raises:
        TypeError: if the tensor needs a gradient.
    """
    if tensor.node is not None:
        lost(who, tensor, "use the operations that tensors have")
    array: np.ndarray = tensor._array
    return array


def refuse_array(tensor: Any, frame: Any) -> NoReturn:
    """Raise TypeError because the frame makes an array from a tensor's numbers."""
    called = caller_in_numpy(frame)
    if called == "numpy.r_ and numpy.c_":
        lost(
            called, tensor, "np.concatenate joins tensors, and np.stack(…, -1) columns"
        )
    if called:
        way = "it takes arrays; of a list of tensors, or of lists of them, row by row, "
        lost(called, tensor, way + "np.stack makes one tensor")
    if is_write(frame):
        way = "write into a tensor, such as Tensor(a), or put results together with "
        lost("a write into an array", tensor, way + "np.stack")
    if frame.f_globals.get("__name__", "").startswith("autograd_lib."):
        lost("a list of tensors", tensor, "np.stack makes one tensor of a list of them")
    other, way = of_another(frame)
    if other:
        lost(other, tensor, way)
    way = "a tensor goes into NumPy's functions as it is, and np.stack makes one of a "
    lost("numpy.array and what else makes arrays", tensor, way + "list of tensors")


DRAWS = {
    "normal": "write mean + std * rng.normal(size=mean.shape)",
    "uniform": "write low + (high - low) * rng.random(low.shape)",
    "exponential": "write scale * rng.exponential(size=scale.shape)",
}
SCIPYS = {
    "solve_triangular": "write np.linalg.solve(np.tril(a), b), or with np.triu",
    "logsumexp": "write t.logsumexp(axis)",
    "softmax": "write t.softmax(axis)",
    "log_softmax": "write t.log_softmax(axis)",
    "cho_solve": "write np.linalg.solve(a, b)",
    "__matmul__": "write a.toarray() @ t for a sparse matrix a",
}


def of_another(frame: Any) -> tuple[str, str]:
    """Return who asks for an array, if it is no function of NumPy's, and what to write.

    Of generators the call is found in the line's code; SciPy and pandas have frames.
    """
    called: list[str] = []
    name = str(frame.f_globals.get("__name__", ""))
    library = name.partition(".")[0]
    while library in ("scipy", "pandas") and name.startswith(library):
        wrapped = frame.f_locals.get("f")  # by SciPy's decorators, which ask first
        called.append(getattr(wrapped, "__name__", frame.f_code.co_name))
        frame = frame.f_back
        name = str(frame.f_globals.get("__name__", ""))
    if library == "pandas":
        return library, "write series.to_numpy(), or put the tensor first"
    if called:
        known = next((n for n in called if n in SCIPYS), called[-1])
        way = (
            "functions of numpy.linalg take tensors, and scipy.special's can be given "
        )
        way += "a derivative with @ag.operation"
        return f"scipy: {known}", SCIPYS.get(known, way)
    asked = [i for i in get_instructions(frame.f_code) if i.offset <= frame.f_lasti]
    drawn = [i.argval for i in asked[-16:] if i.argval in DRAWS]
    return (drawn[-1], DRAWS[drawn[-1]]) if drawn else ("", "")


@contextmanager
def own_words() -> Iterator[None]:
    """Raise a tensor's own error where NumPy hides it behind its own words.

    NumPy reports any error in ``a[0] = t`` as "setting an array element with a
    sequence".
    """
    try:
        yield
    except ValueError as error:
        said = error.__cause__
        if isinstance(said, TypeError) and str(error).startswith(NUMPYS_WORDS):
            raise type(said)(str(said)).with_traceback(error.__traceback__) from None
        raise


def lost(who: str, tensor: Any, way: str) -> NoReturn:
    """Raise TypeError because a gradient would be lost."""
    raise TypeError(
        f"{who}: would lose the gradient of a tensor that needs one, of shape "
        f"{tensor._array.shape}; {way}, or t.detach() for a constant"
    )
