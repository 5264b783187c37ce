"""Memory for time: drop the arrays that a function saved, and rerun it (chapter 21).

`checkpoint(f, x)` records f as usual, but each array that an operation saves is
replaced by an empty parcel. When a backward pass needs one of them, f runs again and
fills them all. So the graph is the same as without it: tensors that f closes over get
their gradients, hooks are called, and only the arrays are missing in between.

The idea is that of Griewank, "Achieving logarithmic growth of temporal and spatial
complexity in reverse automatic differentiation" (1992), and for networks of Chen et
al., "Training Deep Nets with Sublinear Memory Cost" (2016), arXiv:1604.06174.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from autograd_lib.checkpointing.generators import GENERATORS, set_state, state_of
from autograd_lib.checkpointing.samples import Sample
from autograd_lib.checkpointing.saved_tensors import Packer, Parcel, packer, packing
from autograd_lib.checkpointing.surroundings import reached_from
from autograd_lib.engine.forward.levels import open_levels
from autograd_lib.engine.forward.tangents import opened_again
from autograd_lib.engine.function import mapped
from autograd_lib.engine.leaves.grad_mode import enable_grad, runs_later
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import Node, clock
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.writes.versions import version_of
from autograd_lib.functional.scope import moments, repeating
from autograd_lib.spelling import no_keyword


def checkpoint(function: Callable[..., Any], /, *inputs: Any, **options: Any) -> Any:
    """Return ``function(*inputs, **options)`` without keeping what its rules need.

    Each backward pass that needs the saved arrays runs the function again, which must
    then calculate the same. Random generators found in its inputs, closure, attributes
    and named globals draw the same numbers again, and their states are restored
    afterwards. If the second run records other operations, or returns other results, it
    raises an error. Side effects, such as appending to a list, happen twice.

    What stays in memory: the inputs, the results, objects that the function closes
    over, what a custom `Function` saves, and some hundred bytes for each operation.
    Within an outer checkpoint, inputs are dropped too, so pass large tensors as inputs.
    The graph of a recorded pass (`create_graph`) keeps the arrays that it used.

    Args:
        function: any function of tensors, such as a module.
        inputs: its positional arguments.
        options: its keyword arguments.

    Raises:
        TypeError: if it isn't a function, or is a generator function or a coroutine.
        RuntimeError: if the function wrote into a tensor that it did not make; and in a
            backward pass, if an input was written into since, or the function does
            something else when it runs again. Then no `grad` is changed.

    >>> x = Tensor([0.0, 1.0], requires_grad=True)
    >>> y = checkpoint(lambda t: np.exp(np.sin(t)), x)
    >>> y.sum().backward()
    >>> x.grad.data.round(3)
    array([1.   , 1.253])
    """
    called_now: Any = function
    if not callable(called_now) or runs_later(called_now):
        raise TypeError(
            f"checkpoint: needs a function whose body runs when it is called, got "
            f"{function!r:.60}"
        )
    if "use_reentrant" in options:
        raise no_keyword("checkpoint", ["use_reentrant"])
    if not is_recording():
        return function(*inputs, **options)
    return Run(function, inputs, options).first()


class Run:
    """A call that can be repeated, and the parcels that it fills.

    Attributes:
        parcels: weak references to the parcels of saved arrays, in order.
        forms: shape and type of each array.
    """

    def __init__(self, function: Any, inputs: Any, options: Any) -> None:
        around = packer()
        self.exact = around is None or around.exact
        self.function = function
        self.given = inputs, options
        self.inputs = kept((inputs, options), around)
        self.parcels: list[weakref.ref[Parcel]] = []
        self.forms: list[tuple[Any, Any]] = []
        self.sample: list[Sample] | None = None  # None until the first run is over
        self.generators: list[tuple[Any, bytes]] = []
        self.levels, self.moments = set(open_levels), moments()
        self.version = clock.now

    def first(self) -> Any:
        """Run the function, and note the states that the second run needs."""
        reached = reached_from(self.function, *self.given)
        sources = [x for x in reached if isinstance(x, GENERATORS)]
        self.generators = [(source, state_of(source)) for source in sources]
        inputs, options = self.given
        with packing(self):
            results = self.function(*inputs, **options)
        if clock.now != self.version:
            self.refuse_writes(reached)
        self.generators = [(g, s) for g, s in self.generators if state_of(g) != s]
        self.sample = sample(results)
        del self.given
        self.version = clock.now
        return results

    def refuse_writes(self, reached: list[Any]) -> None:
        """Raise RuntimeError if the function wrote into an existing tensor."""
        for t in reached:
            if isinstance(t, Tensor) and version_of(t._array) > self.version:
                raise RuntimeError(
                    f"checkpoint: {called(self.function)} wrote into a tensor of shape "
                    f"{t.shape} that was there before, and would do so again in the "
                    "backward pass; a layer that keeps running means, such as "
                    "BatchNorm in training, has to stay outside of the function, or be "
                    "set to eval()"
                )

    def pack(self, array: np.ndarray, kind: type, node: Node | None) -> Parcel:
        """Return an empty parcel."""
        parcel = Parcel(self, array, kind, node)
        self.parcels.append(weakref.ref(parcel))
        self.forms.append((array.shape, array.dtype))
        return parcel

    def unpack(self, parcel: Parcel) -> np.ndarray:
        """Return the array; run the function again if it isn't there."""
        if parcel.content is None:
            self.again()
        content: Content = parcel.content
        parcel.content = None  # so that it is freed right after use
        return content.array()

    def refuse_changed(self, _: Parcel | None = None) -> None:
        """Raise RuntimeError if an input was written into since the first run."""
        for x in leaves_of(self.inputs):
            if isinstance(x, Parcel):
                x.packer.refuse_changed(x)
            elif version_of(array_of(x)) > self.version:
                raise RuntimeError(
                    f"backward: an input of {called(self.function)}, which checkpoint "
                    "has to run again, was written into since; use a new tensor, such "
                    "as t = t + 1 for t += 1"
                )

    def again(self) -> None:
        """Run the function again, and fill the parcels."""
        if self.sample is not None:
            self.refuse_changed()
        inputs, options = opened(self.inputs)
        second = SecondRun(self)
        try:
            with self.as_it_was(), packing(second):
                results = self.function(*inputs, **options)
        except Enough:
            pass
        else:
            second.compare(results)
        for place, content in zip(self.parcels, second.contents, strict=True):
            parcel = place()
            if parcel is not None:
                parcel.content = content

    @contextmanager
    def as_it_was(self) -> Iterator[None]:
        """Restore the first run's generators, levels, arguments and recording."""
        states, levels = as_they_were(self.generators), opened_again(self.levels)
        with states, levels, repeating(self.moments), enable_grad():
            yield


