"""PyTorch, imported when something of it is first used: cases are read without it.

``from tests.operations import pytorch as torch`` and then ``torch.linalg.inv(x)``
within a function.
"""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    return getattr(importlib.import_module("torch"), name)
