"""NumPy's functions, called on tensors (chapter 10).

NumPy's functions call methods of an argument's class: `__array_ufunc__` in elementwise
functions, `__array_function__` in the others. Both look the function up in a table, to
which each operation adds itself. A function that isn't in the table, or an option that
has no rule, runs on the arrays if no gradient is needed, as under `no_grad`; otherwise
the gradient would be lost silently, so it is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FrameType
from typing import Any, NoReturn, TypeVar

import numpy as np

from autograd_lib.engine.numpy.callers import (
    caller_in_numpy,
    frame_above,
    name_of_function,
)
from autograd_lib.engine.numpy.mistakes import unknown_arguments
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.tensor import Tensor

WITHOUT_RESULT: tuple[Any, ...] = (
    *(np.save, np.savez, np.savez_compressed, np.savetxt),
    *(np.array2string, np.array_repr, np.array_str),
)
"""Functions that return no numbers, so no gradient can be lost."""
RECIPE = (
    ", which returns unary(f, x, lambda g, x: g * slope(x), x) from "
    "autograd_lib.engine.tape.record"
)
TAKEN_IN: frozenset[Any] = frozenset(
    [np.atleast_1d, np.atleast_2d, np.vstack, np.append, np.ravel]
)
"""What SciPy makes arrays with, of what a user's function returns to it."""
REFUSED: dict[Any, str] = {}  # NumPy's function: why not, and what to write
WRITE_AT: dict[Any, Callable[..., None]] = {}
"""What writes at many places, by the ufunc whose ``at`` it is; a later room's."""


Function = TypeVar("Function", bound=Callable[..., Any])
OPERATIONS: dict[Any, Callable[..., Any]] = {}  # NumPy's function: ours


def operation(*known: Any) -> Callable[[Function], Function]:
    """Register an operation, as a decorator of a function of tensors.

    A function of SciPy's, with its derivative::

        from autograd_lib.engine.tape.record import unary

        @ag.operation(gammaln)
        def log_gamma(x):
            return unary(gammaln, x, lambda g, x: g * digamma(x), x)

    After that `gammaln` takes tensors. Of a second derivative the rule itself is
    recorded, and refused as long as `digamma` is no operation.

    Args:
        known: NumPy's functions that it implements, or ufuncs of SciPy; NumPy then
            calls it for tensors. A constant result is an error where an input needs a
            gradient.
    """

    def make_known(function: Function) -> Function:
        if not getattr(function, "__module__", "").startswith("autograd_lib."):
            function = connected(function)
        for numpy_function in known:
            OPERATIONS[numpy_function] = function
        return function

    return make_known


def connected(function: Function) -> Function:
    """Return an operation of the user's, which must not lose a gradient silently."""

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        y = function(*args, **options)
        lost = isinstance(y, Tensor | np.ndarray) and getattr(y, "node", None) is None
        if lost and y.dtype.kind in "fc" and gradient_needed((args, options)):
            raise TypeError(
                f"{checked.__name__}: returned a constant, of an input that needs a "
                "gradient. Calculate with tensors; or say what the derivative is: "
                "return unary(f, x, lambda g, x: g * slope(x), x), of "
                "autograd_lib.engine.tape.record, where f and slope take arrays"
            )
        return y

    return checked  # type: ignore[return-value]


def newer(name: str) -> tuple[Any, ...]:
    """Return a tuple of a function that NumPy has since 2.1; empty in older ones."""
    return (getattr(np, name),) if hasattr(np, name) else ()


