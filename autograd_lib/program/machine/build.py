"""Compiles source to machine code, with a cache on disk (chapter 23).

Numba compiles a function when it is first called, for the types of its arguments, and
caches the result next to the function's file. So each source gets a file, named by its
content, in the folder `AUTOGRAD_MACHINE_CACHE`, or else in the user's cache. If that
isn't writable, each process compiles again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

HEADER = """import math
import numpy as np
from numba import njit
from numpy import float32, float64, int32, int64, uint64 as u
"""
KEPT = 1024
"""Functions that one process keeps, the last used ones."""


def available() -> bool:
    """Return whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


def folder() -> Path:
    """Return the folder of compiled code."""
    given = os.environ.get("AUTOGRAD_MACHINE_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", str(Path.home()))
    else:
        base = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return Path(base) / "autograd_lib"


@lru_cache(KEPT)
def built(text: str, name: str) -> Callable[..., Any]:
    """Return a function that some source defines, as machine code."""
    kept = file_of(text)
    options = 'error_model="numpy", nogil=True' + (", cache=True" if kept else "")
    whole = f"{HEADER}{text}".replace("@loops", f"@njit({options})")
    scope: dict[str, Any] = {"__name__": __name__}  # Numba imports it again
    exec(compile(whole, str(kept or "<loops>"), "exec"), scope)
    made: Callable[..., Any] = scope[name]
    return made


def file_of(text: str) -> Path | None:
    """Return the file of some source, written if necessary; None if it can't be."""
    key = hashlib.sha256((HEADER + text).encode()).hexdigest()[:24]
    path = folder() / f"loops_{key}.py"
    try:
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return path
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    except OSError:
        return None
    return path
