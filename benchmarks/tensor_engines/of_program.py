"""The program of a compiled step, without the overhead of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lib.program import compile
from benchmarks.tensor_engines.base import Arrays, Step
from benchmarks.tensor_engines.of_compiled import Compiled


class Bare(Compiled):
    """After the first call, calls go straight to the program.

    They check no guards and make no tensors of the results, and a training step always
    starts from the same parameters.
    """

    def arrays(self, results: Any) -> Arrays:
        return list(results)

    def run(self, function: Callable[..., Any], *args: Any) -> Step:
        compiled = compile(function)
        program = compiled.program(*args)
        given, _ = compiled._programs[0].guard(args, {})
        return lambda: program(*given)


ENGINE = Bare
