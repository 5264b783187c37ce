"""Ways to break the whole, which `tests.faults.sabotage` plants one at a time."""

from __future__ import annotations

import ast
import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from autograd_lib.check.plant import find, planted, replaced, source_of, tree_of

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
    kept = "1.0 if self._grad is None else real('backprop', 'grad', self._grad)"
    got = "grads.get(id(t))"
    return (
        (f"{ENGINE}.tape.walk.Pass.run", "return self.found", f"return {found}"),
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
                *(f"{ENGINE}.tape.backward.backward", VALUE, f"{FLOAT}.backprop"),
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
                f"{ENGINE}.tape.walk.Pass.give",
                "d if first else accumulate(p, d)",
                "d if first or p.shape is not None else accumulate(p, d)",
            ),
            (f"{ENGINE}.tape.backward.total_of", "before is None", "True"),
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
        ((f"{ENGINE}.writes.versions.Storage.bump", "", "return None"),),
    ),
    Sabotage(
        "hooks are not called",
        r"test_hooks\w*\.py::",
        (
            (f"{ENGINE}.leaves.hooks.call_hooks", "", "return g"),
            (f"{ENGINE}.leaves.hooks.call_posthooks", "", "return None"),
        ),
    ),
    Sabotage(
        "no_grad is ignored",
        r"test_recording\.py::|under_no_grad",
        (
            (
                f"{ENGINE}.leaves.grad_mode._SetMode.__enter__",
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
                "autograd_lib.program.calls.compiled.Compiled._finished",
                "program.is_due",
                "(results := vars(self).setdefault('first', results)) is program "
                "or program.is_due",
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
        ((f"{ENGINE}.tape.walk.Pass.hand_over", "not self.retain", "False"),),
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
        (("autograd_lib.book.exercise.check", "", "return Verdict('✓', '')"),),
        (
            "tests/book/test_check.py",
            "tests/book/test_check_answers.py",
            "tests/book/test_check_oracle.py",
            "tests/book/test_exercises.py",
            "tests/course/judge/test_course_strength.py",
        ),
    ),
    Sabotage(
        "the judge always says right",
        r"test_course_attacks\.py::|wrong",
        (("course.judge.judge.Judge.verdict", "", "return Verdict('right', 1.0)"),),
        (
            "tests/course/judge/test_course_judge.py",
            "tests/course/hold/test_course_attacks.py",
        ),
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
