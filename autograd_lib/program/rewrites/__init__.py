"""Rewrites of a recorded graph before it is written as Python (chapter 22).

Each rewrite is a function from a graph to one with the same results. `compile` accepts
them in any order, so one can be left out to measure its gain.

A rewrite may not change a result by more than rounding, including infinities and NaN;
so 0·x stays, which is NaN if x is infinite. Nor may it move a read behind a write into
the same memory, so memory that is written into is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from autograd_lib.program.core.ir import Graph
from autograd_lib.program.rewrites.blocks import blocks
from autograd_lib.program.rewrites.common_subexpressions import common
from autograd_lib.program.rewrites.constants import constants
from autograd_lib.program.rewrites.dead_code import dead_code
from autograd_lib.program.rewrites.loops import loops
from autograd_lib.program.rewrites.no_copies import no_copies
from autograd_lib.program.rewrites.numbers import numbers
from autograd_lib.program.rewrites.products import products
from autograd_lib.program.rewrites.reuse_memory import reuse_memory

Rewrite: TypeAlias = Callable[[Graph], Graph]

PASSES: tuple[Rewrite, ...] = (
    *(dead_code, no_copies, constants, common, dead_code, numbers),
    *(loops, products, dead_code, blocks, reuse_memory),
)
REORDER_SUMS: tuple[Rewrite, ...] = (no_copies, loops, products)
"""Rewrites that may change the order of a sum. All others leave every bit unchanged."""
