"""`make check`: run the tests of changed files, and name those left to `make test`.

The tests of a module are those that import it, directly or through others: a wrong rule
rarely fails in the test file of the same name. All operations are loaded together, so
the tests of an operation are its own cases, the tests that import its file directly,
and some files of the engine (`SENTINELS`). Pages are not built.

    python -m tools.check                                files changed according to git
    python -m tools.check autograd_lib/scalar/dot.py     the named files
    python -m tools.check --all                          all but slow tests and pages
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from notebooks.fingerprint import stale_notebooks
from notebooks.further import blocks
from notebooks.imports import PACKAGE
from notebooks.notebook import ONE_THREAD, ROOT
from notebooks.notebook import read as read_notebook
from tools.belongs import all_imports, distances, module_of, modules, naming
from tools.changes import (
    NoAnswer,
    cells_changed,
    only_words_changed,
    what_changed,
)
from tools.running import PYTEST

BUILT_BOOK = "tests.book.helpers.built_book"
# Finds most faults of the engine.
ALL_OPERATIONS = "tests.library.ops.test_operations"
OPERATION = "autograd_lib.engine.ops."
CASES = "tests.library.operations.cases_"
EACH = re.compile(r"\b(?:all_cases|each_case)\b")  # in tests of all operations
OF_ITS_NAME = "tests.library.ops.test_ops_"
# What operations can break for others: passes, their order, writes, learning.
SENTINELS = (
    "tests.library.tape.test_backward_rules",
    "tests.library.tape.test_grad",
    "tests.library.leaves.test_hooks",
    "tests.library.writes.test_in_place_agreement",
    "tests.library.optim.test_optim",
    "tests.library.writes.test_saved",
)
OF_NOTEBOOKS = (
    "tests/book/test_notebooks.py",
    "tests/book/test_growth.py",
    "tests/book/test_exercises.py",
    "tests/book/test_check_answers.py",
)
# Compares a page that is generated from docstrings.
READ_DOCSTRINGS = {"tests.tools.test_operations_page"}
# These take minutes, and run only for files that they import directly.
SLOW = (
    "tests/book/test_exercises",
    "tests/course/",
    "tests/tools/test_first_patch",
    "tests/tools/test_mutants",
    "tests/notebooks/test_setup_cell",
)
# The files that mypy reads.
TYPED = (
    *("autograd_lib/", "course/", "live/", "notebooks/", "press/", "tests/faults/"),
    "tools/",
)
FAR = 2  # imports; slow tests run only for nearer files
FEW = 8  # test files: these finish before worker processes have started
AT_MOST = "--maxfail=10"  # a broken engine fails thousands of tests; a few say why


@dataclass
class Plan:
    """The tests to run, the nearest first, and those that are left out."""

    tests: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    notebooks: list[str] = field(default_factory=list)
    executed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    need_book: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    words_of: list[str] = field(default_factory=list)  # behaviour unchanged
    operations: list[str] = field(default_factory=list)
    of_cases: list[str] = field(default_factory=list)
    lint: list[str] | None = None  # None for the whole repository
    of: int = 0

    def summary(self) -> str:
        """Return in words what will be run, and what is left to `make test`."""
        run = [f"{len(self.tests)} of {self.of} test files"]
        if self.of_cases:
            cases = f"the cases of {listed(self.operations)}"
            run.append(f"{cases} in {count(self.of_cases, 'file')}")
        if self.examples:
            run.append(f"the examples of {count(self.examples, 'module')}")
        for path in self.notebooks:
            cells = "its cells" if path in self.executed else "not its cells"
            run.append(f"the tests of {PurePosixPath(path).stem}, {cells}")
        left = ["the built pages"]
        if self.need_book:
            left.append(f"{count(self.need_book, 'test file')} on them")
        if self.slow:
            left.append(f"{count(self.slow, 'slow file')}, such as {self.slow[0]}")
        left += [f"{path}, which no test here reads" for path in self.unread]
        lines = [f"Run: {'; '.join(run)}.", f"Left to make test: {'; '.join(left)}."]
        if self.words_of:
            lines.append(f"Nothing but words changed in {listed(self.words_of)}.")
        if self.stale:
            chapters = ", ".join(PurePosixPath(path).stem for path in self.stale)
            lines.append(f"Their outputs are stale (make refresh): {chapters}.")
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests of what changed; return 0 if they pass."""
    parser = argparse.ArgumentParser(prog="python -m tools.check", description=__doc__)
    parser.add_argument("files", nargs="*", help="take these as changed, not git's")
    parser.add_argument("--all", action="store_true", help="run all but the slow ones")
    options = parser.parse_args(arguments)
    since, changed = "", options.files
    try:
        if not options.all and not options.files:
            since, changed = what_changed(ROOT)
    except NoAnswer as error:
        print(f"{error}; name files, or run everything: make check ARGS=--all")
        return 2
    if options.all:
        plan = everything(ROOT)
        print("All that needs no built book and takes no minutes.")
    elif not changed:
        print(f"Nothing has changed since {since}: there is nothing to check.")
        return 0
    else:
        plan = planned(ROOT, changed, since)
        print(f"Changed{since and f' since {since}'}: {listed(changed)}.")
    print(plan.summary(), flush=True)
    code = [path for path in changed if is_code(path) and path not in plan.words_of]
    wrong = failing(plan, python=options.all or bool(code))
    print(f"Not right: {', '.join(wrong)}." if wrong else "All of this is right.")
    return 1 if wrong else 0


