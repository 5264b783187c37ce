"""An array that records the operations on it (chapter 22).

`TracedArray` stands for an array while a program is recorded. It isn't a subclass of
`numpy.ndarray`: ``numpy.array`` and others would copy a subclass's numbers without
calling any method, and everything computed from the copy would become a constant of the
program, wrong at the next call. Here NumPy must go through its protocols and Python
through methods, and code that asks for the numbers themselves gets an error.
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
from autograd_lib.program.core.ir import Value, replaced


class Store:
    """A buffer that traced arrays share, with its current value.

    A non-empty `why_not` forbids writes and says why. A buffer from `outside` existed
    before the recording and outlives it.
    """

    def __init__(self, value: Value, why_not: str = "") -> None:
        self.value, self.why_not = value, why_not
        self.outside = value.kind == "input"


class TracedArray(NDArrayOperatorsMixin):
    """Stands for an array and passes each operation to the tracer.

    Attributes:
        tracer: records the operations.
        array: the concrete array (or NumPy scalar) of this recording.
        base: for a view, the array of the whole buffer, as NumPy's; else None.
        store: the buffer.
        path: the calls that make this view from the whole buffer.
        seen: a value of the whole buffer, and the value of this view of it.
    """

    __slots__ = ("__weakref__", "array", "base", "path", "seen", "store", "tracer")

    def __init__(
        self, tracer: Any, array: Any, value: Value | None, why_not: str = ""
    ) -> None:
        self.tracer, self.array, self.base = tracer, array, None
        self.path: tuple[Any, ...] = ()
        self.seen: Any = (value, value)
        if value is not None:
            self.store = Store(value, why_not)

    # isinstance(x, np.ndarray), which the engine uses, consults __class__.
    __class__ = property(lambda self: type(self.array))
    is_number = property(lambda self: isinstance(self.array, np.generic))
    owner = property(lambda self: self if self.base is None else self.base)
    T = property(lambda self: self.transpose())
    mT = property(lambda self: self.swapaxes(-1, -2))
    real = property(lambda self: np.real(self))
    imag = property(lambda self: np.imag(self))

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        plain = method == "__call__" and not options and ufunc.nout == 1
        if plain and all(type(x) in PLAIN for x in inputs):
            return self.tracer.plain_ufunc(ufunc, inputs)
        others = [x for x in inputs if type(x) is not TracedArray]
        if next(tensors_in((others, options)), None) is not None:
            return NotImplemented  # tensors can handle traced arrays
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
        """All elements in C order, as a view."""
        if not self.array.flags.c_contiguous:
            raise self.tracer.refused(
                "flat of an array that does not lie row by row",
                "x.reshape(-1) has its numbers; to write into a diagonal, take indices",
            )
        return self.reshape(-1)

    def fill(self, value: Any) -> None:
        """Set all elements to one number."""
        self[...] = value

    def view(self, *kind: Any) -> Any:
        """Return a view, reinterpreted as another dtype if one is given."""
        return self.tracer.method("view", self, *map(np.dtype, kind))

    # Requests for concrete numbers.

    def item(self, *index: Any) -> Any:
        """Return one element as a Python number of the program."""
        return self.tracer.item(self[index] if index else self)

    def tolist(self) -> Any:
        """Ask for all elements as Python numbers."""
        return self.tracer.number(self, "tolist", np.ndarray.tolist)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec)

    def __hash__(self) -> int:  # a set compares NumPy scalars by value
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


PLAIN = {TracedArray, int, float, bool, complex}
"""Types of almost all operands, to which nothing is done before a call."""


def plain(x: Any) -> Any:
    """Return arguments with concrete arrays in place of traced ones."""
    return replaced(x, lambda r: r.array, TracedArray)


def item(a: Any) -> Any:
    """Return the only element of an array as a Python number."""
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
OPERATORS: dict[str, Any] = {  # direct: through NumPy they take much stack
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "pow": np.power,
    "truediv": np.true_divide,
    "matmul": np.matmul,
}


def function(self: TracedArray, f: Any, *args: Any, **options: Any) -> Any:
    """Call a NumPy function."""
    return f(self, *args, **options)


def method(self: TracedArray, name: str, *args: Any, **options: Any) -> Any:
    """Call an array method."""
    return self.tracer.method(name, self, *args, **options)


def binary(self: TracedArray, f: np.ufunc, y: Any) -> Any:
    """Apply a binary operator with `y` on the right; tensors handle it themselves.

    An integer times a list or string repeats that.
    """
    if f is np.multiply and self.is_number and isinstance(y, Sequence):
        n = operator.index(self.array)
        self.tracer.check(operator.index, self, n)
        return n * y  # type: ignore[operator]
    if type(y) is Tensor:
        return NotImplemented
    return power(self, self, y) if f is np.power else asked(f, self, y)


def reflected(self: TracedArray, f: np.ufunc, x: Any) -> Any:
    """Apply a binary operator with `x` on the left."""
    if f is np.multiply:
        return binary(self, f, x)
    return power(self, x, self) if f is np.power else asked(f, x, self)


def power(self: TracedArray, x: Any, y: Any) -> Any:
    """Raise to a power, with ``**`` where `np.power` gives other bits or another dtype.

    They differ for NumPy scalars, and for some powers of bool, complex, half and
    extended precision arrays.
    """
    if self.is_number or self.dtype.kind in "bc" or self.dtype.char in "eg":
        return self.tracer.noted(operator.pow, (x, y), {})
    return asked(np.power, x, y)


def in_place(self: TracedArray, of_array: Any, y: Any) -> Any:
    """Apply an operator in place; NumPy scalars are immutable."""
    return NotImplemented if self.is_number else of_array(self, y)


def number(self: TracedArray, name: str, kind: Any) -> Any:
    """Ask for the only element as a number."""
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
