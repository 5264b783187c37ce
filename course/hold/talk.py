"""The judge's end of the stage: start it, and ask one attempt after the other."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from time import monotonic
from typing import Any

from course.hold.confine import ATTEMPT, Limits
from course.sets.page import Step
from notebooks.notebook import ENVIRONMENT, ROOT

CHUNK = 2**16
STARTS = 60.0  # seconds in which a child has started, on a machine with much to do


class Ended(BaseException):
    """Raised when an attempt cannot go on: `timeout`, `crashed` or `tampered`.

    It is no Exception, since it must end the comparison that it happens in.
    """


class StageFault(Exception):
    """The page itself cannot be run, or no answer: this is no student's doing."""


@dataclass
class Job:
    """What a child is asked to do: see `attempt.perform`."""

    position: int
    name: str
    source: str
    harness: str
    withheld: Sequence[str] = ()
    without: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)


class Stage:
    """A stage, which runs the page while its maker goes on; `wait` waits for it.

    It is started again if an attempt manages to end it.
    """

    def __init__(self, page: Sequence[Step]) -> None:
        self.page = json.dumps([astuple(step) for step in page])
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.ready = False
        self.start()

    def start(self) -> None:
        """Start the process, and give it the page."""
        self.ready = False
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "course.hold.stage", str(theirs.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            env={**BARE, **ENVIRONMENT, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        )
        theirs.close()
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self.process.stdin as pipe:
                pipe.write(self.page.encode())

    def wait(self) -> None:
        """Wait until it has run the page.

        Raises:
            StageFault: if the page fails.
        """
        told = json.loads(self.heard() or '{"failed": "its process ended"}')
        if "failed" in told:
            self.close()
            raise StageFault(told["failed"])
        self.ready = True

    def heard(self) -> bytes:
        """Wait for the stage's one message, or for its end."""
        while True:
            if select.select([self.control], [], [], 0.5)[0]:
                return self.control.recv(CHUNK)
            if self.process is None or self.process.poll() is not None:
                return b""

    @contextlib.contextmanager
    def attempt(self, job: Job) -> Iterator[Conversation]:
        """Start an attempt, and end it in any case.

        Raises:
            StageFault: if none can be started, which is tried twice.
        """
        try:
            made = self.begun(job)
        except OSError:
            self.start_again()
            try:
                made = self.begun(job)
            except OSError as error:
                raise StageFault(f"no answer can be tried here: {error}") from error
        with made.end, made.report:
            yield made
            with contextlib.suppress(OSError):
                made.report.sendall(b"end")
                made.report.recv(CHUNK)

    def begun(self, job: Job) -> Conversation:
        """Start a child, and wait until it has dropped its rights; run no answer yet.

        Raises:
            OSError: if it does not say so.
        """
        with contextlib.ExitStack() as opened:
            ours, theirs = map(opened.enter_context, socket.socketpair())
            report, reported = map(opened.enter_context, socket.socketpair())
            sent = [theirs.fileno(), reported.fileno()]
            socket.send_fds(self.control, [ATTEMPT], sent)
            theirs.close()
            reported.close()
            ours.settimeout(STARTS)
            ours.sendall(json.dumps(asdict(job)).encode() + b"\n")
            ours.settimeout(None)
            made = Conversation(ours, report, replace(job.limits, seconds=STARTS))
            try:
                said = made.hear()
            except Ended as end:
                raise OSError(f"its process did not start: {end}") from None
            if "held" not in said:
                raise OSError(said.get("fault", "its process says nothing"))
            opened.pop_all()
        made.limits = job.limits
        made.until = monotonic() + job.limits.seconds
        return made

    def start_again(self) -> None:
        """Start the process, unless another thread has done so already."""
        with self.lock:
            if self.process is not None and self.process.poll() is None:
                return
            self.close()
            self.start()
            self.wait()

    def close(self) -> None:
        """End the process: once it serves, it ends its attempts before itself."""
        with contextlib.suppress(OSError):
            self.control.send(b"")
        self.control.close()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5 if self.ready else 0)
            self.process.kill()
            self.process.wait()


class Conversation:
    """The messages to and from one attempt."""

    def __init__(
        self, end: socket.socket, report: socket.socket, limits: Limits
    ) -> None:
        self.end, self.report, self.limits = end, report, limits
        self.until = monotonic() + limits.seconds
        self.rest = b""

    def say(self, what: Any) -> None:
        """Send one line; a failure shows when the answer is read."""
        with contextlib.suppress(OSError):
            self.end.sendall(json.dumps(what).encode() + b"\n")

    def hear(self) -> dict[str, Any]:
        """Return the next thing that the attempt says.

        Raises:
            Ended: if none comes in time, the process is gone, or it is no answer.
        """
        if monotonic() > self.until:  # what was said before was too much work to read
            raise Ended("timeout")
        while b"\n" not in self.rest:
            left = max(0.0, self.until - monotonic())
            if not select.select([self.end], [], [], left)[0]:
                raise Ended("timeout")
            try:
                data = self.end.recv(CHUNK)
            except OSError:
                data = b""
            if not data:
                raise Ended(self.how_it_ended())
            self.rest += data
            if len(self.rest) > self.limits.answer:
                raise Ended("tampered")
        line, _, self.rest = self.rest.partition(b"\n")
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            raise Ended("tampered") from None
        if not isinstance(said, dict):
            raise Ended("tampered")
        return said

    def how_it_ended(self) -> str:
        """Return `timeout` if the kernel ended it for its time, and else `crashed`."""
        with contextlib.suppress(OSError, ValueError):
            self.report.settimeout(5)
            self.report.sendall(b"end")
            if -int(self.report.recv(CHUNK)) == signal.SIGXCPU:
                return "timeout"
        return "crashed"


BARE = {k: os.environ[k] for k in ("PATH", "LD_LIBRARY_PATH") if k in os.environ}
