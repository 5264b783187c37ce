"""Modules that are loaded before the image of memory is taken.

Python's library comes as source, and compiling it takes most of the time of a start.
The last line imports the modules that Pyodide needs to install a package, and that
NumPy needs to load.
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