class Enough(BaseException):
    """Stops the second run where the first run, not finished yet, has got to."""


class Content:
    """An array that the second run saved, and the time on the clock of writes."""

    __slots__ = ("saved", "version")

    def __init__(self, array: np.ndarray) -> None:
        self.saved, self.version = array, clock.now

    def array(self) -> np.ndarray:
        """Return the array, after checking that it was not written into."""
        if version_of(self.saved) > self.version:
            raise RuntimeError(
                "backward: a function that checkpoint runs again saved an array and "
                "wrote into it later, so the gradient would be wrong; use a new "
                "tensor, such as t = t + 1 for t += 1"
            )
        return self.saved


class SecondRun:
    """Collects the arrays that the function saves again, and compares them."""

    def __init__(self, run: Run) -> None:
        self.run, self.exact = run, run.exact
        self.contents: list[Content | None] = []

    def pack(self, array: np.ndarray, kind: type, node: Node | None) -> Parcel:
        """Return a filled parcel; keep the array if the first run's parcel exists."""
        run, k = self.run, len(self.contents)
        if k == len(run.forms) and run.sample is None:
            raise Enough
        if k >= len(run.forms) or run.forms[k] != (array.shape, array.dtype):
            before = "nothing" if k >= len(run.forms) else form(*run.forms[k])
            now = form(array.shape, array.dtype)
            run_differs(run, f"saved {now} where it had saved {before}")
        parcel = Parcel(self, array, kind, node)
        parcel.content = Content(array)
        self.contents.append(None if run.parcels[k]() is None else parcel.content)
        return parcel

    def unpack(self, parcel: Parcel) -> np.ndarray:
        """Return the array; called if the function itself runs a backward pass."""
        array: np.ndarray = parcel.content.array()
        return array

    def refuse_changed(self, parcel: Parcel) -> None:
        """Raise RuntimeError if the array was written into."""
        parcel.content.array()

    def compare(self, results: Any) -> None:
        """Raise RuntimeError if fewer arrays were saved, or the results differ."""
        run = self.run
        if len(self.contents) < len(run.forms):
            now = f"{len(self.contents)} arrays"
            run_differs(run, f"saved {now} where it had saved {len(run.forms)}")
        if run.sample is None or not self.exact:
            return  # the first run isn't over: a pass in it wanted what it had saved
        old, new = run.sample, sample(results)
        if len(old) != len(new) or not all(map(Sample.agrees, old, new)):
            run_differs(run, "returned other results")


