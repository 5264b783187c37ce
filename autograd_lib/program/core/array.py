"""An array that notes what is done with it (chapter 24).

`TracedArray` stands for an array while a program is recorded. It is no subclass of
`numpy.ndarray`: from one, ``numpy.array`` and others take the numbers without asking,
and what is calculated from these would be a constant of the program, wrong at the next
call. Here everything asks: NumPy by its protocols, Python by its methods. Who asks for
numbers is refused in words, so nothing gets into a program unnoticed.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partialmethod
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from autograd_lib.engine.arrays import asked
from autograd_lib.engine.numpy.callers import name_of_function
from autograd_lib.engine.numpy.protocol import tensors_in
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.core.graph import Value, replaced


class Store:
    """Memory that recorded arrays show: its value now, and who shows the whole.

    It may not be written into if there is a reason `why_not`. If it is from `outside`,
    it was there before the recording, and will be afterwards.
    """

    def __init__(self, value: Value, owner: Any, why_not: str = "") -> None:
        self.value, self.owner, self.why_not = value, owner, why_not
        self.outside = value.kind == "input"


class TracedArray(NDArrayOperatorsMixin):
    """An array, whose calls go to the tracer.

    Attributes:
        tracer: who notes them.
        array: the array of this one recording, or a number of NumPy.
        store: the memory that it shows.
        path: the calls that lead from the whole of it to this view.
        seen: a value of the whole, and this view of it.
    """

    __slots__ = ("__weakref__", "array", "path", "seen", "store", "tracer")

    def __init__(
        self, tracer: Any, array: Any, value: Value | None, why_not: str = ""
    ) -> None:
        self.tracer, self.array = tracer, array
        self.path: tuple[Any, ...] = ()
        self.seen: Any = (value, value)
        if value is not None:
            self.store = Store(value, self, why_not)

    # isinstance(x, np.ndarray) asks for this, and the engine asks that.
    __class__ = property(lambda self: type(self.array))
    is_number = property(lambda self: isinstance(self.array, np.generic))
    base = property(lambda self: self.store.owner if self.path else None)
    T = property(lambda self: self.transpose())
    mT = property(lambda self: self.swapaxes(-1, -2))
    real = property(lambda self: np.real(self))
    imag = property(lambda self: np.imag(self))

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        if next(tensors_in((inputs, options)), None) is not None:
            return NotImplemented  # a tensor knows what to do with recorded arrays
        return self.tracer.ufunc(ufunc, method, inputs, options)

    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any:
        if Tensor in types:
            return NotImplemented
        if next(tensors_in((args, options)), None) is not None:
            raise self.tracer.refused(
                f"{name_of_function(function)} of an array and a tensor",
                "NumPy asks the array alone; make both tensors, or none",
            )
        return self.tracer.function(function, args, options)

    def __getitem__(self, index: Any) -> Any:
        return self.tracer.getitem(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.tracer.setitem(self, index, value)

    def reshape(self, *shape: Any, **options: Any) -> Any:
        """Return it in another shape."""
        new = shape[0] if len(shape) == 1 else shape
        return self.tracer.method("reshape", self, new, **options)

    def transpose(self, *axes: Any) -> Any:
        """Return it with its axes in another order."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        places = () if order is None else map(operator.index, order)
        return self.tracer.method("transpose", self, *places)

    def astype(self, dtype: Any, copy: bool = True, **options: Any) -> Any:
        """Return it with elements of another type."""
        options |= {} if copy else {"copy": False}
        return self.tracer.method("astype", self, np.dtype(dtype), **options)

    @property
    def flat(self) -> Any:
        """The elements in their order, as a view."""
        if not self.array.flags.c_contiguous:
            raise self.tracer.refused(
                "flat of an array that does not lie row by row",
                "x.reshape(-1) has its numbers; to write into a diagonal, take indices",
            )
        return self.reshape(-1)

    def fill(self, value: Any) -> None:
        """Write a number into all elements."""
        self[...] = value

    def view(self, *kind: Any) -> Any:
        """Return a view, of another type if one is given."""
        return self.tracer.method("view", self, *map(np.dtype, kind))

    # What asks for numbers.

    def item(self, *index: Any) -> Any:
        """Ask for an element as a number of Python."""
        return self.tracer.number(self[index] if index else self, "item", item)

    def tolist(self) -> Any:
        """Ask for all elements as numbers of Python."""
        return self.tracer.number(self, "tolist", np.ndarray.tolist)

    def __format__(self, spec: str) -> str:
        return format(self.tracer.number(self, "format", item), spec)

    def __hash__(self) -> int:  # as in a set, which compares numbers
        if not self.shape:
            return hash(self.tracer.number(self, "a hash", item))
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Any:
        return self.tracer.rows(self)

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(self == item))

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise self.tracer.refused(
            f"making an array of NumPy of a recorded array of shape {self.shape}",
            "it takes the numbers out of the record. Write x.copy() for np.array(x), "
            "np.stack for np.array of a list, Tensor(table)[x] for table[x], and "
            "np.zeros_like(x, shape=…) for an array to write into",
        )

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self.copy()

    __copy__ = __deepcopy__

    def __repr__(self) -> str:
        return str(self.tracer.text(self))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(f"arrays have no {name!r}", name=name)
        raise self.tracer.refused(
            f"numpy.ndarray.{name} of an array of shape {self.shape}",
            "a recorded array does not have it; use a function of NumPy",
        )


