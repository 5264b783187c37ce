"""Step through a graph, forwards and backwards (chapter 00)."""

from autograd_lib.stepper.page import side_by_side, step

__all__ = ["side_by_side", "step"]
