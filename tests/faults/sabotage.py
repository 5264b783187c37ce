"""`python -m tests.faults.sabotage`: what do tests say when a whole part is broken?

A mutant is a wrong line, and one test that fails is enough to notice it. Sabotage is
coarse: `backward` does nothing, hooks are not called. Every test that claims to be
about the broken part has to fail then, or has its reason in `sabotage.toml`. What fails
under no sabotage at all is listed, for whoever looks for a test that cannot fail.

Pytest collects the tests once; for each sabotage a process is forked that plants it. It
runs the tests that claim to be about it, and all those that nothing was noticed by.

    python -m tests.faults.sabotage                    all
    python -m tests.faults.sabotage --claims           tests that claim to be about it
    python -m tests.faults.sabotage --only hooks       those whose name contains this
    python -m tests.faults.sabotage --tests FILE ...   with these tests only
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from notebooks.notebook import ROOT
from tests.faults.broken import SABOTAGE, Sabotage
from tests.faults.hunt import OPTIONS, Forked, pairs

REASONS = Path(__file__).with_name("sabotage.toml")
SECONDS = 60  # for one test under sabotage; a loop that waits for progress has none


class Broken(Exception):
    """What ends a test that goes on for too long under sabotage."""


class Try:
    """A plugin of pytest that runs what was collected once for each sabotage.

    Attributes:
        failed: for each sabotage the ids of the tests that fail under it.
        ran: the ids of all tests that were run under it.
    """

    def __init__(
        self, todo: list[Sabotage], jobs: int, most: int, claims: bool
    ) -> None:
        self.todo, self.jobs, self.most, self.claims = todo, jobs, most, claims
        self.failed: dict[str, set[str]] = {}
        self.ran: dict[str, set[str]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests for each sabotage, in forked processes."""
        with tempfile.TemporaryDirectory() as folder:
            pending = list(reversed(self.todo))
            running: dict[str, Forked] = {}
            while pending or running:
                while pending and len(running) < self.jobs:
                    one = pending.pop()
                    items = self.chosen(one, session.items)
                    self.ran[one.name] = {item.nodeid for item in items}
                    file = Path(folder) / one.name
                    running[one.name] = Forked(partial(run_under, one, items, file))
                time.sleep(0.1)
                for name, process in list(running.items()):
                    code = process.poll()
                    if code is None:
                        continue
                    del running[name]
                    file = Path(folder) / name
                    if code or not file.exists():
                        raise SystemExit(f"sabotage: the process under {name!r} died")
                    self.failed[name] = set(json.loads(file.read_text()))
                    print(f"{len(self.failed[name]):6} fail: {name}", flush=True)
        return True

    def chosen(self, one: Sabotage, items: list[pytest.Item]) -> list[pytest.Item]:
        """Return the tests that claim to be about it; of others, what noticed none."""
        noticed = {function_of(nodeid) for nodeid in set().union(*self.failed.values())}
        return [
            item
            for item in few_of_each(items, one.tests, self.most)
            if re.search(one.about, item.nodeid)
            or not (self.claims or function_of(item.nodeid) in noticed)
        ]


def few_of_each(
    items: list[pytest.Item], tests: tuple[str, ...], most: int
) -> list[pytest.Item]:
    """Return the tests of some files, and of each function at most so many."""
    seen = Counter[str]()
    found = []
    for item in items:
        seen[function_of(item.nodeid)] += 1
        few = not most or seen[function_of(item.nodeid)] <= most
        if few and item.nodeid.startswith(tests):
            found.append(item)
    return found


def run_under(one: Sabotage, items: list[pytest.Item], file: Path) -> bool:
    """Run tests under a sabotage, and write the ids of those that fail to a file."""
    failed: set[str] = set()

    class Note:
        @staticmethod
        def pytest_runtest_logreport(report: pytest.TestReport) -> None:
            if report.failed:
                failed.add(report.nodeid)

    def ring(number: int, frame: FrameType | None) -> None:
        raise Broken(f"still running after {SECONDS} s")

    signal.signal(signal.SIGALRM, ring)
    manager = items[0].config.pluginmanager
    manager.unregister(name="terminalreporter")
    manager.register(Note())
    with one.planted():
        for item, following in pairs(items):
            signal.alarm(SECONDS)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    signal.alarm(0)
    file.write_text(json.dumps(sorted(failed)))
    return True


def function_of(nodeid: str) -> str:
    """Return the id of a test's function, without what it is called with."""
    return nodeid.partition("[")[0]


def reasons() -> dict[str, dict[str, str]]:
    """Return why tests need not fail, by the name of a sabotage.

    Keys are node ids, of tests, of functions or of whole files.
    """
    return tomllib.loads(REASONS.read_text(encoding="utf-8"))


def explained(nodeid: str, known: Mapping[str, str]) -> bool:
    """Whether a test, its function or its file has a reason."""
    function = function_of(nodeid)
    return not {nodeid, function, function.partition("::")[0]}.isdisjoint(known)


def unexplained(
    one: Sabotage, ran: set[str], failed: set[str], known: Mapping[str, str]
) -> list[str]:
    """Return the tests that claim to be about a sabotage, pass, and have no reason."""
    passed = [nodeid for nodeid in ran - failed if re.search(one.about, nodeid)]
    return sorted(nodeid for nodeid in passed if not explained(nodeid, known))


def survivors(ran: set[str], failed: set[str]) -> list[str]:
    """Return the functions of which no test fails under anything."""
    noticed = {function_of(nodeid) for nodeid in failed}
    return sorted({function_of(nodeid) for nodeid in ran} - noticed)


def main(arguments: list[str] | None = None) -> int:
    """Plant each sabotage and report; return 1 if a test has no reason to pass."""
    parser = argparse.ArgumentParser(description="Break the whole; see who notices.")
    parser.add_argument("--only", default="", help="those whose name contains this")
    parser.add_argument("--tests", nargs="*", help="only these of their tests")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--claims", action="store_true", help="only what claims it")
    parser.add_argument("--most", type=int, default=0, help="so many of one function")
    parser.add_argument("--write", help="write what failed to this file, as JSON")
    options = parser.parse_args(arguments)
    todo = [one for one in SABOTAGE if options.only in one.name]
    if options.tests:
        todo = [replace(one, tests=("",)) for one in todo]
    os.chdir(ROOT)
    plugin = Try(todo, options.jobs, options.most, options.claims)
    paths = options.tests or sorted({path for one in todo for path in one.tests})
    code = pytest.main([*OPTIONS, *paths], plugins=[plugin])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return int(code)
    if options.write:
        found = {name: sorted(failed) for name, failed in plugin.failed.items()}
        Path(options.write).write_text(json.dumps(found, indent=1))
    known, wrong = reasons(), 0
    for one in todo:
        passed = unexplained(
            one, plugin.ran[one.name], plugin.failed[one.name], known.get(one.name, {})
        )
        counted = Counter(map(function_of, passed))
        for function, n in counted.items():
            print(f"passes although {one.name}: {function}, {n} times")
        wrong += len(counted)
    if not (options.only or options.claims):
        ran = set().union(*plugin.ran.values())
        failed = set().union(*plugin.failed.values())
        for function in survivors(ran, failed):
            print(f"fails under no sabotage: {function}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
