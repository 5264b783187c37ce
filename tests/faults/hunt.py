"""Run the same tests again and again, each time on an engine with another wrong line.

Pytest collects the tests once, and runs them once to see which function each calls.
Then a process is forked for each mutant, which plants it and runs the tests that call
it, until one fails. So the system has to be one that forks, and PyTorch is left out: it
would wait for threads that a forked process does not have.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from types import CodeType, FrameType
from typing import Any, Generic, Protocol, TypeVar

import pytest

from autograd_lib.check.plant import find
from notebooks.notebook import ROOT

PATIENCE = 5  # times what a test takes without a mutant, and
SECONDS = 10  # more, of the processor's time: then it is stopped
OPTIONS = ("-q", "-p", "no:cacheprovider")


class Planted(Protocol):
    """A wrong line, which `mutants` makes."""

    @property
    def where(self) -> str:
        """The function that it is in, by its dotted name."""

    @property
    def change(self) -> str:
        """What is changed there."""

    def planted(self) -> AbstractContextManager[None]:
        """Plant it for the time of a `with` block."""


M = TypeVar("M", bound=Planted)


def hunt(
    todo: list[M], files: list[str], jobs: int, report: Callable[[M, str], None]
) -> None:
    """Call `report` with each mutant and "killed", "stopped" or "survived".

    Raises:
        SystemExit: if the tests fail without any mutant.
    """
    os.chdir(ROOT)
    sys.modules["torch"] = None  # type: ignore[assignment]
    plugin = Hunt(todo, files, jobs, report)
    code = pytest.main([*OPTIONS, *files], plugins=[plugin])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit("The tests fail without any mutant; mend that first.")


class Hunt(Generic[M]):
    """A plugin of pytest that runs what was collected once for each mutant."""

    def __init__(
        self,
        todo: list[M],
        files: list[str],
        jobs: int,
        report: Callable[[M, str], None],
    ) -> None:
        self.todo, self.files, self.jobs, self.report = todo, files, jobs, report
        self.callers: dict[str, list[pytest.Item]] = {}
        self.took: dict[pytest.Item, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as things are, then for each mutant."""
        start = time.monotonic()
        codes = {find(m.where).__code__: m.where for m in self.todo}
        self.callers = {where: [] for where in codes.values()}
        for item, following in pairs(session.items):
            before = time.process_time()
            for code in codes_called(item, following, set(codes)):
                self.callers[codes[code]].append(item)
            self.took[item] = time.process_time() - before
            if session.testsfailed:
                return True
        limit = PATIENCE * (time.monotonic() - start) + 60.0
        pending = list(reversed(self.todo))
        running: list[tuple[M, Forked, float]] = []
        while pending or running:
            while pending and len(running) < self.jobs:
                mutant = pending.pop()
                items = self.callers[mutant.where]
                work = partial(survives, mutant, items, self.took)
                running.append((mutant, Forked(work), time.monotonic() + limit))
            time.sleep(0.01)
            for entry in list(running):
                mutant, process, until = entry
                ended = process.poll()
                if ended is None and time.monotonic() < until:
                    continue
                running.remove(entry)
                if ended is None:
                    process.kill()
                    process.wait()
                self.report(mutant, FATES.get(ended, "killed"))
        return True


FATES = {None: "stopped", -signal.SIGPROF: "stopped", 0: "survived"}


class Forked:
    """A process that does some work and ends with 0 if that returns True.

    It has the methods of `subprocess.Popen` that are used here.
    """

    def __init__(self, work: Callable[[], bool]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads of NumPy's
            self.pid = os.fork()
        if not self.pid:
            code = 1
            try:
                code = 0 if work() else 1
            finally:
                os._exit(code)

    def poll(self) -> int | None:
        """Return how it ended, or None if it has not."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None

    def kill(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        """Wait for its end."""
        os.waitpid(self.pid, 0)


def survives(
    mutant: Planted, items: list[pytest.Item], took: dict[pytest.Item, float]
) -> bool:
    """Plant a mutant and run tests until one fails; return whether none does.

    The process ends by a signal if one of them goes on for ever.
    """
    with mutant.planted():
        for item, following in pairs(nearest_first(items, mutant.where)):
            limit = PATIENCE * took[item] + SECONDS
            signal.setitimer(signal.ITIMER_PROF, limit)
            item.config.pluginmanager.unregister(name="terminalreporter")
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if item.session.testsfailed:
                return False
    return True


def pairs(items: list[pytest.Item]) -> list[tuple[pytest.Item, pytest.Item | None]]:
    """Return each test with the one after it, which pytest wants to know."""
    return list(zip(items, [*items[1:], None], strict=True)) if items else []


def codes_called(
    item: pytest.Item, following: pytest.Item | None, codes: set[CodeType]
) -> set[CodeType]:
    """Run a test; return which of some pieces of code it has run."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in codes:
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    finally:
        sys.setprofile(None)
    return called


def nearest_first(items: list[pytest.Item], where: str) -> list[pytest.Item]:
    """Return tests in the order in which they may notice: those of the same file first.

    After them come files with few tests, which end soon.
    """
    name = find(where).__module__.rpartition(".")[2].strip("_")
    try:
        own = importlib.import_module(f"tests.library.operations.cases_{name}").CASES
    except ModuleNotFoundError:
        own = []
    ids = {case.operation for case in own}
    sizes = Counter(item.path for item in items)

    def distance(item: pytest.Item) -> tuple[bool, int]:
        near = name in item.path.stem or item.name.partition("[")[2][:-1] in ids
        return not near, sizes[item.path]

    return sorted(items, key=distance)
