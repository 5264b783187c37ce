"""The engine for tensors (chapters 12 to 17, 22): record operations, then walk back.

An operation calculates with NumPy and leaves a node behind, whose edges say how its
gradient goes to each input: ``(parent, rule, saved)``. A backward pass follows the
edges from the result, calls the rules, and accumulates what they return.

| I want to change … | open |
| --- | --- |
| an operation, or its rule | `ops/`, a file for each family |
| how an operation is recorded, what a rule is given | `record`, `node` |
| the backward pass | `walk`; which nodes it needs, `reach` |
| what a rule may return, un-broadcasting, accumulation | `gradient` |
| `grad()` and `Tensor.backward` | `gradients` |
| what a tensor says of its gradient, `.grad` of leaves | `leaf` |
| version counters, and who shares memory | `versions` |
| views, and writes in place | `views`, `ops/in_place` |
| how NumPy's functions find ours | `numpy_protocol` |
| what an operation does to a tangent | `jvps`; how tensors carry one, `tangents` |
| hooks, `no_grad`, functions of one's own | `hooks`, `grad_mode`, `function` |

The class of tensors comes first and knows nothing above it. The pass and the operations
install what they define, so no import goes back.
"""

from autograd_lib.engine.tape.tensor import Tensor, from_numpy, tensor  # isort: skip
import autograd_lib.engine.complex.convention
import autograd_lib.engine.leaves.copying
import autograd_lib.engine.leaves.hooks
import autograd_lib.engine.writes.in_place  # noqa: F401 - rooms register themselves
from autograd_lib.engine.leaves.grad_mode import enable_grad, is_grad_enabled, no_grad
from autograd_lib.engine.numpy.names import explain_missing
from autograd_lib.engine.numpy.protocol import OPERATIONS
from autograd_lib.engine.ops import load
from autograd_lib.engine.tape.gradients import grad

load()
explain_missing(Tensor, OPERATIONS)

__all__ = [
    "Tensor",
    "enable_grad",
    "from_numpy",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "tensor",
]
