"""Cases of `ops/activations.py`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograd_lib.engine.ops.activations import (
    gelu,
    log_softmax,
    relu,
    sigmoid,
    softmax,
    softplus,
)
from tests.library.operations.case import Case, normal, spread_out
from tests.library.operations.elementwise import elementwise

A, S, CUBE = normal(3, 4), spread_out(3, 4), normal(2, 3, 4)
FAR = np.array([-30.0, -8.0, -0.5, 0.0, 0.5, 8.0, 15.0])


def functional(name: str, **options: Any) -> Any:
    """Return a function of `torch.nn.functional`."""

    def call(x: Any) -> Any:
        from torch.nn import functional

        return getattr(functional, name)(x, **options)

    return call


def tanh_gelu(x: Any) -> Any:
    return gelu(x, approximate="tanh")


def along_axis(name: str, axis: int) -> Any:
    return lambda x: getattr(x, name)(axis)


TORCH_TANH = functional("gelu", approximate="tanh")
NAME = "ops.activations."
PLACES = (40.0, -40.0, 800.0, -800.0)  # where exp(-x) is lost beside 1, or infinite

CASES = [
    *elementwise(NAME + "relu", relu, S, torch="relu", method="relu"),
    *elementwise(
        NAME + "sigmoid", sigmoid, A, "sigmoid", method="sigmoid", places=PLACES
    ),
    *elementwise(
        NAME + "softplus",
        softplus,
        A,
        functional("softplus"),
        method="softplus",
        places=PLACES,
    ),
    *elementwise(
        NAME + "gelu", gelu, A, functional("gelu"), method="gelu", places=PLACES
    ),
    Case(
        NAME + "relu", "at 0", relu, (np.zeros(3),), torch=lambda x: x.relu(), kink=True
    ),
    Case(
        NAME + "relu",
        "of a square less 1",
        lambda x: relu(x * x - 1.0),
        (S,),
        torch=lambda x: (x * x - 1.0).relu(),
    ),
    Case(NAME + "sigmoid", "far out", sigmoid, (FAR,), torch=lambda x: x.sigmoid()),
    Case(NAME + "softplus", "far out", softplus, (FAR,), functional("softplus")),
    Case(NAME + "gelu", "far out", gelu, (FAR,), functional("gelu")),
    Case(NAME + "gelu", "tanh", tanh_gelu, (A,), TORCH_TANH),
    Case(NAME + "gelu", "tanh, far out", tanh_gelu, (FAR,), TORCH_TANH),
    Case(NAME + "gelu", "tanh, shape ()", tanh_gelu, (A[0, 0, ...],), TORCH_TANH),
    Case(NAME + "gelu", "tanh, the method", lambda x: x.gelu("tanh"), (A,), TORCH_TANH),
]
for f in (softmax, log_softmax):
    along = partial(along_axis, f.__name__)

    def all_axes(x: Any, along: Any = along) -> Any:
        return along(0)(x.flatten()).reshape(x.shape)

    def two_axes(x: Any, along: Any = along) -> Any:
        return along(0)(x.flatten(0, 1)).reshape(x.shape)

    CASES += [
        Case(NAME + f.__name__, about, call, (x,), torch=torch)
        for about, call, x, torch in (
            ("a matrix", f, A, along(-1)),
            ("a vector", f, A[0], along(-1)),
            ("axis=0", lambda x, f=f: f(x, axis=0), A, along(0)),
            ("axis=1 of three", lambda x, f=f: f(x, axis=1), CUBE, along(1)),
            ("axis=-2 of three", lambda x, f=f: f(x, axis=-2), CUBE, along(-2)),
            ("axis=(0, 1)", lambda x, f=f: f(x, axis=(0, 1)), CUBE, two_axes),
            ("axis=None", lambda x, f=f: f(x, axis=None), A, all_axes),
            ("shape ()", f, A[0, 0, ...], along(-1)),
            (
                "axis=None, shape ()",
                lambda x, f=f: f(x, axis=None),
                A[0, 0, ...],
                along(-1),
            ),
            ("the method", along(-1), A, along(-1)),
            ("the method, axis=0", along(0), A, along(0)),
            ("large numbers", f, A + 1000.0, along(-1)),
            ("far apart", f, 20.0 * A, along(-1)),
            ("two equal", f, np.array([1.0, 1.0, 0.5]), along(-1)),
            ("shape (0, 3)", f, A[:0, :3], along(-1)),
            ("shape (3, 0)", f, A[:, :0], along(-1)),
        )
    ]
