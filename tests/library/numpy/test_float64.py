"""Where float32 becomes float64, the user's line has a warning, and only there."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import autograd_lib as ag
from autograd_lib import nn
from autograd_lib.engine import Tensor, no_grad

X = np.ones((2, 3), np.float32)


class Scaled(nn.Module):
    def __init__(self, factor: Any) -> None:
        self.first, self.last = nn.Linear(3, 3, rng=0), nn.Linear(3, 3, rng=0)
        self.factor = factor

    def forward(self, x: Any) -> Any:
        return self.last(self.first(x) * self.factor) * self.factor


def model() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 3, rng=0), nn.ReLU(), nn.Linear(3, 3, rng=0))


def test_an_input_of_float64_is_named_once() -> None:
    with pytest.warns(UserWarning) as caught:
        for _ in range(2):
            model()(X.astype(float))
    (warning,) = caught
    assert warning.filename == __file__
    text = str(warning.message)
    assert text.startswith("Linear(3, 3): its parameters are float32, but its input of")
    assert "shape (2, 3) is float64" in text
    assert "x.astype(np.float32), or make its layers with dtype=float" in text


def test_a_list_as_input_is_named() -> None:
    with pytest.warns(UserWarning, match="np.float32. instead of a list"):
        nn.Linear(3, 2)([[1, 2, 3]])


def test_the_operation_that_made_the_input_is_named() -> None:
    with pytest.warns(UserWarning, match="shape .2, 3., which multiply made, is float"):
        Scaled(np.ones(3))(X)


def test_the_last_operation_of_a_module_is_named() -> None:
    m = Scaled(1.0)
    m.last = lambda x: x  # type: ignore[assignment]
    m.factor = np.ones(3)
    with pytest.warns(UserWarning, match=r"Scaled\(\): .* returned, which multiply ma"):
        m(X)


@pytest.mark.parametrize("f", [
    lambda w: w * np.sqrt(2), lambda w: np.float64(2) * w, lambda w: w - np.float64(2),
    lambda w: w / np.log(10000),
    pytest.param(lambda w: w ** np.float64(2), marks=pytest.mark.skipif(
        not hasattr(np, "unstack"), reason="NumPy takes it as a number before 2.1")),
])  # fmt: skip
def test_a_number_of_numpy_is_told_by_the_operation(f: Any) -> None:
    w = nn.Parameter([1.0, 2.0])
    words = "float number|multiply|subtract|divide|power"
    with pytest.warns(UserWarning, match=rf"({words}): a number of type np.float64"):
        assert f(w).dtype == np.float64


def test_nothing_is_said_where_the_type_stays_or_was_wide_before() -> None:
    w, v = nn.Parameter([1.0, 2.0]), Tensor([1.0, 2.0], requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (w * float(np.sqrt(2)) + 0.5 * w).dtype == np.float32
        assert (w * np.float32(2)).dtype == np.float32
        assert (v * np.sqrt(2)).dtype == np.float64
        Scaled(2.0)(X)
        nn.Linear(3, 3, dtype=float)(np.ones((2, 3)))
        nn.Sequential(nn.Flatten(), nn.Tanh())(np.ones((2, 3)))
        with no_grad():
            assert (w * np.sqrt(2)).dtype == np.float64


def test_a_transform_of_a_model_has_the_warning_in_its_line() -> None:
    with pytest.warns(UserWarning, match="Linear.3, 3.: its parameters") as caught:
        ag.value_and_grad(lambda m: (m(np.ones((2, 3))) ** 2).sum())(model())
    assert [w.filename for w in caught] == [__file__]


WIDE = np.sin(np.arange(2.0))
MIXED: dict[str, Any] = {
    "add": lambda w: w + WIDE,
    "subtract": lambda w: WIDE - w,
    "multiply": lambda w: w * Tensor([1, 2]),
    "divide": lambda w: w / Tensor([1.0, 2.0], requires_grad=True),
    "matmul": lambda w: w @ np.ones((2, 3)),
    "concatenate": lambda w: np.concatenate([w, WIDE]),
    "stack": lambda w: np.stack([WIDE, w]),
    "where": lambda w: np.where(w > 1, w, WIDE),
    "maximum": lambda w: np.maximum(w, np.zeros(2)),
    "einsum": lambda w: np.einsum("i,i", w, WIDE),
}


@pytest.mark.parametrize("name", MIXED)
def test_plain_arithmetic_that_widens_is_told_once_a_place(name: str) -> None:
    w = nn.Parameter([1.0, 2.0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            assert MIXED[name](w).dtype == np.float64
    (warning,) = caught
    assert warning.filename == __file__
    text = str(warning.message)
    assert text.startswith(f"{name}: an operand of ")
    assert "met one of float32, so float32 has become float64" in text
    assert "x.astype(np.float32)" in text


def test_nothing_is_said_of_a_type_that_is_meant_or_stays() -> None:
    w, v = nn.Parameter([1.0, 2.0]), Tensor([1.0, 2.0], requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (w.astype(float) + WIDE).dtype == np.float64
        assert (w + WIDE.astype(np.float32)).dtype == np.float32
        assert (w * np.int8(2) + 3).dtype == np.float32
        assert (v * WIDE + np.arange(2)).dtype == np.float64
        assert np.where(w > 1, w, 0.0).dtype == np.float32
        y = w * 1
        y += WIDE  # which is written into float32
        assert y.dtype == np.float32
        assert nn.mse_loss(w, WIDE).dtype == np.float32
        with no_grad():
            assert (w + WIDE).dtype == np.float64


def test_a_pass_back_through_mixed_types_is_silent() -> None:
    w = nn.Parameter([1.0, 2.0])
    with pytest.warns(UserWarning) as caught:
        y = (w * WIDE).sum()
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (g,) = ag.grad(y * y, w, create_graph=True)
        (h,) = ag.grad(g.sum(), w)
    assert (g.dtype, h.dtype) == (np.float32, np.float32)
