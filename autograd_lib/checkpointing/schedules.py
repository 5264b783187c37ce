"""Which states of a chain of functions to keep: three schedules (chapter 23).

Functions are called one after the other, as the layers of a network are, or the steps
of a simulation. A schedule decides which states between them stay until the backward
pass. All are made of `checkpoint` calls, one in another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import comb, isqrt
from typing import Any

from autograd_lib.checkpointing.checkpoint import checkpoint

Functions = list[Callable[[Any], Any]]


def checkpoint_sequential(functions: Any, segments: int | None, x: Any) -> Any:
    """Run a chain in segments, of which only the inputs stay: PyTorch's name for it.

    With n functions and k segments there are at most k states and the arrays of one
    segment at a time; each function but those of the last segment runs twice. For equal
    segments, as in PyTorch, that is least for k near √n: about 2√n. But while the last
    segment is walked back through, all states are there, and while the first is, only
    one. So the first may be longer, each by one than the next: then √(2n) is enough.
    Chen et al., "Training Deep Nets with Sublinear Memory Cost" (2016),
    arXiv:1604.06174, have the equal ones.

    Args:
        functions: a list of functions, or a `Sequential`.
        segments: the number of equal segments; None for as many unequal ones as it
            takes.
        x: the first one's input.

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
    """Return the lengths of k segments that are as equal as can be."""
    ends = [n * i // k for i in range(k + 1)]
    return [b - a for a, b in pairwise(ends)]


def falling(n: int) -> list[int]:
    """Return lengths of which each is one less than that before, but for the last."""
    lengths: list[int] = []
    longest = (isqrt(8 * n - 7) + 1) // 2  # the least whose 1 + … + longest ≥ n
    while n:
        lengths.append(min(longest - len(lengths), n))
        n -= lengths[-1]
    return lengths


def checkpoint_halves(functions: Any, x: Any) -> Any:
    """Run a chain as two halves, each of which is run as two halves, and so on.

    Of n functions about log₂ n states stay at a time, and there are n + (n/2)·log₂ n
    runs where n is a power of two. Griewank (1992) begins with it.

    Args:
        functions: a list of functions, or a `Sequential`.
        x: the first one's input.

    Raises:
        ValueError: if there are no functions.
    """
    return by_halves(chain_of("checkpoint_halves", functions), x)


def checkpoint_binomial(functions: Any, snapshots: int, x: Any) -> Any:
    """Run a chain with the fewest runs that a number of snapshots allows.

    Besides the input, at most that many states stay at a time. It is the schedule of
    Griewank and Walther, "Algorithm 799: revolve" (2000); `evaluations` says how many
    calls it takes.

    Args:
        functions: a list of functions, or a `Sequential`.
        snapshots: how many states, at least 1.
        x: the first one's input.

    Raises:
        ValueError: if there are no functions, or no snapshots.
    """
    chain = chain_of("checkpoint_binomial", functions)
    return binomial(chain, whole_number("snapshots", snapshots), x)


def evaluations(n: int, snapshots: int) -> int:
    """Return how often `checkpoint_binomial` calls functions, for one gradient.

    With s snapshots besides the input, r is the least number with C(s + 1 + r, r) ≥ n,
    and there are r·n - C(s + 1 + r, r - 1) calls that only go on to the next state.
    After these, each of the n functions is called once more, to be recorded.
    """
    s, r = snapshots + 1, least_repeats(n, snapshots + 1)
    return n + r * n - (comb(s + r, r - 1) if r else 0)


def in_turn(chain: Functions, x: Any) -> Any:
    """Return what functions make of x, one after the other."""
    for function in chain:
        x = function(x)
    return x


def by_halves(chain: Functions, x: Any) -> Any:
    """Run a chain as two halves; the second is walked back first, so it stays."""
    if len(chain) == 1:
        return chain[0](x)
    middle = len(chain) // 2
    return by_halves(chain[middle:], checkpoint(by_halves, chain[:middle], x))


def binomial(chain: Functions, snapshots: int, x: Any) -> Any:
    """Run a chain part by part; the last function is the one that stays recorded."""
    while len(chain) > 1:
        first = first_part(len(chain), snapshots)
        x = checkpoint(binomial, chain[:first], snapshots, x)
        chain, snapshots = chain[first:], snapshots - 1
    return chain[0](x)


def first_part(n: int, snapshots: int) -> int:
    """Return after how many of n functions the next snapshot is taken.

    Where s states, the input among them, can stay and no function need run on more
    than r times, the chain may have C(s + r, r) functions. Behind the snapshot there
    are s - 1 states for as many runs, before it s for one run less, and both parts are
    as long as that allows.
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
        ValueError: if it is no whole number of at least 1, or too large.
    """
    if not isinstance(number, int) or number < 1 or (most and number > most):
        limit = f"from 1 to {most}" if most else "of at least 1"
        raise ValueError(f"checkpoint: {name} is a whole number {limit}, got {number}")
    return number