def plain(x: Any) -> Any:
    """Return arguments with arrays for recorded ones."""
    return replaced(x, lambda r: r.array, TracedArray)


def item(a: Any) -> Any:
    """Return the one element of an array as a number of Python."""
    return a.item()


SHOWN = ("shape", "dtype", "ndim", "size", "nbytes", "itemsize", "strides", "flags")
FUNCTIONS = (
    *("sum", "prod", "mean", "var", "std", "any", "all", "argmax", "argmin"),
    *("cumsum", "cumprod", "clip", "round", "repeat", "take", "diagonal", "trace"),
    *("dot", "searchsorted", "argsort", "argpartition", "choose", "nonzero"),
    *("put", "max", "min"),
)
METHODS = ("swapaxes", "squeeze", "ravel", "flatten", "copy", "conj", "conjugate")
NUMBERS = {"bool": bool, "int": int, "float": float, "complex": complex, "index": int}
OPERATORS: dict[str, Any] = {  # asked without NumPy, which needs much stack
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "pow": np.power,
    "truediv": np.true_divide,
    "matmul": np.matmul,
}


def function(self: TracedArray, f: Any, *args: Any, **options: Any) -> Any:
    """Call a function of NumPy."""
    return f(self, *args, **options)


def method(self: TracedArray, name: str, *args: Any, **options: Any) -> Any:
    """Call a method of arrays."""
    return self.tracer.method(name, self, *args, **options)


def binary(self: TracedArray, f: np.ufunc, y: Any) -> Any:
    """Calculate with something on the right; Python asks a tensor for itself.

    As a factor, a number says how often a sequence is repeated.
    """
    if f is np.multiply and self.is_number and isinstance(y, Sequence):
        n = operator.index(self.array)
        self.tracer.check(operator.index, self, n)
        return n * y  # type: ignore[operator]
    if type(y) is Tensor:
        return NotImplemented
    return power(self, self, y) if f is np.power else asked(f, self, y)


def reflected(self: TracedArray, f: np.ufunc, x: Any) -> Any:
    """Calculate with something on the left."""
    if f is np.multiply:
        return binary(self, f, x)
    return power(self, x, self) if f is np.power else asked(f, x, self)


def power(self: TracedArray, x: Any, y: Any) -> Any:
    """Calculate a power: by the operator, where that has other bits, or another type.

    So it is for NumPy's numbers, and for some powers of truth values, complex numbers
    and floats that are neither single nor double.
    """
    if self.is_number or self.dtype.kind in "bc" or self.dtype.char in "eg":
        return self.tracer.noted(operator.pow, (x, y), {})
    return asked(np.power, x, y)


def in_place(self: TracedArray, of_array: Any, y: Any) -> Any:
    """Write into an array; a number of NumPy cannot be written into."""
    return NotImplemented if self.is_number else of_array(self, y)


def number(self: TracedArray, name: str, kind: Any) -> Any:
    """Ask for the one element as a number."""
    return kind(self.tracer.number(self, name, kind))


for _name in SHOWN:
    setattr(TracedArray, _name, property(operator.attrgetter(f"array.{_name}")))
for _name in FUNCTIONS:
    setattr(TracedArray, _name, partialmethod(function, getattr(np, _name)))
for _name in METHODS:
    setattr(TracedArray, _name, partialmethod(method, _name))
for _name, _kind in NUMBERS.items():
    _what = "an index" if _name == "index" else _name
    setattr(TracedArray, f"__{_name}__", partialmethod(number, _what, _kind))
for _name, _ufunc in OPERATORS.items():
    setattr(TracedArray, f"__{_name}__", partialmethod(binary, _ufunc))
    setattr(TracedArray, f"__r{_name}__", partialmethod(reflected, _ufunc))
for _name, _operator in vars(NDArrayOperatorsMixin).items():
    if _name.startswith("__i") and hasattr(NDArrayOperatorsMixin, f"__r{_name[3:]}"):
        setattr(TracedArray, _name, partialmethod(in_place, _operator))
