"""Typical mistakes in the reader's engine, to be planted in it (chapter 11).

Each is a line of that engine with a mistake, and a small program in NumPy's words that
uses it. `begin` has to have made the engine first; a reader's own is found in the same
way. A line that is not there is a `LookupError`, as in `plant`.
"""

from __future__ import annotations

import numpy as np

from autograd_lib.check.faults import Fault

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
