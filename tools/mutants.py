"""`python -m tools.mutants`: does the suite notice a wrong line in the engine?

Every fault of `autograd_lib.probes.faults` is planted, and every small change of a rule
or of the pass that `tools.mutate` knows, one at a time, in a process of its own. Each
process runs the tests of the engine until one fails. What no test notices survives,
and is an error unless `mutants.toml` explains why it changes no result.

    python -m tools.mutants                  all, which takes minutes
    python -m tools.mutants --named          the faults that have names
    python -m tools.mutants --only ops.sums  those of a module or a function
    python -m tools.mutants --list           what would be planted
"""

from __future__ import annotations

import argparse
import ast
import importlib
import multiprocessing
import os
import sys
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from autograd_lib.probes.faults import FAULTS
from autograd_lib.probes.plant import find, planted, source_of, tree_of
from tools.mutate import Change, mutants, wiring
from tools.notebooks import ROOT
from tools.rules import operations, rules_and_pass

PATIENCE = 5  # times what the tests take without a mutant, then they are stopped
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-W", "error")
EXPLAINED = Path(__file__).with_name("mutants.toml")
ENGINE = ("autograd_lib.tensor", "autograd_lib.backward", "tests.operations")
NOT_OF_THE_ENGINE = ("test_mutants.py", "test_probe_card.py", "test_operations_page.py")


@dataclass(frozen=True)
class Mutant:
    """One wrong line: the function it is in, and what is changed there."""

    where: str
    change: str

    def planted(self) -> AbstractContextManager[None]:
        """Plant it for the time of a `with` block."""
        for fault in FAULTS:
            if (fault.where, fault.name) == (self.where, self.change):
                return fault.planted()
        tree, changes = changes_of(self.where)
        return planted(find(self.where), changes[self.change].made(tree))


def changes_of(where: str) -> tuple[ast.FunctionDef, dict[str, Change]]:
    """Return a function's tree, and what is changed in it."""
    tree = tree_of(source_of(find(where)))
    return tree, (wiring if where in operations() else mutants)(tree)


def all_mutants(only: str = "", named_only: bool = False) -> Iterator[Mutant]:
    """Yield the faults that have names, and all systematic changes.

    Args:
        only: those whose function's name contains this.
        named_only: only the faults that have names.
    """
    for fault in FAULTS:
        if only in fault.where:
            yield Mutant(fault.where, fault.name)
    for where in [] if named_only else [*rules_and_pass(), *operations()]:
        if only in where:
            for change in changes_of(where)[1]:
                yield Mutant(where, change)


def test_files() -> list[str]:
    """Return the tests that concern the engine, those of all operations first."""
    files = [
        path
        for path in sorted((ROOT / "tests").glob("test_*.py"))
        if path.name not in NOT_OF_THE_ENGINE
        and not path.name.endswith("agreement.py")  # whether PyTorch is there or not
        and any(name in path.read_text(encoding="utf-8") for name in ENGINE)
    ]
    files.sort(key=lambda path: path.name != "test_operations.py")
    return [str(path) for path in files]


def try_out(mutant: Mutant, files: list[str]) -> None:
    """Plant a mutant and run tests; end the process with 1 if one of them fails."""
    import pytest

    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.chdir(ROOT)
    try:
        with mutant.planted():
            if any(file.endswith("test_operations.py") for file in files):
                nearest(mutant)
            code = pytest.main([*PYTEST, *files])
    except BaseException:
        code = 1
    os._exit(1 if code else 0)


def nearest(mutant: Mutant) -> None:
    """Run first the tests of the operations of the mutant's file, which end soonest."""
    from tests import test_gradcheck, test_operations

    files = ROOT / "tests" / "operations"
    name = f"cases_{find(mutant.where).__module__.rpartition('.')[2]}"
    own = name if (files / f"{name}.py").exists() else "cases_arithmetic"
    warnings.simplefilter("error")
    for case in importlib.import_module(f"tests.operations.{own}").CASES:
        if not case.kink:
            test_operations.test_gradients_are_those_of_the_witness(case)
            test_gradcheck.test_every_operation_is_right(case)


def run(
    todo: list[Mutant], jobs: int, files: list[str], limit: float
) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with "killed", "stopped" or "survived", as they end."""
    methods = multiprocessing.get_all_start_methods()
    method = "fork" if "fork" in methods else "spawn"
    context: Any = multiprocessing.get_context(method)
    pending, running = (
        list(reversed(todo)),
        dict[int, tuple[Mutant, BaseProcess, float]](),
    )
    while pending or running:
        while pending and len(running) < jobs:
            mutant = pending.pop()
            process = context.Process(target=try_out, args=(mutant, files))
            process.start()
            running[process.sentinel] = mutant, process, time.monotonic() + limit
        wait(list(running), timeout=1.0)
        for sentinel, (mutant, process, until) in list(running.items()):
            if process.is_alive() and time.monotonic() < until:
                continue
            fate = "stopped" if process.is_alive() else ""
            process.kill()
            process.join()
            del running[sentinel]
            yield mutant, fate or ("killed" if process.exitcode else "survived")


def explained() -> dict[tuple[str, str], str]:
    """Return why some mutants change no result, by function and change."""
    table = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return {
        (where, change): reason
        for where, reasons in table.items()
        for change, reason in reasons.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Run mutants and report; return 1 if one survives without an explanation."""
    parser = argparse.ArgumentParser(description="Plant wrong lines; see who notices.")
    parser.add_argument("--named", action="store_true", help="the named faults only")
    parser.add_argument("--only", default="", help="those whose function contains this")
    parser.add_argument("--list", action="store_true", help="plant nothing")
    parser.add_argument("--tests", nargs="*", help="run these files instead")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    options = parser.parse_args(arguments)
    known = explained()
    todo = list(all_mutants(options.only, options.named))
    if options.list:
        for mutant in todo:
            print(f"{mutant.where}: {mutant.change}")
        return 0
    skipped = [m for m in todo if (m.where, m.change) in known]
    todo = [m for m in todo if m not in skipped]
    files, ended = options.tests or test_files(), Counter[str]()
    limit = PATIENCE * try_first_without(files)
    for mutant, fate in run(todo, options.jobs, files, limit):
        ended[fate] += 1
        if fate != "killed":
            print(f"{fate}: {mutant.where}: {mutant.change}", flush=True)
    print(
        f"{len(todo)} planted, {ended['killed']} killed, {ended['stopped']} stopped "
        f"because they went on for ever, {ended['survived']} survived; "
        f"{len(skipped)} more change no result (tools/mutants.toml)."
    )
    return 1 if ended["survived"] else 0


def try_first_without(files: list[str]) -> float:
    """Load what every process needs; return how many seconds the tests take as it is.

    Raises:
        SystemExit: if they do not.
    """
    import pytest

    from tests.operations.case import all_cases

    all_cases()
    os.chdir(ROOT)
    start = time.monotonic()
    if pytest.main([*PYTEST, *files]):
        raise SystemExit("The tests fail without any mutant; mend that first.")
    return time.monotonic() - start + 1.0


if __name__ == "__main__":
    sys.exit(main())
