"""Linux's seccomp: a process gives up all system calls but some, for good.

Landlock takes away files, but neither a file's mode, times and attributes, nor what has
no path: other processes, their limits and priorities, sockets of every kind, memory and
queues that outlive a process, the kernel's keys. `calls` lists what is left. The
numbers here are those of `linux/seccomp.h` and `linux/bpf_common.h`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

from course.hold import calls
from course.hold.landlock import NO_NEW_PRIVILEGES

GET, SET, FILTER = 21, 22, 2  # of prctl, and the mode
LOAD, EQUAL, AT_LEAST, ANY_OF, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # where `struct seccomp_data` has them
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
X32 = 0x40000000  # from here on, x86-64 has its calls a second time
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""By name: its number for the audit, and which of the numbers in `calls` are its."""

Rule = tuple[int, int, int, int]


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
    is_known = sys.platform == "linux" and os.uname().machine in MACHINES
    return (
        is_known
        and sys.maxsize > 2**32  # the calls of a 32-bit process have other numbers
        and ctypes.CDLL(None).prctl(GET, 0, 0, 0, 0) >= 0
    )


def refuse_calls() -> None:
    """Refuse calls to this process, and to what it starts, where that is known.

    Raises:
        OSError: if the kernel does not take the list.
    """
    if not supported():
        return
    steps = program(os.uname().machine, os.getpid())
    filled = Program(len(steps), (Step * len(steps))(*(Step(*s) for s in steps)))
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if system.prctl(SET, FILTER, ctypes.byref(filled), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp takes no filter")


def program(machine: str, process: int) -> list[Rule]:
    """Return the steps that look at each call of a process."""
    architecture, column = MACHINES[machine]
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, REFUSE),
        (LOAD, 0, 0, CALL),
        (AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, REFUSE),
    ]
    for numbers in calls.ALLOWED.values():
        steps += on(numbers[column], [(RETURN, 0, 0, ALLOW)])
    for numbers, place in calls.OPENING.values():
        changes = [(ANY_OF, 0, 1, calls.CHANGES), (RETURN, 0, 0, REFUSE)]
        rest = [argument(place), *changes, (RETURN, 0, 0, ALLOW)]
        steps += on(numbers[column], rest)
    for name, numbers in calls.TO_ITSELF.items():
        own = (process, 0) if name == "prlimit64" else (process,)
        steps += on(numbers[column], one_of(0, own))
    for numbers, known in calls.ASKING.items():
        steps += on(numbers[column], one_of(1, known))
    return [*steps, (RETURN, 0, 0, REFUSE)]


def on(call: int | None, steps: list[Rule]) -> list[Rule]:
    """Return steps that are done for one call, the last of which end the program."""
    return [] if call is None else [(EQUAL, 0, len(steps), call), *steps]


def argument(place: int) -> Rule:
    """Return the step that loads an argument, of which these calls read 32 bits."""
    return LOAD, 0, 0, ARGUMENTS + 8 * place


def one_of(place: int, values: tuple[int, ...]) -> list[Rule]:
    """Return steps that allow a call whose argument is one of some values."""
    steps = [argument(place)]
    for value in values:
        steps += [(EQUAL, 0, 1, value), (RETURN, 0, 0, ALLOW)]
    return [*steps, (RETURN, 0, 0, REFUSE)]