def run_differs(run: Run, how: str) -> NoReturn:
    """Raise RuntimeError because the second run differs from the first."""
    raise RuntimeError(
        f"backward: {called(run.function)}, which checkpoint ran again, {how}; it must "
        "do the same both times. Its random numbers have to come from generators that "
        "are inputs or closed over, it must change nothing outside of itself, and what "
        "it reads, such as a parameter, must not change before the backward pass"
    )


def form(shape: Any, dtype: Any) -> str:
    """Return the shape and type of an array in words."""
    return f"an array of shape {shape} and {dtype}"


def called(function: Any) -> str:
    """Return the name of a function for messages."""
    return getattr(function, "__qualname__", None) or type(function).__name__


def sample(results: Any) -> list[Sample]:
    """Return a `Sample` of each array in the results."""
    return [Sample(array_of(x)) for x in leaves_of(results)]


def array_of(x: Any) -> np.ndarray:
    """Return the array of a tensor, or the array itself."""
    array: np.ndarray = x._array if isinstance(x, Tensor) else x
    return array


@contextmanager
def as_they_were(generators: list[tuple[Any, bytes]]) -> Iterator[None]:
    """Set generators to earlier states in the block; restore their own afterwards."""
    now = [(generator, state_of(generator)) for generator, _ in generators]
    try:
        for generator, state in generators:
            set_state(generator, state)
        yield
    finally:
        for generator, state in now:
            set_state(generator, state)


def leaves_of(x: Any) -> list[Any]:
    """Return the tensors, arrays and parcels in a value."""
    found: list[Any] = []
    mapped(x, found.append)
    return [y for y in found if isinstance(y, Tensor | np.ndarray | Parcel)]


def kept(x: Any, around: Packer | None) -> Any:
    """Return inputs as a run keeps them: packed, if an outer block packs."""

    def keep(y: Any) -> Any:
        if around is None or not isinstance(y, Tensor | np.ndarray):
            return y
        if isinstance(y, Tensor) and y.node is not None and y.is_leaf:
            return y
        node = y.node if isinstance(y, Tensor) else None
        return around.pack(array_of(y), type(y), node)

    return mapped(x, keep)


def opened(x: Any) -> Any:
    """Return inputs as the function gets them, unpacked."""

    def open_one(y: Any) -> Any:
        if not isinstance(y, Parcel):
            return y
        array = y.packer.unpack(y)
        if y.kind is np.ndarray:
            return array
        t = constant(array)
        t.node = y.node
        return t

    return mapped(x, open_one)