def planned(root: Path, changed: Iterable[str], since: str = "") -> Plan:
    """Return the plan for changed files.

    Args:
        root: the top of the repository.
        changed: paths relative to it; the files may have been deleted.
        since: the commit to compare contents with, or "".
    """
    files = modules(root)
    starts: set[str] = set()
    plan = Plan()
    for path in changed:
        module = module_of(path)
        found = {module} if module else naming(path, files)
        if module and only_words_changed(root, path, since):
            plan.words_of.append(path)
            continue
        if path.endswith(".ipynb"):
            if (root / path).is_file():
                plan.notebooks.append(path)
            if cells_changed(root, path, since):
                plan.executed.append(path)
        elif not found:
            plan.unread.append(path)
        starts |= set() if path.endswith(".ipynb") else found
    imports = all_imports(files, gone=starts)
    far = distances(starts, imports)
    if any(path.startswith(PACKAGE) for path in plan.words_of):
        far |= dict.fromkeys(READ_DOCSTRINGS & files.keys(), 1)
    plan.stale = [_path(file, root) for file in stale_notebooks(root)]
    plan.lint = [path for path in changed if (root / path).is_file()]
    plan.operations = operations_of(starts)
    if plan.operations:
        of_all = [n for n in tests_in(far) if EACH.search(text(files[n]))]
        plan.of_cases = sorted(_path(files[name], root) for name in of_all)
        named = {f"{OF_ITS_NAME}{name.rpartition('.')[2]}" for name in starts}
        near = {name for name, distance in far.items() if distance <= 1}
        near |= far.keys() & {*SENTINELS, *named}
        far = {name: far[name] for name in near.difference(of_all)}
    return filled(plan, root, far, imports)


def operations_of(changed: set[str]) -> list[str]:
    """Return the operations that modules define or test, or [] if one does more."""
    if not all(name.startswith((OPERATION, CASES)) for name in changed):
        return []
    stems = {name.rpartition(".")[2].removeprefix("cases_") for name in changed}
    found: set[str] = set()
    for stem in stems:
        try:
            cases = importlib.import_module(CASES + stem).CASES
        except ModuleNotFoundError:
            return []
        found.update(case.operation for case in cases)
    return sorted(found)


def everything(root: Path) -> Plan:
    """Return the plan of all tests that are not slow, and all examples."""
    files = modules(root)
    return filled(Plan(), root, dict.fromkeys(files, FAR), all_imports(files))


def filled(
    plan: Plan, root: Path, far: dict[str, int], imports: dict[str, set[str]]
) -> Plan:
    """Add the tests and examples of modules to a plan."""
    files = modules(root)
    of_book = distances([BUILT_BOOK], imports)
    tests = tests_in(files)
    plan.of = len(tests)

    def nearness(name: str) -> tuple[bool, bool, int, str]:
        return far[name] >= FAR, name != ALL_OPERATIONS, far[name], name

    for name in sorted(tests & set(far), key=nearness):
        path = _path(files[name], root)
        if name.startswith("tests.browser.") or name in of_book:
            plan.need_book.append(path)
        elif path.startswith(SLOW) and far[name] >= FAR:
            plan.slow.append(path)
        else:
            plan.tests.append(path)
    own = {name for name in far if name in files} | set(map(module_of, plan.words_of))
    plan.examples = [
        _path(files[name], root)
        for name in sorted(own)
        if name.startswith(PACKAGE) and ">>> " in text(files[name])
    ]
    return plan


