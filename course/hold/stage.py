"""The stage: a process that runs a page once, and forks a child for every attempt.

It is started with one socket, and the page's steps come first. After that each message
is two sockets: one is given to the child, over which its job comes, and a byte on the
other, or its end, asks for the child's. The stage then says how it ended. It holds no
key: what it gets is what students have, and the way in which an attempt is used.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import selectors
import signal
import socket
import sys
import warnings
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import autograd_lib
from course.hold.attempt import leave, perform
from course.hold.confine import ATTEMPT
from course.sets.page import Played, Step, played

SECONDS = 5  # between looks whether the judge is still there
EARLY = (
    *("bisect", "cmath", "copy", "dataclasses", "datetime", "decimal", "difflib"),
    *("enum", "fractions", "graphlib", "heapq", "matplotlib.pyplot", "pprint"),
    *("string", "time", "timeit", "array", "numbers", "queue", "pickle", "struct"),
    *("inspect", "linecache", "numpy.fft", "numpy.linalg", "numpy.random"),
    *("numpy.testing", "random", "secrets", "statistics", "textwrap", "tokenize"),
    *("traceback", "typing", "weakref"),
)
"""Modules that an answer or an error's text may import: a child may not find them."""


@dataclass
class Child:
    """A running attempt, and the socket that asks for its end."""

    process: int
    report: socket.socket
    place: int


def main() -> None:
    """Serve jobs on the socket whose number is the argument, until it is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    warnings.simplefilter("ignore")
    for module in (*EARLY, *library()):
        with contextlib.suppress(ImportError):
            import_module(module)
    try:
        steps = (Step(*step) for step in json.loads(sys.stdin.read()))
        with contextlib.redirect_stderr(io.StringIO()):
            page = played(steps)
    except Exception as error:
        told: dict[str, Any] = {"failed": f"{type(error).__name__}: {error}"}
    else:
        told = {"ready": True}
    control.send(json.dumps(told).encode())
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    if "ready" in told:
        serve(control, page)


def library() -> list[str]:
    """Return the names of the library's modules, which it imports as they are used."""
    found = walk_packages(autograd_lib.__path__, "autograd_lib.")
    return [module.name for module in found]


def serve(control: socket.socket, page: Played) -> None:
    """Start a child for each message, and end it on request."""
    waiting = selectors.DefaultSelector()
    waiting.register(control, selectors.EVENT_READ)
    children: list[Child] = []
    judge = os.getppid()
    while os.getppid() == judge:
        for event, _ in waiting.select(SECONDS):
            if event.fileobj is not control:
                end(event.data, waiting)
                children.remove(event.data)
                continue
            data, sockets, _, _ = socket.recv_fds(control, len(ATTEMPT), 2)
            if not data:
                for child in children:
                    end(child, waiting)
                return
            used = {child.place for child in children}
            place = next(i for i in range(len(used) + 1) if i not in used)
            child = started(page, sockets, place)
            children.append(child)
            waiting.register(child.report, selectors.EVENT_READ, child)


def started(page: Played, sockets: list[int], place: int) -> Child:
    """Fork a child that makes an attempt with the first of two sockets."""
    process = os.fork()
    if process == 0:
        try:
            os.setsid()
            keep = os.dup2(sockets[0], 3)
            os.closerange(4, 4096)
            perform(page, socket.socket(fileno=keep), place)
        finally:
            leave()
    os.close(sockets[0])
    return Child(process, socket.socket(fileno=sockets[1]), place)


def end(child: Child, waiting: selectors.BaseSelector) -> None:
    """End a child, if it still runs, and report its exit status."""
    waiting.unregister(child.report)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.process, signal.SIGKILL)
    _, status = os.waitpid(child.process, 0)
    with contextlib.suppress(OSError):
        child.report.sendall(str(os.waitstatus_to_exitcode(status)).encode())
    child.report.close()


if __name__ == "__main__":
    main()
