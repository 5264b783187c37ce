"""Compiled steps beside eager ones and compilers: `python -m benchmarks.compiled`.

The works and the processes are those of `benchmarks.tensors`: gradients are compared
first, then the engines take turns. Times are ratios to NumPy with gradients by hand.
The time of compiling is the CPU time of preparing and running a step once, minus the
time of a step. It includes that of a C++ compiler, and no caches of earlier runs are
used.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

from benchmarks.machine import conditions
from benchmarks.tensor_engines import BY_HAND, OURS
from benchmarks.tensor_page import heading, ratio, reasons
from benchmarks.tensor_processes import Entrant, play
from benchmarks.tensor_works import WORKS
from benchmarks.tensors import summary

HERE = Path(__file__).parent
COLUMNS = {
    OURS: "eager",
    "compiled": "compiled",
    "machine code": "machine code",
    "program alone": "program alone",
    "PyTorch": "PyTorch",
    "torch.compile": "torch.compile",
    "JAX": "JAX, jit",
}
KERNELS = "machine code, OpenBLAS's kernels for {}"
EAGER = {"compiled": OURS, "machine code": OURS, "torch.compile": "PyTorch"}
LABELS = [label for label, work in WORKS.items() if work.kind != "memory"]
NONE = "–"


def measure(label: str, turns: int, without: str, kernels: str) -> dict[str, Any]:
    """Return, for each engine but one, its time for a work and the time of compiling.

    If `kernels` names a processor, machine code is also measured with its kernels.
    """
    names = [name for name in (BY_HAND, *COLUMNS) if name != without]
    entrants = [Entrant(name, name) for name in names]
    if kernels:
        other = KERNELS.format(kernels)
        entrants.append(Entrant(other, "machine code", kernels=kernels))
    ready, samples = play(label, entrants, turns, check=True)
    row: dict[str, Any] = summary(ready, [samples])
    if without:
        row[without] = {"missing": "was left out of this run"}
    for name, found in row.items():
        if "missing" not in found:
            found["version"] = ready[name]["version"]
            found["compiling"] = max(0.0, ready[name]["ready"] - found["median"])
    return row


def calls_until_it_pays(row: dict[str, Any], name: str) -> str:
    """Return the number of calls after which compiling has paid off."""
    if "median" not in row[name] or "median" not in row[EAGER[name]]:
        return NONE
    saved = row[EAGER[name]]["median"] - row[name]["median"]
    if saved <= 0:
        return "never"
    return f"{math.ceil(row[name]['compiling'] / saved):,}"


def page(works: dict[str, Any], turns: int, kernels: str = "") -> str:
    """Return the tables in Markdown."""
    command = "python -m benchmarks.compiled" + (kernels and f" --kernels {kernels}")
    columns = COLUMNS | ({(x := KERNELS.format(kernels)): x} if kernels else {})
    versions = {
        name: found["version"]
        for row in works.values()
        for name, found in row.items()
        if "version" in found and name in (BY_HAND, "PyTorch", "JAX")
    }
    numpy = versions.pop(BY_HAND, "")
    named = [f"NumPy {numpy}", *(f"{name} {v}" for name, v in versions.items())]
    lines = [
        f"Measured on {', '.join(conditions().values())}, with {', '.join(named)}, in "
        f"{turns} turns, by `{command}`. Times are ratios over NumPy by hand.",
        "",
        *heading("forward and backward", "by hand, ms", *columns.values()),
    ]
    for label, row in works.items():
        cells = [label, f"{row[BY_HAND]['median'] * 1e3:,.2f}"]
        cells += [ratio(row[name]) for name in columns]
        lines.append(f"| {' | '.join(cells)} |")
    compilers = ("compiled", "machine code", "torch.compile", "JAX")
    lines += ["", *heading("compiling, s", *(COLUMNS[name] for name in compilers))]
    for label, row in works.items():
        several = [row[name].get("compiling") for name in compilers]
        cells = [NONE if x is None else f"{x:.2f}" for x in several]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    title = "calls after which it pays, over the same not compiled"
    lines += ["", *heading(title, *(COLUMNS[name] for name in EAGER))]
    for label, row in works.items():
        cells = [calls_until_it_pays(row, name) for name in EAGER]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", *reasons(works, columns)]).rstrip() + "\n"


def main() -> None:
    """Measure, print the tables, and write them to a file beside this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=11, help="samples of each")
    parser.add_argument("--only", default="", help="works whose name contains this")
    parser.add_argument("--without", default="", choices=COLUMNS, help="leave it out")
    parser.add_argument("--kernels", default="", help="a processor, such as Haswell")
    given = parser.parse_args()
    works: dict[str, Any] = {}
    for label in [x for x in LABELS if given.only in x]:
        works[label] = measure(label, given.turns, given.without, given.kernels)
        sys.stderr.write(f"{label} is done\n")
    text = page(works, given.turns, given.kernels)
    sys.stdout.write(text)
    if not given.only:  # results of a few works are printed, and not kept
        (HERE / "results-compiled.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
