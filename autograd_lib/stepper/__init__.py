"""Step through a graph, forwards and backwards (chapter 06)."""

from autograd_lib.stepper.page import step

__all__ = ["step"]
