"""What Matplotlib draws with on a live page; found by its MPLBACKEND."""

from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

from book_live.figures import show

__all__ = ["FigureCanvas", "show"]
