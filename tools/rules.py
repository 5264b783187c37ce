"""Which functions of the engine are rules, parts of the pass, or operations."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import FunctionType, ModuleType

import autograd_lib.ops
import autograd_lib.tensor

PASS = (
    "autograd_lib._pass.count",
    "autograd_lib._pass.hand_over",
    "autograd_lib._pass.leading_to",
    "autograd_lib._handing.add",
    "autograd_lib._handing.fitted",
    "autograd_lib._handing.fitted_tensor",
    "autograd_lib._handing.hand_over_with_care",
    "autograd_lib._handing.kept",
    "autograd_lib._handing.filled",
    "autograd_lib.backward.total_of",
    "autograd_lib.backward.private",
    "autograd_lib.broadcast.unbroadcast",
    "autograd_lib.primitive.Partial.whole",
    "autograd_lib.ops.indexing.Scatter.add_to",
    "autograd_lib.ops.indexing.repeats",
)
CALLS = {"unary", "binary", "result", "record", "view"}


def modules() -> Iterator[ModuleType]:
    """Yield the files of ops/."""
    package = autograd_lib.ops
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(module.name)


def functions() -> dict[str, FunctionType]:
    """Return the functions that the files of ops/ define, by dotted name."""
    return {
        f"{module.__name__}.{name}": thing
        for module in modules()
        for name, thing in vars(module).items()
        if isinstance(thing, FunctionType)
        and thing.__module__ == module.__name__
        and thing.__qualname__ == name
    }


def is_rule(function: FunctionType) -> bool:
    """Say whether a function is a rule: it is given a gradient first."""
    return next(iter(inspect.signature(function).parameters), "") == "g"


def is_operation(function: FunctionType) -> bool:
    """Say whether a function records its result, and is no rule itself."""
    return not is_rule(function) and bool(CALLS & set(function.__code__.co_names))


def rules_and_pass() -> list[str]:
    """Return the names of all rules, of what they call, and of the pass."""
    known = functions()
    names = {function: name for name, function in known.items()}
    found = [function for function in known.values() if is_rule(function)]
    for function in found:
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if (
                isinstance(called, FunctionType)
                and called in names
                and called not in found
                and not is_operation(called)
            ):
                found.append(called)
    return [*dict.fromkeys([*PASS, *(names[function] for function in found)])]


def operations() -> list[str]:
    """Return the names of the functions that record their results."""
    return [name for name, function in functions().items() if is_operation(function)]
