"""One run of a function on new arguments, and backward passes through it (chapter 20).

All transforms of `functional` share this: the arguments are flattened, checked and
replaced; the function runs; its results are checked, and backward passes lead from them
to the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

import autograd_lib.functional.tree as tree
from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.leaves.grad_mode import enable_grad
from autograd_lib.engine.leaves.leaf import carries
from autograd_lib.engine.numpy.conversion import own_words
from autograd_lib.engine.tape.backward import cotangents as gradients
from autograd_lib.engine.tape.backward import start
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import leads_back
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.functional.scope import argument, close, cut, leads_outside, let_out
from autograd_lib.functional.tree import Structure

Function: TypeAlias = Callable[..., Any]
Argnums: TypeAlias = int | Sequence[int]


@dataclass
class Run:
    """One run of a function on new arguments.

    Attributes:
        name: the names of the transform and of the function, for messages.
        inputs: the arguments' leaves, as the function got them.
        gradient: builds a tree like the arguments from tensors, one for each input.
        outputs: the results' leaves.
        structure: the structure of the results.
        connected: whether an output leads to recorded tensors outside.
        aux: the auxiliary result, with `has_aux`.
        shared: whether `aux` has tensors that need the graph of the outputs.
    """

    name: str
    inputs: list[Tensor]
    gradient: Callable[[list[Tensor]], Any]
    outputs: list[Tensor]
    structure: Structure
    connected: bool
    aux: Any = None
    shared: bool = False

    @classmethod
    def of(
        cls,
        transform: str,
        fun: Function,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        argnums: Argnums,
        has_aux: bool = False,
    ) -> Run:
        """Run `fun` with the arguments at `argnums` replaced by new tensors."""
        name = f"{transform}({name_of(fun)})"
        places = positions(argnums, args, name)
        leaves, structure = tree.flatten(tuple(args[i] for i in places))
        if not leaves:
            raise ValueError(
                f"{name}: there is nothing to differentiate with respect to; argument "
                f"{', '.join(map(str, places)) or '-'} has no leaves"
            )
        paths = [
            f"argument {i}{path}"
            for i, part in zip(places, structure.parts, strict=True)
            for path in part.paths
        ]
        given = [floating(x, p, name) for x, p in zip(leaves, paths, strict=True)]
        inputs = [argument(x) for x in given]
        new = list(args)
        for i, value in zip(places, structure.unflatten(inputs), strict=True):
            new[i] = value
        try:
            with enable_grad(), own_words():
                out = fun(*new, **kwargs)
        finally:
            close(inputs)
        out, aux = pair(out, name) if has_aux else (out, None)
        aux = tree.map(lambda t: let_out(t) if isinstance(t, Tensor) else t, aux)
        shared = any(
            isinstance(t, Tensor) and t.requires_grad for t in tree.leaves(aux)
        )
        outputs, of_results = tree.flatten(out)
        if not outputs:
            refuse_result(out, "", name)
        for y, path in zip(outputs, of_results.paths, strict=True):
            refuse_result(y, path, name)

        def gradient(found: list[Tensor]) -> Any:
            several = structure.unflatten(found, gradient=True)
            return several[0] if isinstance(argnums, int) else several

        connected = is_recording() and leads_outside(outputs)
        return cls(name, inputs, gradient, outputs, of_results, connected, aux, shared)

    def real_results(self) -> None:
        """Raise TypeError if a result is complex."""
        for y, path in zip(self.outputs, self.structure.paths, strict=True):
            if y.dtype.kind == "c":
                raise TypeError(
                    f"{self.name}: the result{path} is of {y.dtype}, and a gradient is "
                    "of a real number; take y.real. Where the function is analytic, "
                    "the gradient of that is the complex derivative; vjp and jvp take "
                    "complex results"
                )

    def real_inputs(self) -> None:
        """Raise TypeError if an argument is complex: its parts have two slopes."""
        for x in self.inputs:
            if x.dtype.kind == "c":
                raise TypeError(
                    f"{self.name}: an argument is of {x.dtype}, whose two parts may "
                    "have slopes of their own; make it of two real arguments, or use "
                    "grad, vjp or jvp"
                )

    def only_number(self) -> Tensor:
        """Return the only result, after checking that it is one real number."""
        self.real_results()
        if self.structure.kind is None and self.outputs[0].size == 1:
            return self.outputs[0]
        got = f"a {self.structure.kind.__name__}" if self.structure.kind else ""
        raise ValueError(
            f"{self.name}: the function must return one number, got "
            f"{got or f'a tensor of shape {self.outputs[0].shape}'}; take sum() or "
            "mean(), or use jacobian, vjp or elementwise_grad, or has_aux=True where "
            "it returns something else beside it"
        )

    def outside(self, y: Tensor) -> Tensor:
        """Return an output for the caller: connected, or cut from the graph."""
        return shown(y, self.connected)

    def ones(self) -> list[Tensor]:
        """Return gradients of 1 for the outputs."""
        return [constant(numpy().ones(y.shape, y.dtype)) for y in self.outputs]

    def back(self, weights: Sequence[Any], retain: bool = False) -> list[Tensor]:
        """Return a gradient for each input, given a gradient or None for each output.

        Args:
            weights: the gradients of the outputs.
            retain: whether there will be another backward pass.
        """
        ends = [
            (y, g)
            for y, g in zip(self.outputs, weights, strict=True)
            if g is not None and leads_back(y.node)
        ]
        if not ends:
            return [constant(numpy().zeros(x.shape, x.dtype)) for x in self.inputs]
        record = is_recording() and (
            self.connected or leads_outside(g for _, g in ends)
        )
        retain = retain or record or self.shared
        roots = [start(self.name, y, g) for y, g in ends]
        try:
            found = gradients(self.inputs, roots, retain, record, allow_unused=True)
        except RuntimeError as error:
            if "graph before and freed" not in str(error):
                raise
            raise RuntimeError(
                f"{self.name}: the result leads to a tensor from before this call, "
                "whose graph an earlier pass has freed, such as one that the function "
                "kept when it was called last; pass it as an argument, or keep "
                "t.detach(), a constant"
            ) from None
        return [
            constant(numpy().zeros(x.shape, x.dtype)) if d is None else shown(d, record)
            for x, d in zip(self.inputs, found, strict=True)
        ]

    def fitting(self, cotangents: Any) -> list[Tensor]:
        """Return the cotangents as a list of tensors, one for each output."""
        leaves = self.structure.leaves_of(cotangents, f"{self.name}: the cotangent")
        found = []
        paths = self.structure.paths
        for y, g, path in zip(self.outputs, leaves, paths, strict=True):
            t = g if isinstance(g, Tensor) else Tensor(g, dtype=y.dtype)
            fits = t.dtype.kind == "f" or t.dtype.kind == y.dtype.kind == "c"
            if t.shape != y.shape or not fits:
                raise ValueError(
                    f"{self.name}: the cotangent{path} has shape {t.shape} and "
                    f"{t.dtype}, and the result{path} {y.shape} and {y.dtype}; give "
                    "one number for each of the result's"
                )
            found.append(t)
        return found

    def rows(self, i: int) -> list[Tensor]:
        """Return the Jacobian of an output with respect to each input."""
        y = self.outputs[i]
        found = []
        for k in range(y.size):
            weights: list[Any] = [None] * len(self.outputs)
            one = numpy().zeros(y.shape, y.dtype)
            one.flat[k] = 1
            weights[i] = constant(one)
            found.append(self.back(weights, retain=True))
        if not found:
            return [constant(numpy().zeros(y.shape + x.shape)) for x in self.inputs]
        return [
            np.stack(rows).reshape(y.shape + x.shape)  # type: ignore[misc]
            for x, rows in zip(self.inputs, zip(*found, strict=True), strict=True)
        ]


def shown(t: Tensor, connected: bool) -> Tensor:
    """Return a tensor for the caller; unless it is connected, only a tangent stays."""
    return let_out(t) if connected or carries(t.node) else cut(t)


# Checks and conversions of arguments and results.


def positions(argnums: Argnums, args: tuple[Any, ...], name: str) -> list[int]:
    """Return the positions of arguments, counted from the first."""
    several = [argnums] if isinstance(argnums, int) else list(argnums)
    for i in several:
        if not -len(args) <= i < len(args):
            raise ValueError(
                f"{name}: argument {i}, counted from 0, is not among the {len(args)} "
                "that were passed by position"
            )
    places = [i % len(args) for i in several]
    if len(set(places)) < len(places):
        raise ValueError(f"{name}: argnums names an argument twice: {argnums}")
    return places


def check_argnums(name: str, argnums: Any) -> None:
    """Raise TypeError if `argnums` isn't made of integers."""
    several = argnums if isinstance(argnums, tuple | list | range) else (argnums,)
    if any(isinstance(i, bool) or not isinstance(i, int) for i in several):
        raise TypeError(
            f"{name}: argnums is an integer or a tuple of them, got {argnums!r:.60}; "
            "the arguments go to the function that is returned, as in grad(f)(x)"
        )


