"""`python -m tests.library.operations.page`: write the page *Every operation*.

Nothing in it is typed by hand. The operations are those that made themselves known, the
rules those that calling the cases of this folder records, and the checks those that the
tests make of each case.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections import defaultdict
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import OPERATIONS
from autograd_lib.engine.rules import nature_of
from autograd_lib.engine.tape.node import Node, Rule, name_of, single_edges
from autograd_lib.engine.tape.tensor import Tensor
from notebooks.notebook import ROOT
from tests.library.operations.case import Case, all_cases

RECORDERS = {"unary", "binary", "result", "record", "made", "view"}
"""The functions of `record.py` and `rules.py` by which an operation becomes a node."""

MODULES = {"linalg": "linalg", "fft": "fft", "stride_tricks": "lib.stride_tricks"}
MAKERS = ("autograd_lib.engine.ops.", "autograd_lib.engine.writes.in_place")
PAGE = ROOT / "pages" / "operations.md"
READY = "ℂ"
HEAD = (
    "# Every operation\n\n"
    "Written by `python -m tests.library.operations.page` from the operations "
    "themselves and from the cases that test them. A rule gets `g`, the gradient with "
    "respect to the result, and what was saved; its words are those of its docstring. "
    "Every case is compared with a derivative that knows nothing of the rule: a "
    "complex step, or a central difference where the operation does not take complex "
    "numbers; only ties and kinks have none. *Twice* says in how many cases the second "
    "derivative was compared as well, and *PyTorch* in how many the gradient was "
    "compared with PyTorch's. An operation without a rule returns plain arrays or "
    f"numbers. {READY} marks a rule that is ready for complex numbers; where these "
    "need a gradient, any other refuses them.\n"
)


def rules_of(case: Case, function: Callable[..., Any]) -> list[Rule]:
    """Return the rules that `function` records where a case calls it, each once.

    What else the case calculates, to have something to differentiate, is left out.
    """
    code = inspect.unwrap(function).__code__
    before: list[set[Node]] = []  # of each call under way, the nodes of its arguments
    rules: dict[Rule, None] = {}

    def watch(frame: FrameType, event: str, result: Any) -> None:
        if frame.f_code is code and event == "call":
            before.append(set(nodes_in(list(frame.f_locals.values()))))
        elif frame.f_code is code and event == "return":
            written = frame.f_locals.values() if result is None else ()  # in place
            made = nodes_in([result, *written])
            rules.update(dict.fromkeys(rules_between(made, before.pop())))

    sys.setprofile(watch)
    try:
        case.f(*(Tensor(x, requires_grad=True) for x in case.inputs))
    finally:
        sys.setprofile(None)
    return list(rules)


def nodes_in(things: Any) -> list[Node]:
    """Return the nodes of the tensors among things, also in tuples, lists, dicts."""
    found: list[Node] = []
    for thing in things:
        if isinstance(thing, Tensor) and thing.node is not None:
            found.append(thing.node)
        elif isinstance(thing, tuple | list):
            found += nodes_in(thing)
        elif isinstance(thing, dict):
            found += nodes_in(thing.values())
    return found


def rules_between(made: list[Node], before: set[Node]) -> list[Rule]:
    """Return the rules by which some nodes lead to those that were there before."""
    rules: dict[Rule, None] = {}
    order = list(dict.fromkeys(made))
    met = set(order) | before
    for v in order:
        for p, rule, _ in single_edges(v) if v not in before else ():
            rules[rule] = None
            if p not in met:
                met.add(p)
                order.append(p)
    return list(rules)


def names() -> dict[Callable[..., Any], list[str]]:
    """Return under which names users reach each operation."""
    found: dict[Callable[..., Any], list[str]] = defaultdict(list)
    for known, function in OPERATIONS.items():
        if not function.__module__.startswith(MAKERS):
            continue  # somebody's own
        module = next((m for m in MODULES if m in known.__module__), "")
        module = ".".join(filter(None, ("numpy", MODULES.get(module))))
        name = f"`{module}.{known.__name__}`"
        if name not in found[function]:
            found[function].append(name)
    for attribute, value in vars(Tensor).items():
        here = getattr(value, "__module__", "").startswith(MAKERS)
        turned = getattr(value, "__name__", "") == "reflected"  # 1 + t calls add too
        ours = attribute.startswith("_") and not attribute.startswith("__")
        if inspect.isfunction(value) and here and not turned and not ours:
            found[as_function(value)].append(f"`.{attribute}`")
    return found


def as_function(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the operation that a method calls, if it only takes arguments otherwise.

    Such a method is beside it, and is called ``reshape_method``.
    """
    module = sys.modules[method.__module__]
    name = method.__name__.removesuffix("_method")
    function: Callable[..., Any] = getattr(module, name, method)
    return function


