"""Memory for time: forget what a function saved, and run it again (chapter 23).

`checkpoint(f, x)` records f as ever, but what its operations save is packed, and
nothing is put in the parcels. When a backward pass comes to one of them, f runs again
and fills them all. So the graph is the same as without it: tensors that f closes over
get their gradients, hooks see theirs, and only the arrays are missing for a time.

The idea is that of Griewank, "Achieving logarithmic growth of temporal and spatial
complexity in reverse automatic differentiation" (1992), and for networks of Chen et
al., "Training Deep Nets with Sublinear Memory Cost" (2016), arXiv:1604.06174.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any, NoReturn

import numpy as np

from autograd_lib.checkpointing.samples import Sample
from autograd_lib.checkpointing.saved_tensors import Packer, Parcel, packer, packing
from autograd_lib.checkpointing.surroundings import (
    GENERATORS,
    reached_from,
    set_state,
    state_of,
)
from autograd_lib.engine.forward.levels import forward_only, open_levels
from autograd_lib.engine.forward.tangents import opened_again
from autograd_lib.engine.leaves.grad_mode import enable_grad, runs_later
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import Node, clock
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.writes.versions import version_of
from autograd_lib.spelling import no_keyword


def checkpoint(function: Callable[..., Any], /, *inputs: Any, **options: Any) -> Any:
    """Return ``function(*inputs, **options)``, and forget what it saved on the way.

    Each backward pass that needs it runs the function again. The function must
    calculate the same then. Random generators that it can be seen to reach, as inputs,
    in closures, in attributes, as globals that it names, draw the same numbers again,
    and go on afterwards where they were. If the second run records something else, or
    returns other results, an error says so. What it does besides calculating, such as
    appending to a list, it does twice.

    What stays: the inputs, the results, what the function closes over, what a custom
    `Function` saves, and some hundred bytes for each operation. Inputs are forgotten
    too within a checkpoint around this one, so large tensors should be inputs. What
    a recorded pass (`create_graph`) has used, its own graph keeps.

    Args:
        function: any function of tensors, a module for example.
        inputs: what it is called with.
        options: likewise, by name.

    Raises:
        TypeError: if it is no function, or its body runs later, as a generator's does.
        RuntimeError: if the function wrote into a tensor that it did not make; and in a
            backward pass, if an input was written into since, or the function does
            something else when it runs again. Then all `grad` stay.

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
    """A call that can be made again, and the parcels that wait for it.

    Attributes:
        parcels: of what was saved, in order; most end before the run does.
        forms: shape and type of each.
    """

    def __init__(self, function: Any, inputs: Any, options: Any) -> None:
        around = packer()
        self.exact = around is None or around.exact
        self.function = function
        self.given = inputs, options
        self.inputs = kept((inputs, options), around)
        self.parcels: list[weakref.ref[Parcel]] = []
        self.forms: list[tuple[Any, Any]] = []
        self.sample: list[Sample] | None = None  # none until the first run is over
        self.generators: list[tuple[Any, bytes]] = []
        self.levels = set(open_levels)
        self.version = clock.now

    def first(self) -> Any:
        """Return what the function returns, and note what the second run needs."""
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
        """Raise RuntimeError if the function wrote into a tensor that was there."""
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
        """Return the array, which another run of the function makes if it must."""
        if parcel.content is None:
            self.again()
        content: Content = parcel.content
        parcel.content = None  # so that it can go as soon as it was used
        return content.array()

    def check(self, _: Parcel | None = None) -> None:
        """Raise RuntimeError if an input was written into since."""
        for x in leaves_of(self.inputs):
            if isinstance(x, Parcel):
                x.packer.check(x)
            elif version_of(array_of(x)) > self.version:
                raise RuntimeError(
                    f"backward: an input of {called(self.function)}, which checkpoint "
                    "has to run again, was written into since; use a new tensor, such "
                    "as t = t + 1 for t += 1"
                )

    def again(self) -> None:
        """Run the function again, and fill the parcels."""
        if self.sample is not None:
            self.check()
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
        """Make what a run of the function depends on as it was in the first."""
        states, levels = as_they_were(self.generators), opened_again(self.levels)
        with states, levels, enable_grad(), forward_only(inf):
            yield


