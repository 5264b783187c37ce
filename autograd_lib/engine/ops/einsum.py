"""Sums of products, written with a letter for each axis (chapter 10).

The gradient of such a sum is another one: for ``ij,jk->ik`` the gradient with respect
to the first operand is ``ik,jk->ij``, with the output's and the operand's letters
exchanged. This file adds two cases: the gradient is repeated along a letter that only
this operand has, which was summed; a letter that it has twice is a diagonal.
"""

from __future__ import annotations

from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.options import in_single, is_half
from autograd_lib.engine.rules import rule, view
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, record, result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.einsum)
def einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Tensor:
    """Return a sum of products of the operands' elements.

    Args:
        subscripts: letters for the axes of each operand, with commas between them, and
            after ``->`` the axes of the result; without it, the letters that appear
            once, in the order of the alphabet. ``...`` stands for all other axes, which
            are broadcast. Axes can also be given as lists of numbers, after each
            operand: ``einsum(a, [0, 1], b, [1, 2], [0, 2])``.
        operands: as many as there are groups of letters.
        optimize: as in NumPy: True finds a good order for several operands and uses the
            matrix product. The gradient is optimized in the same way.

    Returns:
        A tensor. For one operand without a sum, such as a diagonal or a transpose, it
        is a view, as in NumPy: a write into it is a write into the operand.

    Raises:
        TypeError: if there are neither letters nor lists.
        ValueError: if they do not fit the operands' shapes.

    >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> einsum("ii", x)
    Tensor(5.)
    """
    if not isinstance(subscripts, str):
        subscripts, operands = from_lists(subscripts, *operands)
    arrays = [numpy().asarray(array(x)) for x in operands]
    try:
        y = np.einsum(subscripts, *arrays, optimize=optimize)
    except ValueError as error:
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise ValueError(
            f"einsum: {subscripts!r} does not fit operands of shapes {shapes}: {error}"
        ) from None
    terms, out = spelled_out(subscripts, [a.ndim for a in arrays])
    if len(arrays) == 1 and np.may_share_memory(y, arrays[0]):  # nothing is summed
        saved = (terms[0], [out], arrays[0].shape, optimize)
        return view(y, operands[0], into_view, saved)
    kept = [
        x if type(x) is Tensor else a for x, a in zip(operands, arrays, strict=True)
    ]
    edges = []
    for i, x in enumerate(operands):
        others = kept[:i] + kept[i + 1 :]
        letters = (terms[i], [out, *terms[:i], *terms[i + 1 :]])
        edges.append((x, back, Saved(*letters, arrays[i].shape, optimize, *others)))
    return record(y, *edges, by=np.einsum)


def from_lists(*arguments: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the subscripts for axes that are given as numbers, and the operands.

    Args:
        arguments: operands, each followed by a list of its axes, which may contain
            ``...``; optionally a list of the result's axes at the end.
    """
    pairs = len(arguments) // 2 * 2
    try:
        terms = ["".join(map(letter, axes)) for axes in arguments[1:pairs:2]]
        out = ["".join(map(letter, axes)) for axes in arguments[pairs:] if terms]
    except (TypeError, IndexError):
        terms = []
    if not terms:
        raise TypeError(
            "einsum: takes the axes as letters in a string before the operands, such "
            "as einsum('ij,jk->ik', a, b), or as lists of numbers from 0 to 51 after "
            "each, such as einsum(a, [0, 1], b, [1, 2], [0, 2]); got "
            f"{type(arguments[0]).__name__} first"
        )
    return "->".join([",".join(terms), *out]), arguments[:pairs:2]


def letter(axis: Any) -> str:
    """Return the letter for an axis of this number, or ``...``."""
    if axis is ...:
        return "..."
    if axis < 0:
        raise IndexError
    return (ascii_uppercase + ascii_lowercase)[axis]  # in the order of the characters


def spelled_out(subscripts: str, axes: list[int]) -> tuple[list[str], str]:
    """Return the letters of each operand and of the output, with letters for ``...``.

    Args:
        subscripts: as for `einsum`, accepted by NumPy.
        axes: how many axes each operand has.
    """
    left, arrow, out = subscripts.replace(" ", "").partition("->")
    free = [letter for letter in ascii_letters if letter not in subscripts]
    extra = [
        n - len(term.replace("...", ""))
        for term, n in zip(left.split(","), axes, strict=True)
    ]
    dots = "".join(free[: max(extra)])
    terms = [
        term.replace("...", dots[len(dots) - n :])
        for term, n in zip(left.split(","), extra, strict=True)
    ]
    if not arrow:
        named = left.replace("...", "").replace(",", "")
        out = "..." + "".join(sorted(c for c in named if named.count(c) == 1))
    return terms, out.replace("...", dots)


@rule("linear", lambda t, saved: same_sum(t, saved), complex=True)
def back(g: Any, saved: Any) -> Any:
    """Return the sum of products with output and operand exchanged."""
    if is_half(g):
        return in_single(back, g, saved)
    term, inputs, shape, optimize, *others = saved
    unique = "".join(dict.fromkeys(term))
    sizes = [shape[term.index(c)] for c in unique]
    stretched = [n == 1 for n in sizes]  # may have been broadcast, so it is summed
    missing = [c not in "".join(inputs) for c in unique]
    absent = [a or b for a, b in zip(stretched, missing, strict=True)]
    found = "".join(c for c, no in zip(unique, absent, strict=True) if not no)
    d = np.einsum(f"{','.join(inputs)}->{found}", g, *others, optimize=optimize)
    places = tuple(i for i, no in enumerate(absent) if no)
    d = np.broadcast_to(np.expand_dims(d, places), sizes)
    return d if len(unique) == len(term) else on_diagonal(d, (term, unique, shape))


@rule(
    "view", lambda a, saved, _: np.einsum(f"{saved[0]}->{saved[1][0]}", a), complex=True
)
def into_view(g: Any, saved: Any) -> Any:
    """Return the gradient of the operand that a view shows."""
    return back(g, saved)


def same_sum(t: Any, saved: Any) -> Any:
    """Return the same sum of products, with a tangent in place of one operand."""
    term, (out, *terms), _, optimize, *others = saved
    return np.einsum(
        f"{','.join([term, *terms])}->{out}", t, *others, optimize=optimize
    )


def on_diagonal(x: Any, saved: tuple[str, str, tuple[int, ...]]) -> Any:
    """Return zeros with x on the diagonal of the axes that share a letter."""
    term, unique, shape = saved
    a = array(x)
    y = numpy().zeros(shape, a.dtype)
    np.einsum(f"{term}->{unique}", y)[...] = a  # a view of the diagonal
    return result(y, x, diagonal_of, saved) if type(x) is Tensor else y


@rule("linear", on_diagonal, complex=True)
def diagonal_of(g: Any, saved: tuple[str, str, tuple[int, ...]]) -> Any:
    """Take the gradient from the diagonal."""
    term, unique, _ = saved
    return np.einsum(f"{term}->{unique}", g)
