# What the package offers, spelt out for type checkers and editors. In a stub, only
# what is imported "as" itself is offered on.
from autograd_lib import data as data
from autograd_lib import functional as functional
from autograd_lib import nn as nn
from autograd_lib import optim as optim
from autograd_lib.check import dotcheck as dotcheck
from autograd_lib.check import gradcheck as gradcheck
from autograd_lib.check import gradgradcheck as gradgradcheck
from autograd_lib.checkpointing import checkpoint as checkpoint
from autograd_lib.checkpointing import saved_tensors_hooks as saved_tensors_hooks
from autograd_lib.engine import Tensor as Tensor
from autograd_lib.engine import enable_grad as enable_grad
from autograd_lib.engine import from_numpy as from_numpy
from autograd_lib.engine import grad as grad
from autograd_lib.engine import is_grad_enabled as is_grad_enabled
from autograd_lib.engine import no_grad as no_grad
from autograd_lib.engine import tensor as tensor
from autograd_lib.engine.function import Function as Function
from autograd_lib.engine.numpy.protocol import operation as operation
from autograd_lib.forward import jvp as jvp
from autograd_lib.functional import hessian as hessian
from autograd_lib.functional import hvp as hvp
from autograd_lib.functional import jacobian as jacobian
from autograd_lib.functional import tree as tree
from autograd_lib.functional import value_and_grad as value_and_grad
from autograd_lib.functional import vhp as vhp
from autograd_lib.functional import vjp as vjp
from autograd_lib.program import compile as compile
from autograd_lib.program.machine import MACHINE as MACHINE
from autograd_lib.scalar.value import Value as Value

__version__: str
WHERE: dict[str, str]
__all__ = [
    "MACHINE",
    "Function",
    "Tensor",
    "Value",
    "checkpoint",
    "compile",
    "data",
    "dotcheck",
    "enable_grad",
    "from_numpy",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "hessian",
    "hvp",
    "is_grad_enabled",
    "jacobian",
    "jvp",
    "nn",
    "no_grad",
    "operation",
    "optim",
    "saved_tensors_hooks",
    "tensor",
    "tree",
    "value_and_grad",
    "vhp",
    "vjp",
]
