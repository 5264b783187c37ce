"""Typical mistakes in the reader's engine, to be planted in it (chapter 11).

Each is a line of that engine with a mistake, and a small program in NumPy's words that
uses it. `begin` or `after` has to have made the engine first; a reader's own is found
in the same way. Where a reader has worded the line otherwise, the book's whole function
takes the place of theirs for as long, if without the mistake it does what theirs does.
"""

from __future__ import annotations

import ast
import sys
from contextlib import AbstractContextManager
from types import FunctionType

import numpy as np

from autograd_lib.check import faults
from autograd_lib.check.plant import find, planted, replaced, source_of, tree_of
from autograd_lib.small.cut import cut


class Fault(faults.Fault):
    """One wrong line of the reader's engine."""

    def planted(self) -> AbstractContextManager[None]:
        """Return a `with` block inside which the fault is planted.

        Raises:
            LookupError: if the function does not exist, or has not the line, and the
                book's function does not do in this engine what it does.
        """
        function = find(self.where)
        try:
            own = tree_of(source_of(function))
            return planted(function, replaced(own, self.right, self.wrong))
        except LookupError:
            books = replaced(self.book(function), self.right, self.wrong)
            return planted(function, books)

    def book(self, function: FunctionType) -> ast.FunctionDef:
        """Return the book's function, if it does here what the reader's does."""
        name = self.where.rpartition(".")[2]
        nodes = ast.walk(ast.parse(cut("numpy")))
        (tree, *_) = (
            n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == name
        )
        before = self.slopes()
        try:
            with planted(function, tree):
                now = self.slopes()
            why = "" if all(map(np.allclose, now, before)) else "it has other slopes"
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
        if why:
            raise LookupError(
                f"plant: {self.right!r} is not in {self.where}, and the book's"
                f" {tree.name} does not fit in there ({why})"
            )
        return tree

    def slopes(self) -> list[np.ndarray]:
        """Return the second derivatives of the program, and what leads to them."""
        engine = sys.modules["engine"]
        leaves = [engine.Tensor(x, True) for x in self.inputs]
        y = self.program(*leaves)
        g = np.cos(np.arange(1.0, y.data.size + 1)).reshape(y.shape)
        first = engine.grad(y, leaves, g, create_graph=True)
        again = [f * f + 0.0 * x for f, x in zip(first, leaves, strict=True)]
        second = [
            engine.grad(f, [x], np.ones(x.shape))[0]
            for f, x in zip(again, leaves, strict=True)
        ]
        return [t.data for t in (y, *first, *second)]


_SQUARE = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7], [-0.4, 1.1, 0.9]])
_OTHER = np.array([[1.2, 0.4, -0.6], [-1.3, 0.8, 0.5], [0.7, -0.9, 1.4]])
_ROW = np.array([0.3, -0.8, 1.7])
_COLUMN = _ROW.reshape(3, 1)
_SUM = "grads[parent] + d if parent in grads else d"
_IN_PLACE = (
    "Result(np.add(grads[parent].data, d.data, out=grads[parent].data),"
    " grads[parent].node) if parent in grads else d"
)

FAULTS = (
    Fault(
        "tanh without its square",
        "engine.tanh_rule",
        "1.0 - y * y",
        "1.0 - y",
        np.tanh,
        (_ROW,),
    ),
    Fault(
        "a rule that forgets g",
        "engine.exp_rule",
        "g * exp(x)",
        "exp(x)",
        np.exp,
        (_ROW,),
    ),
    Fault(
        "a quotient upside down",
        "engine.divisor_rule",
        "x / y",
        "y / x",
        lambda x, y: x / y,
        (_ROW, _ROW + 2.0),
    ),
    Fault(
        "a power that stays as high",
        "engine.power_rule",
        "n - (n != 0)",
        "n",
        lambda x: x**3,
        (_ROW,),
    ),
    Fault(
        "a product not transposed",
        "engine.left_rule",
        "matmul(g, swapaxes(y, -1, -2))",
        "matmul(g, y)",
        lambda x, y: x @ y,
        (_SQUARE, _OTHER),
    ),
    Fault(
        "a transpose not turned back",
        "engine.transpose",
        "(x, transpose)",
        "(x, same)",
        lambda x, y: x.T * y,
        (_SQUARE, _OTHER),
    ),
    Fault(
        "no sum over copies",
        "engine.walk",
        "d = sum_copies(d, parent.shape)",
        "pass",
        lambda x, y: x * y,
        (_SQUARE, _COLUMN),
    ),
    Fault(
        "a mean over copies",
        "engine.sum_to",
        "a.sum((*range(front), *ones))",
        "a.mean((*range(front), *ones))",
        lambda x, y: x * y,
        (_SQUARE, _COLUMN),
    ),
    Fault(
        "overwritten, not added",
        "engine.walk",
        _SUM,
        "d",
        lambda x: x * np.exp(-x),
        (_ROW,),
    ),
    Fault(
        "added into another's array",
        "engine.walk",
        _SUM,
        _IN_PLACE,
        lambda x, y: ((x + y) + x) * np.tanh(y),
        (_ROW, _ROW + 2.0),
    ),
    Fault(
        "right once, constant after",
        "engine.tanh",
        "(x, tanh_rule, x)",
        "(x, tanh_rule, plain(x))",
        np.tanh,
        (_ROW,),
    ),
    Fault(
        "a pass that keeps no history",
        "engine.walk",
        "saved if create_graph else map(detach, saved)",
        "map(detach, saved)",
        lambda x, y: x * y,
        (_ROW, _ROW + 2.0),
    ),
    Fault(
        "a pass that always records",
        "engine.walk",
        "saved if create_graph else map(detach, saved)",
        "saved",
        lambda x, y: x * y,
        (_ROW, _ROW + 2.0),
    ),
    Fault(
        "float32 turned into float64",
        "engine.Tensor.__init__",
        'array if array.dtype.kind == "f" else array.astype(float)',
        "array.astype(float)",
        np.exp,
        (_ROW,),
    ),
    Fault(
        "off by a hundred-billionth",
        "engine.tanh_rule",
        "1.0 - y * y",
        "1.00000000001 - y * y",
        np.tanh,
        (_ROW,),
    ),
)
"""The faults: of rules, of the pass, of second derivatives, and of neither."""