def tests_in(modules: Iterable[str]) -> set[str]:
    """Return the modules that contain tests."""
    return {name for name in modules if name.rpartition(".")[2].startswith("test_")}


def text(file: Path) -> str:
    """Return the contents of a file."""
    return file.read_text(encoding="utf-8")


def _path(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()


def commands(plan: Plan, python: bool) -> dict[str, list[str]]:
    """Return the commands of a plan, by the name to report if one fails.

    Args:
        plan: what to run.
        python: whether the type checker has anything to check.
    """
    runs: dict[str, list[str]] = {}
    lint = plan.lint
    if lint is None or any(path.endswith(".toml") for path in lint):
        lint = []  # the whole repository
    read = [path for path in lint if path.endswith((".py", ".pyi", ".ipynb"))]
    if read or not lint:
        # Excluded files stay excluded when they are named: cells are formatted by hand.
        runs["ruff check"] = ["ruff", "check", "--force-exclude", *read]
        runs["ruff format"] = ["ruff", "format", "--check", "--force-exclude", *read]
    ours = [path for path in read if path not in plan.words_of]
    typed = [path for path in ours if path.startswith(TYPED) and path.endswith(".py")]
    if python and (typed or not lint):
        runs["mypy"] = ["mypy", *typed]
    tests = ["pytest", *PYTEST, "--dist=load", AT_MOST]
    if plan.tests or plan.examples:
        alone = ["-n0"] * (len(plan.tests) <= FEW)
        runs["tests"] = [*tests, *alone, *plan.tests, *plan.examples]
    if plan.of_cases:
        # The tests of each operation, and those that loop over all operations.
        own = " or ".join([*(f"{name}]" for name in plan.operations), "not ["])
        runs["cases"] = [*tests, "-n0", *plan.of_cases, "-k", own]
    if plan.notebooks:
        stems = [PurePosixPath(path).stem for path in plan.notebooks]
        names = [*stems, *of_exercises(plan.notebooks)]
        chosen = ["-k", " or ".join(names)]
        files = [*OF_NOTEBOOKS, *plan.executed]
        alone = ["-n0"] * (not plan.executed)
        runs["notebooks"] = ["pytest", *PYTEST, *alone, AT_MOST, *files, *chosen]
    return runs


def of_exercises(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the parts of test ids that name the exercises of notebooks."""
    found = []
    for path in paths:
        stem = PurePosixPath(path).stem
        if stem[:2].isdigit():
            found.append(f"[{int(stem[:2])}.")
        elif stem.startswith("exercises_") and (root / path).is_file():
            for number in blocks(read_notebook(root / path)):
                found += [f"[{number}.", f"[{number:02}_"]
    return found


def failing(plan: Plan, python: bool) -> list[str]:
    """Run the commands of a plan at the same time; return the names of those that fail.

    Their outputs are printed one after the other.
    """
    running = {
        name: started(command, stdout=subprocess.PIPE)
        for name, command in commands(plan, python).items()
    }
    found = []
    for name, process in running.items():
        for line in process.stdout or ():
            print(line, end="", flush=True)
        if process.wait() not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            found.append(name)
    return found


def started(command: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    """Start `python -m` with a module and arguments."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=os.environ | ONE_THREAD,
        text=True,
        **options,
    )


def is_code(path: str) -> bool:
    """Return whether the type checker reads a file."""
    return path.endswith((".py", ".pyi", ".toml"))


def listed(paths: Sequence[str], most: int = 6) -> str:
    """Return the first paths, separated by commas, and the number of the others."""
    more = [f"{len(paths) - most} more"] if len(paths) > most else []
    return ", ".join([*paths[:most], *more])


def count(things: Sequence[object], noun: str) -> str:
    """Return the number of things, with a noun in the singular or plural."""
    return f"{len(things)} {noun}{'s' * (len(things) != 1)}"


if __name__ == "__main__":
    sys.exit(main())
