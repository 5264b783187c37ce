"""What a child that runs a student's code gives up before it does."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from course.hold import seccomp
from course.hold.landlock import restrict
from notebooks.notebook import ROOT

try:
    import resource
except ImportError:
    raise SystemExit(
        "Grading needs a system that forks and limits processes: Linux, macOS, or WSL "
        "on Windows. Handouts can be made anywhere."
    ) from None

ATTEMPT = b"attempt"  # what the judge says to the stage, with two sockets
MEBIBYTE = 2**20
FIRST_USER = 65534  # nobody; attempts that run side by side are different nobodies


@dataclass(frozen=True)
class Limits:
    """How much an attempt may use."""

    seconds: float = 10.0
    mebibytes: int = 768
    """Memory on top of what the page has taken."""
    answer: int = 4 * MEBIBYTE
    """Bytes in one line of what it answers."""


def confine(limits: Limits, place: int, without_library: bool = False) -> None:
    """Bound this process, drop its rights, and leave it Python's files to read.

    Args:
        limits: how much it may use.
        place: tells attempts apart that run at the same time.
        without_library: whether the files of the library, which has been imported, are
            closed to it too.
    """
    seconds = int(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    most = in_use() + limits.mebibytes * MEBIBYTE
    if sys.platform == "linux":  # macOS refuses
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for what in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(what, (0, 0))
    os.chdir("/")
    if os.getuid() == 0:
        user = FIRST_USER - place
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    restrict(readable()[: -1 if without_library else None])
    seccomp.refuse_calls()
    os.environ.clear()


def bound_files(size: int) -> None:
    """Let this process, and what it starts, write no file of more bytes than that."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def readable() -> list[Path]:
    """Return the folders of Python, of its packages and, last, of the library.

    Not `course`, which the stage has imported: the sets' solutions lie there.
    """
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    system = [Path("/lib"), Path("/lib64"), Path("/usr/lib"), Path("/dev/null")]
    return [*python, *system, ROOT / "autograd_lib"]


def in_use() -> int:
    """Return the size of this process's address space, in bytes."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()
