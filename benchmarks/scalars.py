"""Value beside micrograd: `python -m benchmarks.scalars`.

Each measurement is made in a new process, for one engine, task and round; in a round
the engines take turns. micrograd's graphs have reference cycles, so their memory is
freed only when Python's garbage collector runs. In a shared process the collector would
also run during the other engine's time, and with `gc.collect()` before each repetition
its time would not be measured at all. In separate processes each engine pays for its
own garbage, as in a training loop.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from autograd_lib.graph import topological_order
from benchmarks.machine import conditions, without_tampering
from benchmarks.scalar_tasks import WORK, engine

HERE = Path(__file__).parent
ENGINES = ("micrograd", "autograd_lib")
CHAINS = {1_000: 500, 10_000: 50, 100_000: 3, 1_000_000: 2}

Task = dict[str, Any]


def task(work: str, size: int, repeats: int, collector: bool = True) -> Task:
    """Return the description of a task for `benchmarks.scalar_tasks`."""
    return {
        "work": work,
        "size": size,
        "repeats": repeats,
        "collector": collector,
        "memory": False,
    }


TIMED = {
    "demo, collector on": task("demo", True, 6),
    "demo, collector off": task("demo", True, 6, collector=False),
    "demo on Python's floats, collector on": task("demo", False, 6),
    "demo on Python's floats, collector off": task("demo", False, 6, collector=False),
    "demo with a neuron as one node, collector on": task("fused demo", True, 12),
    **{f"chain of {n:,}": task("chain", n, k) for n, k in CHAINS.items()},
    "1,000 doublings": task("doublings", 1_000, 500),
}
WEIGHED = {
    f"chain of {n:,}": task("chain", n, 1, collector=False) | {"memory": True}
    for n in (10_000, 100_000, 1_000_000)
}
LONGEST_WEIGHED_OF_MICROGRAD = 100_000


def measure(name: str, described: Task) -> float:
    """Return the seconds or bytes of one engine, measured in a new process."""
    command = [sys.executable, "-m", "benchmarks.scalar_tasks"]
    done = subprocess.run(
        [*command, json.dumps(described | {"engine": name})],
        cwd=HERE.parent,
        env=without_tampering(os.environ),
        stdout=subprocess.PIPE,
        check=True,
    )
    return float(json.loads(done.stdout))


def times(rounds: int) -> dict[str, dict[str, Any]]:
    """Return the median times of both engines for each task, and their ratio."""
    found: dict[str, dict[str, list[float]]] = {
        label: {name: [] for name in ENGINES} for label in TIMED
    }
    for i in range(rounds):
        for label, described in TIMED.items():
            for name in ENGINES[:: 1 if i % 2 else -1]:
                found[label][name].append(measure(name, described))
        sys.stderr.write(f"round {i + 1} of {rounds} is done\n")
    rows = {}
    for label, by_engine in found.items():
        pairs = zip(*by_engine.values(), strict=True)
        ratios = [theirs / ours for theirs, ours in pairs]
        rows[label] = {name: median(values) for name, values in by_engine.items()}
        rows[label] |= {"ratio": median(ratios), "from": min(ratios), "to": max(ratios)}
    return rows


def memory() -> dict[str, dict[str, float]]:
    """Return the peak memory of each engine in bytes per node."""
    return {
        label: {
            name: measure(name, described) / described["size"]
            for name in ENGINES
            if name != "micrograd" or described["size"] <= LONGEST_WEIGHED_OF_MICROGRAD
        }
        for label, described in WEIGHED.items()
    }


def nodes_of(label: str) -> int:
    """Return the number of our nodes in a task."""
    described = TIMED[label]
    if "demo" not in described["work"]:
        return int(described["size"])
    step = WORK[described["work"]](engine("autograd_lib"), described["size"])
    return len(topological_order(step()))


def page(results: dict[str, Any]) -> str:
    """Return the results as Markdown."""
    lines = [
        f"Measured on {', '.join(results['conditions'].values())}, in "
        f"{results['rounds']} rounds, by `python -m benchmarks.scalars`.",
        "",
        "| forward and backward | micrograd, ms | Value, ms | times faster | range "
        "| Value, µs a node |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for label, row in results["times"].items():
        theirs, ours = (row[name] * 1e3 for name in ENGINES)
        lines.append(
            f"| {label} | {theirs:,.2f} | {ours:,.2f} | {row['ratio']:.1f} "
            f"| {row['from']:.1f}–{row['to']:.1f} | {row['microseconds a node']:.2f} |"
        )
    lines += [
        "",
        "| bytes a node, at the most | micrograd | Value |",
        "| --- | ---: | ---: |",
    ]
    for label, row in results["memory"].items():
        cells = [f"{row[name]:,.0f}" if name in row else "–" for name in ENGINES]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print the table, and write it to a file beside this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="repetitions of it all")
    rounds = parser.parse_args().rounds
    if importlib.util.find_spec("micrograd") is None:
        sys.exit(
            "benchmarks.scalars: micrograd is not installed. Install it into this "
            f"environment: {Path(sys.executable).name} -m pip install micrograd==0.1.0"
        )
    results = {
        "conditions": conditions(),
        "rounds": rounds,
        "times": times(rounds),
        "memory": memory(),
    }
    for label, row in results["times"].items():
        row["microseconds a node"] = row["autograd_lib"] / nodes_of(label) * 1e6
    text = page(results)
    sys.stdout.write(text)
    (HERE / "results-scalars.md").write_text(text, encoding="utf-8")
    (HERE / "scalars.json").write_text(
        json.dumps(results, indent=2) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
