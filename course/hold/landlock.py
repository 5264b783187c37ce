"""Linux's Landlock: a process gives up files, TCP, and signals to others, for good.

It needs no rights and no container. The numbers are those of `linux/landlock.h`; a
kernel that knows none of it, or another system, takes nothing away and says so.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from pathlib import Path

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls, the same on every architecture
NO_NEW_PRIVILEGES = 38
READ_FILE, READ_DIRECTORY, EXECUTE = 1 << 2, 1 << 3, 1 << 0
FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
TCP, SCOPES = 0b11, 0b11  # bind and connect; signals and abstract sockets


class Rules(ctypes.Structure):
    """`struct landlock_ruleset_attr`."""

    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class Beneath(ctypes.Structure):
    """`struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Return which version of Landlock this kernel has, 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(CREATE, None, 0, 1)))


def restrict(readable: Iterable[Path]) -> int:
    """Leave this process, and what it starts, files below these folders to read.

    Returns:
        The version of Landlock: files from 1 on, TCP from 4, signals from 6; 0 if the
        kernel has none, and nothing is restricted.

    Raises:
        OSError: if a kernel that has it does not take the rules.
    """
    known = version()
    if not known:
        return 0
    files = FILES[max(v for v in FILES if v <= known)]
    rules = Rules(files, TCP if known >= 4 else 0, SCOPES if known >= 6 else 0)
    size = 8 if known < 4 else 16 if known < 6 else 24
    system = ctypes.CDLL(None, use_errno=True)
    handle = system.syscall(CREATE, ctypes.byref(rules), size, 0)
    if handle < 0:
        raise OSError(ctypes.get_errno(), "Landlock makes no rules")
    for folder in readable:
        allow(system, handle, folder)
    system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    refused = system.syscall(RESTRICT, handle, 0)
    os.close(handle)
    if refused:
        raise OSError(ctypes.get_errno(), "Landlock takes no rules")
    return known


def allow(system: ctypes.CDLL, handle: int, folder: Path) -> None:
    """Add one folder to the rules, if it is there."""
    try:
        place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rights = READ_FILE | EXECUTE | (READ_DIRECTORY if folder.is_dir() else 0)
    rule = Beneath(rights, place)
    system.syscall(ADD, handle, 1, ctypes.byref(rule), 0)
    os.close(place)
