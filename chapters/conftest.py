"""How nbval runs notebooks: without progress bars, by kernels that start.

A cell that trains for most of a minute loads instead what such training gave,
and one that does less in a browser does so here. Weekly, and when they are
executed anew, they do all.
"""

from __future__ import annotations

import os
from typing import Any

import nbval.kernel
import pytest

from notebooks.notebook import ENVIRONMENT

os.environ.update(ENVIRONMENT)  # kernels inherit it

STARTS = 3
TRAINS = "if TRAIN:\n"
IN_A_BROWSER = 'sys.platform == "emscripten"'
# Their outputs that follow from it are not compared.
DO_LESS = "17_convolution.ipynb", "18_gpt.ipynb", "20_second_order.ipynb"

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


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let a cell load what it would train."""
    cell = getattr(item, "cell", None)
    exhaustive = item.config.getoption("--exhaustive", default=False)
    if not cell or exhaustive:
        return
    if cell.source.startswith(TRAINS):
        cell.source = f"TRAIN = False\n{cell.source}"
    if item.path.name in DO_LESS:
        cell.source = cell.source.replace(IN_A_BROWSER, "True")


collect_ignore = [
    "conftest.py"
]  # holds no examples; two files of one name clash
