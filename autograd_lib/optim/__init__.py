"""Optimisers: SGD, Adam and AdamW, clipping and schedules (chapter 16).

A step is worked out for all parameters, checked, and then made. If a number in it is
NaN or infinite, it raises an error and leaves the parameters unchanged. Names,
arguments and results are PyTorch's.
"""

from typing import TYPE_CHECKING

from autograd_lib.optim.algorithms import SGD, Adam, AdamW
from autograd_lib.optim.clipping import clip_grad_norm
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


if not TYPE_CHECKING:  # it would hide missing names from type checkers

    def __getattr__(name: str) -> object:
        raise missing(__name__, name, __all__)
