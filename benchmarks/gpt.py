"""A training step of the GPT in chapter 18, beside PyTorch: `python -m benchmarks.gpt`.

A step is forward pass, loss, backward pass and AdamW. Both sides start with the same
weights and take the same batches, in separate processes that take turns, on one thread
and with equal memory thresholds. There is no version written by hand, so times are
compared with PyTorch's. The losses of the first steps are compared before measuring.
"""

from __future__ import annotations

import argparse
import json
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
TOKENS, CONTEXT, WIDTH, HEADS, DEPTH, BATCH = 82, 64, 64, 4, 2, 8
RATE, BETAS = 6e-3, (0.9, 0.99)
COMPARED = 5  # first steps whose losses are compared; later, rounding differs too much
STEPS = 20  # steps in a sample
TOLERANCE = 1e-3
OURS, THEIRS = "autograd_lib", "PyTorch"
COMPILED = {"compiled": "PASSES", "machine code": "MACHINE"}
NAMES = (OURS, *COMPILED, THEIRS)


def batches() -> list[tuple[np.ndarray, np.ndarray]]:
    """Return inputs and targets; their contents do not affect the time."""
    rng = np.random.default_rng(0)
    pieces = rng.integers(TOKENS, size=(STEPS, BATCH, CONTEXT + 1))
    return [(piece[:, :-1], piece[:, 1:]) for piece in pieces]


def first_model() -> Any:
    """Return the initial model of both sides."""
    from autograd_lib.nn.gpt import GPT

    return GPT(TOKENS, CONTEXT, WIDTH, HEADS, DEPTH, rng=0)


