"""`python -m tests.faults.mutants`: does the suite notice a wrong line in the engine?

Every fault of `autograd_lib.check.faults` is planted, and every small change of a rule
or of the pass that `autograd_lib.check.mutate` knows, one at a time, in a process of
its own, which runs the tests of the engine until one fails (see `hunt`). What no test
notices survives, and is an error unless `mutants.toml` explains why it changes no
result.

    python -m tests.faults.mutants                  all, which takes minutes
    python -m tests.faults.mutants --named          the faults that have names
    python -m tests.faults.mutants --only ops.sums  those of a module or a function
    python -m tests.faults.mutants --list           what would be planted
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from autograd_lib.check.faults import FAULTS
from autograd_lib.check.mutate import Change, changes, described
from autograd_lib.check.plant import find, planted, source_of, tree_of
from notebooks.notebook import ROOT
from tests.faults.hunt import hunt
from tests.faults.more_faults import MORE_FAULTS
from tests.faults.rules import operations, rules_and_pass

NAMED = (*FAULTS, *MORE_FAULTS)
EXPLAINED = Path(__file__).with_name("mutants.toml")
ENGINE = (
    "autograd_lib.engine",
    "import autograd_lib as ag",
    "autograd_lib.broadcast",
    "tests.library.operations",
)
OTHER_PROCESSES = ("machine", "parallel")  # folders of tests that start some


@dataclass(frozen=True)
class Mutant:
    """One wrong line: the function it is in, and what is changed there."""

    where: str
    change: str

    def planted(self) -> AbstractContextManager[None]:
        """Plant it for the time of a `with` block."""
        for fault in NAMED:
            if (fault.where, fault.name) == (self.where, self.change):
                return fault.planted()
        tree, changes = changes_of(self.where)
        return planted(find(self.where), changes[self.change].made(tree))


def changes_of(where: str) -> tuple[ast.FunctionDef, dict[str, Change]]:
    """Return a function's tree, and what is changed in it."""
    tree = tree_of(source_of(find(where)))
    return tree, (wiring if where in operations() else mutants)(tree)


def mutants(tree: ast.FunctionDef) -> dict[str, Change]:
    """Return the changes of a rule, or of a part of the pass, by what they do."""
    return described(tree, changes)


def wiring(tree: ast.FunctionDef) -> dict[str, Change]:
    """Return the changes of an operation that hand its rules the wrong things."""
    return described(tree, swaps)


def swaps(node: ast.AST) -> Iterator[ast.AST]:
    """Yield calls in which one argument is taken for another."""
    if not isinstance(node, ast.Call):
        return
    pairs = {"binary": [(2, 5), (3, 6)], "Saved": [(0, 1)]}
    for a, b in pairs.get(ast.unparse(node.func), []):
        args = list(node.args)
        if b < len(args) and ast.dump(args[a]) != ast.dump(args[b]):
            args[a], args[b] = args[b], args[a]
            yield ast.Call(node.func, args, node.keywords)


def all_mutants(only: str = "", named_only: bool = False) -> Iterator[Mutant]:
    """Yield the faults that have names, and all systematic changes.

    Args:
        only: those whose function's name contains this.
        named_only: only the faults that have names.
    """
    for fault in NAMED:
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
        for path in sorted((ROOT / "tests" / "library").rglob("test_*.py"))
        if path.parent.name not in OTHER_PROCESSES
        and not path.name.endswith("agreement.py")  # whether PyTorch is there or not
        and any(name in path.read_text(encoding="utf-8") for name in ENGINE)
    ]
    files.sort(key=lambda path: path.name != "test_operations.py")
    return [str(path) for path in files]


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
    if not todo:
        print(f"No function's name contains {options.only}.", file=sys.stderr)
        return 1
    if options.list:
        print(*(f"{mutant.where}: {mutant.change}" for mutant in todo), sep="\n")
        return 0
    skipped = [m for m in todo if (m.where, m.change) in known]
    todo = [m for m in todo if m not in skipped]
    fates = Counter[str]()

    def report(mutant: Mutant, fate: str) -> None:
        fates[fate] += 1
        if fate != "killed":
            print(f"{fate}: {mutant.where}: {mutant.change}", flush=True)

    hunt(todo, options.tests or test_files(), options.jobs, report)
    print(
        f"{len(todo)} planted, {fates['killed']} killed, {fates['stopped']} stopped "
        f"because they went on for ever, {fates['survived']} survived; "
        f"{len(skipped)} more change no result (tests/faults/mutants.toml)."
    )
    return 1 if fates["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
