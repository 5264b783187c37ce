"""The operations, a file for each idea (chapters 12 and 13).

A file that is put into this folder is found, and its operations make themselves known.
"""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Import every file of this folder."""
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)


import autograd_lib.tensor  # noqa: E402, F401 - what the operations are for
