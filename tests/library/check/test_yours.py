"""The faults of chapter 11: each line is in the reader's engine, and spoils it."""

from __future__ import annotations

import sys

import pytest

from autograd_lib.check.faults import Fault
from autograd_lib.check.yours import FAULTS
from autograd_lib.small.accidents.trial import examine
from autograd_lib.small.cells import begin

UNSEEN = "off by a hundred-billionth"


def failed(fault: Fault) -> int:
    engine = begin("choices")
    assert sys.modules["engine"] is engine
    with fault.planted():
        return sum(o.status == "failed" for o in examine(engine, "numpy"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_an_accident_notices_all_but_what_is_below_each_tolerance(fault: Fault) -> None:
    assert (failed(fault) > 0) == (fault.name != UNSEEN)
