"""What all tests share: property tests that repeat, and kernels that do start."""

from __future__ import annotations

import os
from typing import Any

import hypothesis
import nbval.kernel

from tools.notebooks import ENVIRONMENT

os.environ.update(ENVIRONMENT)  # kernels inherit it

STARTS = 3

hypothesis.settings.register_profile("book", deadline=None, derandomize=True)
hypothesis.settings.load_profile("book")

start_once = nbval.kernel.start_new_kernel


def start_again(*args: Any, **kwargs: Any) -> Any:
    """Start a kernel; two that start at once can be given one port, and one dies."""
    for _ in range(STARTS - 1):
        try:
            return start_once(*args, **kwargs)
        except RuntimeError:
            continue
    return start_once(*args, **kwargs)


nbval.kernel.start_new_kernel = start_again
