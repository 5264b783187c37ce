"""Programs written for HIPS autograd: change the import lines, and they run.

    import numpy as np
    from autograd_lib.hips import adam, grad, norm

Plain NumPy takes the place of `autograd.numpy`, and here are the names that programs
import from `autograd` and its folders: the transforms with `argnum`, `primitive` and
`defvjp`, `flatten` and the optimisers, densities. Outside a transform results are
arrays, as HIPS's are, so that SciPy and Matplotlib take them.

What differs: nothing registers kinds of values (`Box`, `VSpace`); `np.array([x[0],
x[1]])` is `np.stack([x[0], x[1]])`; and ``np.full(shape, x)`` is
``x * np.ones(shape)``. `trace` and `Node` are in `autograd_lib.designs.tracing`.
"""

from autograd_lib.hips.densities import (
    expit,
    gammaln,
    logsumexp,
    multivariate_normal,
    norm,
    t,
)
from autograd_lib.hips.extend import defvjp, primitive
from autograd_lib.hips.transforms import (
    elementwise_grad,
    grad,
    hessian,
    hessian_vector_product,
    jacobian,
    make_vjp,
    value_and_grad,
)
from autograd_lib.hips.vectors import (
    adam,
    check_grads,
    fixed_point,
    flatten,
    flatten_func,
    rmsprop,
    sgd,
)

__all__ = [
    "adam",
    "check_grads",
    "defvjp",
    "elementwise_grad",
    "expit",
    "fixed_point",
    "flatten",
    "flatten_func",
    "gammaln",
    "grad",
    "hessian",
    "hessian_vector_product",
    "jacobian",
    "logsumexp",
    "make_vjp",
    "multivariate_normal",
    "norm",
    "primitive",
    "rmsprop",
    "sgd",
    "t",
    "value_and_grad",
]
