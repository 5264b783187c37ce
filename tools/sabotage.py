"""`python -m tools.sabotage`: what do tests still say when a whole part is broken?

A mutant is a wrong line, and one test that fails is enough to notice it. Sabotage is
coarse: `backward` does nothing, hooks are not called. Every test that claims to be
about the broken part has to fail then, and a test that fails under no sabotage at all
has to say why: both reasons stand in `sabotage.toml`.

Pytest collects the tests once; for each sabotage a process is forked that plants it and
runs all of them.

    python -m tools.sabotage                    all, which takes an hour
    python -m tools.sabotage --claims           with the tests that claim to be about it
    python -m tools.sabotage --only hooks       those whose name contains this
    python -m tools.sabotage --tests FILE ...   with these tests only
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import pytest

from autograd_lib.check.plant import find, planted, replaced, source_of, tree_of
from tools.hunt import OPTIONS, Forked, pairs
from tools.notebooks import ROOT

REASONS = Path(__file__).with_name("sabotage.toml")
SECONDS = 60  # for one test under sabotage; a loop that waits for progress has none
LIBRARY = ("tests/library",)


@dataclass(frozen=True)
class Sabotage:
    """One way to break the whole.

    Attributes:
        name: what is broken, in a few words.
        about: a pattern of the tests that claim to be about it, by their node ids.
        edits: in each a function, by its dotted name, an expression or a statement of
            it, "" for its whole body, and what stands there instead.
        tests: the files and folders of tests that may meet it.
        served: a file of the site, what is replaced in it, and what stands there then.
    """

    name: str
    about: str
    edits: tuple[tuple[str, str, str], ...]
    tests: tuple[str, ...] = LIBRARY
    served: tuple[str, str, str] | None = None

    @contextlib.contextmanager
    def planted(self) -> Iterator[None]:
        """Plant it for the time of a `with` block.

        Raises:
            LookupError: if a function, or what is replaced in it, is not there.
        """
        trees: dict[str, ast.FunctionDef] = {}
        for where, right, wrong in self.edits:
            tree = trees.get(where) or tree_of(source_of(find(where)))
            if not right:
                tree.body = ast.parse(wrong).body
            trees[where] = replaced(tree, right, wrong) if right else tree
        with contextlib.ExitStack() as stack:
            for where, tree in trees.items():
                stack.enter_context(planted(find(where), tree))
            if self.served:
                stack.enter_context(served_otherwise(*self.served))
            yield


ENGINE = "autograd_lib.engine"
VALUE = "autograd_lib.scalar.value.Value.backward"
FLOAT = "autograd_lib.scalar.float_var.float_var"
MULTI = "autograd_lib.scalar.multivariate.multi_var.backprop"
DEPENDENCY = "autograd_lib.designs.dependency.Tensor.backward"
FUNCTION = "autograd_lib.designs.function.Tensor.backward"
TRACING = "autograd_lib.designs.tracing.backward_pass"
CHECKS = "autograd_lib.check.checks"


def scaled(by: str) -> tuple[tuple[str, str, str], ...]:
    """Return edits that multiply what every backward pass finds by a number."""
    one = f"g * {by} if hasattr(g, 'node') else np.asarray(g * {by}, g.dtype)"
    found = f"{{v: None if g is None else {one} for v, g in self.found.items()}}"
    given = "real('backprop', 'seed', seed)"
    kept = "1.0 if self.grad is None else real('backprop', 'grad', self.grad)"
    got = "grads.get(id(t))"
    return (
        (f"{ENGINE}.walk.Pass.run", "return self.found", f"return {found}"),
        (VALUE, "self.grad += 1.0", f"self.grad += {by}"),
        (f"{FLOAT}.seed", kept, by),
        (MULTI, given, f"{by} * {given}"),
        (DEPENDENCY, "Tensor(grad)", f"Tensor(grad * {by})"),
        (FUNCTION, got, f"None if {got} is None else {got} * {by}"),
        (TRACING, "return g", f"return g * {by}"),
    )


PASSES = r"test_operations\.py::test_gradients|test_value_agreement\.py::"
SABOTAGE = (
    Sabotage(
        "backward does nothing",
        r"test_backward\.py|test_operations\.py::test_(gradients|float32|layout)",
        tuple(
            (where, "", "return None")
            for where in (
                *(f"{ENGINE}.gradients.backward", VALUE, f"{FLOAT}.backprop"),
                *(MULTI, DEPENDENCY, FUNCTION),
            )
        ),
    ),
    Sabotage("gradients are zero", PASSES, scaled("0.0")),
    Sabotage("gradients are halved", PASSES, scaled("0.5")),
    Sabotage(
        "gradients are overwritten, not added",
        r"add_up|added_up|accumulat|several_uses|fan_out|twice_counts",
        (
            (
                f"{ENGINE}.walk.Pass.hand_over",
                "d if p.grad is None else accumulate(p, d)",
                "d",
            ),
            (
                f"{ENGINE}.walk.Pass.give",
                "d if first else accumulate(p, d)",
                "d if first or p.shape is not None else accumulate(p, d)",
            ),
            (f"{ENGINE}.gradients.total_of", "before is None", "True"),
            (VALUE, "x.grad += v._dx * grad", "x.grad = v._dx * grad"),
            (VALUE, "y.grad += v._dy * grad", "y.grad = v._dy * grad"),
            (
                MULTI,
                "totals[id(parent)] += share",
                "totals[id(parent)] = share",
            ),
            (DEPENDENCY, "grads[to] + more if to in grads else more", "more"),
            (FUNCTION, "part if old is None else old + part", "part"),
            (TRACING, "grads[parent] + part if parent in grads else part", "part"),
        ),
    ),
    Sabotage(
        "un-broadcasting takes the first copy",
        r"test_broadcast\.py::.*(sum|copies|copied|gradient)",
        (
            (
                "autograd_lib.broadcast.unbroadcast",
                "",
                "first = grad[(0,) * max(grad.ndim - len(shape), 0)]\n"
                "return first[tuple(slice(0, n) for n in shape)]",
            ),
        ),
    ),
    Sabotage(
        "versions never move",
        r"test_(saved|memory)\w*\.py::.*(version|since|noticed|misled)|since_is_noticed",
        ((f"{ENGINE}.versions.Storage.bump", "", "return None"),),
    ),
    Sabotage(
        "hooks are not called",
        r"test_hooks\w*\.py::",
        (
            (f"{ENGINE}.hooks.call_hooks", "", "return g"),
            (f"{ENGINE}.hooks.call_posthooks", "", "return None"),
        ),
    ),
    Sabotage(
        "no_grad is ignored",
        r"test_recording\.py::|under_no_grad",
        (
            (
                f"{ENGINE}.grad_mode._SetMode.__enter__",
                "set_mode(self.to)",
                "set_mode(True)",
            ),
        ),
    ),
    Sabotage(
        "jvp gives zeros",
        r"test_jvp_|test_forward\.py::.*(jvp|tangent|jacobian|derivative)",
        (
            (
                "autograd_lib.forward.moved",
                "tangent._array.copy()",
                "np.zeros_like(tangent._array)",
            ),
            ("autograd_lib.forward.moved", "return tangent", "return tangent * 0.0"),
        ),
    ),
    Sabotage(
        "a checkpoint does not run again",
        r"test_checkpoint\w*\.py::.*(again|twice|runs)",
        (
            (
                "autograd_lib.checkpointing.checkpoint.checkpoint",
                "return Run(function, inputs, options).first()",
                "return function(*inputs, **options)",
            ),
        ),
    ),
    Sabotage(
        "a compiled function gives its first answer for ever",
        r"test_program(_models)?\.py::",
        (
            (
                "autograd_lib.program.compiled.Compiled.__call__",
                "known.results.made(made, nodes)",
                "vars(self).setdefault('first', known.results.made(made, nodes))",
            ),
        ),
    ),
    Sabotage(
        "an optimiser does not move",
        r"test_optim\.py::",
        (
            ("autograd_lib.optim.optimizer.Optimizer.step", "", "self.steps += 1"),
            ("autograd_lib.designs.dependency_nn.SGD.step", "", "return None"),
        ),
    ),
    Sabotage(
        "a graph is never freed",
        r"a_freed_graph|a_pass_frees|freed_before",
        ((f"{ENGINE}.walk.Pass.hand_over", "not retain", "False"),),
    ),
    Sabotage(
        "gradcheck always says right",
        r"test_gradcheck_f\w+\.py::|noticed_by_a_check",
        tuple(
            (f"{CHECKS}.{name}", "", "return Agreement(1, 'nothing', 1e-9)")
            for name in ("gradcheck", "gradgradcheck", "dotcheck")
        ),
        (*LIBRARY, "tests/tools/test_mutants.py"),
    ),
    Sabotage(
        "check always says right",
        r"test_check\.py::|no_plausible_wrong|no_constant",
        (("autograd_lib.book.check.check", "", "return Verdict('✓', '')"),),
        (
            "tests/book/test_check.py",
            "tests/book/test_check_answers.py",
            "tests/book/test_check_oracle.py",
            "tests/book/test_exercises.py",
            "tests/tools/test_strength.py",
        ),
    ),
    Sabotage(
        "the judge always says right",
        r"test_course_attacks\.py::|wrong",
        (("tools.course.judge.Judge.verdict", "", "return Verdict('right', 1.0)"),),
        ("tests/tools/test_course_judge.py", "tests/tools/test_course_attacks.py"),
    ),
    Sabotage(
        "the search returns the first page",
        r"search",
        (),
        ("tests/browser/test_browser_search.py",),
        ("site.js", "return [...best].sort(", "return [[all[0], 1]].sort("),
    ),
)
"""The ways in which the whole is broken, those of the engine first."""


def served_otherwise(name: str, right: str, wrong: str) -> Any:
    """Return a block within which the server of the book serves a changed file."""
    from tests.browser.helpers.server import Quiet

    plain = Quiet.translate_path

    def translate_path(self: Quiet, path: str) -> str:
        found = Path(plain(self, path))
        if found.name != name:
            return str(found)
        text = found.read_text(encoding="utf-8")
        if text.count(right) != 1:
            raise LookupError(
                f"sabotage: {right!r} is not there exactly once in {name}"
            )
        changed = Path(tempfile.mkdtemp()) / name
        changed.write_text(text.replace(right, wrong), encoding="utf-8")
        return str(changed)

    return mock.patch.object(Quiet, "translate_path", translate_path)


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
                    items = few_of_each(session.items, one.tests, self.most)
                    if self.claims:
                        items = [i for i in items if re.search(one.about, i.nodeid)]
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
    """Return why tests need not fail, by the name of a sabotage or `none`.

    Keys are node ids, of functions or of whole files.
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


def survivors(ran: set[str], failed: set[str], known: Mapping[str, str]) -> list[str]:
    """Return the functions of which no test fails under anything, without a reason."""
    noticed = {function_of(nodeid) for nodeid in failed}
    functions = {function_of(nodeid) for nodeid in ran} - noticed
    return sorted(name for name in functions if not explained(name, known))


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
        for function in survivors(ran, failed, known.get("none", {})):
            print(f"fails under no sabotage: {function}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
