"""Which functions of the engine are rules, parts of the pass, or operations."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from types import FunctionType, ModuleType

import autograd_lib.engine.ops
import autograd_lib.engine.tape.tensor
from autograd_lib.engine.tape.walk import Pass

PASS = ("walk", "gradient")  # whole files of tape/, and of others these:
PARTS = (
    "autograd_lib.engine.tape.backward.total_of",
    "autograd_lib.engine.tape.backward.owned_copy",
    "autograd_lib.broadcast.unbroadcast",
    "autograd_lib.broadcast.summed",
    "autograd_lib.engine.rules.SparseGradient.whole",
    "autograd_lib.engine.ops.indexing.Scatter.add_to",
)
CALLS = {"unary", "binary", "result", "record", "view"}


def ops() -> list[ModuleType]:
    """Return the files of ops/, and that of writes in place."""
    package = autograd_lib.engine.ops
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    names = [module.name for module in found if not module.ispkg]
    names.append("autograd_lib.engine.writes.in_place")
    return [importlib.import_module(name) for name in names]


def functions(modules: list[ModuleType]) -> dict[str, FunctionType]:
    """Return what modules define, by dotted name, without what only raises."""
    return {
        f"{module.__name__}.{name}": thing
        for module in modules
        for name, thing in vars(module).items()
        if isinstance(thing, FunctionType)
        and thing.__module__ == module.__name__
        and thing.__qualname__ == name
        and thing.__annotations__.get("return") != "NoReturn"
    }


def methods(kind: type) -> dict[str, FunctionType]:
    """Return the methods of a class, by dotted name, but for how it is made."""
    return {
        f"{kind.__module__}.{kind.__qualname__}.{name}": thing
        for name, thing in vars(kind).items()
        if isinstance(thing, FunctionType) and name != "__init__"
    }


def is_rule(function: FunctionType) -> bool:
    """Return whether a function is a rule: it is given a gradient first."""
    return next(iter(inspect.signature(function).parameters), "") == "g"


def is_operation(function: FunctionType) -> bool:
    """Return whether a function records its result, and is no rule itself."""
    return not is_rule(function) and bool(CALLS & set(function.__code__.co_names))


def rules_and_pass() -> list[str]:
    """Return the names of all rules, of what they call, and of the pass."""
    known = functions(ops())
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
    files = [
        importlib.import_module(f"autograd_lib.engine.tape.{name}") for name in PASS
    ]
    parts = [*functions(files), *methods(Pass), *PARTS]
    return [*dict.fromkeys([*parts, *(names[function] for function in found)])]


@cache
def operations() -> list[str]:
    """Return the names of the functions that record their results."""
    return [
        name for name, function in functions(ops()).items() if is_operation(function)
    ]
