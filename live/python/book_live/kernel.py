"""Run cells one after the other in one namespace, the page's `__main__`."""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import linecache
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from types import CodeType
from typing import Any, NoReturn

from book_live import display, figures
from book_live.errors import error_output
from book_live.mime import bundle_of
from book_live.outputs import Outputs, Stream
from book_live.stack import Limit, guarded
from book_live.timing import as_python

NO_INPUT = "input() cannot wait for you on a live page: write the value into the cell"
NO_MAGIC = "{!r} is a command of Jupyter; a live page runs Python, %timeit, %%engine"


class Kernel:
    """Runs cells.

    Args:
        send: takes each output as JSON.
        namespace: where the cells' names live.
        limit: sets a limit on the stack, or removes it.
    """

    def __init__(
        self, send: Callable[[str], None], namespace: dict[str, Any], limit: Limit
    ) -> None:
        self.limit = limit
        self.outputs = Outputs(lambda output: send(json.dumps(output)))
        self.namespace = namespace
        self.count = 0
        display.shown[:] = [self.outputs]
        namespace["display"] = display.display
        os.environ["MPLBACKEND"] = f"module://{figures.BACKEND}"

    async def run(self, source: str, number: int) -> bool:
        """Run the cell with this number; return whether it raised no error."""
        self.count += 1
        self.outputs.begin()
        stdout, stderr = (Stream(self.outputs, name) for name in ("stdout", "stderr"))
        with (
            redirect_stdout(stdout),
            redirect_stderr(stderr),
            without_input(),
            guarded(self.limit),
        ):
            try:
                await self._run(source, number)
                figures.show()
                return True
            except BaseException as error:
                self.outputs.put(error_output(error))
                return False
            finally:
                self.outputs.flush()

    async def _run(self, source: str, number: int) -> None:
        name = f"<cell {number}, run {self.count}>"
        # Tracebacks and `Show` read the source of a cell from here.
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        body, last = compiled(source, name)
        await self._evaluate(body)
        if last is not None:
            value = await self._evaluate(last)
            if value is not None:
                self._show(value)

    async def _evaluate(self, code: CodeType) -> Any:
        value = eval(code, self.namespace)
        if code.co_flags & inspect.CO_COROUTINE:
            value = await value
        return value

    def _show(self, value: Any) -> None:
        self.namespace["_"] = value
        data, metadata = bundle_of(value)
        self.outputs.put(
            {
                "output_type": "execute_result",
                "data": data,
                "metadata": metadata,
                "execution_count": self.count,
            }
        )


def compiled(source: str, name: str) -> tuple[CodeType, CodeType | None]:
    """Compile a cell; return its statements, and its last expression if it has one.

    Raises:
        SyntaxError: if it isn't Python; the message names Jupyter's commands.
    """
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        tree = tree_of(source, name)
    except SyntaxError:
        for line in as_python(source).splitlines():
            if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?"):
                raise SyntaxError(NO_MAGIC.format(line.strip())) from None
        raise
    last = None
    # As in a notebook, a semicolon at the end hides the value.
    silent = source.rstrip().endswith(";")
    if tree.body and isinstance(end := tree.body[-1], ast.Expr) and not silent:
        del tree.body[-1]
        last = compile(ast.Expression(end.value), name, "eval", flags)
    return compile(tree, name, "exec", flags), last


def tree_of(source: str, name: str) -> ast.Module:
    """Return the tree of a cell, which may hold `%timeit`.

    Raises:
        SyntaxError: if the rest isn't Python.
    """
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    tree: ast.Module
    try:
        tree = compile(source, name, "exec", flags)
    except SyntaxError:
        timed = as_python(source)
        if timed == source:
            raise
    else:
        return tree
    tree = compile(timed, name, "exec", flags)
    return tree


class without_input:
    """Let `input` explain, while a cell runs, why it cannot wait."""

    def __enter__(self) -> None:
        self.before = builtins.input
        builtins.input = refuse

    def __exit__(self, *_: object) -> None:
        builtins.input = self.before


def refuse(prompt: object = "") -> NoReturn:
    """Refuse to wait for the reader.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(NO_INPUT)


def start(send: Callable[[str], None], limit: Limit) -> Kernel:
    """Return the kernel of this page, which runs in `__main__`."""
    return Kernel(send, vars(sys.modules["__main__"]), limit)
