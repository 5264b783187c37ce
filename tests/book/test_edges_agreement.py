"""What chapter 12 says of PyTorch's choices at a kink is what PyTorch does."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

torch: Any = None
try:
    torch = importlib.import_module("torch")
except ImportError:
    REASON = "PyTorch is not installed; pip install torch==2.13.0"
else:
    REASON = ""


@pytest.mark.skipif(torch is None, reason=REASON)
def test_relu_and_a_maximum_with_0_choose_apart() -> None:
    nought = torch.zeros((), dtype=torch.float64)
    for function, right in (
        (torch.relu, 0.0),
        (lambda x: torch.maximum(x, nought), 0.5),
    ):
        x = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
        function(x).backward()
        assert x.grad.item() == right
