"""unbroadcast: the sum over the copies that broadcasting makes."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograd_lib.broadcast import unbroadcast

Shape = tuple[int, ...]

# Every shape of up to three axes, each 0, 1, 2 or 3 long: 85 shapes, 7,225 pairs.
SHAPES = [s for n in range(4) for s in itertools.product(range(4), repeat=n)]


def copied_from(shape: Shape, to: Shape) -> np.ndarray | None:
    """Return, for each place of `to`, the number of the element NumPy copies there."""
    numbers = np.arange(math.prod(shape)).reshape(shape)
    try:
        return np.broadcast_to(numbers, to)
    except ValueError:
        return None


def gradient(shape: Shape) -> np.ndarray:
    """Return different whole numbers: their sums are exact, in whatever order."""
    return (np.arange(math.prod(shape), dtype=float) ** 2 + 1).reshape(shape)


@pytest.mark.parametrize("to", SHAPES, ids=str)
def test_each_element_gets_what_its_copies_got(to: Shape) -> None:
    grad, fitting = gradient(to), 0
    for shape in SHAPES:
        source = copied_from(shape, to)
        if source is None:
            with pytest.raises(ValueError, match="unbroadcast: a gradient of shape"):
                unbroadcast(grad, shape)
            continue
        fitting += 1
        expected = np.zeros(math.prod(shape))
        np.add.at(expected, source.ravel(), grad.ravel())
        found = unbroadcast(grad, shape)
        assert isinstance(found, np.ndarray)
        assert found.shape == shape
        assert np.array_equal(found, expected.reshape(shape))
    assert fitting >= 1 + len(to)  # itself, and each shape with leading axes left out


whole = st.integers(-1000, 1000).map(float)
pairs = arrays.mutually_broadcastable_shapes(num_shapes=2, min_side=0, max_dims=5)


@settings(max_examples=150)
@given(pairs, st.data())
def test_it_is_the_transpose_of_broadcasting(pair: object, data: st.DataObject) -> None:
    """For all a and g, the sum of g · copies(a) is the sum of unbroadcast(g) · a."""
    shapes, to = pair.input_shapes, pair.result_shape  # type: ignore[attr-defined]
    g = data.draw(arrays.arrays(float, to, elements=whole))
    for shape in shapes:
        a = data.draw(arrays.arrays(float, shape, elements=whole))
        assert np.sum(g * a) == np.sum(unbroadcast(g, shape) * a)


@settings(max_examples=150)
@given(arrays.array_shapes(min_dims=0, min_side=0, max_dims=5), st.data())
def test_in_two_stages_it_is_the_same(to: Shape, data: st.DataObject) -> None:
    """Un-broadcasting to a shape between first changes nothing."""
    stretched = data.draw(st.tuples(*(st.booleans() for _ in to)))
    between = tuple(1 if one else n for one, n in zip(stretched, to, strict=True))
    shape = between[data.draw(st.integers(0, len(to))) :]
    g = data.draw(arrays.arrays(float, to, elements=whole))
    stages = unbroadcast(unbroadcast(g, between), shape)
    assert np.array_equal(stages, unbroadcast(g, shape))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_where_nothing_was_copied_the_gradient_is_handed_on(shape: Shape) -> None:
    grad = gradient(shape)
    assert unbroadcast(grad, shape) is grad


def test_axes_of_length_one_that_were_added_or_kept() -> None:
    grad = gradient((1, 1, 2))
    for shape in [(2,), (1, 2)]:
        assert np.array_equal(unbroadcast(grad, shape), grad.reshape(shape))


def test_the_sum_over_no_copies_is_zero() -> None:
    assert np.array_equal(unbroadcast(np.empty((0, 3)), (3,)), np.zeros(3))
    assert np.array_equal(unbroadcast(np.empty((2, 0)), (2, 1)), np.zeros((2, 1)))
    assert unbroadcast(np.empty(0), ()) == 0.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_the_kind_of_number_stays(dtype: type) -> None:
    grad = np.ones((2, 3), dtype)
    for shape in [(), (3,), (2, 1), (2, 3)]:
        assert unbroadcast(grad, shape).dtype == dtype


def test_nan_stays_with_the_element_that_it_belongs_to() -> None:
    grad = np.ones((2, 3))
    grad[1, 2] = np.nan
    expected = np.array([2.0, 2.0, np.nan])
    assert np.array_equal(unbroadcast(grad, (3,)), expected, equal_nan=True)


def test_the_gradient_is_not_written_to_and_may_lie_anyhow_in_memory() -> None:
    grad = gradient((4, 3, 2)).transpose(2, 0, 1)[::-1, ::2]
    grad.flags.writeable = False
    found = unbroadcast(grad, (1, 3))
    assert np.array_equal(found, grad.copy().sum(axis=(0, 1)).reshape(1, 3))
    found += 1.0  # what was summed is the caller's own
    assert np.array_equal(grad, unbroadcast(grad, grad.shape))


@pytest.mark.parametrize(
    ("grad", "shape"),
    [((3,), (2,)), ((3,), (2, 3)), ((2, 3), (2,)), ((1,), (0,)), ((), (1,))],
)
def test_a_shape_that_cannot_be_is_refused_in_words(grad: Shape, shape: Shape) -> None:
    message = (
        f"unbroadcast: a gradient of shape {grad} is not that of an array of shape "
        f"{shape} that was broadcast; check the shapes that were combined"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        unbroadcast(np.ones(grad), shape)
