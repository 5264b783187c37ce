"""The optimiser in the docstring of `Optimizer` is PyTorch's RMSprop."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from autograd_lib import optim
from autograd_lib.engine import Tensor


def written() -> Any:
    """Return the class that the docstring writes."""
    code = re.search(
        r"(?s)( +class RMSprop\(Optimizer\):.*?)\n\n    Attributes",
        optim.Optimizer.__doc__ or "",
    )
    assert code is not None
    own: dict[str, Any] = {"Optimizer": optim.Optimizer, "np": np}
    exec(dedent(code[1]), own)
    return own["RMSprop"]


def test_it_keeps_what_it_remembers() -> None:
    w = Tensor([1.0, -2.0], requires_grad=True)
    own = written()([w], lr=0.1)
    assert [a.tolist() for a in own.memory[0]] == [[0.0, 0.0]]
    (w * w).sum().backward()
    own.step()
    assert sorted(own.state_dict()) == ["0.square", "lr", "moves", "steps"]


def test_its_steps_are_pytorchs() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    a = np.array([1.0, -2.0, 0.0, 100.0])
    w, v = Tensor(a, requires_grad=True), torch.tensor(a, requires_grad=True)
    ours, theirs = written()([w], lr=0.1), torch.optim.RMSprop([v], lr=0.1)
    for _ in range(6):
        for opt, x in ((ours, w), (theirs, v)):
            opt.zero_grad()
            ((x - 1) ** 4).sum().backward()
            opt.step()
    np.testing.assert_allclose(w.data, v.detach().numpy(), rtol=1e-9)
