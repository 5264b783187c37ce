"""Mistakes that people make in rules, and in the pass, to be planted (chapter 14).

Each is a line of the engine as it could have been written, with a small program that
uses it. Tests of the page and of the library are tried on all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lib.probes.plant import find, planted, source_of, tree_of


@dataclass(frozen=True)
class Fault:
    """One wrong line.

    Attributes:
        name: what is wrong, in a few words.
        where: the function, by its dotted name.
        right: a piece of its source, which occurs once.
        wrong: what stands there instead.
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
        """Plant the fault for the time of a `with` block.

        Raises:
            LookupError: if the function, or the piece of its source, is not there.
        """
        function = find(self.where)
        source = source_of(function)
        if source.count(self.right) != 1:
            raise LookupError(
                f"fault {self.name!r}: {self.right!r} is not there exactly once in "
                f"{self.where}; write the fault anew"
            )
        return planted(function, tree_of(source.replace(self.right, self.wrong)))


def early_example(a: Any) -> Any:
    """The example of chapter 05."""
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
        "autograd_lib.ops.trigonometry.by_sin",
        "np.cos(x)",
        "np.sin(x)",
        np.sin,
        (_ROW,),
    ),
    Fault(
        "operands swapped in a quotient",
        "autograd_lib.ops.arithmetic.divide",
        "by_divisor, Saved(x, y)",
        "by_divisor, Saved(y, x)",
        lambda x, y: x / y,
        (_ROW, _OTHER),
    ),
    Fault(
        "mean without 1/n",
        "autograd_lib.ops.reductions.share",
        "g / n",
        "g",
        lambda x: np.mean(x * x, axis=0),
        (_SQUARE,),
    ),
    Fault(
        "each tied maximum gets all",
        "autograd_lib.ops.extremes.to_winners",
        "g / number.reshape(y.shape)",
        "g",
        lambda x: np.max(x * np.array([1.0, 0.5, 1.0])),
        (_NUMBER,),
    ),
    Fault(
        "matrix product not transposed",
        "autograd_lib.ops.matmul.toward_left",
        "return g @ b.T",
        "return g @ b",
        lambda x, y: x @ y,
        (_SQUARE, _OTHER),
    ),
    Fault(
        "axes permuted, not put back",
        "autograd_lib.ops.shapes.transpose",
        "tuple(map(places.index, range(a.ndim)))",
        "places",
        lambda x: np.transpose(x, (1, 2, 0)) ** 2,
        (np.repeat(_SQUARE[..., None], 3, -1) + _ROW,),
    ),
    Fault(
        "a summed axis put back last",
        "autograd_lib.ops.sums.with_axes",
        "if keepdims or axis is None:",
        "if True:",
        lambda x: (x * x).sum(axis=1),
        (_SQUARE,),
    ),
    Fault(
        "softmax without its sum",
        "autograd_lib.ops.activations.by_softmax",
        "y * d.sum(axis=axis, keepdims=True)",
        "y * d",
        lambda x: x.softmax(),
        (_SQUARE,),
    ),
    Fault(
        "running sum not from the end",
        "autograd_lib.ops.cumulative.from_the_end",
        "np.flip(np.cumsum(np.flip(g, axis), axis), axis)",
        "np.cumsum(g, axis)",
        lambda x: np.cumsum(x, axis=0),
        (_SQUARE,),
    ),
    Fault(
        "a scatter that forgets repeats",
        "autograd_lib.ops.indexing.Scatter.add_to",
        "if not repeats(self.index):",
        "if True:",
        lambda x: x[_PLACES] * x[_PLACES],
        (_SQUARE,),
    ),
    Fault(
        "no sum over copies",
        "autograd_lib.broadcast.unbroadcast",
        "return np.asarray(grad.sum(axis=(*range(new), *stretched))).reshape(shape)",
        "return grad",
        lambda x, y: x * y,
        (_SQUARE, _COLUMN),
    ),
    Fault(
        "mean over copies, not sum",
        "autograd_lib.broadcast.unbroadcast",
        "grad.sum(",
        "grad.mean(",
        lambda x, y: x * y,
        (_SQUARE, _COLUMN),
    ),
    Fault(
        "overwritten, not added",
        "autograd_lib._pass.hand_over",
        "if p.grad is None:",
        "if True:",
        lambda x: x * np.exp(-x),
        (_ROW,),
    ),
    Fault(
        "handed over too early",
        "autograd_lib._pass.count",
        "if p.stamp is stamp:\n                p.uses += 1",
        "if p.stamp is stamp:\n                p.uses = 1",
        early_example,
        (_NUMBER,),
    ),
    Fault(
        "grad replaced, not added to",
        "autograd_lib.backward.total_of",
        "elif before is None:",
        "elif True:",
        lambda x: x * x,
        (_ROW,),
    ),
    Fault(
        "a rule that writes into its gradient",
        "autograd_lib.ops.arithmetic.negated",
        "return -g",
        "return np.negative(g, out=g)",
        lambda x, y: x * x - y * y,
        (_ROW, _ROW + 1.0),
    ),
    Fault(
        "right once, constant after",
        "autograd_lib.ops.arithmetic.times",
        "g * slope",
        "g * plain(slope)",
        lambda x, y: x * y,
        (_ROW, _ROW + 1.0),
    ),
    Fault(
        "a result that forgets its own node",
        "autograd_lib._handing.kept",
        "t.node = v",
        "t.node = None",
        np.exp,
        (_ROW,),
    ),
)
"""The faults, those of rules first, then those of the pass, then second derivatives."""
