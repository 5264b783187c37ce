"""A model split into stages, one for each rank (chapter 24).

Huang et al., "GPipe" (2019), arXiv:1811.06965, split the batch as well: a stage then
works on one piece while the next stage works on the piece before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.parallel.collectives import receive, send, token
from autograd_lib.parallel.ranks import Ranks, world


def relay(
    stage: Callable[[Any], Tensor], x: Any = None, ranks: Ranks | None = None
) -> Tensor:
    """Receive the previous stage's result, run this stage, and send its result on.

    Every rank calls ``backward()`` on the return value: the last rank on the loss,
    which is its stage's result; the others on a token, whose backward pass waits for
    the gradient. For a batch in pieces, first relay all pieces, then call
    ``backward()`` for all in the same order: the gradients are added.

    Args:
        stage: this rank's stage; the last one returns the loss.
        x: the input, used by the first rank only.
        ranks: the processes; by default all.

    Returns:
        the loss on the last rank, a token of 0 on the others.
    """
    ranks = ranks or world()
    h = x if ranks.me == 0 else receive(token(), ranks.me - 1, ranks)
    y = stage(h)
    return y if ranks.me == ranks.size - 1 else send(y, ranks.me + 1, ranks)
