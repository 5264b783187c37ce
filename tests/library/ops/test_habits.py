"""Methods whose meaning in PyTorch is another are refused, with both spellings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor

A = np.array([[1.0, -2.0, 5.0], [3.0, 4.0, -1.0]])


def unpacked(t: Any) -> Any:
    v, i = t.max(1)
    return v, i


def unpacked_by_name(t: Any) -> Any:
    v, i = t.min(axis=1)
    return v, i


def first(t: Any) -> Any:
    return t.max(1)[0]


def second(t: Any) -> Any:
    return t.min(-1)[1]


REFUSED: list[tuple[Callable[[Any], Any], str, str]] = [  # and here, and there
    (lambda t: t.transpose(0, 1), "t.transpose((0, 1))", "t.T"),
    (lambda t: t.transpose(-2, -1), "t.transpose((-2, -1))", "t.swapaxes(-2, -1)"),
    (lambda t: t.transpose(0, -1), "t.transpose((0, -1))", "t.T"),
    (lambda t: t.norm(1), "np.linalg.norm(t, 1)", "np.linalg.norm(t.reshape(-1), 1)"),
    (lambda t: t.norm(2), "np.linalg.norm(t, 2)", "np.linalg.norm(t.reshape(-1), 2)"),
    (lambda t: t.norm(3), "np.linalg.norm(t, 3)", "np.linalg.norm(t.reshape(-1), 3)"),
    (lambda t: t.repeat(2, 1), "np.repeat(t, 2, 1)", "np.tile(t, (2, 1))"),
    (lambda t: t[0].repeat(2), "np.repeat(t[0], 2)", "np.tile(t[0], 2)"),
    (unpacked, "np.max(t, 1)", "np.max(t, 1), np.argmax(t, 1)"),
    (unpacked_by_name, "np.min(t, 1)", "np.min(t, 1), np.argmin(t, 1)"),
    (first, "np.max(t, 1)", "(np.max(t, 1), np.argmax(t, 1))[0]"),
    (second, "np.min(t, -1)", "(np.min(t, -1), np.argmin(t, -1))[1]"),
]  # fmt: skip


def numbers(found: Any) -> list[Any]:
    several = found if isinstance(found, tuple) else (found,)
    return [np.asarray(getattr(x, "data", x)).tolist() for x in several]


@pytest.mark.parametrize(("habit", "here", "there"), REFUSED)
def test_a_habit_is_refused_with_both_spellings(
    habit: Callable[[Any], Any], here: str, there: str
) -> None:
    t = Tensor(A, requires_grad=True)
    with pytest.raises(TypeError, match="one thing in NumPy and another in") as caught:
        habit(t)
    for spelling in (here, there.partition(")[")[0].lstrip("(")):
        written = spelling.replace("t[0]", "t")
        assert written in str(caught.value)
    if here != "np.linalg.norm(t, 3)":  # NumPy knows no such norm of a matrix
        eval(here, {"np": np, "t": t})


@pytest.mark.parametrize(("habit", "here", "there"), REFUSED)
def test_the_other_spelling_is_what_pytorch_means(
    habit: Callable[[Any], Any], here: str, there: str
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    meant = habit(torch.tensor(A))
    expected = [
        x.numpy().tolist() for x in (meant if isinstance(meant, tuple) else (meant,))
    ]
    found = numbers(eval(there, {"np": np, "t": Tensor(A, requires_grad=True)}))
    np.testing.assert_allclose(found[0], expected[0])
    assert found[1:] == expected[1:]


SAME: list[Callable[[Any], Any]] = [
    lambda t: t.T,
    lambda t: t.swapaxes(0, 1),
    lambda t: t.norm(),
    lambda t: t.norm(2, 1),
    lambda t: t[0].norm(1),
]


@pytest.mark.parametrize("call", SAME)
def test_what_both_mean_alike_is_answered(call: Callable[[Any], Any]) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    np.testing.assert_allclose(call(Tensor(A)).data, call(torch.tensor(A)).numpy())


def test_numpys_own_spellings_are_answered() -> None:
    t = Tensor(A)
    assert t.transpose(1, 0).shape == t.transpose((1, 0)).shape == (3, 2)
    assert t.transpose((0, 1)).shape == (2, 3)
    assert t.transpose().shape == (3, 2)
    assert Tensor(np.ones((2, 3, 4))).transpose(0, 2, 1).shape == (2, 4, 3)
    assert t.norm("fro").item() == t.norm().item()
    assert t.norm(1, axis=(0, 1)).item() == np.linalg.norm(A, 1)
    assert t.repeat(2, axis=1).shape == (2, 6)
    assert t.repeat(2, axis=None).tolist() == np.repeat(A, 2).tolist()


def test_rows_of_a_maximum_may_be_taken_where_nothing_hints_at_a_pair() -> None:
    t = Tensor(A)
    rows = t.max(1)
    a, b = rows
    assert (a.item(), b.item(), rows[0].item()) == (5.0, 4.0, 5.0)
    a, b, c = t.max(0)
    assert (a.item(), b.item(), c.item()) == (3.0, 4.0, 5.0)
    assert t.max(axis=1)[0].item() == 5.0
    low, high = np.min(t), t.max()
    assert (low.item(), high.item()) == (-2.0, 5.0)
    a, b = np.max(t, 1)
    assert [t.max(1), 0][1] == 0
