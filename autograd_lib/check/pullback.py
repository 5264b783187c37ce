"""The inputs and results of the backward passes in gradient checks (chapter 11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograd_lib.check.agreement import WrongGradient
from autograd_lib.check.reference import Arrays, Function, outputs
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def pulled_back(
    f: Function,
    leaves: Sequence[Tensor],
    us: Sequence[Tensor],
    create_graph: bool = False,
) -> list[Tensor]:
    """Return the gradient of ⟨u, f⟩ with respect to each leaf, 0 if there is none.

    Raises:
        WrongGradient: if one has another shape than its leaf.
    """
    return gradients_of(outputs(f(*leaves)), leaves, us, create_graph)


def gradients_of(
    ys: Sequence[Tensor],
    leaves: Sequence[Tensor],
    us: Sequence[Tensor],
    create_graph: bool = False,
) -> list[Tensor]:
    """Return the same as `pulled_back` for given results, and keep their graph."""
    recorded = [(y, u) for y, u in zip(ys, us, strict=True) if y.requires_grad]
    wanted = [x for x in leaves if x.requires_grad]
    found: dict[int, Tensor | None] = {}
    if recorded and wanted:
        ends, given = zip(*recorded, strict=True)
        slopes = grad(ends, wanted, given, True, create_graph, allow_unused=True)
        found = {id(x): g for x, g in zip(wanted, slopes, strict=True)}
    gradients: list[Tensor] = []
    for i, x in enumerate(leaves):
        g = found.get(id(x))
        g = Tensor(np.zeros(x.shape)) if g is None else g
        if g.shape != x.shape:
            raise WrongGradient(
                f"input {i} has shape {x.shape}, and its gradient {g.shape}"
            )
        gradients.append(g)
    return gradients


def leaves_of(arrays: Arrays) -> list[Tensor]:
    """Return a leaf for each array, with a copy of the array."""
    return [Tensor(x, requires_grad=True) for x in arrays]


def tensors(arrays: Arrays) -> list[Tensor]:
    """Return a constant for each array, with a copy of the array."""
    return list(map(Tensor, arrays))


def weights(like: Arrays, seed: int) -> list[np.ndarray]:
    """Return arrays of the same shapes with random numbers from ±0.5 to ±1.5."""
    rng = np.random.default_rng(seed)
    return [
        np.asarray(rng.uniform(0.5, 1.5, x.shape) * rng.choice([-1.0, 1.0], x.shape))
        for x in like
    ]


def unit(like: Arrays, i: int, index: tuple[int, ...]) -> list[np.ndarray]:
    """Return zeros of the same shapes, with a single 1."""
    zeros = [np.zeros(x.shape) for x in like]
    zeros[i][index] = 1.0
    return zeros


def dot(a: Arrays, b: Arrays) -> float:
    """Return the inner product of two lists of arrays."""
    return float(sum(np.vdot(x, y) for x, y in zip(a, b, strict=True)))
