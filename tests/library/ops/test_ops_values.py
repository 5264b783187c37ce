"""What NumPy's functions give for tensors is what they give for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import Case, all_cases, each_case

CASES = [
    case
    for case in all_cases()
    if case.operation.startswith(("numpy.", "Tensor.__getitem__"))
    and not case.name.startswith("the method ")  # which arrays do not have
]


@each_case(CASES)
def test_values_are_numpys(case: Case) -> None:
    right: Any = np.asarray(case.f(*(x.copy() for x in case.inputs)))
    for needed in (True, False):
        y = case.f(*(Tensor(x, requires_grad=needed) for x in case.inputs))
        assert y.shape == right.shape
        assert y.dtype == right.dtype
        assert y.requires_grad == needed
        # A sum may be taken in another order, which changes the last digits.
        np.testing.assert_allclose(y.detach().numpy(), right, rtol=1e-13, atol=1e-14)