class Enough(BaseException):
    """Stops the rerun where the first run, still unfinished, has got to."""


class Content:
    """An array that a second run saved, and the time when it did."""

    __slots__ = ("saved", "version")

    def __init__(self, array: np.ndarray) -> None:
        self.saved, self.version = array, clock.now

    def array(self) -> np.ndarray:
        """Return the array if it was not written into."""
        if version_of(self.saved) > self.version:
            raise RuntimeError(
                "backward: a function that checkpoint runs again saved an array and "
                "wrote into it later, so the gradient would be wrong; use a new "
                "tensor, such as t = t + 1 for t += 1"
            )
        return self.saved


class SecondRun:
    """Collects what the first run saved, and sees that it is the same."""

    def __init__(self, run: Run) -> None:
        self.run, self.exact = run, run.exact
        self.contents: list[Content | None] = []

    def pack(self, array: np.ndarray, kind: type, node: Node | None) -> Parcel:
        """Return a parcel, and note the array if the first run's parcel is there."""
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
        """Return the array: the function takes a gradient itself."""
        array: np.ndarray = parcel.content.array()
        return array

    def check(self, parcel: Parcel) -> None:
        """Raise RuntimeError if the array was written into."""
        parcel.content.array()

    def compare(self, results: Any) -> None:
        """Raise RuntimeError if less was saved, or the results are others."""
        run = self.run
        if len(self.contents) < len(run.forms):
            now = f"{len(self.contents)} arrays"
            run_differs(run, f"saved {now} where it had saved {len(run.forms)}")
        old, new = run.sample or [], sample(results)
        same = len(old) == len(new) and all(map(Sample.agrees, old, new))
        if self.exact and not same:
            run_differs(run, "returned other results")


def run_differs(run: Run, how: str) -> NoReturn:
    """Raise RuntimeError because the second run is not as the first was."""
    raise RuntimeError(
        f"backward: {called(run.function)}, which checkpoint ran again, {how}; it must "
        "do the same both times. Its random numbers have to come from generators that "
        "are inputs or closed over, it must change nothing outside of itself, and what "
        "it reads, such as a parameter, must not change before the backward pass"
    )


def form(shape: Any, dtype: Any) -> str:
    """Return the form of an array in words."""
    return f"an array of shape {shape} and {dtype}"


def called(function: Any) -> str:
    """Return how a function is called in messages."""
    return getattr(function, "__qualname__", None) or type(function).__name__


def sample(results: Any) -> list[Sample]:
    """Return what is kept of each array in what a function returned."""
    return [Sample(array_of(x)) for x in leaves_of(results)]


def array_of(x: Any) -> np.ndarray:
    """Return the array of a tensor, or the array itself."""
    array: np.ndarray = x._array if isinstance(x, Tensor) else x
    return array


@contextmanager
def as_they_were(generators: list[tuple[Any, bytes]]) -> Iterator[None]:
    """Give generators the states that they had; afterwards, those they have now."""
    now = [(generator, state_of(generator)) for generator, _ in generators]
    try:
        for generator, state in generators:
            set_state(generator, state)
        yield
    finally:
        for generator, state in now:
            set_state(generator, state)


def mapped(x: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with what is in its tuples, lists and dictionaries changed."""
    kind = type(x)
    if kind is tuple or kind is list:
        return kind([mapped(item, change) for item in x])
    if kind is dict:
        return {key: mapped(item, change) for key, item in x.items()}
    return change(x)


def leaves_of(x: Any) -> list[Any]:
    """Return the tensors, arrays and parcels in a value."""
    found: list[Any] = []
    mapped(x, found.append)
    return [y for y in found if isinstance(y, Tensor | np.ndarray | Parcel)]


def kept(x: Any, around: Packer | None) -> Any:
    """Return inputs as a run keeps them: packed, if there is a block around it."""

    def keep(y: Any) -> Any:
        if around is None or not isinstance(y, Tensor | np.ndarray):
            return y
        if isinstance(y, Tensor) and y.node is not None and y.is_leaf:
            return y
        node = y.node if isinstance(y, Tensor) else None
        return around.pack(array_of(y), type(y), node)

    return mapped(x, keep)


def opened(x: Any) -> Any:
    """Return inputs as the function is to get them."""

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
