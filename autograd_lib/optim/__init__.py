"""How parameters move: SGD, Adam and AdamW, clipping and schedules (chapter 18).

A step is worked out for all parameters, looked at, and then made. If a number of it is
nan or infinite, the step is refused, and what was trained is as it was. Names,
arguments and numbers are PyTorch's.
"""

from typing import TYPE_CHECKING

from autograd_lib.optim.clipping import clip_grad_norm
from autograd_lib.optim.methods import SGD, Adam, AdamW
from autograd_lib.optim.optimizer import Optimizer
from autograd_lib.optim.schedules import LambdaLR, warmup_cosine
from autograd_lib.spelling import missing

__all__ = [
    "SGD",
    "Adam",
    "AdamW",
    "LambdaLR",
    "Optimizer",
    "clip_grad_norm",
    "warmup_cosine",
]


if not TYPE_CHECKING:  # which would no longer see that a name is missing

    def __getattr__(name: str) -> object:
        raise missing(__name__, name, __all__)