def floating(x: Any, path: str, name: str) -> Tensor:
    """Return a leaf of an argument as a tensor of real or complex floats."""
    number = isinstance(x, Tensor | np.ndarray | np.generic | float | int | complex)
    dtype = getattr(x, "dtype", np.dtype(type(x))) if number else None
    if dtype is not None and dtype.kind in "fc":
        return x if isinstance(x, Tensor) else Tensor(x)
    if dtype is not None and dtype.kind in "iub":
        way = (
            "integers have nothing in between to move to; write 3.0 for 3, or "
            "x.astype(float)"
        )
    else:
        way = (
            "pass it as an argument that argnums leaves out, or let tree.register "
            "know what is in it"
        )
    raise TypeError(
        f"{name}: {path} is {x!r:.60}, of which no derivative exists; {way}"
    )


def refuse_result(y: Any, path: str, name: str) -> None:
    """Raise TypeError for a result that isn't a tensor of floating-point numbers."""
    where = f"the result{path}"
    if isinstance(y, Tensor):
        if y.dtype.kind not in "fc":
            raise TypeError(
                f"{name}: {where} is a tensor of {y.dtype}, which has no derivative; "
                "only floating-point numbers have"
            )
        return
    way = "return it as the second of a pair, with has_aux=True"
    if y is None:
        way = "is a return missing?"
    elif isinstance(y, float | int | np.ndarray | np.generic):
        way = (
            "a number loses its gradient in float(t), t.item(), t.data; if it is a "
            "constant, return Tensor(number)"
        )
    raise TypeError(f"{name}: {where} is {y!r:.60} and not a tensor; {way}")


def pair(out: Any, name: str) -> tuple[Any, Any]:
    """Return the result of a function, and its auxiliary result."""
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(
            f"{name}: with has_aux=True the function returns a pair, the result and "
            f"something else, got {out!r:.60}"
        )
    return out


def name_of(fun: Any) -> str:
    """Return a function's name for messages.

    Raises:
        TypeError: if it isn't a function.
    """
    if not callable(fun):
        raise TypeError(
            f"a transform takes a function, got {fun!r:.60}; write grad(f)(x), not "
            "grad(f(x))"
        )
    return getattr(fun, "__name__", None) or type(fun).__name__
