"""Training data: handwritten digits, and batches (chapter 16).

The digits are the test set of E. Alpaydin and C. Kaynak, "Optical Recognition of
Handwritten Digits" (1998), UCI Machine Learning Repository, doi:10.24432/C50P49, under
CC BY 4.0; `digits.txt`, next to them, says how they were changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.nn.arguments import Random, generator, whole
from autograd_lib.spelling import explain_keywords, missing


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return images of handwritten digits, and their labels.

    Returns:
        The images, of shape (1797, 8, 8), in float32 from 0 for paper to 1 for ink; and
        the labels, of shape (1797,), integers from 0 to 9.
    """
    packed = files("autograd_lib").joinpath("digits.npz").read_bytes()
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        images, labels = arrays["images"], arrays["labels"]
    return images.astype(np.float32) / 16, labels.astype(np.int64)


def split(
    *arrays: Any, held_out: int, rng: Random
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Split arrays at random into a training set and a test set.

    Args:
        arrays: arrays of one length, such as images and labels; item i of each array
            belongs together.
        held_out: the size of the test set.
        rng: the generator of the choice, or its seed.

    Returns:
        The arrays of the training set in a tuple, and those of the test set.

    Raises:
        TypeError: if `held_out` is not a whole number.
        ValueError: if there are no arrays, they differ in length, or one of the sets
            would be empty.

    >>> train, test = split(np.arange(10), held_out=3, rng=0)
    >>> len(train[0]), len(test[0])
    (7, 3)
    """
    n = common_length("split", arrays)
    whole("split: held_out", held_out)
    if held_out >= n:
        raise ValueError(
            f"split: held_out={held_out} of {n} leaves nothing to train with"
        )
    order = generator("split", rng).permutation(n)
    rest, held = np.sort(order[held_out:]), np.sort(order[:held_out])
    return tuple(a[rest] for a in arrays), tuple(a[held] for a in arrays)


@explain_keywords
def batches(
    data: Any,
    size: int,
    *,
    rng: np.random.Generator | None = None,
    drop_last: bool = False,
) -> Iterator[Any]:
    """Iterate once over data in batches.

    Args:
        data: several arrays in a tuple, for batches that are tuples; one array; or
            a number n, for batches of the numbers from 0 to n - 1.
        size: how many items each batch has. The last one has the rest.
        rng: the generator of the order, which differs in each pass; None for the order
            of the data.
        drop_last: whether a smaller last batch is left out.

    Raises:
        TypeError: if `size` is not a whole number, or `rng` is a seed, which would give
            every pass the same order.
        ValueError: if `size` is below 1, there are no items, or the arrays differ in
            length.

    >>> [len(b) for b in batches(np.arange(10), 4, rng=np.random.default_rng(0))]
    [4, 4, 2]
    """
    arrays = data if isinstance(data, tuple) else (data,)
    if isinstance(data, int | np.integer):
        arrays = (numpy().arange(whole("batches: the number of items", data)),)
    n, size = common_length("batches", arrays), whole("batches: size", size)
    if not (rng is None or isinstance(rng, np.random.Generator)):
        raise TypeError(
            f"batches: rng is numpy.random.default_rng(seed), made once before the "
            f"loop, or each pass would have the same order; got {rng!r:.60}"
        )
    if drop_last and n < size:
        raise ValueError(
            f"batches: drop_last leaves nothing of {n} items in batches of {size}"
        )
    order = numpy().arange(n) if rng is None else rng.permutation(n)
    ends = range(0, n - size + 1 if drop_last else n, size)
    chosen = (order[i : i + size] for i in ends)
    if isinstance(data, tuple):
        return (tuple(a[index] for a in arrays) for index in chosen)
    return (arrays[0][index] for index in chosen)


def common_length(who: str, arrays: tuple[Any, ...]) -> int:
    """Return how many items each of the arrays has.

    Raises:
        TypeError: if one isn't an array.
        ValueError: if there are no arrays or no items, or they differ in length.
    """
    shapes = [np.shape(a) for a in arrays]
    if not shapes or () in shapes or any(isinstance(a, list) for a in arrays):
        raise TypeError(
            f"{who}: needs arrays with an axis of items, got shapes {shapes}; "
            "np.array makes one of a list"
        )
    lengths = {shape[0] for shape in shapes}
    if len(lengths) > 1:
        raise ValueError(
            f"{who}: the arrays have different numbers of items: shapes {shapes}; what "
            "belongs together has the same index in each"
        )
    if lengths == {0}:
        raise ValueError(f"{who}: there are no items, in arrays of shapes {shapes}")
    return int(lengths.pop())


if not TYPE_CHECKING:  # it would hide missing names from type checkers

    def __getattr__(name: str) -> object:
        raise missing(__name__, name, ["digits", "split", "batches"])
