"""Linux's seccomp: a process gives up system calls, for good.

Landlock takes away files, but not what has no path, or outlives a process: sockets of
every kind, memory and queues of System V and of POSIX, and the kernel's keys. The
numbers are those of `linux/seccomp.h`, `linux/bpf_common.h` and the tables of calls.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

from course.hold.landlock import NO_NEW_PRIVILEGES

GET, SET, FILTER = 21, 22, 2  # of prctl, and the mode
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
CALL, ARCHITECTURE = 0, 4  # where `struct seccomp_data` has them
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
X32 = 0x40000000  # from here on, x86-64 has its calls a second time
IO_URING = 425  # makes sockets too; the same number on both
X86 = (41, 53, *range(29, 32), *range(64, 72), 220, 240, *range(248, 251))
ARM = (198, 199, *range(186, 197), 180, *range(217, 220))
CALLS = {
    "x86_64": (0xC000003E, (*X86, IO_URING)),
    "aarch64": (0xC00000B7, (*ARM, IO_URING)),
}
"""By machine: its number for the audit, and the calls socket, socketpair, shm…,
sem…, msg…, semtimedop, mq_open, those for keys, and io_uring_setup."""


class Step(ctypes.Structure):
    """`struct sock_filter`."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        ("true", ctypes.c_uint8),
        ("false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(Step)))


def supported() -> bool:
    """Whether calls can be refused here."""
    is_known = sys.platform == "linux" and os.uname().machine in CALLS
    return is_known and ctypes.CDLL(None).prctl(GET, 0, 0, 0, 0) >= 0


def refuse_calls() -> None:
    """Refuse the calls to this process, and to what it starts, where that is known."""
    if not supported():
        return
    architecture, calls = CALLS[os.uname().machine]
    last = len(calls) + 5  # the step that refuses
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 0, last - 2, architecture),
        (LOAD, 0, 0, CALL),
        (AT_LEAST, last - 4, 0, X32),
        *((EQUAL, last - 5 - i, 0, call) for i, call in enumerate(calls)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    program = Program(len(steps), (Step * len(steps))(*(Step(*s) for s in steps)))
    system = ctypes.CDLL(None)
    system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    system.prctl(SET, FILTER, ctypes.byref(program), 0, 0)
