"""`make check`: run what belongs to what changed, and say what is left to `make test`.

A module's tests are those that import it, directly or through others: the file of its
name is rarely the one in which a wrong rule fails. An operation is loaded with all
others, so of operations it is their own cases, what imports their file itself, and some
files of the engine, `SENTINELS`. Nothing is built.

    python -m tools.check                                what git says has changed
    python -m tools.check autograd_lib/scalar/dot.py     what belongs to a file
    python -m tools.check --all                          all but slow ones and pages
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
import pytest

from tools.belongs import all_imports, distances, module_of, modules, naming
from tools.further import blocks
from tools.imports import PACKAGE, imported_modules
from tools.notebooks import ONE_THREAD, ROOT, code_cells, notebook_paths, python_source
from tools.notebooks import read as read_notebook
from tools.running import PYTEST

BUILT_BOOK = "tests.book.helpers.built_book"
# It finds most faults of the engine.
ALL_OPERATIONS = "tests.library.ops.test_operations"
OPERATION = "autograd_lib.engine.ops."
CASES = "tests.library.operations.cases_"
EACH = "@each_case"  # in the tests that go through all cases
OF_ITS_NAME = "tests.library.ops.test_ops_"
# What an operation can do to others: a pass, its order, writes, a network that learns.
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
# They take minutes, and run only for what they import themselves.
SLOW = (
    "tests/book/test_exercises",
    "tests/course/",
    "tests/tools/test_mutants",
    "tests/tools/test_setup_cell",
)
# What mypy reads.
TYPED = ("autograd_lib/", "course/", "live/", "press/", "tests/faults/", "tools/")
FAR = 2  # imports; of what is nearer, slow tests run too
FEW = 8  # test files, which are done before other processes have started
AT_MOST = "--maxfail=10"  # a broken engine fails thousands, and the first ones say why


class NoAnswer(Exception):
    """What changed cannot be found, for the reason given."""


@dataclass
class Plan:
    """What to run for what changed, the nearest tests first, and what is left."""

    tests: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    notebooks: list[str] = field(default_factory=list)
    executed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    need_book: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    of_cases: list[str] = field(default_factory=list)
    lint: list[str] | None = None  # None for the whole tree
    of: int = 0

    def words(self) -> str:
        """Return what will be run, and what is left to `make test`."""
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
        if self.stale:
            chapters = ", ".join(PurePosixPath(path).stem for path in self.stale)
            lines.append(f"Their outputs may be stale (make refresh): {chapters}.")
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Find what changed, run what belongs to it; return 0 if all of it is right."""
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
    print(plan.words(), flush=True)
    wrong = failing(plan, python=options.all or any(map(is_code, changed)))
    print(f"Not right: {', '.join(wrong)}." if wrong else "All of this is right.")
    return 1 if wrong else 0


def what_changed(root: Path) -> tuple[str, list[str]]:
    """Return the commit that changes are counted from, and the files that changed.

    Committed or not, known to git or not yet; from where the branch left the remote's
    default branch, or from the last commit where there is no remote.

    Raises:
        NoAnswer: if this is no repository.
    """
    since = "HEAD"
    for branch in ("origin/HEAD", "origin/main"):
        base = git(root, "merge-base", "HEAD", branch)
        if base:
            since = base[:10]
            break
    named = git(root, "diff", "--name-only", "--no-renames", "-z", since)
    others = git(root, "ls-files", "--others", "--exclude-standard", "-z")
    if named is None or others is None:
        raise NoAnswer("git does not say what has changed")
    return since, sorted({*named.split("\0"), *others.split("\0")} - {""})


def git(root: Path, *command: str) -> str | None:
    """Return what git prints, or None if it cannot answer."""
    try:
        done = subprocess.run(["git", *command], cwd=root, capture_output=True)
    except FileNotFoundError:
        return None
    if done.returncode:
        return None
    return done.stdout.decode().rstrip("\n")


def planned(root: Path, changed: Iterable[str], since: str = "") -> Plan:
    """Return what belongs to files of the repository in `root`.

    Args:
        root: where the repository lies.
        changed: paths below it, of files that may have been deleted.
        since: the commit that a notebook's cells are compared with.
    """
    files = modules(root)
    starts: set[str] = set()
    plan = Plan()
    for path in changed:
        module = module_of(path)
        found = {module} if module else naming(path, files)
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
    plan.stale = stale(root, {name for name in far if name.startswith(PACKAGE)}, files)
    plan.lint = [path for path in changed if (root / path).is_file()]
    plan.operations = operations_of(starts)
    if plan.operations:
        of_all = [
            n for n in tests_in(far) if "each_case" in files[n].read_text("utf-8")
        ]
        plan.of_cases = sorted(_path(files[name], root) for name in of_all)
        named = {f"{OF_ITS_NAME}{name.rpartition('.')[2]}" for name in starts}
        near = {name for name, distance in far.items() if distance <= 1}
        near |= far.keys() & {*SENTINELS, *named}
        far = {name: far[name] for name in near.difference(of_all)}
    return filled(plan, root, far, imports)


