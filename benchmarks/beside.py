"""Operations that were slow, beside PyTorch's: `python -m benchmarks.beside`.

Forward and backward pass of one operation in float32, in one process, on one thread and
with raised memory thresholds. Both libraries take turns; each turn gives a ratio.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.machine import conditions, pin

HERE = Path(__file__).parent
ALMOST_32_MIB = 2**25 - 2**16
TURNS, TIMES = 25, 5


def works() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return pairs of functions, ours and PyTorch's, by name."""
    import torch

    from autograd_lib import Tensor, nn

    torch.set_num_threads(1)
    f, rng = torch.nn.functional, np.random.default_rng(0)

    def both(*shape: int) -> tuple[Any, Any]:
        a = rng.standard_normal(shape).astype(np.float32)
        return Tensor(a, requires_grad=True), torch.tensor(a, requires_grad=True)

    def back(result: Any) -> None:
        result.sum().backward()

    x, t = both(64, 512)
    images, pictures = both(8, 16, 16, 16)
    small, few = both(16, 8, 12, 12)
    large, many = both(16, 16, 24, 24)
    rows, lines = both(128, 256)
    ours, theirs = nn.Conv2d(8, 16, 3, rng=0), torch.nn.Conv2d(8, 16, 3)
    norm, layer = nn.LayerNorm(256), torch.nn.LayerNorm(256)
    return {
        "exact GELU, 64×512": (lambda: back(x.gelu()), lambda: back(f.gelu(t))),
        "`Upsample` by 2, 8×16×16×16": (
            lambda: back(nn.Upsample(scale_factor=2)(images)),
            lambda: back(f.interpolate(pictures, scale_factor=2)),
        ),
        "convolution 3×3, 16×8×12×12": (
            lambda: back(ours(small)),
            lambda: back(theirs(few)),
        ),
        "max-pooling by 2, 16×16×24×24": (
            lambda: back(nn.MaxPool2d(2)(large)),
            lambda: back(f.max_pool2d(many, 2)),
        ),
        "`LayerNorm`, 128×256": (
            lambda: back(norm(rows) * rows),
            lambda: back(layer(lines) * lines),
        ),
    }


def seconds(work: Callable[[], Any]) -> float:
    """Return the CPU time of several calls of a function."""
    start = time.process_time()
    for _ in range(TIMES):
        work()
    return (time.process_time() - start) / TIMES


def main() -> None:
    """Measure, print the table, and write it to a file beside this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--look", action="store_true", help="write nothing down")
    look = parser.parse_args().look
    pin()
    np.empty(ALMOST_32_MIB, np.uint8)  # allocated and freed, see `pages/how_fast.md`
    lines = [
        f"Measured on {', '.join(conditions().values())}, in {TURNS} turns, by "
        "`python -m benchmarks.beside`.",
        "",
        "| forward and backward | autograd_lib, ms | PyTorch, ms | ratio |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, (ours, theirs) in works().items():
        ours(), theirs()
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(TURNS)]
        mine, other = (1e3 * median(side) for side in zip(*pairs, strict=True))
        ratio = median(a / b for a, b in pairs)
        lines.append(f"| {name} | {mine:.2f} | {other:.2f} | {ratio:.1f} |")
    text = "\n".join([*lines, ""])
    sys.stdout.write(text)
    if not look:
        (HERE / "results-beside.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
