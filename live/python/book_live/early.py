"""What is in memory when the image of it is taken: the kernel and what it soon needs.

Python's library comes as source, and compiling it is most of a start's time. The last
line is what Pyodide imports when it installs a package, and NumPy when it is loaded.
"""

from __future__ import annotations

import encodings.cp437
import importlib.metadata
import pickle
import pkgutil
import platform
import tarfile

import IPython.lib.pretty

import book_live.kernel
import book_live.packages

__all__ = [
    "IPython",
    "book_live",
    "encodings",
    "importlib",
    "pickle",
    "pkgutil",
    "platform",
    "tarfile",
]
