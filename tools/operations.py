"""`python -m tools.operations`: write the page that lists every operation.

Nothing in it is typed by hand. The operations are those that made themselves known, the
rules those that calling the cases of `tests/operations` records, and the checks those
that the tests make of each case.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib._protocols import OPERATIONS
from autograd_lib.node import Node, Rule, name_of
from autograd_lib.tensor import Tensor
from tests.operations.case import Case, all_cases
from tools.notebooks import ROOT

PAGE = ROOT / "operations.md"
HEAD = (
    "# Every operation\n\n"
    "Written by `python -m tools.operations` from the operations themselves and from "
    "the cases that test them. A rule gets `g`, the gradient toward the result, and "
    "what was saved; its words are those of its docstring. Every case is compared with "
    "a derivative that knows nothing of the rule: a complex step, or a central "
    "difference where the operation does not take complex numbers; only ties and kinks "
    "have none. *Twice* says in how many cases the second derivative was compared as "
    "well, and *PyTorch* in how many the gradient was compared with PyTorch's. An "
    "operation without a rule returns plain arrays or numbers.\n"
)


def rules_of(case: Case) -> list[Rule]:
    """Return the rules that calling a case records, each once."""
    node = case.f(*(Tensor(x, requires_grad=True) for x in case.inputs)).node
    met: dict[Node, None] = dict.fromkeys([node] if node is not None else [])
    rules: dict[Rule, None] = {}
    for v in (order := list(met)):
        for parent, rule, _ in v.edges or ():
            rules[rule] = None
            for p in parent if type(parent) is tuple else (parent,):
                if p is not None and p not in met:
                    met[p] = None
                    order.append(p)
    return list(rules)


def names() -> dict[Callable[..., Any], list[str]]:
    """Return under which names users reach each operation."""
    found: dict[Callable[..., Any], list[str]] = defaultdict(list)
    for known, function in OPERATIONS.items():
        if not function.__module__.startswith("autograd_lib.ops."):
            continue  # somebody's own
        module = "numpy.linalg" if "linalg" in known.__module__ else "numpy"
        name = f"`{module}.{known.__name__}`"
        if name not in found[function]:
            found[function].append(name)
    for attribute, value in vars(Tensor).items():
        here = getattr(value, "__module__", "").startswith("autograd_lib.ops.")
        turned = getattr(value, "__name__", "") == "reflected"  # 1 + t calls add too
        if inspect.isfunction(value) and here and not turned:
            found[value].append(f"`.{attribute}`")
    return found


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
        return method
    elif module.startswith("ops."):
        found: Callable[..., Any] = getattr(
            importlib.import_module(f"autograd_lib.{module}"), name
        )
        return found
    raise LookupError(f"{operation}: no operation of this name made itself known")


def row_of(names: list[str], cases: list[Case]) -> list[str]:
    """Return an operation's line of the table."""
    if not cases:
        return [", ".join(names), "none: a plain result", "", "", ""]
    rules = {name_of(rule): rule for case in cases for rule in rules_of(case)}
    said = [f"`{name}`: {first_line(rule)}" for name, rule in rules.items()]
    smooth = [case for case in cases if not case.kink]
    compared = [case for case in cases if case.torch is not None]
    torch = f"{len(compared)}" if compared else "–"
    for reason in dict.fromkeys(c.difference for c in compared if c.difference):
        torch += f"; differs: {reason}"
    twice = sum(case.twice for case in smooth)
    return [", ".join(names), "<br>".join(said), str(len(cases)), str(twice), torch]


def first_line(rule: Rule) -> str:
    """Return what a rule's docstring says first."""
    return (inspect.getdoc(rule) or "").split("\n")[0]


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
        files[file].append(row_of(called, cases[function]))
    lines = [HEAD, f"{len(known)} operations, {len(all_cases())} cases.", ""]
    for file, rows in sorted(files.items()):
        lines += [
            f"## `ops/{file}.py`",
            "",
            "| operation | rules | cases | twice | PyTorch |",
            "| --- | --- | ---: | ---: | --- |",
            *(f"| {' | '.join(row)} |" for row in sorted(rows)),
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
