"""Derivatives as functions of functions, on trees of tensors (chapter 20)."""

from typing import TYPE_CHECKING

from autograd_lib.functional import tree as tree
from autograd_lib.functional.transforms import (
    elementwise_grad as elementwise_grad,
)
from autograd_lib.functional.transforms import grad as grad
from autograd_lib.functional.transforms import hessian as hessian
from autograd_lib.functional.transforms import hvp as hvp
from autograd_lib.functional.transforms import jacobian as jacobian
from autograd_lib.functional.transforms import value_and_grad as value_and_grad
from autograd_lib.functional.transforms import vhp as vhp
from autograd_lib.functional.transforms import vjp as vjp
from autograd_lib.spelling import missing

__all__ = [
    "elementwise_grad",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "tree",
    "value_and_grad",
    "vhp",
    "vjp",
]

if not TYPE_CHECKING:  # it would hide missing names from type checkers

    def __getattr__(name: str) -> object:
        raise missing(__name__, name, __all__)