class Protocols:
    """The methods through which NumPy's functions handle tensors."""

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        known = OPERATIONS.get(ufunc)
        if known is not None and method == "__call__" and not options:
            return known(*inputs)
        if method == "at":  # which writes even where it must not
            return write_at(ufunc, *inputs)
        if is_written(options):
            refuse_out(ufunc.__name__)
        if "out" in options and gradient_needed(inputs):
            refuse_out(ufunc.__name__, options["out"][0] is inputs[0])
        if (
            known is not None
            and (method, "out" in options) == ("__call__", False)
            and not unknown_arguments(ufunc.__name__, known, inputs, options)
        ):
            return known(*inputs, **options)
        if not gradient_needed((inputs, options)):
            return on_arrays(getattr(ufunc, method), inputs, options)
        if method != "__call__":
            return of_method(ufunc, method, inputs, options)
        operation = operation_for(ufunc)
        if unknown_arguments(ufunc.__name__, operation, inputs, options):
            refuse_options(ufunc.__name__, options)
        return operation(*inputs, **options)

    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any:
        known = OPERATIONS.get(function)
        scipys = function in TAKEN_IN and is_scipys(sys._getframe(1))
        if scipys and not gradient_needed((args, options)):
            return np.copy(on_arrays(function, args, options))
        if known is None:
            if function not in WITHOUT_RESULT and gradient_needed((args, options)):
                operation_for(function)  # which raises
            return on_arrays(function, args, options)
        if options and options.get("out") is not None:
            if is_written(options) or gradient_needed((args, options)):
                refuse_out(function.__name__)
            return on_arrays(function, args, options)
        try:
            return known(*args, **options)
        except NotImplementedError:  # an option that has no rule
            if gradient_needed((args, options)):
                raise
            return on_arrays(function, args, options)
        except TypeError:
            name = name_of_function(function)
            error = unknown_arguments(name, known, args, options)
            if error is None:
                raise
        if gradient_needed((args, options)):
            raise error
        return on_arrays(function, args, options)


def tensors_in(x: Any) -> Iterator[Any]:
    """Yield the tensors in arguments, also those in lists, tuples and dicts."""
    if isinstance(x, Tensor):
        yield x
    elif type(x) is dict:
        yield from tensors_in(list(x.values()))
    elif type(x) is list or type(x) is tuple:
        for item in x:
            yield from tensors_in(item)


def gradient_needed(arguments: Any) -> bool:
    """Return whether a calculation with the tensors in arguments must be recorded."""
    return is_recording() and any(t.node is not None for t in tensors_in(arguments))


METHODS: dict[tuple[str, str], Any] = {
    ("add", "reduce"): np.sum,
    ("multiply", "reduce"): np.prod,
    ("maximum", "reduce"): np.max,
    ("minimum", "reduce"): np.min,
    ("add", "accumulate"): np.cumsum,
    ("multiply", "accumulate"): np.cumprod,
}
"""What methods of ufuncs are, as functions; along axis 0 if none is named."""
IN_WORDS = {
    "reduce": "functools.reduce(f, t), along axis 0; for logaddexp t.logsumexp(axis)",
    "accumulate": "np.stack(list(itertools.accumulate(t, f))), along axis 0",
    "reduceat": "np.stack([functools.reduce(f, t[i:j]) for i, j in pairs])",
}


def of_method(ufunc: Any, method: str, inputs: Any, options: dict[str, Any]) -> Any:
    """Return what ``numpy.add.reduce`` and its like give of tensors.

    Raises:
        NotImplementedError: if there is no such operation, with what to write.
    """
    known = METHODS.get((ufunc.__name__, method))
    if known is not None:
        return known(*inputs, **{"axis": 0} | options if len(inputs) == 1 else options)
    if method == "outer" and len(inputs) == 2:
        x, y = inputs
        ones = (1,) * len(np.shape(y))
        return ufunc(np.reshape(x, np.shape(x) + ones), y, **options)
    raise NotImplementedError(
        f"numpy.{ufunc.__name__}.{method} does not know tensors; write "
        f"{IN_WORDS.get(method, 'a loop of f')}, with f = np.{ufunc.__name__}"
    )


def is_scipys(frame: FrameType) -> bool:
    """Return whether a frame runs code of SciPy.

    SciPy hands arrays to compiled code, which takes no tensor. It makes them of what a
    user's function returned, such as the gradient for ``scipy.optimize.minimize``: of a
    constant tensor, its numbers are meant.
    """
    name = frame.f_globals.get("__name__", "")
    return isinstance(name, str) and name.startswith("scipy.")


