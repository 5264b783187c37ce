"""One way to call an operation, and where to find all of them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest


@dataclass(frozen=True)
class Case:
    """One way to call an operation.

    Attributes:
        operation: its name for users, such as "numpy.sum" or "ops.activations.relu".
        name: what this case is about, unique for the operation: "axis=1, keepdims".
        f: calls it, on tensors; on arrays too, where NumPy has the function.
        inputs: the arrays to call it with, each float64.
        torch: the same with PyTorch, or None where PyTorch has no such thing.
        complex_step: whether `f` can be calculated with complex arrays. Otherwise the
            witness is a central difference.
        twice: whether the second derivative is compared as well; False where it is 0
            everywhere or the point is a kink.
        kink: whether the point is a tie or a kink: no witness, only PyTorch.
        places: further numbers at which it is called alone, such as edges and poles;
            `test_special_places.py` has those at which all are called.
        difference: why PyTorch's gradient is another one, if it is.
        why_no_torch: why there is no `torch`, if there is none.
    """

    operation: str
    name: str
    f: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]
    torch: Callable[..., Any] | None = None
    complex_step: bool = True
    twice: bool = True
    kink: bool = False
    places: tuple[float, ...] = ()
    difference: str = ""
    why_no_torch: str = ""
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", f"{self.operation}: {self.name}")


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    """Return normal numbers, the same for the same shape and seed."""
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def positive(*shape: int, seed: int = 0) -> np.ndarray:
    """Return numbers between 0.5 and 2."""
    return np.random.default_rng([seed, *shape]).uniform(0.5, 2.0, size=shape)


def spread_out(*shape: int, seed: int = 0) -> np.ndarray:
    """Return numbers in random order, no two nearer than 0.2, none nearer to 0."""
    n = int(np.prod(shape))
    numbers = 0.3 * (np.arange(n) - n // 2) + 0.15
    return np.random.default_rng([seed, n]).permutation(numbers).reshape(shape)


# How the cases begin that write into tensors, which forward mode refuses.
WRITES = (
    *("Tensor.__i", "Tensor.__setitem__", "Tensor.fill"),
    *("numpy.put_along_axis", "numpy.copy: written"),
)


def all_cases() -> list[Case]:
    """Return the cases of every file in this folder."""
    package = importlib.import_module("tests.library.operations")
    found: list[Case] = []
    for module in pkgutil.iter_modules(package.__path__, "tests.library.operations."):
        if module.name.startswith("tests.library.operations.cases_"):
            found += importlib.import_module(module.name).CASES
    return found


def by_operation(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Return cases by the name of their operation."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(case.operation, []).append(case)
    return found


@contextmanager
def named(case: Case) -> Iterator[None]:
    """Let what fails within the block name the case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"The case is {case.id!r}.")
        raise


def each_case(cases: Iterable[Case]) -> Callable[[Callable[..., None]], Any]:
    """Make of a test of a `case` one test for each operation, which tries all cases.

    That is a sixth of the tests and of their cost; a failure names the case.
    """
    groups = by_operation(cases)

    def decorate(test: Callable[..., None]) -> Any:
        def of_operation(operation: str, **others: Any) -> None:
            for case in groups[operation]:
                with named(case):
                    test(case=case, **others)

        operation = inspect.signature(of_operation).parameters["operation"]
        wanted = inspect.signature(test).parameters.values()
        others = [operation, *(p for p in wanted if p.name != "case")]
        vars(of_operation)["__signature__"] = inspect.Signature(others)
        of_operation.__name__, of_operation.__doc__ = test.__name__, test.__doc__
        of_operation.__module__ = test.__module__
        vars(of_operation)["of_one"] = test
        return pytest.mark.parametrize("operation", list(groups))(of_operation)

    return decorate
