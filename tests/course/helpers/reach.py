"""What a student's code may try to reach outside of its process, and what came of it.

    python -m tests.course.helpers.reach FOLDER

judges answers in an empty folder, as the user who calls it, and prints what each got:
the name of an error, or `done`. After all of them a right answer is judged.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from course.judge.find import Answer
from course.judge.judge import Judge
from course.sets.questions import read_set
from tests.course.helpers.attacks import RIGHT
from tests.course.helpers.masters import master

CALL = """\
def call(numbers, *given):
    system = ctypes.CDLL(None, use_errno=True)
    if system.syscall(numbers[os.uname().machine == "aarch64"], *given) < 0:
        raise OSError(ctypes.get_errno(), "")
"""
TRIED = """\
import ctypes, fcntl, os, resource, signal, socket, struct, threading
{call}
file, judge, stage = {file!r}, {judge}, os.getppid()
try:
    {code}
except Exception as error:
    said = type(error).__name__
else:
    said = "done"


def scaled(upstream, x):
    return said
"""
REACHES = {
    # files of whom it runs as
    "mode": "os.chmod(file, 0)",
    "mode of a folder": "os.chmod(os.path.dirname(file), 0o777)",
    "mode through a descriptor": "os.fchmod(os.open(os.__file__, os.O_RDONLY), 0o777)",
    "times": "os.utime(file, (0, 0))",
    "owner": "os.chown(file, -1, os.getgid())",
    "owner of a link": "os.lchown(file, -1, os.getgid())",
    "attribute": "os.setxattr(file, 'user.x', b'1')",
    "attribute removed": "os.removexattr(file, 'user.x')",
    "content": "open(file, 'a')",
    "content cut": "os.truncate(file, 0)",
    "opened to be cut": "os.open(file, os.O_RDONLY | os.O_TRUNC)",
    "made": "os.open(file + '.new', os.O_RDONLY | os.O_CREAT)",
    "name": "os.rename(file, file + '.old')",
    "second name": "os.link(file, file + '.two')",
    "second name, soft": "os.symlink(file, file + '.soft')",
    "removed": "os.remove(file)",
    "folder made": "os.mkdir(file + '.folder')",
    "pipe made": "os.mkfifo(file + '.pipe')",
    "lease": "fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 1024, 0)",
    "lock": "fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX)",
    "lock of a range": "fcntl.lockf(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH)",
    "watch": "call((294, 26), 0)",
    "root": "os.chroot('/')",
    # other processes
    "signal to the stage": "os.kill(stage, 0)",
    "signal to the judge": "os.kill(judge, 0)",
    "signal to all": "os.kill(-1, 0)",
    "signal to its group": "os.killpg(0, 0)",
    "signal by a queue": "call((129, 138), judge, 0, 0)",
    "signal by a descriptor": "os.pidfd_open(judge)",
    "signal of a file": "fcntl.fcntl(3, fcntl.F_SETOWN, judge)",
    "limit of the stage": "resource.prlimit(stage, resource.RLIMIT_NOFILE, (7, 7))",
    "limit of the judge": "resource.prlimit(judge, resource.RLIMIT_FSIZE, (0, 0))",
    "limit of the judge, asked": "resource.prlimit(judge, resource.RLIMIT_CPU)",
    "priority": "os.setpriority(os.PRIO_PROCESS, judge, 19)",
    "priority of all": "os.setpriority(os.PRIO_USER, os.getuid(), 19)",
    "own priority": "os.nice(1)",
    "processors": "os.sched_setaffinity(stage, {0})",
    "scheduler": "os.sched_setscheduler(judge, os.SCHED_IDLE, os.sched_param(0))",
    "priority of reading": "call((251, 30), 1, judge, 3 << 13)",
    "trace": "call((101, 117), 16, judge, 0, 0)",
    "memory of another": "call((310, 270), judge, 0, 0, 0, 0, 0)",
    "memory moved": "call((279, 239), judge, 0, 0, 0, 0, 0)",
    "compared": "call((312, 272), judge, stage, 0, 0, 0)",
    "group": "os.setpgid(0, 0)",
    "session": "os.setsid()",
    # processes and programs
    "fork": "os.fork()",
    "thread": "threading.Thread(target=print).start()",
    "program": "os.execv('/bin/true', ['true'])",
    "program in memory": "os.memfd_create('x')",
    # what outlives it, or leads outside
    "socket": "socket.socket()",
    "pair of sockets": "socket.socketpair()",
    "descriptors sent": "socket.send_fds(socket.socket(fileno=os.dup(3)), [b'x'], [0])",
    "shared memory": "call((29, 194), 0, 9, 0o1666)",
    "queue": "call((68, 186), 0, 0o1666)",
    "semaphores": "call((64, 190), 0, 1, 0o1666)",
    "queue with a name": "call((240, 180), b'x', 64, 0o600, 0)",
    "keys": "call((250, 219), 0, -3, 1)",
    "key made": "call((248, 217), b'user', b'x', b'y', 1, -3)",
    "ring": "call((425, 425), 1, ctypes.create_string_buffer(999))",
    # the kernel
    "namespaces": "call((272, 97), 0x10000000)",
    "faults of memory": "call((323, 282), 1)",
    "handle": "call((303, 264), -100, b'/', 0, 0, 0)",
    "personality": "call((135, 92), 0x0040000)",
    "mount": "call((165, 40), 0, 0, 0, 0, 0)",
    "programs of the kernel": "call((321, 280), 0, 0, 0)",
    "counters": "call((298, 241), 0, 0, -1, -1, 0)",
    "own settings": "call((157, 167), 1, 9)",
    "memory locked": "call((149, 228), 0, 1)",
    "terminal": "fcntl.ioctl(0, 0x5412, b'x')",
    "x32": "call((0x40000000 + 39, 0x40000000 + 172))",
}


def state(folder: Path) -> dict[str, Any]:
    """Return what no answer may change, of files and of the judge."""
    files = {
        path.name: (status.st_mode, status.st_mtime_ns, status.st_size, status.st_nlink)
        for path in [folder, *sorted(folder.iterdir())]
        for status in [path.stat()]
    }
    limits = [
        resource.getrlimit(what)
        for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)
    ]
    processors = sorted(os.sched_getaffinity(0))
    return {
        "files": files,
        "limits": limits,
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "scheduler": os.sched_getscheduler(0),
        "processors": processors,
    }


def main() -> None:
    """Judge all, and print what came of them."""
    folder = Path(sys.argv[1]) / "reached"
    folder.mkdir()
    file = folder / "marks.csv"
    file.write_text("ann,3")
    judge = Judge(read_set(master(Path(sys.argv[1]))), "a seed")
    (question,) = judge.asked.questions
    before, came = state(folder), {}
    for name, code in REACHES.items():
        source = TRIED.format(call=CALL, file=str(file), judge=os.getpid(), code=code)
        came[name] = judge.verdict(question, Answer(source)).message
    right = judge.verdict(question, Answer(RIGHT)).points
    judge.close()
    came_to = {
        name: said.partition("got '")[2].partition("'")[0] or said
        for name, said in came.items()
    }
    result = {"user": os.getuid(), "came": came_to, "right": right}
    sys.stdout.write(json.dumps({**result, "unchanged": before == state(folder)}))


if __name__ == "__main__":
    main()
