"""Powers of a matrix, and products of several (chapter 10)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.linalg import inv, square
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.linalg.matrix_power)
def matrix_power(a: Any, n: int) -> Tensor:
    """Return a to the power of n; the inverse's power if n is negative.

    It takes about log n products: squares, and a factor a for each 1 in binary n.

    Raises:
        LinAlgError: if a matrix is not square, or has no inverse where n is negative.
        TypeError: if n isn't an integer.
    """
    square("matrix_power", a)
    if not isinstance(n, int | np.integer):
        raise TypeError(f"matrix_power: n must be an integer, got {n!r}")
    t = as_tensor(a)
    if n == 0:
        unit = np.eye(t.shape[-1], dtype=t.dtype)
        return result(np.broadcast_to(unit, t.shape).copy(), t, no_slope, None)
    t = inv(t) if n < 0 else t
    power = t
    for bit in f"{abs(n):b}"[1:]:
        power = matmul(power, power)
        power = matmul(power, t) if bit == "1" else power
    return power


@rule("symmetric")
def no_slope(g: Any, _: None) -> Any:
    """The identity matrix is constant."""
    return np.zeros_like(g)


@operation(np.linalg.multi_dot)
def multi_dot(arrays: Any, *, out: None = None) -> Tensor:
    """Return the product of matrices, in the order with the fewest multiplications.

    Args:
        arrays: two or more matrices; the first and the last may be vectors, a row and a
            column.
        out: must be None.

    Raises:
        TypeError: if `out` is given.
        ValueError: if there is only one, or the shapes do not fit.
    """
    if out is not None:
        raise TypeError("multi_dot: out= would write over an array without a record")
    factors = [as_tensor(x) for x in arrays]
    shapes = [t.shape for t in factors]
    inner = all(len(shape) == 2 for shape in shapes[1:-1])
    ends = {len(shape) for shape in (shapes[:1] + shapes[-1:])} <= {1, 2}
    meet = all(a[-1:] == b[:1] for a, b in pairwise(shapes))
    if len(factors) < 2 or not (inner and ends and meet):
        raise ValueError(
            "multi_dot: needs two matrices or more, each with as many rows as the one "
            f"before has columns, and vectors only at the ends; got shapes {shapes}"
        )
    sizes = [shape[0] for shape in shapes] + [(*shapes[-1], 1)[1]]
    sizes[0] = (1, *shapes[0])[-2]
    return product(factors, cheapest_cuts(sizes), 0, len(factors) - 1)


def cheapest_cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Return, for factors i to j, the index of the last factor in the left part.

    This is the dynamic program of Cormen et al., "Introduction to algorithms": the
    costs of longer chains are built from those of shorter ones.

    Args:
        sizes: factor i has ``sizes[i]`` rows and ``sizes[i + 1]`` columns.
    """
    n = len(sizes) - 1
    costs = {(i, i): 0 for i in range(n)}
    cuts: dict[tuple[int, int], int] = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs[i, j], cuts[i, j] = min(
                (
                    costs[i, k]
                    + costs[k + 1, j]
                    + sizes[i] * sizes[k + 1] * sizes[j + 1],
                    k,
                )
                for k in range(i, j)
            )
    return cuts


def product(
    factors: list[Tensor], cuts: dict[tuple[int, int], int], i: int, j: int
) -> Tensor:
    """Return the product of factors i to j."""
    if i == j:
        return factors[i]
    k = cuts[i, j]
    return matmul(product(factors, cuts, i, k), product(factors, cuts, k + 1, j))
