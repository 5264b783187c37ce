"""Cases of `ops/losses.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.losses import cross_entropy
from tests.library.operations.case import Case, normal

LABELS = np.array([3, 0, 3])
MANY = np.array([[1, 3], [0, 1]])


def by_torch(labels: np.ndarray) -> Any:
    """Return PyTorch's function, whose classes are on axis 1."""

    def call(x: Any) -> Any:
        import torch
        from torch.nn import functional

        rows = x.reshape(-1, x.shape[-1])
        return functional.cross_entropy(rows, torch.from_numpy(labels.ravel()))

    return call


CASES = [
    Case(
        "ops.losses.cross_entropy",
        name,
        lambda x, labels=labels: cross_entropy(x, labels),
        (normal(*labels.shape, 4),),
        torch=by_torch(labels),
        complex_step=False,
    )
    for name, labels in (("a batch", LABELS), ("two axes", MANY), ("a row", LABELS[0]))
]