def operations_of(changed: set[str]) -> list[str]:
    """Return the operations that modules define or try, if they do nothing else."""
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
    """Return all tests that take no minutes, and all examples; no notebooks."""
    files = modules(root)
    return filled(Plan(), root, dict.fromkeys(files, FAR), all_imports(files))


def filled(
    plan: Plan, root: Path, far: dict[str, int], imports: dict[str, set[str]]
) -> Plan:
    """Complete a plan with the tests, examples and notebooks that modules belong to."""
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
    own = {name for name in far if name in files and name.startswith(PACKAGE)}
    plan.examples = [
        _path(files[name], root) for name in sorted(own) if ">>> " in text(files[name])
    ]
    return plan


def tests_in(modules: Iterable[str]) -> set[str]:
    """Return the modules that hold tests."""
    return {name for name in modules if name.rpartition(".")[2].startswith("test_")}


def text(file: Path) -> str:
    """Return what is in a file."""
    return file.read_text(encoding="utf-8")


def _path(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()


def stale(root: Path, changed: set[str], known: Iterable[str]) -> list[str]:
    """Return the notebooks with a cell that imports one of some modules."""
    found = []
    for path in notebook_paths(root) if changed else []:
        cells = [c for c in code_cells(read_notebook(path)) if "import" in c.source]
        sources = map(python_source, cells)
        if any(imported_modules(source, known) & changed for source in sources):
            found.append(path.relative_to(root).as_posix())
    return found


def cells_changed(root: Path, path: str, since: str) -> bool:
    """Whether a notebook's code, or what it printed, is another than at a commit."""
    if not (root / path).is_file():
        return False
    before = git(root, "show", f"{since}:{path}") if since else None
    if before is None:
        return True
    old, new = nbformat.reads(before, as_version=4), read_notebook(root / path)
    return parts(old) != parts(new)


def parts(notebook: nbformat.NotebookNode) -> list[object]:
    """Return what an execution of a notebook depends on, and what it gave."""
    return [(cell.source, cell.metadata, cell.outputs) for cell in code_cells(notebook)]


def commands(plan: Plan, python: bool) -> dict[str, list[str]]:
    """Return what to run for a plan, by the name that a failure gets.

    Args:
        plan: what belongs to what changed.
        python: whether the type checker has something to look at.
    """
    runs: dict[str, list[str]] = {}
    lint = plan.lint
    if lint is None or any(path.endswith(".toml") for path in lint):
        lint = []  # the whole tree
    read = [path for path in lint if path.endswith((".py", ".pyi", ".ipynb"))]
    if read or not lint:
        runs["ruff check"] = ["ruff", "check", *read]
        runs["ruff format"] = ["ruff", "format", "--check", *read]
    typed = [path for path in read if path.startswith(TYPED) and path.endswith(".py")]
    if python and (typed or not lint):
        runs["mypy"] = ["mypy", *typed]
    tests = ["pytest", *PYTEST, "--dist=load", AT_MOST]
    if plan.tests or plan.examples:
        alone = ["-n0"] * (len(plan.tests) <= FEW)
        runs["tests"] = [*tests, *alone, *plan.tests, *plan.examples]
    if plan.of_cases:
        own = " or ".join(f"{name}]" for name in plan.operations)
        runs["cases"] = [*tests, "-n0", *plan.of_cases, "-k", own]
    if plan.notebooks:
        stems = [PurePosixPath(path).stem for path in plan.notebooks]
        names = [*stems, *of_exercises(plan.notebooks)]
        chosen = ["-k", " or ".join(names)]
        files = [*OF_NOTEBOOKS, *plan.executed]
        runs["notebooks"] = ["pytest", *PYTEST, AT_MOST, *files, *chosen]
    return runs


def of_exercises(paths: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return what names the exercises of notebooks, and their chapters, in tests."""
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
    """Run a plan, all of it at once; return the names of what failed.

    One after the other says what it found.
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
    """Start a module of Python with arguments."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=os.environ | ONE_THREAD,
        text=True,
        **options,
    )


def is_code(path: str) -> bool:
    """Whether the type checker reads a file."""
    return path.endswith((".py", ".pyi", ".toml"))


def listed(paths: Sequence[str], most: int = 6) -> str:
    """Return some paths as words, and how many there are more."""
    more = [f"{len(paths) - most} more"] if len(paths) > most else []
    return ", ".join([*paths[:most], *more])


def count(things: Sequence[object], noun: str) -> str:
    """Return a number with its noun."""
    return f"{len(things)} {noun}{'s' * (len(things) != 1)}"


if __name__ == "__main__":
    sys.exit(main())
