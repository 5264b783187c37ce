"""How nbval runs notebooks: without progress bars, by kernels that start."""

from __future__ import annotations

import os
from typing import Any

import nbval.kernel

from tools.notebooks import ENVIRONMENT

os.environ.update(ENVIRONMENT)  # kernels inherit it

STARTS = 3

start_once = nbval.kernel.start_new_kernel


def start_again(*args: Any, **kwargs: Any) -> Any:
    """Start a kernel, again if it dies: two may have been given one port."""
    for _ in range(STARTS - 1):
        try:
            return start_once(*args, **kwargs)
        except RuntimeError:
            continue
    return start_once(*args, **kwargs)


nbval.kernel.start_new_kernel = start_again


collect_ignore = [
    "conftest.py"
]  # holds no examples; two files of one name clash
