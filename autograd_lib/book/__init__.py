"""What the pages of the book are made with (chapter 00): not autodiff, its frame."""

from autograd_lib.book.check import Verdict, check, integers, reals
from autograd_lib.book.draw import draw
from autograd_lib.book.plot import Plot
from autograd_lib.book.ready import ready
from autograd_lib.book.show import Show
from autograd_lib.book.table import Table

__all__ = [
    "Plot",
    "Show",
    "Table",
    "Verdict",
    "check",
    "draw",
    "integers",
    "ready",
    "reals",
]
