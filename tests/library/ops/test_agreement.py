"""Every operation against PyTorch: values, first and second derivatives, both types.

At ties and kinks too. Where PyTorch chose otherwise the case says why, and then the
two must differ.
"""

from __future__ import annotations

import importlib.util
import operator
import re
from collections import Counter, defaultdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograd_lib.engine.ops
from autograd_lib.engine.numpy.protocol import OPERATIONS
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import Case, all_cases, each_case
from tests.library.ops.test_operations import weights

CASES = all_cases()
COMPARED = [case for case in CASES if case.torch is not None]
ALIKE = [case for case in COMPARED if not case.difference]
DIFFERENT = [case for case in COMPARED if case.difference]
PYTORCH_IS_HERE = importlib.util.find_spec("torch") is not None
ROOTS = SimpleNamespace(numpy=np, ops=autograd_lib.engine.ops, Tensor=Tensor)

# Both engines are right to some units in the last place of the largest number that a
# result is summed from: 2e-16 in float64, 1e-7 in float32. A second derivative of a
# matrix's inverse multiplies that by the condition number, some 10, several times over,
# and sums some 100 terms. That leaves 1e-9, with room, and in float32 1e-4. A wrong
# rule is wrong in the first digits.
TOLERANCE = {"float64": 1e-9, "float32": 1e-4}


def compared(cases: list[Case]) -> Any:
    """Run a test for each operation, or skip one for all where PyTorch is not."""
    if PYTORCH_IS_HERE:
        return each_case(cases)
    return pytest.mark.skip(
        f"PyTorch is not installed, so {len(cases)} comparisons with it are not made "
        "here; pip install torch==2.13.0"
    )


@pytest.fixture(scope="module")
def torch() -> Any:
    return importlib.import_module("torch")


def derivatives(
    f: Any, inputs: Any, leaf: Any, constant: Any, grad: Any
) -> list[np.ndarray]:
    """Return f's value, and its first and second derivatives in each input.

    First ones twice: as they are calculated when nothing more is wanted, and recorded
    for the second ones. Both engines have the same names, so one way to ask will do.
    """
    leaves = [leaf(x) for x in inputs]

    def number(y: Any) -> Any:
        return (y * constant(weights(tuple(y.shape)))).sum()

    def leaf_gradients(total: Any, **options: bool) -> list[Any]:
        if not getattr(total, "requires_grad", False):  # it depends on no input
            return [None] * len(leaves)
        return list(grad(total, leaves, allow_unused=True, **options))

    y = f(*leaves)
    plain = leaf_gradients(number(y), retain_graph=True)
    firsts = leaf_gradients(number(y), create_graph=True)
    seconds = leaf_gradients(sum(number(g) for g in firsts if g is not None))
    found = [
        constant(np.zeros(x.shape)) if g is None else g
        for g, x in zip([*plain, *firsts, *seconds], 3 * [*inputs], strict=True)
    ]
    # A derivative of 0 may be PyTorch's tensor without memory; a sum has memory.
    return [
        np.asarray(t.detach() + constant(np.zeros(tuple(t.shape)))) for t in (y, *found)
    ]


def ours(case: Case, dtype: str) -> list[np.ndarray]:
    """Return what this engine says."""
    with np.errstate(all="ignore"):
        return derivatives(
            case.f,
            case.inputs,
            lambda x: Tensor(x, True, dtype),
            lambda x: Tensor(x, dtype=dtype),
            grad,
        )


def theirs(torch: Any, case: Case, dtype: str) -> list[np.ndarray]:
    """Return what PyTorch says."""
    kind = getattr(torch, dtype)
    return derivatives(
        case.torch,
        case.inputs,
        lambda x: torch.tensor(x, dtype=kind, requires_grad=True),
        lambda x: torch.tensor(x, dtype=kind),
        torch.autograd.grad,
    )


def close(a: np.ndarray, b: np.ndarray, dtype: str) -> bool:
    """Say whether two results agree, as far as rounding lets them."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    largest = np.abs(b[np.isfinite(b)]).max(initial=1.0)
    tolerance = TOLERANCE[dtype]
    return np.allclose(
        a, b, rtol=tolerance, atol=0.01 * tolerance * largest, equal_nan=True
    )


@compared(ALIKE)
def test_value_and_derivatives_are_those_of_pytorch(torch: Any, case: Case) -> None:
    orders = ["value"]
    for order in ("first", "recorded first", "second"):
        orders += [f"{order} derivative, input {i}" for i in range(len(case.inputs))]
    for dtype in TOLERANCE:
        pairs = zip(orders, ours(case, dtype), theirs(torch, case, dtype), strict=True)
        for order, a, b in pairs:
            assert close(a, b, dtype), f"{order}: here {a!r}, in PyTorch {b!r}"


@compared(DIFFERENT)
def test_what_is_said_to_differ_from_pytorch_does(torch: Any, case: Case) -> None:
    try:
        right = theirs(torch, case, "float64")
    except RuntimeError as error:
        assert re.search("derivative .*not implemented|is singular", str(error))
        return
    pairs = zip(ours(case, "float64"), right, strict=True)
    assert not all(close(a, b, "float64") for a, b in pairs), case.difference


def test_what_has_no_counterpart_in_pytorch_says_why() -> None:
    without = {case.id for case in CASES if case.torch is None}
    assert without == {case.id for case in CASES if case.why_no_torch}
    assert [case.id for case in DIFFERENT if case.id in without] == []


def test_cases_have_names_of_their_own_and_are_about_what_exists() -> None:
    assert [key for key, n in Counter(c.id for c in CASES).items() if n > 1] == []
    for name in {case.operation for case in CASES}:
        assert callable(operator.attrgetter(name)(ROOTS)), name


def test_every_operation_that_is_recorded_has_a_case() -> None:
    called = [operator.attrgetter(name)(ROOTS) for name in {c.operation for c in CASES}]
    covered = {id(OPERATIONS.get(f, f)) for f in called}
    without: dict[Any, list[str]] = defaultdict(list)
    for function, operation in OPERATIONS.items():
        if not operation.__module__.startswith("autograd_lib.engine.ops."):
            continue  # another test's example made it known
        if id(operation) in covered or is_constant(operation) or refuses(operation):
            continue
        without[operation].append(function.__name__)
    assert list(without.values()) == []


def refuses(operation: Any) -> bool:
    """Say whether it takes constants alone, and says so."""
    try:
        operation(Tensor(np.eye(2), requires_grad=True))
    except Exception as error:
        return "needs a gradient" in str(error)
    return False


def is_constant(operation: Any) -> bool:
    """Say whether it answers a tensor that needs a gradient, and never with one."""
    x = Tensor(np.eye(2) + 0.5, requires_grad=True)
    chosen = np.array([[True, False], [False, True]])
    whole = Tensor(np.eye(2, dtype=int))
    calls: Any = (
        *((x,), (x, x), ([x, x],), (x, 1), (chosen, x, x), (x, 0, 1), (x[0], x)),
        *((x, x[0]), (whole,), (whole, whole)),
    )
    results = []
    for arguments in calls:
        try:
            results.append(operation(*arguments))
        except Exception:  # most of these are not how it is called
            continue
    return bool(results) and not any("grad_fn" in repr(y) for y in results)
