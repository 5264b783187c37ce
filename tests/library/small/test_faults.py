"""An accident fails, with its number, on an engine that lacks only its mechanism."""

from __future__ import annotations

import re

import numpy as np
import pytest

from autograd_lib.small.accidents.bench import ACCIDENTS
from autograd_lib.small.accidents.trial import FILES, examine, run
from tests.library.small.helpers.faults import FAULTS, HARMLESS, Fault

assert FILES
KNOWN = {str(accident): accident for accident in ACCIDENTS}
NOISY = pytest.mark.filterwarnings("ignore::RuntimeWarning")
SAID = re.compile(
    r"^(Got|It stopped with|It went through|Scores|An array|After|x @ w|The pass) ?.*"
)


def test_there_are_many_and_each_has_a_name() -> None:
    assert len(FAULTS) >= 100
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_each_accident_has_a_broken_engine() -> None:
    assert {fault.accident for fault in FAULTS} == {*KNOWN}


@NOISY
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_broken_engine_has_its_accident(fault: Fault) -> None:
    with np.errstate(all="ignore"):
        outcome = run(KNOWN[fault.accident], fault.engine())
    assert outcome.status == "failed"
    assert fault.says in outcome.message, outcome.message
    assert SAID.match(outcome.message), outcome.message


@pytest.mark.parametrize("fault", HARMLESS, ids=lambda fault: fault.name)
def test_what_is_harmless_has_no_accident(fault: Fault) -> None:
    outcomes = examine(fault.engine())
    assert fault.why
    assert [str(o) for o in outcomes if o.status != "passed"] == []