def ours() -> Callable[[Any, Any], Any]:
    """Return a step of the book's model and optimiser."""
    from autograd_lib.optim import AdamW

    model = first_model()
    optimizer = AdamW(model.parameters(), RATE, BETAS)

    def step(x: Any, y: Any) -> Any:
        loss = model(x).cross_entropy(y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def compiled(rewrites: str) -> Callable[[Any, Any], Any]:
    """Return such a step, with a compiled forward and backward pass."""
    from autograd_lib import program
    from autograd_lib.functional import value_and_grad
    from autograd_lib.optim import AdamW
    from autograd_lib.program import machine

    def loss_of(model: Any, x: Any, y: Any) -> Any:
        return model(x).cross_entropy(y)

    model = first_model()
    optimizer = AdamW(model.parameters(), RATE, BETAS)
    passes = getattr(program, rewrites, None) or getattr(machine, rewrites)
    slopes = program.compile(value_and_grad(loss_of), passes=passes)

    def step(x: Any, y: Any) -> Any:
        loss, grads = slopes(model, x, y)
        for name, p in model.named_parameters():
            p.grad = grads[name]
        optimizer.step()
        return loss

    return step


def theirs() -> Callable[[Any, Any], Any]:
    """Return a step of the same model in PyTorch."""
    import torch
    import torch.nn.functional as f

    torch.set_num_threads(1)
    weights = {
        name: torch.tensor(p.data, requires_grad=True)
        for name, p in first_model().named_parameters()
    }
    optimizer = torch.optim.AdamW(weights.values(), RATE, BETAS)

    def linear(name: str, x: Any) -> Any:
        return f.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name: str, x: Any) -> Any:
        w, b = weights[f"{name}.weight"], weights[f"{name}.bias"]
        return f.layer_norm(x, (WIDTH,), w, b)

    def block(name: str, x: Any) -> Any:
        split = linear(f"{name}.attention.in_proj", norm(f"{name}.norm1", x))
        q, k, v = split.view(BATCH, CONTEXT, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        found = f.scaled_dot_product_attention(q, k, v, is_causal=True)
        found = found.transpose(1, 2).reshape(x.shape)
        x = x + linear(f"{name}.attention.out_proj", found)
        h = linear(f"{name}.network.0", norm(f"{name}.norm2", x))
        return x + linear(f"{name}.network.2", f.gelu(h, approximate="tanh"))

    def step(x: Any, y: Any) -> Any:
        table = weights["embedding.weight"]
        h = f.embedding(torch.from_numpy(x), table) + weights["position.weight"]
        for i in range(DEPTH):
            h = block(f"blocks.{i}", h)
        scores = norm("norm", h) @ table.T
        loss = f.cross_entropy(scores.flatten(0, 1), torch.from_numpy(y).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def work(name: str) -> None:
    """Print the first losses; then, for each line of input, the seconds of a step."""
    pin()
    if name in COMPILED:
        step = compiled(COMPILED[name])
    else:
        step = {OURS: ours, THEIRS: theirs}[name]()
    data = batches()
    losses = [step(*data[i]).item() for i in range(COMPARED)]
    sys.stdout.write(json.dumps(losses) + "\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        start = time.process_time()
        for x, y in data:
            step(x, y)
        seconds = (time.process_time() - start) / len(data)
        sys.stdout.write(f"{seconds}\n")
        sys.stdout.flush()


def play(turns: int) -> dict[str, list[float]]:
    """Return the seconds of a step for each side and turn.

    Raises:
        RuntimeError: if their first losses differ.
    """
    kept = without_tampering(os.environ) | ONE_THREAD | RAISED
    running = {
        name: subprocess.Popen(
            [sys.executable, "-m", "benchmarks.gpt", "--work", name],
            cwd=HERE.parent,
            env=kept,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in NAMES
    }
    answers: dict[str, Any] = {name: p.stdout for name, p in running.items()}
    requests: dict[str, Any] = {name: p.stdin for name, p in running.items()}
    samples: dict[str, list[float]] = {name: [] for name in running}
    try:
        first = {name: json.loads(answers[name].readline()) for name in running}
        for name, losses in first.items():
            if not np.allclose(losses, first[THEIRS], rtol=TOLERANCE):
                raise RuntimeError(f"the first losses differ: {name}: {first}")
        for turn in range(turns):
            for name in NAMES[:: 1 if turn % 2 else -1]:
                requests[name].write("\n")
                requests[name].flush()
                samples[name].append(float(answers[name].readline()))
    finally:
        for process in running.values():
            process.communicate()
    return samples


def page(results: dict[str, Any]) -> str:
    """Return the table in Markdown."""
    c = results["conditions"]
    return (
        f"Measured on {c['date']}, {c['python']}, {c['system']}, {c['processor']}, "
        f"with NumPy {results['numpy']} and PyTorch {results['torch']}, in "
        f"{results['rounds']} rounds of {results['turns']} turns, by "
        "`python -m benchmarks.gpt`.\n\n"
        f"| a training step of chapter 18's GPT, {BATCH} pieces of {CONTEXT} tokens, "
        f"{results['parameters']:,} parameters, AdamW | ms | over PyTorch | range of "
        "the rounds |\n| --- | ---: | ---: | ---: |\n"
        + "".join(
            f"| {name} | {1e3 * one['seconds']:.1f} | {one['ratio']:.2f} | "
            f"{one['from']:.2f}–{one['to']:.2f} |\n"
            for name, one in results["times"].items()
        )
    )


def times(name: str, rounds: list[dict[str, list[float]]]) -> dict[str, float]:
    """Return the seconds of a step, and their ratio to PyTorch's."""
    ratios = [[a / b for a, b in zip(r[name], r[THEIRS], strict=True)] for r in rounds]
    return {
        "seconds": median(x for r in rounds for x in r[name]),
        "ratio": median(x for r in ratios for x in r),
        "from": min(map(median, ratios)),
        "to": max(map(median, ratios)),
    }


def main() -> None:
    """Measure, print the table, and write it to a file beside this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="new processes each")
    parser.add_argument("--turns", type=int, default=15, help="samples in a round")
    parser.add_argument("--look", action="store_true", help="write nothing down")
    parser.add_argument("--work", choices=NAMES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(given.work)
    from torch import __version__ as torch

    rounds = [play(given.turns) for _ in range(given.rounds)]
    results = {
        "conditions": conditions(),
        "numpy": np.__version__,
        "torch": torch,
        "rounds": given.rounds,
        "turns": given.turns,
        "parameters": sum(p.size for p in first_model().parameters()),
        "times": {name: times(name, rounds) for name in NAMES},
    }
    text = page(results)
    sys.stdout.write(text)
    if not given.look:
        (HERE / "results-gpt.md").write_text(text, encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
