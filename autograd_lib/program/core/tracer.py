"""What recorded arrays answer when NumPy or a reader asks (chapter 24).

NumPy's functions have options, results in several parts and memory to write into; each
is brought into the form in which a call is noted. Who asks for numbers is refused, but
for the library itself, whose question the program then asks again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.callers import (
    caller_in_numpy,
    frame_above,
    name_of_function,
)
from autograd_lib.program.core.array import Store, TracedArray
from autograd_lib.program.core.graph import Call, Value
from autograd_lib.program.core.numpy_calls import (
    BASIC,
    OF_VALUES,
    REDUCTIONS,
    SIZES,
    TEXTS,
    WRITERS,
    check,
    diagonal,
    is_number,
    tidy,
    usual,
)
from autograd_lib.program.core.trace import Refused as Refused
from autograd_lib.program.core.trace import Trace
from autograd_lib.program.words.origins import asked_by_library


class Tracer(Trace):
    """Answers for recorded arrays, and notes what they are asked."""

    def ufunc(self, ufunc: Any, method: str, inputs: Any, options: Any) -> Any:
        """Calculate and note an elementwise function, or a method of it."""
        inputs, options = self.settled(inputs, options)
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        name = ufunc.__name__ + ("" if method == "__call__" else f".{method}")
        options = {k: v for k, v in options.items() if not usual(k, v)}
        if method == "at":
            return self.write(function, name, inputs, options, inputs[0])
        out = options.pop("out", None)
        out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
        if method == "reduce":
            options = tidy(options, inputs[0], ufunc)
        if out is None or is_number(out):  # `y += 1` makes a new y of a number
            return self.note(
                function, name, inputs, options, self.run(function, inputs, options)
            )
        if type(out) is tuple:
            raise self.refused(
                name, "with several results it takes no out=; leave it out"
            )
        return self.written(function, name, inputs, options, out)

    def function(self, function: Any, args: Any, options: Any) -> Any:
        """Calculate and note any other function of NumPy."""
        args, options = self.settled(args, options)
        if function in REDUCTIONS and not {"initial", "where"} & set(options):
            names = ("a", "axis", "dtype", "out", "keepdims")
            skip = function in (np.max, np.min, np.any, np.all)
            order = [n for n in names if not (skip and n == "dtype")]
            given = dict(zip(order, args, strict=False)) | options
            given = {k: v for k, v in given.items() if v is not np._NoValue}
            a = given.pop("a")
            given.setdefault("axis", None)
            if type(a) is TracedArray and len(args) <= len(order):
                return REDUCTIONS[function].reduce(a, **given)
        name = function.__name__
        if function in WRITERS:
            return self.write(function, name, args, options, args[0])
        out = options.get("out")
        if out is not None:
            rest = {k: v for k, v in options.items() if k != "out"}
            return self.written(function, name, args, rest, out)
        function = diagonal if function is np.diagonal else function
        result = self.run(function, args, options)
        several = isinstance(result, tuple | list) and all(
            isinstance(r, np.ndarray | np.generic) for r in result
        )
        if function in SIZES or function in TEXTS:
            return result
        if not several and not isinstance(result, np.ndarray | np.generic):
            return self.asked(function, args, options, result)
        made = self.note(function, name, args, options, result)
        if function in OF_VALUES or (function is np.where and len(args) == 1):
            for x in made if several else [made]:
                self.check_shape(x)
        return made

    def method(self, name: str, x: TracedArray, *args: Any, **options: Any) -> Any:
        """Calculate and note a method of arrays."""
        function = getattr(np.ndarray, name)
        result = self.run(getattr(x.array, name), args, options)
        return self.note(function, name, (x, *args), options, result)

    def getitem(self, x: TracedArray, index: Any) -> Any:
        """Calculate and note ``x[index]``."""
        result = self.run(operator.getitem, (x, index), {})
        y = self.note(operator.getitem, "getitem", (x, index), {}, result)
        several = index if type(index) is tuple else (index,)
        if any(type(i) is TracedArray and i.dtype == bool for i in several):
            self.check_shape(y)
        return y

    def setitem(self, x: TracedArray, index: Any, value: Any) -> None:
        """Do and note ``x[index] = value``."""
        if type(value) is TracedArray and self.is_there(x, index, value):
            return  # x[index] += g has added g, and writes the sum where it is
        free = not (x.path or x.store.why_not or x.store.outside)
        whole = index is Ellipsis and free
        if whole and type(value) in (int, float) and x.array.flags.c_contiguous:
            x.array[...] = value
            y = self.create(np.full, "full", (x.shape, value, x.dtype), {})
            x.store.value = y.seen[1]
            return
        self.write(operator.setitem, "setitem", (x, index, value), {}, x)

    def is_there(self, x: TracedArray, index: Any, value: TracedArray) -> bool:
        """Return whether a value is the part of x itself that it is written into."""
        several = index if type(index) is tuple else (index,)
        if value.store is not x.store or any(type(i) not in BASIC for i in several):
            return False
        part = x.array[index]
        if not isinstance(part, np.ndarray):
            return False
        places = ("data", "shape", "strides")
        a, b = (y.__array_interface__ for y in (part, value.array))
        return all(a[key] == b[key] for key in places)

    def strided(self, x: TracedArray, shape: Any, strides: Any, writeable: bool) -> Any:
        """Calculate and note a view of any shape and strides."""
        function = np.lib.stride_tricks.as_strided
        options = {"shape": shape, "strides": strides, "writeable": writeable}
        result = function(x.array, **options)
        return self.note(function, "as_strided", (x,), options, result)

    def create(self, function: Any, name: str, args: Any, options: Any) -> Any:
        """Note an array that is made of nothing, so that it can be written into."""
        args, options = self.settled(args, options)
        result = self.run(function, args, options)
        return self.note(function, name, args, options, result)

    # Writes.

    def write(
        self, function: Any, name: str, args: Any, options: Any, target: Any
    ) -> None:
        """Do and note a call that writes into a part of its first argument."""
        self.writeable(name, target)
        args, options = self.settled(args, options)
        given = self.value(tuple(args)), self.values(options)
        self.run(function, args, options)
        self.overwritten(target, function, name, *given)

    def overwritten(
        self, target: TracedArray, function: Any, name: str, args: Any, options: Any
    ) -> None:
        """Note a call that wrote into memory, which has a new value from now on."""
        store, into = target.store, self.seen(target)
        new = Value("result", store.owner.array)
        new.before = store.value
        call = Call(function, name, args, options, (new,), into, self.origins.here())
        self.calls.append(call)
        store.value = new

    def written(
        self, function: Any, name: str, args: Any, options: Any, out: Any
    ) -> Any:
        """Calculate and note a call with ``out=``."""
        self.writeable(name, out)
        casting = options.pop("casting", "same_kind")
        if name.endswith("reduce"):
            options = {"dtype": out.dtype, **options}
        if "where" in options:  # the elements left out stay as they are
            given = self.value(tuple(args)), self.values(options)
            self.run(function, args, {**options, "out": out.array})
            self.overwritten(out, function, name, *given)
            return out
        result = self.run(function, args, options)
        y = self.note(function, name, args, options, result)
        if is_number(y):  # of which views would be copies
            y = self.note(np.asarray, "asarray", (y,), {}, np.asarray(result))
        fits = (y.shape, y.dtype) == (out.shape, out.dtype)
        if out.path or not fits or y.strides != out.strides:
            self.write(np.copyto, "copyto", (out, y), {"casting": casting}, out)
            return out
        np.copyto(out.array, result)
        out.store.value = y.seen[1]
        return out

    def writeable(self, name: str, target: Any) -> None:
        """Refuse a write into what the caller can see.

        Raises:
            Refused: naming what it is.
        """
        if type(target) is not TracedArray:
            raise self.refused(
                f"{name}: a write of recorded numbers into an array of NumPy",
                "make the array inside the function with np.zeros_like(x, shape=…) of "
                "a recorded x, or put it together with np.stack",
            )
        if target.store.why_not:
            raise self.refused(
                f"{name}: a write into {target.store.why_not}",
                "return the new values instead",
            )
        if target.store.outside:
            self.keep(target.store)

    def keep(self, store: Store) -> None:
        """Note what memory from outside holds, and write into a copy from now on."""
        owner, store.outside = store.owner, False
        self.kept.append((owner, owner.array.copy(), store.value))
        if store.value.order is None and owner.size:
            raise self.refused(
                f"a write into memory of shape {owner.shape} with gaps",
                "keep the numbers in an array of their own",
            )
        copied = np.array(owner.array, order="K")
        made = self.note(np.array, "array", (owner,), {"order": "K"}, copied)
        store.value = made.seen[1]

    # What asks for numbers.

    def number(self, x: TracedArray, what: str, of: Callable[[Any], Any]) -> Any:
        """Return a number for the library itself, which the program then checks."""
        if not asked_by_library():
            raise self.refused(
                f"{what} of a recorded array of shape {x.shape}",
                "what a program does must not depend on the numbers: use np.where for "
                "if, or name the argument that decides in static=",
            )
        number = of(x.array)
        self.check(of, x, number)
        return number

    def asked(self, function: Any, args: Any, options: Any, result: Any) -> Any:
        """Return True or False or a number that a function of NumPy returned."""
        if not asked_by_library():
            raise self.refused(
                f"{name_of_function(function)} of recorded arrays",
                "it returns no array; what a program does must not depend on numbers",
            )

        def again(*arrays: Any) -> Any:
            return function(*arrays, **options)

        self.check(again, args, result)
        return result

    def check(self, of: Any, args: Any, expected: Any) -> None:
        """Note that something has to be so again."""
        given = args if type(args) is tuple else (args,)
        origin = self.origins.here()
        values = self.value((of, expected, *given))
        self.calls.append(Call(check, "check", values, {}, (), None, origin))

    def check_shape(self, x: Any) -> None:
        """Note that a result, whose shape depends on numbers, has the same again."""
        if type(x) is TracedArray:
            self.check(np.shape, x, x.shape)

    def refused_array(self, x: TracedArray) -> Refused:
        """Return Refused because an array of NumPy is to be made of a recorded one."""
        called = caller_in_numpy(frame_above("autograd_lib.program.core.array"))
        return self.refused(
            f"{called or 'making an array of NumPy'} of a recorded array of shape "
            f"{x.shape}",
            "it takes the numbers out of the record. Write x.copy() for np.array(x), "
            "np.stack for np.array of a list, Tensor(table)[x] for table[x], and "
            "np.zeros_like(x, shape=…) for an array to write into",
        )
