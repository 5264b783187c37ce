"""The engine for tensors (chapters 09 to 14, 19): a tape and its backward pass.

An operation calculates with NumPy and records a node, with an edge for each input:
``(parent, rule, saved)``. A backward pass follows the edges from the result, calls the
rules, and accumulates the gradients that they return. `methods` is its table of
contents: each operator and method of `Tensor`, and the file that it is in.

Each folder is a room, explained by one chapter. A later room registers its functions
with an earlier one, so no room imports from a later chapter's.

| room | chapter | I want to change … | open |
| --- | --- | --- | --- |
| `tape` | 12 | how an operation is recorded, what a rule is given | `record`, `node` |
| | | the backward pass, accumulation | `walk` |
| | | what a rule may return, un-broadcasting | `gradient` |
| | | `grad()` and `Tensor.backward` | `backward` |
| `numpy` | 13 | how NumPy's functions find ours | `protocol` |
| | | what a tensor is made of, or turned into | `coercion`, `conversion` |
| | | messages for mistakes and for unknown names | `operands`, `mistakes`, `missing` |
| `ops` | 13 | an operation, or its rule | a file for each family; `more` |
| | | what is declared about a rule | `rules`, next to the rooms |
| | | operations that users define | `function`, `joint` |
| `leaves` | 16 | leaves and `.grad`; hooks; `no_grad` | `leaf`; `hooks`; `grad_mode` |
| `writes` | 17 | version counters, and tensors that share memory | `versions` |
| | | views, and writes in place | `views`, `in_place`, `scattered` |
| | | which methods tensors have | `methods`, next to the rooms |
| `complex` | 22 | gradients of complex numbers | `convention` |
| `forward` | 22 | what an operation does to a tangent | `jvps` |
| | | how tensors carry one | `tangents`, `levels` |
"""

import autograd_lib.engine.complex.convention
import autograd_lib.engine.methods
import autograd_lib.engine.writes.scattered  # noqa: F401 - rooms register themselves
from autograd_lib.engine.function import Function
from autograd_lib.engine.leaves.grad_mode import enable_grad, is_grad_enabled, no_grad
from autograd_lib.engine.numpy.coercion import from_numpy, tensor
from autograd_lib.engine.tape import backward
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.spelling import explain_keywords

grad = explain_keywords(backward.grad)

__all__ = [
    "Function",
    "Tensor",
    "enable_grad",
    "from_numpy",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "tensor",
]
