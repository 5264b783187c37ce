"""The results of `benchmarks.tensors` as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmarks.tensor_engines import BY_HAND, COMPARED, OURS

NONE = "–"
DEFAULT = ", default thresholds"
LINE = ", default thresholds and one line"


def page(results: dict[str, Any]) -> str:
    """Return the tables."""
    works = results["works"]
    versions = dict(results["versions"])
    numpy = versions.pop(BY_HAND, "")
    versions.pop(OURS, None)
    named = [f"NumPy {numpy}", *(f"{name} {v}" for name, v in versions.items())]
    lines = [
        f"Measured on {', '.join(results['conditions'].values())}, with "
        f"{', '.join(named)}, in {results['rounds']} rounds of {results['turns']} "
        "turns, by `python -m benchmarks.tensors`. Times are ratios over NumPy by "
        "hand, so 1.00 is the limit of an engine on NumPy.",
        "",
        *times({k: v for k, v in works.items() if "memory" not in k}),
        *memory({k: v for k, v in works.items() if "memory" in k}),
        *thresholds(works),
        *reasons(works),
    ]
    return "\n".join(lines).rstrip() + "\n"


def heading(*cells: str) -> list[str]:
    """Return the head of a table, with numbers in all columns except the first."""
    return [
        f"| {' | '.join(cells)} |",
        f"| --- |{' ---: |' * (len(cells) - 1)}",
    ]


def times(works: dict[str, Any]) -> list[str]:
    """Return the table of times."""
    others = [name for name in COMPARED if name not in (BY_HAND, OURS)]
    lines = heading(
        "forward and backward", "by hand, ms", OURS, "range of the rounds", *others
    )
    for label, row in works.items():
        ours = row[OURS]
        between = NONE
        if "from" in ours:
            between = f"{number(ours['from'])}–{number(ours['to'])}"
        cells = [
            label,
            f"{row[BY_HAND]['median'] * 1e3:,.2f}",
            ratio(ours),
            between,
            *(ratio(row[name]) for name in others),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def memory(works: dict[str, Any]) -> list[str]:
    """Return the table of memory."""
    if not works:
        return []
    others = [name for name in COMPARED if name != BY_HAND]
    lines = heading("memory held at the most", "by hand, MB", *others)
    for label, row in works.items():
        megabytes = f"{row[BY_HAND]['median'] / 1e6:,.1f}"
        cells = [label, megabytes, *(ratio(row[name], 3) for name in others)]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def thresholds(works: dict[str, Any]) -> list[str]:
    """Return the table of the cost of glibc's default thresholds."""
    rows = {k: v for k, v in works.items() if OURS + DEFAULT in v}
    if not rows:
        return []
    lines = heading("time with glibc's default thresholds, over raised ones", *COMPARED)
    for label, row in rows.items():
        cells = [label, *(ratio(row[name + DEFAULT]) for name in COMPARED)]
        lines.append(f"| {' | '.join(cells)} |")
        if OURS + LINE in row:
            cells = [ratio(row.get(name + LINE, {})) for name in COMPARED]
            lines.append(f"| {label}, after one line | {' | '.join(cells)} |")
    return [*lines, ""]


def reasons(works: dict[str, Any], names: Iterable[str] = COMPARED) -> list[str]:
    """Return the reasons for the dashes in the table."""
    found: dict[tuple[str, str], list[str]] = {}
    for label, row in works.items():
        for name in names:
            if "missing" in row.get(name, {}):
                found.setdefault((name, row[name]["missing"]), []).append(label)
    if not found:
        return []
    lines = ["Dashes, and the reason of each:", ""]
    for (name, why), labels in found.items():
        where = "all works" if len(labels) == len(works) else "; ".join(labels)
        lines.append(f"- {name} ({where}): {why}")
    return [*lines, ""]


def ratio(found: dict[str, Any], digits: int = 2) -> str:
    """Return a ratio as text, or a dash."""
    return number(found["ratio"], digits) if "ratio" in found else NONE


def number(x: float, digits: int = 2) -> str:
    """Return a number with its significant digits."""
    return f"{x:.{digits}f}" if x < 10 else f"{x:.0f}"
