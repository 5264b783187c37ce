"""The names of the reader's engine that the cells of a page use."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nbformat import NotebookNode

from autograd_lib.small.accidents.asked import SCALARS
from autograd_lib.small.accidents.bench import ACCIDENTS, ELSEWHERE, IN_PLACE
from notebooks.notebook import code_cells

MAKERS = {"begin": "", "after": "after "}
NAMERS = "getattr", "setattr", "patch.object"
"""What takes an engine and, as a text, a name of it."""
OF_NUMBERS = {"edges": "Number.edges", "made": "Number.made"}
OF_TENSORS = {
    "node": "Tensor.node",
    "edges": "Tensor.node.edges",
    "made": "Tensor.node.made",
    "array": "Tensor.array",
}


def page_of(notebook: NotebookNode) -> str:
    """Return "order" of a page that begins it, "after order" of one after it, or ""."""
    found = [
        MAKERS[call.func.id] + ast.literal_eval(call.args[0])
        for call in _nodes(notebook)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in MAKERS
    ]
    return found[0] if found else ""


def used(notebook: NotebookNode) -> set[str]:
    """Return the names of the engine in a page's own cells, not in what it adds."""
    of_tensors = page_of(notebook).split()[-1] not in SCALARS
    parts = OF_TENSORS if of_tensors else OF_NUMBERS
    found = set()
    for node in _nodes(notebook):
        if isinstance(node, ast.Attribute):
            of = ast.unparse(node.value)
            if of == "engine":
                found.add(node.attr)
            elif node.attr in parts and of != "np":
                found.add(parts[node.attr])
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in NAMERS:
            first, *others = node.args
            if ast.unparse(first) == "engine":
                found.add(ast.literal_eval(others[0]))
    return found


def asked(page: str) -> set[str]:
    """Return the names that accidents up to a page's own ask for, by themselves."""
    steps = [accident.step for accident in ACCIDENTS]
    last = max(i for i, step in enumerate(steps) if step == page.split()[-1])
    names = {name for a in ACCIDENTS[: last + 1] for name in a.asks}
    of_tensors = page.split()[-1] not in SCALARS
    return names - ELSEWHERE.keys() - (IN_PLACE.keys() if of_tensors else set())


def _nodes(notebook: NotebookNode) -> Iterator[ast.AST]:
    for cell in code_cells(notebook):
        if not cell.source.startswith("%%"):
            yield from ast.walk(ast.parse(cell.source))
