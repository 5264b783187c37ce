"""A table of faults by tests that is drawn empty, and filled column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograd_lib.book.plot import Plot


def faults_drawn(
    faults: Sequence[str],
    tests: Sequence[str],
    seen: Mapping[str, Sequence[bool]],
    title: str,
) -> Plot:
    """Draw which test notices which fault, as far as that is known.

    Args:
        faults: a name for each row.
        tests: a name for each column.
        seen: for each test that was run, whether it notices each fault.
        title: what the table shows.
    """
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(6, 0.27 * len(faults) + 1.2))
    for column, test in enumerate(tests):
        for row in range(len(faults)):
            mark, color = ("·", "C4") if test not in seen else ("✗", "C1")
            if test in seen and seen[test][row]:
                ax.plot(column, row, "C0s", ms=8)
            else:
                ax.text(column, row, mark, color=color, ha="center", va="center")
    labels = [f"{t}: {sum(seen[t])}" if t in seen else t for t in tests]
    ax.set_xticks(range(len(tests)), labels)
    ax.tick_params(length=0, labelbottom=False, labeltop=True)
    plt.setp(ax.get_xticklabels(), rotation=35, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(faults)), faults)
    ax.set(xlim=(-0.6, len(tests) - 0.4), ylim=(len(faults) - 0.4, -0.6))
    ax.grid(visible=False)
    for side in ax.spines.values():
        side.set_visible(False)
    fig.suptitle(title)
    counts = [f"{t} notices {sum(seen[t])}" for t in tests if t in seen]
    told = f"of which {', '.join(counts)}" if counts else "and nothing filled in"
    return Plot(fig, f"A table of {len(faults)} faults by {len(tests)} tests, {told}.")
