"""A tensor as a number, as text and as an array: when that is meant, and when not."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor, no_grad, tensor


def needing(*numbers: float) -> Tensor:
    return Tensor(list(numbers), requires_grad=True)


def test_a_loss_is_a_number_where_a_number_is_asked_for() -> None:
    loss = (needing(1.0, 1.5) ** 2).sum()
    assert (loss.item(), int(loss), bool(loss)) == (3.25, 3, True)
    assert (f"{loss:.4f}", f"{loss:>6}") == ("3.2500", "  3.25")
    assert f"{loss:{'.2f'}}" == "3.25"
    assert f"{Tensor(3):05d}" == "00003"
    assert (needing(1.0, 1.5).item(1), Tensor([[1, 2]]).item(0, 1)) == (1.5, 2)
    with no_grad():
        assert (float(loss), complex(loss), math.sqrt(loss)) == (3.25, 3.25, 3.25**0.5)
    assert (float(loss.detach()), math.sqrt(Tensor(4.0))) == (3.25, 2.0)


CONSTANTS: list[tuple[Callable[[Any], Any], Any]] = [
    (float, 4.0),
    (complex, 4.0 + 0j),
    (math.sqrt, 2.0),
    (math.floor, 4),
    (lambda t: "%.1f" % t, "4.0"),  # noqa: UP031 - Python calls float here too
]


@pytest.mark.parametrize(("f", "expected"), CONSTANTS)
def test_a_number_that_may_be_meant_to_have_a_gradient_warns(
    f: Callable[[Any], Any], expected: Any
) -> None:
    for t in (needing(4.0), needing(2.0) * 2, needing(4.0)[0]):
        with pytest.warns(UserWarning, match=r"number without one.*item.*np\.exp") as w:
            assert f(t) == expected
        assert [caught.filename for caught in w] == [__file__]
        with no_grad():
            assert f(t) == expected
        assert f(t.detach()) == expected


def test_a_place_warns_once() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for x in (1.0, 2.0, 3.0):
            float(needing(x))
            math.exp(needing(x)[0])
    assert len({warning.lineno for warning in caught}) == len(caught) == 2


def test_a_format_is_for_one_number() -> None:
    assert f"{needing(1.0)}" == repr(needing(1.0))
    with pytest.raises(TypeError, match=r"format: '\.2f' .* shape \(2,\) has several"):
        format(needing(1.0, 2.0), ".2f")


@pytest.mark.parametrize("f", [float, int, complex, Tensor.item])
def test_several_numbers_are_not_one(f: Callable[[Any], Any]) -> None:
    name = f.__name__
    for t in (needing(1.0, 2.0), Tensor([])):
        with pytest.raises(
            ValueError, match=rf"^{name}: a tensor of shape \(\d,\) has"
        ):
            f(t)


def test_pytorchs_function_makes_a_tensor() -> None:
    t = tensor([1, 2], requires_grad=True, dtype=np.float32)
    assert (t.dtype, t.requires_grad) == (np.float32, True)
    assert not tensor(1.0).requires_grad


def element(a: np.ndarray, t: Tensor) -> None:
    a[0] = t[0]


def elements(a: np.ndarray, t: Tensor) -> None:
    a[:2] = t


def added(a: np.ndarray, t: Tensor) -> None:
    a[0] += t[0]


@pytest.mark.parametrize("write", [element, elements, added])
def test_a_write_into_an_array_would_lose_the_gradient(write: Any) -> None:
    a = np.zeros(3)
    with pytest.raises((TypeError, ValueError)) as caught:
        write(a, needing(1.0, 2.0))
    error = caught.value.__cause__ or caught.value  # NumPy puts words of its own on top
    assert "a write into an array: would lose the gradient" in str(error)
    assert a.tolist() == [0.0, 0.0, 0.0]
    write(a, Tensor([1.0, 2.0]))
    assert a[0] == 1.0
    with no_grad():
        write(a, needing(1.0, 2.0))


CAUSES: list[tuple[Callable[[Tensor], Any], str]] = [
    (np.array, r"^numpy\.array and what else makes arrays: "),
    (lambda t: np.array([t[0], t[1]]), r"^numpy\.array and what else makes arrays: "),
    (lambda t: np.sum([t, t]), r"^numpy\.sum: .* \(2,\); .*np\.stack"),  # type: ignore[list-item]
    (lambda t: np.full(3, t[0]), r"^numpy\.full: "),
    (lambda t: np.r_[np.ones(2), t], r"^numpy\.r_ and numpy\.c_: "),
    (lambda t: np.stack([[t[0], 1.0], [1.0, t[1]]]), r"^numpy\.stack: .*row by row"),
    (lambda t: t * [t[0], t[1]], "^a list of tensors: .*np.stack"),
    (Tensor.numpy, r"^numpy\(\): "),
    (Tensor, r"^Tensor\(\): "),
]


@pytest.mark.parametrize(("f", "message"), CAUSES)
def test_who_would_lose_a_gradient_is_named(f: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        f(needing(1.0, 2.0))
    assert "would lose the gradient of a tensor that needs one" in str(caught.value)
    assert "t.detach() for a constant" in str(caught.value)
    f(Tensor([1.0, 2.0]))


def test_numpys_own_functions_do_not_take_a_number_in_silence() -> None:
    with pytest.raises(ValueError, match="setting an array element") as caught:
        np.sum(np.ones(2), initial=needing(1.0)[0])
    assert str(caught.value.__cause__).startswith("numpy.sum: would lose the gradient")


def test_lists_in_a_list_are_stacked_where_numpy_hands_them_over() -> None:
    t = needing(1.0, 2.0)
    y = np.stack([[t[0], 5.0], t])  # type: ignore[list-item]
    y.sum().backward()
    assert y.tolist() == [[1.0, 5.0], [1.0, 2.0]]
    assert t.grad.tolist() == [2.0, 1.0]
