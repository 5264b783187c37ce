"""What a student's code could do on this machine, found by trying it.

    python -m course.hold.rehearsal FOLDER

A process gives up what a child of the stage gives up, tries what must then be refused
and what must not, and prints the names of what came out wrong. `found` makes the folder
and starts the process, before any answer runs; `sentences` says what it means.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from course.hold.confine import Limits, confine
from notebooks.notebook import ENVIRONMENT, ROOT

PRIVATE, PUBLIC, MADE = "private", "public", "made"
MODULES = "modules"  # what is found where they cannot be imported
RARE = ("mailbox", "plistlib", "wave", "zipapp")
"""Modules of Python's that hardly any other imports."""
IPC_REMOVE = 0


@cache
def found() -> tuple[str, ...]:
    """Rehearse, and return the names of what came out wrong.

    Raises:
        OSError: if a process cannot give up what it must.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o755)
        for name, mode in (PRIVATE, 0o600), (PUBLIC, 0o644):
            (folder / name).write_text("the key")
            (folder / name).chmod(mode)
        done = subprocess.run(
            [sys.executable, "-m", "course.hold.rehearsal", place],
            cwd=ROOT,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it ended"]
        raise OSError(f"the process of an answer cannot be held: {last[0]}")
    return tuple(json.loads(done.stdout))


def sentences(names: Iterable[str]) -> Iterator[str]:
    """Yield what is said of what `found` returns."""
    names = set(names)
    if PRIVATE in names:
        names.discard(PUBLIC)
    if can := [said for name, (said, _) in PROBES.items() if name in names]:
        yield f"Without a container, a student's code can {', '.join(can)}."
    if MODULES in names:
        yield (
            f"A student's code can import only what the judge has loaded, since Python "
            f"lies in {sys.base_prefix}, which not every user may read. A right answer "
            "that imports anything else gets no points: move Python, or judge as the "
            "user whose it is."
        )


def main() -> None:
    """Print what can be done that should not, and whether imports cannot."""
    confine(Limits(), 0)
    wrong = tried(Path(sys.argv[1]))
    print(json.dumps(wrong if can_import() else [*wrong, MODULES]))


def tried(folder: Path) -> list[str]:
    """Return which probes come through."""
    through = []
    for name, (_, probe) in PROBES.items():
        with contextlib.suppress(OSError, AttributeError):  # macOS has not all of them
            probe(folder)
            through.append(name)
    return through


def can_import() -> bool:
    """Whether a module can be imported that nobody has imported before."""
    try:
        importlib.import_module(next(m for m in RARE if m not in sys.modules))
    except (ImportError, OSError):
        return False
    return True


def leave_memory(_: Path) -> None:
    """Make shared memory, and take it away again."""
    system = ctypes.CDLL(None)
    made = int(system.shmget(0, 1, 0o600))
    if made < 0:
        raise PermissionError
    system.shmctl(made, IPC_REMOVE, None)


def take_memory(_: Path) -> None:
    """Ask for more than an attempt may have."""
    try:
        bytearray(2 * Limits().mebibytes * 2**20)
    except MemoryError:
        raise PermissionError from None


def look(path: Path) -> None:
    """Read a file."""
    path.read_bytes()


def retouch(folder: Path) -> None:
    """Change a file's mode, or its times."""
    with contextlib.suppress(OSError):
        (folder / PRIVATE).chmod(0o600)
        return
    os.utime(folder / PRIVATE)


def start(_: Path) -> None:
    """Start a process."""
    if os.fork() == 0:
        os._exit(0)


PROBES: dict[str, tuple[str, Callable[[Path], object]]] = {
    PRIVATE: (
        "read every file of yours, the key among them",
        lambda folder: look(folder / PRIVATE),
    ),
    PUBLIC: (
        "read what every user here can, the solutions too",
        lambda folder: look(folder / PUBLIC),
    ),
    MADE: ("make files", lambda folder: (folder / MADE).touch()),
    "modes": ("change the modes and times of your files", retouch),
    "signals": (
        "end your other programs, this one too",
        lambda _: os.kill(os.getppid(), 0),
    ),
    "limits": (
        "lower the limits of your other programs, this one's too",
        lambda _: resource.prlimit(os.getppid(), resource.RLIMIT_CORE),
    ),
    "priorities": (
        "slow your other programs down",
        lambda _: os.setpriority(
            os.PRIO_PROCESS, os.getppid(), os.getpriority(os.PRIO_PROCESS, 0)
        ),
    ),
    "sockets": (
        "use the network and your programs' sockets",
        lambda _: socket.socket(socket.AF_UNIX).close(),
    ),
    "shared memory": ("leave shared memory behind", leave_memory),
    "processes": ("start processes", start),
    "memory": ("take much memory", take_memory),
}
"""By name: what is said if it comes through, and how it is tried."""


if __name__ == "__main__":
    main()