def function_of(operation: str) -> Callable[..., Any]:
    """Return the function that a case's operation names.

    Raises:
        LookupError: if there is none.
    """
    module, _, name = operation.rpartition(".")
    if module.split(".")[0] == "numpy":
        known: Any = np
        for part in operation.split(".")[1:]:
            known = getattr(known, part)
        if known in OPERATIONS:
            return OPERATIONS[known]
    elif module == "Tensor" and name in vars(Tensor):
        method: Callable[..., Any] = vars(Tensor)[name]
        if method.__name__ == "reflected":
            method = vars(Tensor)[f"__{name.removeprefix('__r')}"]
        return as_function(method)
    elif module.startswith("ops."):
        found: Callable[..., Any] = getattr(
            importlib.import_module(f"autograd_lib.engine.{module}"), name
        )
        return found
    raise LookupError(f"{operation}: no operation of this name made itself known")


def row_of(
    function: Callable[..., Any], names: list[str], cases: list[Case]
) -> list[str]:
    """Return an operation's line of the table.

    Raises:
        LookupError: if it is recorded, and has no case.
    """
    file = function.__module__.rpartition(".")[2]
    if not cases and RECORDERS & {*inspect.unwrap(function).__code__.co_names}:
        raise LookupError(
            f"{', '.join(names)} of ops/{file}.py has no case: write how it is called "
            f"into tests/library/operations/cases_{file}.py"
        )
    if not cases:
        return [", ".join(names), "none: a plain result", "", "", ""]
    rules = {name_of(rule): rule for case in cases for rule in rules_of(case, function)}
    said = [
        f"`{name}`{f' {READY}' * nature_of(rule).complex}: {first_words(rule)}"
        for name, rule in rules.items()
    ]
    smooth = [case for case in cases if not case.kink]
    compared = [case for case in cases if case.torch is not None]
    torch = f"{len(compared)}" if compared else "–"
    for reason in dict.fromkeys(c.difference for c in compared if c.difference):
        torch += f"; differs: {reason}"
    twice = sum(case.twice for case in smooth)
    return [", ".join(names), "<br>".join(said), str(len(cases)), str(twice), torch]


def first_words(rule: Rule) -> str:
    """Return the first paragraph of a rule's docstring."""
    return " ".join((inspect.getdoc(rule) or "").split("\n\n")[0].split())


def line_of(cells: list[str]) -> str:
    """Return a line of a table, in which a bar is no border of a cell."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def page() -> str:
    """Return the page."""
    cases: dict[Callable[..., Any], list[Case]] = defaultdict(list)
    for case in all_cases():
        cases[function_of(case.operation)].append(case)
    known = names()
    for function in cases:
        known.setdefault(function, [f"`{function.__name__}`"])
    files: dict[str, list[list[str]]] = defaultdict(list)
    for function, called in known.items():
        file = function.__module__.rpartition(".")[2]
        files[file].append(row_of(function, called, cases[function]))
    lines = [HEAD, f"{len(known)} operations, {len(all_cases())} cases.", ""]
    for file, rows in sorted(files.items()):
        lines += [
            f"## `ops/{file}.py`",
            "",
            "| operation | rules | cases | twice | PyTorch |",
            "| --- | --- | ---: | ---: | --- |",
            *map(line_of, sorted(rows)),
            "",
        ]
    return "\n".join(lines)


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
