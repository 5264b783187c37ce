"""The graph of the reader's engine is stepped through as other graphs are."""

from __future__ import annotations

from autograd_lib.book import draw
from autograd_lib.small.graph import Number, walk
from autograd_lib.stepper.engine import seen, step_through


def test_gradients_are_those_of_the_engine_and_names_those_of_the_page() -> None:
    x, y = Number(6.0), Number(8.0)
    x.label = "x"
    miss = (x**2 + y**2) ** 0.5 - 5
    result = miss * miss
    trace = step_through(result).trace
    made = dict(zip([n.label for n in trace.nodes], trace.gradients, strict=True))
    assert made["x"] == walk(result)[x] == 6.0
    assert made["8"] == walk(result)[y] == 8.0
    assert "-5" in str(draw(seen(result)))
