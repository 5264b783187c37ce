"""Code in the messages of mistakes is run: it gives what the mistake was to give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.engine import Tensor

A = np.array([[4.0, -100.0, 0.0], [0.5, 100.0, -2.0], [0.0, 3.0, 1.0]])
MASK = A > 0
NAMES = {"np": np, "nn": nn, "Tensor": Tensor, "mask": MASK, "n": 3, "m": 3}

Mistake = Callable[[Any], Any]
CASES: list[tuple[Mistake, str, str]] = [  # the mistake, the code, what it was to give
    (lambda t: np.copyto(t, 5.0), "t[...] = value", "np.full((3, 3), value)"),
    (
        lambda t: np.fill_diagonal(t, 5.0),
        "t[range(n), range(n)] = value",
        "np.where(np.eye(3), value, a)",
    ),
    (
        lambda t: np.putmask(t, MASK, -1.0),
        "np.where(mask, values, t)",
        "np.where(mask, values, a)",
    ),
    (
        lambda t: np.putmask(t, MASK, -1.0),
        "t[mask] = value",
        "np.where(mask, value, a)",
    ),
    (
        lambda t: np.place(t, MASK, [1.0, 2.0]),
        "t[mask] = values",
        "(np.place(c := a.copy(), mask, some), c)[1]",
    ),
    (
        lambda t: np.put(t, [4, 0], 5.0),
        "t.ravel()[indices] = values",
        "(np.put(c := a.copy(), indices, value), c)[1]",
    ),
    (
        lambda t: np.heaviside(t, t[0]),
        "np.where(x == 0, value, x > 0)",
        "np.heaviside(a, value.data)",
    ),
    (
        lambda t: np.add(t, 1.0, where=MASK),
        "np.where(mask, y, other)",
        "np.where(mask, a + 1, other)",
    ),
    (
        lambda t: t.cross_entropy(np.full((3, 3), 1 / 3)),
        "-(shares * x.log_softmax()).sum(axis=-1).mean()",
        "nn.cross_entropy(a, shares).data",
    ),
    (
        lambda t: np.cross(t[:, :2], t[:, 1:]),
        "x[..., 0]*y[..., 1] - x[..., 1]*y[..., 0]",
        "a[..., 0] * (a + 1)[..., 1] - a[..., 1] * (a + 1)[..., 0]",
    ),
]


@pytest.mark.parametrize(("mistake", "code", "meant"), CASES)
def test_what_a_message_writes_gives_what_was_meant(
    mistake: Mistake, code: str, meant: str
) -> None:
    x = Tensor(A, requires_grad=True)
    with pytest.raises(Exception) as caught:
        mistake(x * 1)
    assert code in str(caught.value)
    given: dict[str, Any] = {
        **NAMES,
        "a": A,
        "x": x,
        "t": x * 1,
        "y": x + 1,
        "other": A - 1,
        "value": x[0] + 5.0 if "heaviside" in meant else 5.0,
        "values": 5.0,
        "some": [5.0] * int(MASK.sum()),
        "indices": [4, 0],
        "shares": np.full((3, 3), 1 / 3),
    }
    try:
        found = eval(code, given)
    except SyntaxError:
        exec(code, given)
        found = given["t"]
    np.testing.assert_allclose(found.data, eval(meant, given))
    found.sum().backward()
    assert x.grad is not None and np.isfinite(x.grad.data).all()
