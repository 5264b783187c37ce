"""`make test`: build the book, and test library, notebooks, pages and conventions.

Every notebook is executed and its outputs compared with the stored ones (nbval), and
the examples in docstrings are run. What needs no built book is tested while it is
built. Arguments, such as `tests/book/test_growth.py`, are passed to pytest, after the
build.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from statistics import median
from threading import Thread
from typing import Any

import pytest

from notebooks.notebook import ONE_THREAD, code_cells, notebook_paths, read, tagged
from tools import build
from tools.running import PYTEST

# Seconds that each kind of test took when this was last measured: the sum over its
# tests, with set-up, in three processes on two cores, with PyTorch, a browser, live
# pages, and the build beside the first of them.
SECONDS = {
    "chapters": 494,
    "tests/book": 204,
    "tests/browser": 708,
    "tests/course": 243,
    "tests/library": 563,
    "tests/live": 19,
    "tests/notebooks": 49,
    "tests/press": 34,
    "tests/tools": 130,
}
GREW = 1.5  # times as long as before, relative to the other kinds
spent: Counter[str] = Counter()

BUILDING = "AUTOGRAD_BUILDING"
"""The variable with the name of a file that is written when a build ends, with its exit
code."""
AGAIN = "failed, and was tried again"
"""The property of a report that says why a test was run a second time."""


def main() -> int:
    """Build and test; return the exit code of pytest."""
    os.environ.update(ONE_THREAD)  # inherited by the processes of pytest
    if sys.argv[1:]:
        return build.main([]) or tested()
    with building() as built:
        failed = tested()
    return built.returncode or failed


def tested() -> int:
    """Run pytest; return its exit code."""
    return pytest.main([*PYTEST, *sys.argv[1:]], plugins=[sys.modules[__name__]])


@contextmanager
def building() -> Iterator[subprocess.Popen[bytes]]:
    """Build the book in another process, and tell tests when it ends, and how."""
    with tempfile.TemporaryDirectory() as folder:
        ended = Path(folder) / "ended"
        os.environ[BUILDING] = str(ended)
        with subprocess.Popen([sys.executable, "-m", "tools.build"]) as process:
            told = Thread(target=lambda: ended.write_text(str(process.wait())))
            told.start()
            try:
                yield process
            except BaseException:
                process.kill()
                raise
            finally:
                told.join()
                del os.environ[BUILDING]


def kind_of(nodeid: str) -> str:
    """Return the kind of a test, which is its folder."""
    folder = PurePosixPath(nodeid.partition("::")[0]).parts
    return "/".join(folder[:2]) if folder[0] == "tests" else folder[0]


def grown(now: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """Return a line for each kind of test that has become slower.

    A slow machine is slow for all kinds, so each is compared with the median. Kinds
    that take only seconds are left out, because they vary too much.
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
    """Print the name of a failed test at once; its text follows at the end."""
    spent[kind_of(report.nodeid)] += report.duration
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        crash = getattr(report.longrepr, "reprcrash", None)
        why = crash.message if crash else str(report.longrepr)
        print(f"\nFAILED {report.nodeid}: {why[:1000]}", flush=True)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the numbers of tests, cells not compared, and reasons for skips."""
    stats = terminalreporter.stats
    ran = [report for kind in ("passed", "failed") for report in stats.get(kind, [])]
    terminalreporter.section("tested")
    terminalreporter.write_line(summary(ran, stats.get("skipped", []), spent))
    whole = spent.keys() >= SECONDS.keys()
    for line in [*repeated(ran), *(grown(spent, SECONDS) if whole else [])]:
        terminalreporter.write_line(line)


def summary(ran: list[Any], skipped: list[Any], seconds: Mapping[str, float]) -> str:
    """Return in words how many tests of each kind ran and how long, and the skipped."""
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
