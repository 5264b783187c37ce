"""Tensor engines beside each other: `python -m benchmarks.tensors`.

Each work runs on every installed engine, in separate processes that take turns, on one
thread and with equal memory thresholds. Gradients are compared before measuring. Times
are shown as ratios to NumPy with gradients written by hand, which is the limit of
engines on NumPy.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.machine import conditions
from benchmarks.tensor_engines import BY_HAND, COMPARED, OURS
from benchmarks.tensor_page import page
from benchmarks.tensor_processes import Entrant, play
from benchmarks.tensor_works import WORKS

HERE = Path(__file__).parent
DEFAULT = ", default thresholds"
LINE = ", default thresholds and one line"
WITH_DEFAULT = ("MLP, one SGD step", "20 operations on 10⁶ floats", "GPT block")
UNSEEN = "allocates outside of Python, where tracemalloc does not see it"


def entrants(label: str) -> list[Entrant]:
    """Return the engines that take part in a work."""
    chosen = [Entrant(name, name) for name in COMPARED]
    if WORKS[label].kind == "memory":
        return [e for e in chosen if e.name not in ("JAX", "PyTorch")]
    if label in WITH_DEFAULT:
        chosen += [Entrant(name + DEFAULT, name, raised=False) for name in COMPARED]
        chosen += [
            Entrant(name + LINE, name, raised=False, line=True)
            for name in (BY_HAND, OURS)
        ]
    return chosen


def measure(
    labels: list[str], rounds: int, turns: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the first answers of the engines for each work, and all samples."""
    said: dict[str, Any] = {}
    samples: dict[str, Any] = {label: [] for label in labels}
    for i in range(rounds):
        for label in labels:
            memory = WORKS[label].kind == "memory"
            if memory and i:
                continue  # bytes do not vary
            many = 1 if memory else turns
            ready, found = play(label, entrants(label), many, check=not i)
            said.setdefault(label, ready)
            samples[label].append(found)
        sys.stderr.write(f"round {i + 1} of {rounds} is done\n")
    return said, samples


def summary(ready: dict[str, Any], rounds: list[dict[str, list[float]]]) -> Any:
    """Return, for each engine, the median and its ratio to the limit."""
    row: dict[str, Any] = {}
    for name, state in ready.items():
        if "missing" in state:
            row[name] = {"missing": state["missing"]}
            continue
        of = limit_of(name)
        ratios = [[a / b for a, b in zip(r[name], r[of], strict=True)] for r in rounds]
        row[name] = {
            "median": median(x for r in rounds for x in r[name]),
            "ratio": median(x for r in ratios for x in r),
            "from": min(map(median, ratios)),
            "to": max(map(median, ratios)),
            "deviation": state["deviation"],
        }
    return row


def limit_of(name: str) -> str:
    """Return the time that others are compared with."""
    for ending in (DEFAULT, LINE):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return BY_HAND


def main() -> None:
    """Measure, print the tables, and write them to a file beside this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="new processes each")
    parser.add_argument("--turns", type=int, default=5, help="samples in a round")
    parser.add_argument("--only", default="", help="works whose name contains this")
    given = parser.parse_args()
    labels = [label for label in WORKS if given.only in label]
    said, samples = measure(labels, given.rounds, given.turns)
    works = {label: summary(said[label], samples[label]) for label in labels}
    for label, row in works.items():
        if WORKS[label].kind == "memory":
            row |= {name: {"missing": UNSEEN} for name in ("JAX", "PyTorch")}
    versions: dict[str, str] = {}
    for ready in said.values():
        for name in COMPARED:
            if "version" in ready.get(name, {}):
                versions[name] = ready[name]["version"]
    results = {
        "conditions": conditions(),
        "rounds": given.rounds,
        "turns": given.turns,
        "versions": versions,
        "goals": {label: WORKS[label].goal for label in labels},
        "works": works,
    }
    text = page(results)
    sys.stdout.write(text)
    if given.only:
        return  # results of a few works are printed, and not kept
    (HERE / "results-tensors.md").write_text(text, encoding="utf-8")
    (HERE / "tensors.json").write_text(
        json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
