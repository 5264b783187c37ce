"""Take times, and draw them (chapters 19, 22 and 23)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def fastest(*works: Callable[[], Any], times: int = 15) -> list[float]:
    """Return for each work the seconds of its fastest run.

    The works run in turn, so that what else the machine does slows all of them.

    Args:
        works: functions without arguments.
        times: how often each runs.
    """
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, seconds in zip(works, taken, strict=True):
            start = perf_counter()
            work()
            seconds.append(perf_counter() - start)
    return [min(seconds) for seconds in taken]


def cut_in_parts(
    ax: Axes, parts: Mapping[str, float], shown: str, colours: Sequence[str]
) -> None:
    """Draw seconds as one bar of milliseconds that is cut in parts.

    Args:
        ax: where to draw.
        parts: the seconds of each part.
        shown: the part whose percentage is written.
        colours: one for each part.
    """
    at, total = 0.0, sum(parts.values())
    for (what, seconds), colour in zip(parts.items(), colours, strict=True):
        ax.barh(0, seconds * 1000, left=at, color=colour, height=0.5)
        percent = f" {seconds / total:.0%}" if what == shown else ""
        middle = at + seconds * 500
        ax.text(middle, 0.3, what + percent, color=colour, ha="center")
        at += seconds * 1000
    ax.set(yticks=[], ylim=(-0.3, 0.8))
