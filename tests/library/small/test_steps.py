"""The engine's modules are cut from one file, and grow by statements and functions."""

from __future__ import annotations

import ast
import importlib
from types import ModuleType

import pytest

from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.accidents.bench import ACCIDENTS
from autograd_lib.small.accidents.trial import examine
from autograd_lib.small.cut import HERE, WHOLE, cut, sections


def module(step: str) -> ModuleType:
    return importlib.import_module(f"autograd_lib.small.{step}")


def test_the_sections_are_the_steps() -> None:
    assert tuple(section.name for section in sections()) == STEPS


@pytest.mark.parametrize("step", STEPS)
def test_a_module_is_what_is_cut(step: str) -> None:
    assert (HERE / f"{step}.py").read_text(encoding="utf-8") == cut(step)


def test_no_class_is_written_twice_and_no_class_changed() -> None:
    tree = ast.parse(WHOLE.read_text(encoding="utf-8"))
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(classes) == len(set(classes)) == 4  # one of them of results


def test_what_is_replaced_is_a_function_and_bears_its_name_again() -> None:
    """So a method that was given to a class is never an old function's."""
    seen: set[str] = set()
    replaced: list[str] = []
    for section in sections():
        seen -= section.gone
        for statement in section.statements:
            if statement.is_function:
                replaced += statement.names & seen
                seen |= statement.names
    assert replaced == ["send_back", "node_of", "plain"]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, marks=[pytest.mark.exhaustive] * (step != STEPS[-1]))
        for step in STEPS
    ],
)
def test_cells_that_run_one_after_the_other_make_the_same_engine(step: str) -> None:
    grown = ModuleType("grown")
    for section in sections()[: STEPS.index(step) + 1]:
        exec(compile(section.source, section.name, "exec"), vars(grown))
    outcomes = examine(grown, step)
    assert len(outcomes) > 2
    assert [str(o) for o in outcomes if o.status != "passed"] == []


@pytest.mark.parametrize("step", STEPS)
def test_a_page_engine_passes_up_to_its_step_and_no_further(step: str) -> None:
    here = STEPS.index(step)
    assert {a.step for a in ACCIDENTS} == {*STEPS}
    for outcome in (outcomes := examine(module(step))):
        if STEPS.index(outcome.accident.step) <= here:
            assert outcome.status == "passed", str(outcome)
    for later in STEPS[here + 1 :]:
        found = {o.status for o in outcomes if o.accident.step == later}
        assert found - {"passed"} or not found, later


def test_lines_are_short_enough_for_a_page() -> None:
    body = WHOLE.read_text(encoding="utf-8").split("\n# %%", 1)[1]
    assert [line for line in body.splitlines() if len(line) > 78] == []


def test_a_later_section_cannot_be_named_twice() -> None:
    with pytest.raises(KeyError, match="nothing"):
        cut("nothing")
