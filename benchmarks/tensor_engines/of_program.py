"""The program of a compiled step, without what a call does around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lib.program import compile
from benchmarks.tensor_engines.base import Arrays, Step
from benchmarks.tensor_engines.of_compiled import Compiled


class Bare(Compiled):
    """The first call is a whole one; the others go straight to the program.

    So they neither look whether it fits nor make tensors of its arrays, and a training
    step always starts from the same parameters.
    """

    def arrays(self, results: Any) -> Arrays:
        return list(results)

    def run(self, function: Callable[..., Any], *args: Any) -> Step:
        compiled = compile(function)
        program = compiled.program(*args)
        given, _ = compiled._known[0].guard(args, {})
        return lambda: program(*given)


ENGINE = Bare