def write_at(ufunc: Any, written: Any, index: Any, *values: Any) -> None:
    """Call ``numpy.add.at`` or ``numpy.subtract.at`` of a tensor, which is recorded.

    Raises:
        TypeError: if it is another ufunc's, or an array would lose a gradient.
    """
    name = f"numpy.{ufunc.__name__}.at"
    if not isinstance(written, Tensor):
        if gradient_needed(values):
            raise TypeError(
                f"{name}: an array would lose the gradient of the values; write into "
                "a tensor, such as Tensor(a)"
            )
        getattr(ufunc, "at")(written, plain(index), *map(plain, values))  # noqa: B009
        return
    if ufunc not in WRITE_AT:
        raise TypeError(
            f"{name}: would write into a tensor without a record; numpy.add.at and "
            "numpy.subtract.at are recorded, or give it t.data"
        )
    WRITE_AT[ufunc](written, index, *values)


def is_written(options: dict[str, Any]) -> bool:
    """Return whether a tensor is given as out=."""
    return any(True for _ in tensors_in(options.get("out")))


def on_arrays(function: Any, args: Any, options: Any) -> Any:
    """Call a function of NumPy with the arrays of tensors.

    The arrays are read-only: the engine would not notice a write.

    Raises:
        TypeError: if the function writes into one, or there are no tensors.
    """
    if next(tensors_in((args, options)), None) is None:
        raise TypeError(
            f"{name_of_function(function)}: takes tensors as they are, or in lists, "
            "tuples and dicts; make a list of what they are in"
        )
    try:
        return function(*plain(args), **plain(options))
    except ValueError as error:
        if "read-only" not in str(error):
            raise
    raise TypeError(
        f"{name_of_function(function)}: would write into a tensor without a record; "
        "write t[...] = values, or give it t.data"
    )


def plain(x: Any) -> Any:
    """Return arguments with read-only arrays in place of tensors."""
    if isinstance(x, Tensor):
        array = x._array.view()
        array.flags.writeable = False
        return array
    if type(x) is dict:
        return {key: plain(item) for key, item in x.items()}
    if type(x) is list or type(x) is tuple:
        return type(x)(map(plain, x))
    return x


def operation_for(function: Any) -> Callable[..., Any]:
    """Return our operation for a function of NumPy.

    Raises:
        NotImplementedError: if there is none, with the way to add it.
        TypeError: if the function is deliberately refused.
    """
    if function in OPERATIONS:
        return OPERATIONS[function]
    namesake = getattr(np, function.__name__, None)  # numpy.clip calls a ufunc clip
    if isinstance(function, np.ufunc) and namesake in OPERATIONS:
        return OPERATIONS[namesake]
    name = name_of_function(function)
    called = caller_in_numpy(frame_above(__name__))
    if function in REFUSED:
        raise TypeError(f"{called or name}: {REFUSED[function]}")
    head = f"{called}: calls {name}, which" if called else name
    raise NotImplementedError(
        f"{head} has no rule yet, so its gradient would be lost. Write it with the "
        f"operations that tensors have; or add one: decorate a function of tensors "
        f"with @operation({name}) from autograd_lib.engine.numpy.protocol"
        f"{RECIPE if name.startswith('scipy.') else ''}; or give "
        "it t.detach().numpy(), for a constant"
    ) from None


def refuse_out(name: str, in_place: bool = False) -> NoReturn:
    """Raise TypeError because out=, or ``array += t``, would overwrite an array."""
    if in_place:
        raise TypeError(
            f"numpy.{name}: array += t, or its like, would write into an array, which "
            "has no gradient; write array = array + t, or begin with a tensor"
        )
    raise TypeError(
        f"numpy.{name}: out= would write over an array without a record; assign the "
        "result instead"
    )


def refuse_options(name: str, options: dict[str, Any]) -> NoReturn:
    """Raise TypeError because of an option of an elementwise function."""
    if "out" in options:
        refuse_out(name)
    ways = {
        "where": "which leaves elements that nobody set; use np.where(mask, y, other)",
        "dtype": "use astype on the result, or on what goes in",
    }
    option = next(iter(options))
    raise TypeError(
        f"numpy.{name}: tensors do not take {option}=; "
        + ways.get(option, "leave it out")
    )
