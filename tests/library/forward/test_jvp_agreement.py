"""Tangents beside those of PyTorch's forward mode, where PyTorch is installed."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

from autograd_lib.forward import jvp
from tests.library.forward.test_jvp_operations import CASES, directions, quiet
from tests.library.operations.case import Case, each_case

# PyTorch's reverse mode says 0 there, as both modes do here.
FORWARD_ONLY = {("numpy.arctan2", "at (0, 0)")}
COMPARED = [
    c
    for c in CASES
    if c.torch is not None
    and not c.difference
    and (c.operation, c.name) not in FORWARD_ONLY
]


@each_case(COMPARED)
def test_tangents_are_those_of_pytorch(case: Case) -> None:
    torch: Any = pytest.importorskip("torch")
    func: Any = importlib.import_module("torch.func")
    at = tuple(torch.tensor(x) for x in case.inputs)
    along = tuple(torch.tensor(v) for v in directions(case))
    with warnings.catch_warnings():  # PyTorch's own, when it loads this part
        warnings.simplefilter("ignore")
        _, theirs = func.jvp(case.torch, at, along)
    with quiet(case):
        _, ours = jvp(case.f, case.inputs, directions(case))
    right = theirs.numpy() if isinstance(theirs, torch.Tensor) else np.asarray(theirs)
    np.testing.assert_allclose(ours.data, right, rtol=1e-9, atol=1e-11)
