"""Typical mistakes in rules and in the backward pass, to be planted (chapter 11).

Each is a line of the engine with a typical mistake, and a small program that uses it.
The page's tests and the library's tests are run against all of them. The line is found
by its syntax tree, not by its spacing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lib.check.plant import find, planted, replaced, source_of, tree_of


@dataclass(frozen=True)
class Fault:
    """One wrong line.

    Attributes:
        name: the mistake, in a few words.
        where: the function, by its dotted name.
        right: an expression or a statement in it, which occurs once.
        wrong: its replacement.
        program: a function of tensors that uses it.
        inputs: the arrays to call it with.
    """

    name: str
    where: str
    right: str
    wrong: str
    program: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]

    def planted(self) -> AbstractContextManager[None]:
        """Return a `with` block inside which the fault is planted.

        Raises:
            LookupError: if the function, or the line in it, does not exist.
        """
        function = find(self.where)
        tree = tree_of(source_of(function))
        return planted(function, replaced(tree, self.right, self.wrong))


def early_example(a: Any) -> Any:
    """The example of chapter 04."""
    b = a * a
    return (b + a) * b


_SQUARE = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7], [-0.4, 1.1, 0.9]])
_OTHER = np.array([[1.2, 0.4, -0.6], [-1.3, 0.8, 0.5], [0.7, -0.9, 1.4]])
_ROW = np.array([0.3, -0.8, 1.7])
_COLUMN = _ROW.reshape(3, 1)
_NUMBER = np.array(0.8)
_PLACES = [0, 2, 2]

FAULTS = (
    Fault(
        "a sine's slope is its sine",
        "autograd_lib.engine.ops.trigonometry.by_sin",
        "np.cos(x)",
        "np.sin(x)",
        np.sin,
        (_ROW,),
    ),
    Fault(
        "operands swapped in a quotient",
        "autograd_lib.engine.ops.arithmetic.divide",
        "Saved(x, y)",
        "Saved(y, x)",
        lambda x, y: x / y,
        (_ROW, _OTHER),
    ),
    Fault(
        "mean without 1/n",
        "autograd_lib.engine.ops.reductions.share",
        "g / n",
        "g",
        lambda x: np.mean(x * x, axis=0),
        (_SQUARE,),
    ),
    Fault(
        "each tied maximum gets all",
        "autograd_lib.engine.ops.extremes.to_winners",
        "g / wins.sum(axis=to[1], dtype=dtype).reshape(y.shape)",
        "g",
        lambda x: np.max(x * np.array([1.0, 0.5, 1.0])),
        (_NUMBER,),
    ),
    Fault(
        "matrix product not transposed",
        "autograd_lib.engine.ops.matmul.vjp_left",
        "return times_transpose(g, b)",
        "return g @ b",
        lambda x, y: x @ y,
        (_SQUARE, _OTHER),
    ),
    Fault(
        "axes permuted, not put back",
        "autograd_lib.engine.ops.shapes.transpose",
        "tuple(map(places.index, range(a.ndim)))",
        "places",
        lambda x: np.transpose(x, (1, 2, 0)) ** 2,
        (np.repeat(_SQUARE[..., None], 3, -1) + _ROW,),
    ),
    Fault(
        "a summed axis put back last",
        "autograd_lib.engine.ops.sums.with_axes",
        "keepdims or axis is None",
        "True",
        lambda x: (x * x).sum(axis=1),
        (_SQUARE,),
    ),
    Fault(
        "softmax without its sum",
        "autograd_lib.engine.ops.activations.by_softmax",
        "dot_along(g, y, axis)",
        "g * y",
        lambda x: x.softmax(),
        (_SQUARE,),
    ),
    Fault(
        "running sum not from the end",
        "autograd_lib.engine.ops.cumulative.from_the_end",
        "np.flip(np.cumsum(np.flip(g, axis), axis), axis)",
        "np.cumsum(g, axis)",
        lambda x: np.cumsum(x, axis=0),
        (_SQUARE,),
    ),
    Fault(
        "a scatter that forgets repeats",
        "autograd_lib.engine.ops.indexing.Scatter.add_to",
        "not repeats(index)",
        "True",
        lambda x: x[_PLACES] * x[_PLACES],
        (_SQUARE,),
    ),
    Fault(
        "no sum over copies",
        "autograd_lib.broadcast.unbroadcast",
        "return summed(grad, (*range(new), *stretched)).reshape(shape)",
        "return grad",
        lambda x, y: x * y,
        (_SQUARE, _COLUMN),
    ),
    Fault(
        "mean over copies, not sum",
        "autograd_lib.broadcast.summed",
        "np.add.reduce(a, axis=axes)",
        "np.mean(a, axis=axes)",
        lambda x, y: x * y,
        (_SQUARE, _COLUMN),
    ),
    Fault(
        "overwritten, not added",
        "autograd_lib.engine.tape.walk.Pass.give",
        "d if first else accumulate(p, d)",
        "d",
        lambda x: x * np.exp(-x),
        (_ROW,),
    ),
    Fault(
        "handed over too early",
        "autograd_lib.engine.tape.walk.Pass.meet",
        "p.pending += 1",
        "p.pending = 1",
        early_example,
        (_NUMBER,),
    ),
    Fault(
        "grad replaced, not added to",
        "autograd_lib.engine.tape.backward.total_of",
        "before is None",
        "True",
        lambda x: x * x,
        (_ROW,),
    ),
    Fault(
        "a rule that writes into its gradient",
        "autograd_lib.engine.ops.arithmetic.negated",
        "return -g",
        "return np.negative(g, out=g)",
        lambda x, y: x * x - y * y,
        (_ROW, _ROW + 1.0),
    ),
    Fault(
        "right once, constant after",
        "autograd_lib.engine.ops.arithmetic.times",
        "g * slope",
        "g * array_of(slope)",
        lambda x, y: x * y,
        (_ROW, _ROW + 1.0),
    ),
    Fault(
        "a result that forgets its own node",
        "autograd_lib.engine.tape.walk.own_output",
        "t._node = v",
        "t._node = None",
        np.exp,
        (_ROW,),
    ),
)
"""The faults: those of rules, of the backward pass, and of second derivatives."""
