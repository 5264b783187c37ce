"""Names that tensors have beside NumPy's, and what is said of those they have not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograd_lib.engine import Tensor, no_grad
from autograd_lib.engine.numpy.missing import PYTORCH


def vector() -> Tensor:
    return Tensor([1.0, 2.0], requires_grad=True)


def name_error(name: str) -> str:
    with pytest.raises(AttributeError) as caught:
        getattr(vector(), name)
    assert caught.value.name == name
    return str(caught.value)


def test_names_of_pytorch_lead_to_ours() -> None:
    missing = [name for name in PYTORCH if not hasattr(Tensor, name)]
    assert {"view", "unsqueeze", "permute", "dim", "numel", "clamp"} <= {*missing}
    for name in missing:
        assert f"no attribute {name!r}; write {PYTORCH[name]}" in name_error(name)


def test_a_mistyped_name_leads_to_the_nearest() -> None:
    """Python itself adds it where nobody catches the error."""
    script = "from autograd_lib.engine import Tensor; Tensor([1.0]).sotfmax()"
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Did you mean: 'softmax'?" in done.stderr


def test_names_of_numpy_that_are_no_methods() -> None:
    assert name_error("tofile").endswith("its array has: t.data.tofile")
    assert "tofile" not in dir(vector()) and "softmax" in dir(vector())


def test_the_gradient_is_forgotten_by_its_leaf() -> None:
    w = vector()
    (w * w).sum().backward()
    w.zero_grad()
    assert w.grad is None
    with pytest.raises(TypeError, match="only a leaf that requires a gradient"):
        (w * 2).zero_grad()


def test_methods_that_numpy_has_as_functions_only() -> None:
    x = Tensor([-3.0, 4.0], requires_grad=True)
    assert x.abs().tolist() == [3.0, 4.0]
    assert x.pow(2).tolist() == [9.0, 16.0]
    assert x.norm().item() == 5.0
    y = x.clone()
    y.sum().backward()
    assert not np.shares_memory(y.data, x.data)
    assert x.grad.tolist() == [1.0, 1.0]
    with no_grad():
        assert not x.clone().requires_grad
