"""An array that notes what is done with it (chapter 24).

`TracedArray` stands for an array while a program is recorded. It is no subclass of
`numpy.ndarray`: from one, ``numpy.array`` and others take the numbers without asking,
and what is calculated from these would be a constant of the program, wrong at the next
call. Here everything asks: NumPy by its protocols, Python by its methods. Who asks for
numbers is refused in words, so nothing gets into a program unnoticed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from threading import get_ident
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from autograd_lib.engine.numpy.callers import name_of_function
from autograd_lib.engine.numpy.protocol import tensors_in
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.core.graph import Value

ROWS = 1000  # of an array that a function finds, which it may go through one by one


class Store:
    """Memory that recorded arrays show.

    Attributes:
        value: the whole of it, as it is now.
        owner: the recorded array that shows the whole.
        why_not: why it may not be written into, or "".
        outside: whether it was there before the recording, and will be afterwards.
    """

    __slots__ = ("outside", "owner", "value", "why_not")

    def __init__(self, value: Value, owner: Any, why_not: str = "") -> None:
        self.value, self.owner, self.why_not = value, owner, why_not
        self.outside = value.kind == "input"


class TracedArray(NDArrayOperatorsMixin):
    """An array, whose calls go to the tracer.

    Attributes:
        tracer: who notes them.
        array: the array of this one recording.
        store: the memory that it shows.
        path: the calls that lead from the whole of it to this view.
    """

    __slots__ = ("__weakref__", "array", "path", "seen", "store", "tracer")

    def __init__(
        self, tracer: Any, array: Any, value: Value | None, why_not: str = ""
    ) -> None:
        self.tracer, self.array = tracer, array
        self.path: tuple[Any, ...] = ()
        self.seen: Any = (value, value)  # a value of the whole, and this view of it
        if value is not None:
            self.store = Store(value, self, why_not)

    # isinstance(x, np.ndarray) asks for this, and the engine asks that.
    __class__ = property(lambda self: type(self.array))

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)
    ndim = property(lambda self: self.array.ndim)
    size = property(lambda self: self.array.size)
    nbytes = property(lambda self: self.array.nbytes)
    itemsize = property(lambda self: self.array.itemsize)
    strides = property(lambda self: self.array.strides)
    flags = property(lambda self: self.array.flags)
    base = property(lambda self: self.store.owner if self.path else None)
    flat = property(lambda self: self.reshape(-1))
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
        if next(tensors_in((args, options)), None) is not None:
            if Tensor in types:
                return NotImplemented
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
        places = () if order is None else tuple(map(operator.index, order))
        return self.tracer.method("transpose", self, *places)

    def astype(self, dtype: Any, copy: bool = True, **options: Any) -> Any:
        """Return it with elements of another type."""
        if not copy and self.dtype == dtype:
            return self
        return self.tracer.method("astype", self, np.dtype(dtype), **options)

    def fill(self, value: Any) -> None:
        """Write a number into all elements."""
        self[...] = value

    def view(self, *kind: Any) -> Any:
        """Return a view, of another type if one is given."""
        return self.tracer.method("view", self, *map(np.dtype, kind))

    def strided(self, shape: Any, strides: Any, writeable: bool) -> Any:
        """Return a view of any shape and strides."""
        return self.tracer.strided(self, shape, strides, writeable)

    def allow_replacing(self) -> None:
        """Raise RuntimeError if a thread that is not recording assigns ``t.data``.

        It would be undone when the recording ends.
        """
        if self.tracer.open and self.tracer.thread != get_ident():
            self.tracer.seen(self)

    # What asks for numbers.

    def __bool__(self) -> bool:
        return bool(self.tracer.number(self, "bool", bool))

    def __int__(self) -> int:
        return int(self.tracer.number(self, "int", int))

    def __float__(self) -> float:
        return float(self.tracer.number(self, "float", float))

    def __complex__(self) -> complex:
        return complex(self.tracer.number(self, "complex", complex))

    def __index__(self) -> int:
        return int(self.tracer.number(self, "an index", int))

    def item(self, *index: Any) -> Any:
        """Ask for an element as a number of Python."""
        part = self[index] if index else self
        return self.tracer.number(part, "item", item)

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

    def __iter__(self) -> Iterator[Any]:
        found = self.store.outside and not self.store.why_not
        if found and len(self.array) > ROWS:  # it may be a constant, and then they are
            raise self.tracer.refused(
                f"a loop over {len(self.array)} rows of an array that it finds",
                "take a function of NumPy for all of them",
            )
        return (self[i] for i in range(len(self.array)))

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(self == item))

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise self.tracer.refused_array(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __repr__(self) -> str:
        return f"<recorded array of shape {self.shape} and {self.dtype}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(f"arrays have no {name!r}", name=name)
        raise self.tracer.refused(
            f"numpy.ndarray.{name} of an array of shape {self.shape}",
            "a recorded array does not have it; use a function of NumPy",
        )


def item(a: Any) -> Any:
    """Return the one element of an array as a number of Python."""
    return a.item()


def ask(ufunc: np.ufunc, *inputs: Any, **options: Any) -> Any:
    """Return ``ufunc(*inputs, **options)``; a recorded array is asked at once.

    NumPy would ask it too, which takes 20 kB of C stack. A browser has not enough for
    two of these, one for a tensor and within it one for the tensor's array.
    """
    if len(inputs) == ufunc.nin and PLAIN.issuperset(map(type, inputs)):
        for x in inputs:
            if type(x) is TracedArray:
                return x.tracer.ufunc(ufunc, "__call__", inputs, options)
    return ufunc(*inputs, **options)


PLAIN = {TracedArray, np.ndarray, float, int}


def by_operator(ufunc: np.ufunc) -> Callable[..., Any]:
    """Return an operator; a tensor on the right is asked by Python."""
    return lambda self, y: NotImplemented if type(y) is Tensor else ask(ufunc, self, y)


def by_reflected(ufunc: np.ufunc) -> Callable[..., Any]:
    """Return an operator of which the array is on the right."""
    return lambda self, x: ask(ufunc, x, self)


def times(self: TracedArray, y: Any) -> Any:
    """Return a product; a sequence is repeated so many times, as a number tells."""
    if isinstance(self.array, np.generic) and isinstance(y, Sequence):
        n = operator.index(self.array)  # type: ignore[arg-type]
        self.tracer.check(operator.index, self, n)
        repeated: Any = y
        return repeated * n
    return NotImplemented if type(y) is Tensor else ask(np.multiply, self, y)


def by_function(function: Any) -> Callable[..., Any]:
    """Return a method that calls a function of NumPy."""
    return lambda self, *args, **options: function(self, *args, **options)


def by_method(name: str) -> Callable[..., Any]:
    """Return a method that is called as that of an array."""
    return lambda self, *args, **options: self.tracer.method(
        name, self, *args, **options
    )


def in_place(name: str) -> Callable[..., Any]:
    """Return an operator that writes into an array; a number of NumPy has none."""
    of_array = getattr(NDArrayOperatorsMixin, name)

    def operate(self: TracedArray, y: Any) -> Any:
        number = isinstance(self.array, np.generic)
        return NotImplemented if number else of_array(self, y)

    return operate


for _name in [n for n in vars(NDArrayOperatorsMixin) if n.startswith("__i")]:
    if f"__{_name[3:]}" in vars(NDArrayOperatorsMixin):
        setattr(TracedArray, _name, in_place(_name))
for _name, _ufunc in (
    *(("add", np.add), ("sub", np.subtract), ("mul", np.multiply)),
    *(("truediv", np.true_divide), ("matmul", np.matmul), ("pow", np.power)),
):
    setattr(TracedArray, f"__{_name}__", by_operator(_ufunc))
    setattr(TracedArray, f"__r{_name}__", by_reflected(_ufunc))
TracedArray.__mul__ = TracedArray.__rmul__ = times  # type: ignore[assignment]
for _name in (
    *("sum", "prod", "mean", "var", "std", "any", "all", "argmax", "argmin"),
    *("cumsum", "cumprod", "clip", "round", "repeat", "take", "diagonal", "trace"),
    *("dot", "searchsorted", "argsort", "argpartition", "choose", "nonzero", "ptp"),
    *("conj", "conjugate", "put", "max", "min"),
):
    setattr(TracedArray, _name, by_function(getattr(np, _name)))
for _name in ("swapaxes", "squeeze", "ravel", "flatten", "copy"):
    setattr(TracedArray, _name, by_method(_name))
