"""The final losses of the GPT in chapter 20: `python -m benchmarks.gpt_seeds`.

The chapter's cells are run up to the one that trains, each time with another seed for
the model, and the losses on held-out text are written to `results-gpt-seeds.md`. A seed
takes about a minute. With `--keep`, the weights of the first model are written into the
package, for pages in a browser.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from autograd_lib.nn.state import save
from benchmarks.machine import conditions, pin
from notebooks.notebook import ENVIRONMENT, ROOT, code_cells, read, tags

RESULTS = Path(__file__).parent / "results-gpt-seeds.md"
CHAPTER = ROOT / "chapters" / "20_gpt.ipynb"
WEIGHTS = ROOT / "autograd_lib" / "gpt.npz"
MODEL, SEED = "model = GPT(len(alphabet), context=64", "rng=0)"
TRAINED = "loss = curve[STEPS]"
COUNTS = {"pairs": "pairs_loss", "Kneser-Ney": "kneser_ney_loss"}


def trained(seed: int) -> dict[str, Any]:
    """Run the cells of the chapter with this seed; return their variables."""
    names: dict[str, Any] = {"__name__": "__main__"}
    seeded = False
    for cell in code_cells(read(CHAPTER)):
        source = cell.source
        if "setup" in tags(cell):
            continue
        if MODEL in source:
            seeded = source.count(SEED) == 1
            source = source.replace(SEED, f"rng={seed})")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, CHAPTER.name, "exec"), names)
        if TRAINED in source and seeded:
            return names
    raise RuntimeError(f"{CHAPTER.name} has no cell with {MODEL!r} and {TRAINED!r}")


def keep(names: dict[str, Any]) -> None:
    """Write the weights in float16, and the losses during training."""
    state = names["model"].state_dict()
    halves = {name: array.astype(np.float16) for name, array in state.items()}
    curve, in_training = (list(names[k].items()) for k in ("curve", "in_training"))
    # There is no training loss before the first step, so the next one is repeated.
    losses = np.array([curve, [in_training[0], *in_training]], dtype=np.float32)
    save({"losses": losses, **halves}, WEIGHTS)


def page(names: list[dict[str, Any]]) -> str:
    """Return the page: the losses of the models, and those of the counts."""
    counts = ", ".join(f"{n} {names[0][key]:.3f}" for n, key in COUNTS.items())
    rows = "\n".join(f"| {i} | {found['loss']:.3f} |" for i, found in enumerate(names))
    return (
        "# Chapter 20's GPT, from other first weights\n\n"
        f"{', '.join(conditions().values())}.\n\n"
        f"Loss on held-out text, in nats, after {names[0]['STEPS']:,} steps. "
        f"Of the counts: {counts}.\n\n| `rng` | GPT |\n| --- | --- |\n{rows}\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Train as many models as asked for, and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gpt_seeds", description=__doc__
    )
    parser.add_argument("--seeds", type=int, default=3, help="how many, from 0 on")
    parser.add_argument("--keep", action="store_true", help="the first one's weights")
    options = parser.parse_args(arguments)
    pin()
    matplotlib.use("Agg")
    os.environ.update(ENVIRONMENT)
    found = [trained(seed) for seed in range(options.seeds)]
    if options.keep:
        keep(found[0])
    text = page(found)
    RESULTS.write_text(text, encoding="utf-8", newline="\n")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
