"""`make test`: build the book, then prove it: library, notebooks, pages, conventions.

Every notebook is executed and compared strictly with its stored outputs (nbval), and
the examples in docstrings run. Arguments go to pytest: `tests/book/test_growth.py`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath
from statistics import median
from typing import Any

import pytest

from notebooks.notebook import ONE_THREAD, code_cells, notebook_paths, read, tagged
from tools import build
from tools.running import PYTEST

# What kinds took when this was last written down: seconds of all their tests, set-up
# included, by two processes on two cores, with PyTorch, a browser and live pages.
SECONDS = {
    "chapters": 213,
    "tests/book": 122,
    "tests/browser": 618,
    "tests/course": 125,
    "tests/library": 320,
    "tests/live": 11,
    "tests/notebooks": 30,
    "tests/press": 19,
    "tests/tools": 84,
}
GREW = 1.5  # times what a kind took, beside what the others took
spent: Counter[str] = Counter()

AGAIN = "failed, and was tried again"
"""The property of a report that says why a test was given a second try."""


def main() -> int:
    """Build, test and sum up; return pytest's exit code."""
    failed = build.main([])
    if failed:
        return failed
    os.environ.update(ONE_THREAD)  # which the processes of pytest inherit
    return pytest.main([*PYTEST, *sys.argv[1:]], plugins=[sys.modules[__name__]])


def kind_of(nodeid: str) -> str:
    """Return which kind a test is of: its folder."""
    folder = PurePosixPath(nodeid.partition("::")[0]).parts
    return "/".join(folder[:2]) if folder[0] == "tests" else folder[0]


def grown(now: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """Return a line for each kind of tests that takes longer than it took.

    A slow machine is slow for all kinds: each is held against the median. Kinds that
    take seconds vary more than they count.
    """
    slower = {kind: now[kind] / before[kind] for kind in now.keys() & before.keys()}
    if not slower:
        return []
    machine = median(slower.values())
    return [
        f"GREW: {kind} takes {ratio / machine:.1f} times what it took "
        f"({now[kind]:.0f} s; tools/test.py knows {before[kind]:.0f} s)"
        for kind, ratio in sorted(slower.items())
        if ratio > GREW * machine and now[kind] > 30
    ]


def pytest_runtest_logreport(report: Any) -> None:
    """Name a failure as it happens; its text follows at the end of a long run."""
    spent[kind_of(report.nodeid)] += report.duration
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        crash = getattr(report.longrepr, "reprcrash", None)
        why = crash.message if crash else str(report.longrepr)
        print(f"\nFAILED {report.nodeid}: {why[:1000]}", flush=True)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what was tested, what was not compared, and what was skipped and why."""
    stats = terminalreporter.stats
    ran = [report for kind in ("passed", "failed") for report in stats.get(kind, [])]
    terminalreporter.section("tested")
    terminalreporter.write_line(summary(ran, stats.get("skipped", []), spent))
    whole = spent.keys() >= SECONDS.keys()
    for line in [*repeated(ran), *(grown(spent, SECONDS) if whole else [])]:
        terminalreporter.write_line(line)


def summary(ran: list[Any], skipped: list[Any], seconds: Mapping[str, float]) -> str:
    """Return in words how many tests of which kind ran, how long, and what did not."""
    kinds = Counter(kind_of(report.nodeid) for report in ran)
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in skipped
    )
    notebooks = [read(path) for path in notebook_paths()]
    free = sum(len(tagged(one, "nbval-ignore-output")) for one in notebooks)
    total = sum(len(code_cells(one)) for one in notebooks)
    return "\n".join(
        [
            *(
                f"{n:6} in {seconds[kind]:5.0f} s: {WHAT.get(kind, kind)}"
                for kind, n in sorted(kinds.items())
            ),
            f"Not compared, because it varies: {free} of {total} cells.",
            *(f"SKIPPED, {n} tests: {reason}" for reason, n in reasons.items()),
        ]
    )


def repeated(ran: list[Any]) -> list[str]:
    """Return a line for each test that failed before it passed or failed again."""
    return [
        f"AGAIN {report.nodeid}: {why}"
        for report in ran
        for name, why in report.user_properties
        if name == AGAIN
    ]


WHAT = {
    "chapters": "chapters: cells, executed and compared",
    "index.ipynb": "the first page: cells, executed and compared",
    "autograd_lib": "autograd_lib: examples in docstrings",
}


if __name__ == "__main__":
    sys.exit(main())
