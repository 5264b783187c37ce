"""NumPy's functions, called on tensors (chapter 12; chapter 13 shows how it works).

NumPy asks an argument's class before it works on it: `__array_ufunc__` for elementwise
functions, `__array_function__` for the others. Both look the function up in a table, to
which each operation adds itself. What is not in the table is an error: the gradient
would be lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

OPERATIONS: dict[Any, Callable[..., Any]] = {}  # NumPy's function: ours


class Protocols:
    """What makes NumPy and Python's own functions respect a tensor."""

    __slots__ = ()
    _data: np.ndarray
    node: Any
    __hash__ = object.__hash__

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        if method != "__call__":
            raise NotImplementedError(
                f"numpy.{ufunc.__name__}.{method} does not know tensors; use an "
                "operation that does, such as sum, cumsum or outer, or .detach()"
            )
        if "out" in options:
            raise TypeError(
                f"numpy.{ufunc.__name__}: out= would write over an array without a "
                "record; assign the result instead"
            )
        return operation_for(ufunc)(*inputs, **options)

    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any:
        return operation_for(function)(*args, **options)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        plain(self, "numpy.asarray and code that takes arrays")
        array: np.ndarray = np.array(self._data, dtype=dtype, copy=True)
        return array

    def numpy(self) -> np.ndarray:
        """Return the array, shared; a tensor that needs a gradient is refused."""
        return plain(self, "numpy()")

    def item(self) -> Any:
        """Return the only element as a number of Python."""
        if self._data.size != 1:
            raise ValueError(
                f"item: a tensor of shape {self._data.shape} has no one element"
            )
        return self._data.item()

    def tolist(self) -> Any:
        """Return the elements as numbers of Python, in nested lists."""
        return self._data.tolist()

    def __float__(self) -> float:
        return float(plain(self, "float() and the functions of math").item())

    def __int__(self) -> int:
        return int(plain(self, "int()").item())

    def __complex__(self) -> complex:
        return complex(plain(self, "complex()").item())

    def __index__(self) -> int:
        if self._data.dtype.kind not in "iu":
            raise TypeError(
                f"a tensor of {self._data.dtype} is no index; only integers are"
            )
        return int(self._data.item())

    def __bool__(self) -> bool:
        return bool(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator[Any]:
        if self._data.ndim == 0:
            raise TypeError("a tensor of shape () has no items to go through")
        tensor: Any = self
        return (tensor[i] for i in range(len(self._data)))

    def __contains__(self, item: Any) -> bool:
        return bool((self._data == getattr(item, "_data", item)).any())


def operation_for(function: Any) -> Callable[..., Any]:
    """Return our operation for a function of NumPy.

    Raises:
        NotImplementedError: if there is none, with the way to add it.
    """
    try:
        return OPERATIONS[function]
    except KeyError:
        module = function.__module__ if hasattr(function, "__module__") else "numpy"
        name = f"{(module or 'numpy').split('._')[0]}.{function.__name__}"
        raise NotImplementedError(
            f"{name} has no rule yet, so its gradient would be lost. Write it with the "
            f"operations that tensors have; or add one: decorate a function of tensors "
            f"with @operation({name}) from autograd_lib.primitive; or give it "
            "t.detach().numpy(), for a constant"
        ) from None


def plain(tensor: Any, who: str) -> np.ndarray:
    """Return a tensor's array, for who would lose its gradient.

    Raises:
        TypeError: if the tensor needs a gradient.
    """
    if tensor.node is not None:
        lost(who)
    array: np.ndarray = tensor._data
    return array


def lost(who: str) -> NoReturn:
    """Say that a gradient would be lost."""
    raise TypeError(
        f"{who} would lose the gradient of a tensor that needs one; use NumPy's "
        "function of that name, np.stack to put tensors into one, or t.detach() for a "
        "constant"
    )


def numbers(array: np.ndarray, where: str, dtype: Any = None) -> np.ndarray:
    """Return the array, of a type if one is given, if it holds numbers or truth values.

    Raises:
        TypeError: if it holds anything else.
    """
    wanted = array.dtype if dtype is None else np.dtype(dtype)
    for kind in (array.dtype, wanted):
        if kind.kind not in "fiubc":
            raise TypeError(
                f"{where}: needs numbers, got an array of {kind}; where a list holds "
                "tensors, np.stack makes one of them"
            )
    return array.astype(wanted, copy=False)
