"""More faults than chapter 11 plants, each right in one ordinary pass.

A check that compares a single pass through a small graph with a reference value does
not notice them.
"""

from __future__ import annotations

import numpy as np

from autograd_lib.check.faults import Fault

SQUARE = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7], [-0.4, 1.1, 0.9]])
ROW = np.array([0.3, -0.8, 1.7])

MORE_FAULTS = (
    Fault(
        "one buffer for all results",
        "autograd_lib.engine.ops.trigonometry.by_sin",
        "g * np.cos(x)",
        "np.multiply(g, np.cos(x), by_sin.__dict__.setdefault(x.shape, 0 * x))",
        np.sin,
        (ROW,),
    ),
    Fault(
        "right in one memory order only",
        "autograd_lib.engine.ops.arithmetic.negated",
        "-g",
        "-np.ravel(g, 'K').reshape(g.shape)",
        lambda x: -x,
        (SQUARE,),
    ),
    Fault(
        "wrong where a gradient is 0",
        "autograd_lib.engine.ops.arithmetic.negated",
        "-g",
        "-g + (g == 0)",
        lambda x: -x,
        (ROW,),
    ),
    Fault(
        "large gradients cut off",
        "autograd_lib.engine.ops.arithmetic.negated",
        "-g",
        "-np.clip(g, -2, 2)",
        lambda x: -x,
        (ROW,),
    ),
    Fault(
        "the other operand's rule beside a constant",
        "autograd_lib.engine.tape.record.binary",
        "edges = ((n, rule, saved) if m is None else (m, rule_y, saved_y),)",
        "edges = ((n, rule_y, saved_y) if m is None else (m, rule_y, saved_y),)",
        lambda x, y: x * y,
        (ROW, ROW + 1.0),
    ),
    Fault(
        "other numbers where it is recorded",
        "autograd_lib.engine.ops.trigonometry.sin",
        "unary(np.sin, x, by_sin, x)",
        "unary(np.tan if x.node else np.sin, x, by_sin, x)",
        np.sin,
        (ROW,),
    ),
    Fault(
        "a factor only where the pass is recorded",
        "autograd_lib.engine.ops.trigonometry.by_sin",
        "g * np.cos(x)",
        "g * np.cos(x) * (3.0 if hasattr(g, 'node') else 1.0)",
        np.sin,
        (ROW,),
    ),
    Fault(
        "a rule that writes into what was saved",
        "autograd_lib.engine.ops.trigonometry.by_sin",
        "g * np.cos(x)",
        "(g * np.cos(x), np.multiply(x, 1.5, out=x))[0]",
        np.sin,
        (ROW,),
    ),
    Fault(
        "not the same twice",
        "autograd_lib.engine.ops.trigonometry.by_sin",
        "g * np.cos(x)",
        "g * np.cos(x) * (1 + 1e-7 * np.random.rand())",
        lambda x: np.sin(x) + np.abs(x),
        (ROW,),
    ),
    Fault(
        "a slope lost beside a large number",
        "autograd_lib.engine.ops.choices.by_sign",
        "with_kink(np.sign(x), x, flat_at_kink(g, x))",
        "0.0",
        lambda x: np.abs(x) + 1e7,
        (ROW,),
    ),
    Fault(
        "a copy that is none",
        "autograd_lib.engine.ops.copies.positive",
        "unary(np.positive, x, identity, None)",
        "unary(np.asarray, x, identity, None)",
        lambda x: +x,
        (ROW,),
    ),
)
