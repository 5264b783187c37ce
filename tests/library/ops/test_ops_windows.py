"""Windows as views, and what is refused (chapter 10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from autograd_lib.engine import Tensor, grad

LINE = np.array([1.0, 2.0, 4.0, 8.0])


def test_windows_are_numpys() -> None:
    x = np.arange(24.0).reshape(2, 3, 4).transpose(1, 2, 0)
    y = sliding_window_view(Tensor(x), (2, 3), (0, 1))
    np.testing.assert_array_equal(
        y.data, np.lib.stride_tricks.sliding_window_view(x, (2, 3), (0, 1))
    )


def test_an_element_gets_the_sum_of_its_windows() -> None:
    x = Tensor(LINE, requires_grad=True)
    sliding_window_view(x, 2).sum().backward()
    np.testing.assert_array_equal(x.grad.data, [1.0, 2.0, 2.0, 1.0])


def test_a_convolution_of_windows_has_a_second_derivative() -> None:
    x = Tensor(LINE, requires_grad=True)
    y = sliding_window_view(x, 2) @ np.array([1.0, -1.0])  # differences: 1, 2, 4
    (slope,) = grad((y * y).sum(), x, create_graph=True)
    np.testing.assert_array_equal(slope.data, [-2.0, -2.0, -4.0, 8.0])
    (second,) = grad(slope[1], x)  # a row of 2·DᵀD
    np.testing.assert_array_equal(second.data, [-2.0, 4.0, -2.0, 0.0])


def test_a_write_is_seen_in_windows_made_before() -> None:
    x = Tensor(LINE, requires_grad=True)
    y = x * 1.0
    seen = sliding_window_view(y, 3)
    y[1] = x[0] * 5.0
    (slope,) = grad(seen.sum(), x)
    np.testing.assert_array_equal(seen.data, [[1.0, 5.0, 4.0], [5.0, 4.0, 8.0]])
    np.testing.assert_array_equal(slope.data, [11.0, 0.0, 2.0, 1.0])


def test_windows_are_for_reading_only() -> None:
    seen = sliding_window_view(Tensor(LINE), 2)
    with pytest.raises(ValueError, match="shows an element in several places"):
        seen[0] = 1.0
    assert not seen.data.flags.writeable


@pytest.mark.parametrize(
    ("lengths", "axis", "message"),
    [
        (5, 0, r"a window of \(5,\) along the axes \(0,\) does not fit into shape"),
        (-1, 0, "does not fit"),
        ((2, 2), 0, "must have a length for each of the axes"),
        (2, (0, 0), "must have a length for each"),
        ((3, 3), (0, 0), "does not fit"),
    ],
)
def test_windows_that_do_not_fit_are_refused(
    lengths: Any, axis: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sliding_window_view(Tensor(LINE), lengths, axis)


def test_an_axis_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="axis"):
        sliding_window_view(Tensor(LINE), 2, 1)


def test_windows_to_write_to_are_refused() -> None:
    with pytest.raises(TypeError, match="for reading only"):
        sliding_window_view(Tensor(LINE), 2, writeable=True)
