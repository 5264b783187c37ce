"""Draw graphs on a live page: the part of pygraphviz that `autograd_lib` uses.

The real package calls a Graphviz that is installed. Here the page loads Graphviz as
WebAssembly, which draws the same DOT.
"""

from __future__ import annotations


class AGraph:
    """A graph.

    Args:
        string: the graph in DOT.
    """

    def __init__(self, string: str) -> None:
        self.string = string

    def draw(self, format: str = "svg", prog: str = "dot") -> bytes:
        """Return the drawing.

        Raises:
            ValueError: if the graph cannot be drawn, or Graphviz was not loaded.
        """
        try:
            from book_page import draw
        except ImportError:
            raise ValueError("pygraphviz: this page has no Graphviz") from None
        drawn = str(draw(self.string, format, prog))
        if not drawn:
            raise ValueError("pygraphviz: Graphviz cannot draw this graph")
        return drawn.encode()
