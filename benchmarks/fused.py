"""The time that fused operations save over compositions: `python -m benchmarks.fused`.

Each calculation that the library has as one operation is timed, forward and backward,
and beside it the same calculation composed of smaller operations. Both run in one
process and take turns.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.machine import conditions, pin, without_tampering
from benchmarks.tensor_processes import ONE_THREAD, RAISED

HERE = Path(__file__).parent
ROWS, WIDTH, CLASSES = (8, 64), 64, 82  # a step of the GPT in chapter 18
SAMPLE = 0.05  # minimum seconds of a sample
TOLERANCE = 1e-4  # of float32 sums of some thousand numbers


def pairs() -> dict[str, tuple[str, Callable[..., Any], Callable[..., Any], Any]]:
    """Return, by label, shapes in words, the operation, the composition and inputs.

    Operation and composition are functions of the same tensors, and return one tensor.
    """
    from autograd_lib.nn.convolution import conv2d
    from autograd_lib.nn.functional import linear, normalize

    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    labels = rng.integers(CLASSES, size=ROWS)
    row, column = np.arange(ROWS[0])[:, None], np.arange(ROWS[1])

    def composed_cross_entropy(z: Any) -> Any:
        below = z - z.data.max(axis=-1, keepdims=True)
        right = below[row, column, labels]
        return (np.log(np.exp(below).sum(axis=-1)) - right).mean()

    def composed_norm(x: Any, w: Any, b: Any) -> Any:
        d = x - x.mean(axis=-1, keepdims=True)
        return d / np.sqrt((d * d).mean(axis=-1, keepdims=True) + 1e-5) * w + b

    def composed_gelu(x: Any) -> Any:
        u = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
        return 0.5 * x * (1 + np.tanh(u))

    def composed_softmax(x: Any) -> Any:
        e = np.exp(x - x.data.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def composed_conv2d(x: Any, w: Any) -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
        n, _, high, wide = windows.shape[:4]
        patches = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * high * wide, -1)
        y = (patches @ w.reshape(w.shape[0], -1).T).reshape(n, high, wide, -1)
        return y.transpose(0, 3, 1, 2)

    return {
        "linear": (
            "512 rows of 64, to 256",
            linear,
            lambda x, w, b: x @ w.T + b,
            (normal(512, WIDTH), normal(4 * WIDTH, WIDTH), normal(4 * WIDTH)),
        ),
        "softmax and cross-entropy": (
            "512 rows of 82",
            lambda z: z.cross_entropy(labels),
            composed_cross_entropy,
            (normal(*ROWS, CLASSES),),
        ),
        "layer norm": (
            "512 rows of 64",
            lambda x, w, b: normalize(x, (-1,), w, b, 1e-5),
            composed_norm,
            (normal(*ROWS, WIDTH), normal(WIDTH), normal(WIDTH)),
        ),
        "GELU, tanh form": (
            "512 rows of 256",
            lambda x: x.gelu("tanh"),
            composed_gelu,
            (normal(*ROWS, 4 * WIDTH),),
        ),
        "softmax": (
            "8 · 4 heads of 64 × 64",
            lambda x: x.softmax(),
            composed_softmax,
            (normal(8, 4, 64, 64),),
        ),
        "conv2d": (
            "32 images of 8 × 12 × 12, 16 filters of 3 × 3",
            conv2d,
            composed_conv2d,
            (normal(32, 8, 12, 12), normal(16, 8, 3, 3)),
        ),
    }


def step_of(f: Callable[..., Any], arrays: Any) -> Callable[[], Any]:
    """Return a function of a forward and a backward pass that returns gradients."""
    from autograd_lib.engine.tape.tensor import Tensor

    leaves = [Tensor(a, requires_grad=True) for a in arrays]
    seed = np.ones_like(f(*leaves).data)

    def step() -> Any:
        for leaf in leaves:
            leaf.grad = None
        f(*leaves).backward(seed)
        return [leaf.grad.data for leaf in leaves]

    return step


def seconds(step: Callable[[], Any], repeats: int) -> float:
    """Return the CPU time of one step, the mean of several."""
    start = time.process_time()
    for _ in range(repeats):
        step()
    return (time.process_time() - start) / repeats


def measured(turns: int) -> list[str]:
    """Return the rows of the table.

    Raises:
        RuntimeError: if the gradients of an operation and its composition differ.
    """
    lines = []
    for label, (shapes, operation, composition, arrays) in pairs().items():
        one, many = step_of(operation, arrays), step_of(composition, arrays)
        for a, b in zip(one(), many(), strict=True):
            scale = max(1.0, float(np.abs(b).max()))
            if not np.allclose(a, b, atol=TOLERANCE * scale):
                raise RuntimeError(f"{label}: the gradients differ")
        repeats = math.ceil(SAMPLE / seconds(many, 3))
        both = [(seconds(one, repeats), seconds(many, repeats)) for _ in range(turns)]
        lines.append(
            f"| {label} | {shapes} | {1e6 * median(a for a, _ in both):.0f} | "
            f"{1e6 * median(b for _, b in both):.0f} | "
            f"{median(b / a for a, b in both):.1f} |\n"
        )
    return lines


def main() -> None:
    """Measure in a process with one thread, print the table, and write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=21, help="samples of each")
    parser.add_argument("--look", action="store_true", help="write nothing down")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        pin()
        sys.stdout.writelines(measured(given.turns))
        return
    rows = subprocess.run(
        [sys.executable, "-m", "benchmarks.fused", "--here", f"--turns={given.turns}"],
        cwd=HERE.parent,
        env=without_tampering(os.environ) | ONE_THREAD | RAISED,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    c = conditions()
    text = (
        f"Measured on {c['date']}, {c['python']}, {c['system']}, {c['processor']}, "
        f"with NumPy {np.__version__}, in {given.turns} turns, by "
        "`python -m benchmarks.fused`. Float32, forward and backward.\n\n"
        "| one operation | of | µs | composed, µs | times as fast |\n"
        f"| --- | --- | ---: | ---: | ---: |\n{rows}"
    )
    sys.stdout.write(text)
    if not given.look:
        (HERE / "results-fused.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
