"""Step through a graph, forwards and backwards (chapter 00)."""

from autograd_lib.stepper.page import step

__all__ = ["step"]
