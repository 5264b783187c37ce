"""Which states of a chain of functions to keep: three schedules (chapter 21).

The functions of a chain are called one after the other, like the layers of a network or
the steps of a simulation. A schedule decides which states in between are kept for the
backward pass. All of them are nested `checkpoint` calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import comb, isqrt
from typing import Any

from autograd_lib.checkpointing.checkpoint import checkpoint

Functions = list[Callable[[Any], Any]]


def checkpoint_sequential(functions: Any, segments: int | None, x: Any) -> Any:
    """Run a chain in segments, and keep only their inputs, as in PyTorch.

    With n functions and k segments there are at most k states and the arrays of one
    segment at a time; all functions except the last segment's run twice. Equal
    segments, as in PyTorch, need least memory for k near √n: about 2√n. But all states
    exist only during the backward pass of the last segment, and only one during that of
    the first. So earlier segments may be longer, each by one than the next: then √(2n)
    is enough. The equal ones are those of Chen et al., "Training Deep Nets with
    Sublinear Memory Cost" (2016), arXiv:1604.06174.

    Args:
        functions: a list of functions, or a `Sequential`.
        segments: the number of equal segments; None for unequal ones, whose number
            follows from n.
        x: the input of the first function.

    Raises:
        ValueError: if there are no functions, or more segments than functions.
    """
    chain = chain_of("checkpoint_sequential", functions)
    n = len(chain)
    k = None if segments is None else whole_number("segments", segments, n)
    *before, last = falling(n) if k is None else level(n, k)
    for length in before:
        x = checkpoint(in_turn, chain[:length], x)
        chain = chain[length:]
    return in_turn(chain[:last], x)


def level(n: int, k: int) -> list[int]:
    """Return the lengths of k segments that are as equal as possible."""
    ends = [n * i // k for i in range(k + 1)]
    return [b - a for a, b in pairwise(ends)]


def falling(n: int) -> list[int]:
    """Return segment lengths that fall by one; the last may be shorter still."""
    lengths: list[int] = []
    longest = (isqrt(8 * n - 7) + 1) // 2  # the least with 1 + … + longest ≥ n
    while n:
        lengths.append(min(longest - len(lengths), n))
        n -= lengths[-1]
    return lengths


def checkpoint_halves(functions: Any, x: Any) -> Any:
    """Run a chain as two halves, each of which is run as two halves, and so on.

    For n functions about log₂ n states are kept at a time, and there are
    n + (n/2)·log₂ n calls if n is a power of two. Griewank (1992) starts with it.

    Args:
        functions: a list of functions, or a `Sequential`.
        x: the input of the first function.

    Raises:
        ValueError: if there are no functions.
    """
    return by_halves(chain_of("checkpoint_halves", functions), x)


def checkpoint_binomial(functions: Any, snapshots: int, x: Any) -> Any:
    """Run a chain with the fewest calls for a given number of snapshots.

    Besides the input, at most that many states are kept at a time. It is the schedule
    of Griewank and Walther, "Algorithm 799: revolve" (2000); `evaluations` counts the
    calls.

    Args:
        functions: a list of functions, or a `Sequential`.
        snapshots: how many states may be kept, at least 1.
        x: the input of the first function.

    Raises:
        ValueError: if there are no functions, or no snapshots.
    """
    chain = chain_of("checkpoint_binomial", functions)
    return binomial(chain, whole_number("snapshots", snapshots), x)


def evaluations(n: int, snapshots: int) -> int:
    """Return how often `checkpoint_binomial` calls functions, for one gradient.

    With s snapshots besides the input, r is the least number with C(s + 1 + r, r) ≥ n,
    and r·n - C(s + 1 + r, r - 1) calls only advance to the next state. In addition,
    each of the n functions is called once to be recorded.
    """
    s, r = snapshots + 1, least_repeats(n, snapshots + 1)
    return n + r * n - (comb(s + r, r - 1) if r else 0)


def in_turn(chain: Functions, x: Any) -> Any:
    """Call functions one after the other, starting with x."""
    for function in chain:
        x = function(x)
    return x


def by_halves(chain: Functions, x: Any) -> Any:
    """Run a chain as two halves, the first in a checkpoint: it is needed last."""
    if len(chain) == 1:
        return chain[0](x)
    middle = len(chain) // 2
    return by_halves(chain[middle:], checkpoint(by_halves, chain[:middle], x))


def binomial(chain: Functions, snapshots: int, x: Any) -> Any:
    """Run a chain part by part, each in a checkpoint except the last function."""
    while len(chain) > 1:
        first = first_part(len(chain), snapshots)
        x = checkpoint(binomial, chain[:first], snapshots, x)
        chain, snapshots = chain[first:], snapshots - 1
    return chain[0](x)


def first_part(n: int, snapshots: int) -> int:
    """Return after how many of n functions the next snapshot is taken.

    With s states, the input included, and at most r repeated calls of each function, a
    chain may have C(s + r, r) functions. After the snapshot, s - 1 states and r repeats
    are left; before it, s states and r - 1 repeats. Both parts are as long as that
    allows.
    """
    if snapshots == 0:
        return n - 1
    s = snapshots + 1
    r = least_repeats(n, s)
    least = comb(s + r - 2, s) if r > 1 else 1
    return max(least, n - comb(s + r - 1, r))


def least_repeats(n: int, s: int) -> int:
    """Return the least r with C(s + r, r) ≥ n."""
    r = 0
    while comb(s + r, r) < n:
        r += 1
    return r


def chain_of(name: str, functions: Iterable[Callable[[Any], Any]]) -> Functions:
    """Return functions as a list.

    Raises:
        ValueError: if there are none.
    """
    chain = list(functions)
    if not chain:
        raise ValueError(f"{name}: there are no functions to run")
    return chain


def whole_number(name: str, number: Any, most: int | None = None) -> int:
    """Return a number of segments or snapshots.

    Raises:
        ValueError: if it isn't a whole number of at least 1, or is too large.
    """
    if not isinstance(number, int) or number < 1 or (most and number > most):
        limit = f"from 1 to {most}" if most else "of at least 1"
        raise ValueError(f"checkpoint: {name} is a whole number {limit}, got {number}")
    return number
