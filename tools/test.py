"""`make test`: build the book, then prove it: library, notebooks, pages, conventions.

Every notebook is executed and compared strictly with its stored outputs (nbval), and
the examples in docstrings run. Arguments go to pytest: `tests/test_growth.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from tools import build
from tools.notebooks import ROOT, chapter_paths, code_cells, read, tagged

PYTEST = (
    *("-n", "auto", "--dist", "loadfile"),
    *("--nbval", "--nbval-current-env"),
    *("--nbval-sanitize-with", "nbval_sanitize.cfg"),
    "--doctest-modules",
    "--quiet",
)


def main() -> int:
    """Build, test and sum up; return pytest's exit code."""
    start = time.monotonic()
    failed = build.main([])
    if failed:
        return failed
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *PYTEST, f"--junitxml={report}"]
        code = subprocess.run(
            [*command, *sys.argv[1:]], cwd=ROOT, check=False
        ).returncode
        if report.is_file():
            print(summary(ElementTree.parse(report).getroot()))
    minutes, seconds = divmod(round(time.monotonic() - start), 60)
    print(f"{'Failed' if code else 'Passed'} in {minutes} min {seconds} s.")
    return code


def summary(report: ElementTree.Element) -> str:
    """Return in words what a pytest report holds."""
    cases = list(report.iter("testcase"))
    kinds = Counter(kind(case) for case in cases)
    lines = ["", "Tested:", *(f"  {n:5} {name}" for name, n in kinds.items())]
    lines.append(f"Not compared, because it varies: {exempt()}.")
    reasons = Counter(
        skipped.get("message", "") for case in cases for skipped in case.iter("skipped")
    )
    lines += [f"Skipped, {n} tests: {reason}" for reason, n in reasons.items()]
    return "\n".join(lines)


def kind(case: ElementTree.Element) -> str:
    """Return what sort of test a case of the report is."""
    place = case.get("classname", "")
    if "ipynb" in place or case.get("name", "").startswith("Cell "):
        return "notebook cells, executed and compared"
    if place.startswith("autograd_lib"):
        return "examples in docstrings"
    if "browser" in place:
        return "tests of pages in a browser"
    return "tests of the library, the notebooks and the site"


def exempt() -> str:
    """Return how many cells nbval does not compare."""
    notebooks = [read(path) for path in chapter_paths()]
    free = sum(len(tagged(notebook, "nbval-ignore-output")) for notebook in notebooks)
    total = sum(len(code_cells(notebook)) for notebook in notebooks)
    return f"{free} of {total} cells"


if __name__ == "__main__":
    sys.exit(main())
