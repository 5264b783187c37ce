"""The source code that the outputs of a notebook may show.

A changed docstring, comment or line break makes an output stale only if the output
shows that source. Source gets into an output in these ways:

- a call of a function in `SHOWN_BY` shows its own cell and the source of its arguments;
- a traceback shows lines of the cells and files that it names;
- a program recorded by `compile` quotes lines of cells;
- a verdict may quote a line of a check;
- a cell reads source in another way (`READERS`); then all source counts as shown.

`ROADS` lists the library modules that read source; a test fails if there are others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

from notebooks.notebook import code_cells, python_source, tags
from notebooks.source import definitions

ROADS = {
    "autograd_lib.book.blame": "a line of a check, in a verdict",
    "autograd_lib.book.elsewhere": "elsewhere",
    "autograd_lib.book.show": "Show",
    "autograd_lib.check.plant": "none: it changes what runs",
    "autograd_lib.parallel.launch": "on_ranks",
    "autograd_lib.program.calls.guard": "none: it keeps a source of its own",
    "autograd_lib.program.core.writer": "none: it keeps a source of its own",
    "autograd_lib.program.words.origins": "compile",
    "autograd_lib.small.accidents.bench": "docstrings that are texts for readers",
    "autograd_lib.small.cells": "tracebacks into cells of the engine",
    "autograd_lib.small.cut": "none: it changes what runs",
    "autograd_lib.stepper.code": "step",
}
SHOWN_BY = {"Beside", "Show", "elsewhere", "on_ranks", "step"}
RECORDERS = {"compile", "program"}
READERS = {
    *("__doc__", "__file__", "open", "read_text", "read_bytes", "help", "pydoc"),
    *("doctest", "dis", "traceback", "linecache", "tokenize", "getdoc", "getcomments"),
    *("getsource", "getsourcelines", "findsource", "getblock", "f_lineno", "tb_lineno"),
    *("co_firstlineno", "co_lines", "co_positions"),
}
MAGIC = re.compile(r"(?:p(?:doc|info2?|source|file)|load|edit|run)")
QUOTED = "in its line `"
CELL_NAMED = re.compile(r"Cell In\[(\d+)\]")
ENGINE_NAMED = re.compile(r"<engine \d+>")
ENGINE = "autograd_lib/small/whole.py"
FILE_NAMED = re.compile(r"(autograd_lib[\w./\\]*\.py)(?=:\d|[\"'\\]*, line)")


@dataclass
class Shown:
    """The sources that are compared as text.

    `cells` are indices of code cells; `names` are names of library definitions, each
    with whether its docstring is shown; `files` are paths in the repository.
    """

    everything: bool = False
    cells: set[int] = field(default_factory=set)
    names: dict[str, bool] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)

    def add(self, name: str, defined: dict[str, set[int]], docstring: bool) -> None:
        """Add the cells that define a name, or else the name, as one of the library."""
        if name in defined:
            self.cells |= defined[name]
        else:
            self.names[name] = docstring or self.names.get(name, False)


def shown_by(notebook: NotebookNode) -> Shown:
    """Return the sources that the outputs of a notebook may show."""
    cells = code_cells(notebook)
    printed = "\n".join(str(output) for cell in cells for output in cell.outputs)
    shown = Shown(QUOTED in printed)
    shown.cells |= {int(count) - 1 for count in CELL_NAMED.findall(printed)}
    shown.files |= {re.sub(r"\\+", "/", file) for file in FILE_NAMED.findall(printed)}
    if ENGINE_NAMED.search(printed):
        shown.files.add(ENGINE)
        shown.cells |= set(range(len(cells)))
    sources = {
        i: python_source(cell)
        for i, cell in enumerate(cells)
        if "setup" not in tags(cell)
    }
    trees = {i: ast.parse(source) for i, source in sources.items()}
    defined: dict[str, set[int]] = {}
    for i, source in sources.items():
        for name in definitions(source):
            defined.setdefault(name, set()).add(i)
    imported = {name: whole for tree in trees.values() for name, whole in taken(tree)}
    for i, tree in trees.items():
        for node in ast.walk(tree):
            if word_of(node) in READERS or is_magic(node):
                shown.everything = True
            if word_of(node) in RECORDERS and is_library(node, imported):
                shown.cells |= set(trees)
            if shows(node, imported):
                shown.cells.add(i)
            if isinstance(node, ast.Call) and shows(node.func, imported):
                add_arguments(shown, node, defined, imported)
    return shown


def shows(node: ast.AST, imported: dict[str, str]) -> bool:
    """Return whether a node names a function that shows source."""
    if word_of(node) not in SHOWN_BY or isinstance(node, ast.alias):
        return False
    return isinstance(node, ast.Name) or is_library(node, imported)


def add_arguments(
    shown: Shown,
    call: ast.Call,
    defined: dict[str, set[int]],
    imported: dict[str, str],
) -> None:
    """Add the definitions that are arguments of a call that shows source."""
    keywords = {k.arg: k.value for k in call.keywords}
    text = keywords.pop("docstring", None)
    docstring = not (isinstance(text, ast.Constant) and text.value is False)
    arguments = [*call.args, *keywords.values()]
    if word_of(call.func) == "on_ranks":
        arguments = call.args[1:]  # after the number of ranks
    elif word_of(call.func) == "step":
        arguments = [keywords["code"]] if "code" in keywords else []
    for argument in arguments:
        name = word_of(argument)
        if isinstance(argument, ast.Name) and name not in {*defined, *imported}:
            shown.everything = True  # an alias of something unknown
        elif name:
            shown.add(imported.get(name, name).rpartition(".")[2], defined, docstring)
        elif word_of(call.func) == "Show":
            shown.everything = True


def word_of(node: ast.AST) -> str:
    """Return the last part of a dotted name, or "" for any other node."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.name.rpartition(".")[2] if isinstance(node, ast.alias) else ""


def is_magic(node: ast.AST) -> bool:
    """Return whether a node is a magic of IPython that prints or runs source."""
    if not isinstance(node, ast.Call) or word_of(node.func) != "run_line_magic":
        return False
    return MAGIC.fullmatch(ast.literal_eval(node.args[0])) is not None


def is_library(node: ast.AST, imported: dict[str, str]) -> bool:
    """Return whether a name, or the first part of a dotted name, is the library's."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return imported.get(word_of(node), "").startswith("autograd_lib")


def taken(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that imports bind, each with its full dotted name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                yield one.asname or one.name, f"{node.module}.{one.name}"
        elif isinstance(node, ast.Import):
            for one in node.names:
                yield one.asname or one.name.partition(".")[0], one.name
