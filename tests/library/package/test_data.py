"""The digits, and batches of anything."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from autograd_lib.data import batches, digits, split
from autograd_lib.engine import Tensor
from notebooks.notebook import ROOT

DIGITS = "56691635b5c95f315ed55907c4fe83309809b3b822ee0b8d68e84bba3ffd4ca3"


def test_the_digits_are_those_of_the_source() -> None:
    packed = (ROOT / "autograd_lib" / "digits.npz").read_bytes()
    assert sha256(packed).hexdigest() == DIGITS
    images, labels = digits()
    assert (images.shape, images.dtype) == ((1797, 8, 8), np.float32)
    assert (labels.shape, labels.dtype) == ((1797,), np.int64)
    assert (images.min(), images.max()) == (0, 1)
    assert int((images * 16).sum()) == 561718
    counts = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert np.bincount(labels).tolist() == counts
    assert labels[:10].tolist() == list(range(10))
    assert (images[0, 0] * 16).tolist() == [0, 0, 5, 13, 9, 1, 0, 0]


def test_they_equal_those_of_scikit_learn() -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    theirs, (images, labels) = datasets.load_digits(), digits()
    np.testing.assert_array_equal(images * 16, theirs.images)
    np.testing.assert_array_equal(labels, theirs.target)


def test_their_licence_is_beside_them() -> None:
    text = (ROOT / "autograd_lib" / "digits.txt").read_text(encoding="utf-8")
    assert "CC BY 4.0" in text
    assert "Alpaydin" in text
    assert "doi.org/10.24432/C50P49" in text


def test_digits_are_new_each_time() -> None:
    digits()[0][:] = 0
    assert digits()[0].any()


def test_a_split_parts_all_arrays_alike() -> None:
    x = np.arange(20)
    train, test = split(x, 10 * x, held_out=6, rng=0)
    assert sorted([*train[0], *test[0]]) == x.tolist()
    assert (len(train[0]), len(test[0])) == (14, 6)
    for a, b in (train, test):
        np.testing.assert_array_equal(10 * a, b)
    np.testing.assert_array_equal(split(x, held_out=6, rng=0)[1][0], test[0])
    assert (split(x, held_out=6, rng=1)[1][0] != test[0]).any()


def test_batches_go_once_through_all() -> None:
    x, rng = np.arange(10), np.random.default_rng(0)
    first, second = (list(batches((x, 2 * x), 4, rng=rng)) for _ in range(2))
    assert [len(a) for a, _ in first] == [4, 4, 2]
    assert sorted(np.concatenate([a for a, _ in first])) == x.tolist()
    assert all((b == 2 * a).all() for a, b in first)
    assert any((a != b).any() for (a, _), (b, _) in zip(first, second, strict=True))
    again = list(batches((x, 2 * x), 4, rng=np.random.default_rng(0)))
    np.testing.assert_array_equal(again[0], first[0])


def test_batches_without_a_source_are_in_order() -> None:
    assert [b.tolist() for b in batches(5, 2)] == [[0, 1], [2, 3], [4]]
    assert [b.tolist() for b in batches(5, 2, drop_last=True)] == [[0, 1], [2, 3]]
    assert [b.tolist() for b in batches(np.array([7, 8]), 5)] == [[7, 8]]
    (batch,) = batches((Tensor([[1.0], [2.0]]),), 2)
    assert isinstance(batch[0], Tensor)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: batches(5, 0), ValueError, "size must be at least 1, got 0"),
        (lambda: batches(5, 2.5), TypeError, "size must be a whole number"),
        (lambda: batches(0, 2), ValueError, "number of items must be at least 1"),
        (lambda: batches(np.ones((0, 3)), 2), ValueError, r"no items.*\(0, 3\)"),
        (lambda: batches((), 2), TypeError, "needs arrays with an axis of items"),
        (lambda: batches([1, 2], 2), TypeError, r"np\.array makes one of a list"),
        (lambda: batches(5, 2, rng=0), TypeError, "made once before the loop"),
        (lambda: batches(3, 4, drop_last=True), ValueError, "leaves nothing of 3"),
        (lambda: batches((np.ones(3), np.ones(4)), 2), ValueError, "different numbers"),
        (lambda: split(np.ones(3), held_out=3, rng=0), ValueError, "leaves nothing"),
        (lambda: split(np.ones(3), held_out=0.2, rng=0), TypeError, "whole number"),
        (lambda: split(held_out=1, rng=0), TypeError, "needs arrays with an axis"),
    ],
)
def test_what_is_wrong_is_named_at_once(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()
