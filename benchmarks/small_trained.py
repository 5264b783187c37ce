"""What the reader's engine learns: `python -m benchmarks.small_trained`.

It trains the moons, the digits, filters and chapter 18's GPT on both engines, from the
same first weights and on the same batches, step by step in turn. The GPT takes 4,000
steps from each of three seeds, which takes some two minutes each on an idle core;
figures go to `small.json` after each seed, so that `--seeds 1 2` adds to seed 0, and a
page to `results-small.md`. With `--keep`, what it learned from seed 0 and the losses of
all go into the package, for pages. Memory thresholds are raised, as in the other
benchmarks.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import autograd_lib.small.gpt as small
from autograd_lib.small.kept import same_weights
from benchmarks.machine import conditions, pin
from benchmarks.small_models import (
    LIBRARY,
    WORKS,
    LibraryRun,
    SmallRun,
    Text,
)
from benchmarks.tensor_processes import ONE_THREAD, RAISED
from notebooks.notebook import ROOT

HERE = Path(__file__).parent
FIGURES, RESULTS = HERE / "small.json", HERE / "results-small.md"
WEIGHTS = ROOT / "autograd_lib" / "small" / "gpt.npz"
SHOWN = (1, 10, 100, 600, 1000, 2000, 3000, 4000)
KEPT = "1", "100", "1000", "4000"


def timed(work: Any, engine: Any) -> tuple[float, str, float]:
    """Return the loss of a work, what it got right, and its seconds."""
    begin = process_time()
    loss, right = work(engine)
    return loss, right, process_time() - begin


def trained(text: Text, seed: int, steps: int) -> tuple[dict[str, Any], SmallRun]:
    """Train both GPTs from a seed, step by step in turn; return figures, and ours."""
    library = LibraryRun(len(text.alphabet.characters), seed)
    ours = SmallRun(same_weights(library.model, small))
    runs = {"library": library, "small": ours}
    losses: dict[str, list[float]] = {name: [] for name in runs}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for k, (x, y, rate) in enumerate(text.batches(steps), 1):
        for name, run in runs.items():
            begin = process_time()
            losses[name].append(run.step(x, y, rate))
            times[name].append(process_time() - begin)
        if k % 500 == 0:
            now = {name: round(mean_loss(of, k), 4) for name, of in losses.items()}
            sys.stderr.write(f"seed {seed}, step {k}: {now}\n")
    pairs = zip(times["small"], times["library"], strict=True)
    figures = {
        "steps": steps,
        "ratio": median(a / b for a, b in pairs),
        "curve": np.reshape(losses["small"], (-1, steps // 40)).mean(1).tolist(),
    } | {
        name: {
            "loss": {k: mean_loss(losses[name], k) for k in SHOWN if k <= steps},
            "ms": 1e3 * median(times[name]),
            "held out": text.loss(run.scores),
        }
        for name, run in runs.items()
    }
    return figures, ours


def mean_loss(losses: list[float], k: int) -> float:
    """Return the mean of up to 20 losses, the last of which is step k's."""
    return float(np.mean(losses[max(0, k - 20) : k]))


def keep(run: SmallRun, seeds: dict[str, Any]) -> None:
    """Write the weights with half of their digits, and the losses of all seeds."""
    halves = {name: p.data.astype(np.float16) for name, p in run.model.items()}
    np.savez_compressed(WEIGHTS, **learned(seeds), **halves)


def learned(seeds: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return what is kept of the losses, by name."""
    ordered = [found for _, found in sorted(seeds.items())]
    runs = {
        name: [
            [*(run["loss"][k] for k in KEPT), run["held out"], run["ms"]]
            for run in (found[name] for found in ordered)
        ]
        for name in ("library", "small")
    }
    curve = np.array(ordered[0]["curve"], np.float32)
    first = {"losses": curve, "held_out": np.array(ordered[0]["small"]["held out"])}
    return first | {name: np.array(rows) for name, rows in runs.items()}


def page(figures: dict[str, Any]) -> str:
    """Return what is written: a table of the works, and one of the GPT."""
    seeds = dict(sorted(figures["gpt"].items()))
    steps = {found["steps"] for found in seeds.values()}
    shown = [str(k) for k in SHOWN if k <= min(steps)]
    works = [
        f"| {name} | {a[0]:.6f} | {b[0]:.6f} | {a[1]} | {b[1]} | {b[2] / a[2]:.2f} |"
        for name, (a, b) in figures["works"].items()
    ]
    rows = []
    for seed, found in seeds.items():
        for name in ("library", "small"):
            run = found[name]
            loss = [f"{run['loss'][k]:.4f}" for k in shown]
            ratio = f"{found['ratio']:.2f}" if name == "small" else ""
            cells = [*loss, f"{run['held out']:.4f}", f"{run['ms']:.1f}", ratio]
            rows.append(f"| {seed} | {name} | {' | '.join(cells)} |")
    lines = [
        "# What the reader's engine learns, beside the library",
        "",
        f"{', '.join(figures['conditions'].values())}. Small is"
        " `autograd_lib.small.gpt`. Times are the processor's, of runs that take turns"
        " in one process, with raised memory thresholds; other work was running.",
        "",
        "| work | loss, library | loss, small | library | small | time, ratio |",
        "| --- | --- | --- | --- | --- | --- |",
        *works,
        "",
        f"Chapter 18's GPT, {max(steps):,} steps from the library's first weights: the"
        " loss in training, a mean of up to 20 steps; the loss on held-out text; the"
        " milliseconds of a step, and the ratio of the two.",
        "",
        f"| seed | | {' | '.join(shown)} | held out | ms | ratio |",
        "| --- | --- |" + " --- |" * (len(shown) + 3),
        *rows,
        "",
    ]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Train, and write figures, page and weights."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.small_trained", description=__doc__
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=4000, help="of the GPT")
    parser.add_argument("--keep", action="store_true", help="the weights of seed 0")
    parser.add_argument("--look", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    if options.keep and (0 not in options.seeds or options.steps < max(SHOWN)):
        parser.error(f"--keep: needs seed 0, and {max(SHOWN)} steps")
    settings = ONE_THREAD | RAISED
    if any(os.environ.get(name) != value for name, value in settings.items()):
        command = [sys.executable, "-m", "benchmarks.small_trained"]
        os.environ.update(settings)  # which a process reads when it begins
        os.execv(command[0], command + sys.argv[1:])
    pin()
    figures: dict[str, Any] = {"gpt": {}}
    if FIGURES.is_file() and 0 not in options.seeds:
        figures = json.loads(FIGURES.read_text("utf-8"))
    figures["conditions"] = conditions()
    figures["works"] = {
        name: (timed(work, LIBRARY), timed(work, small)) for name, work in WORKS.items()
    }
    text, first = Text(), None
    for seed in options.seeds:
        found, run = trained(text, seed, options.steps)
        figures["gpt"][str(seed)] = json.loads(json.dumps(found))
        written = page(figures)
        if not options.look:
            RESULTS.write_text(written, encoding="utf-8", newline="\n")
            FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
        first = run if seed == 0 else first
    if options.keep and first is not None:
        keep(first, figures["gpt"])
    sys.stdout.write(written)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
