"""The tasks on which two scalar engines are compared, and a process that does one.

Each task is a function of an engine: a class with the interface of micrograd's `Value`.
`benchmarks.scalars` starts a new process for each measurement.
"""

from __future__ import annotations

import gc
import importlib
import json
import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from autograd_lib.book import make_moons
from autograd_lib.scalar import nn as scalar_nn
from benchmarks.machine import pin

Engine = Any
Work = Callable[[], Any]

POINTS = 100
SPARE_FRAMES = 1_000


def engine(name: str) -> Engine:
    """Return the `Value` of "micrograd" or of "autograd_lib"."""
    module = {
        "micrograd": "micrograd.engine",
        "autograd_lib": "autograd_lib.scalar.value",
    }
    return importlib.import_module(module[name]).Value


def demo(value: Engine, numpy_numbers: bool) -> Work:
    """Return one step of micrograd's demo, with the demo's own network.

    Args:
        value: the engine, which replaces micrograd's own in `micrograd.nn`.
        numpy_numbers: whether the points are rows of an array, as in the demo, or
            lists of Python's numbers.
    """
    import micrograd.nn

    micrograd.nn.Value = value
    return step_of(value, micrograd.nn.MLP, numpy_numbers)


def fused_demo(value: Engine, numpy_numbers: bool) -> Work:
    """Return the same step with the network of `scalar.nn`."""
    if value is engine("micrograd"):
        return demo(value, numpy_numbers)
    return step_of(value, scalar_nn.MLP, numpy_numbers)


def step_of(value: Engine, mlp: Any, numpy_numbers: bool) -> Work:
    """Return one step of the demo, on an engine and a network class."""
    random.seed(1337)
    model = mlp(2, [16, 16, 1])
    x, moon = make_moons(POINTS, noise=0.1, random_state=0)
    y = 2 * moon - 1
    rows, classes = (x, y) if numpy_numbers else (x.tolist(), y.tolist())

    def step() -> Any:
        inputs = [list(map(value, row)) for row in rows]
        scores = list(map(model, inputs))
        pairs = zip(classes, scores, strict=True)
        losses = [(1 + -yi * score).relu() for yi, score in pairs]
        loss = sum(losses) * (1.0 / len(losses))
        loss = loss + 1e-4 * sum(p * p for p in model.parameters())
        model.zero_grad()
        loss.backward()
        return loss

    return step


def chain(value: Engine, length: int) -> Work:
    """Return a calculation with a chain of `length` nodes."""

    def calculate() -> Any:
        y = x = value(1.0)
        for _ in range(length):
            y = y * x
        y.backward()
        return y

    return calculate


def doublings(value: Engine, times: int) -> Work:
    """Return a calculation with 2**times paths to its input."""

    def calculate() -> Any:
        y = value(1.0)
        for _ in range(times):
            y = y + y
        y.backward()
        return y

    return calculate


WORK: dict[str, Callable[..., Work]] = {
    "demo": demo,
    "fused demo": fused_demo,
    "chain": chain,
    "doublings": doublings,
}


def seconds(work: Work, repeats: int) -> float:
    """Return the CPU time of a repetition after the first, with freeing.

    It is the mean: long collections are rare, and a median would hide them.
    """
    work()
    start = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - start) / repeats


def peak_bytes(work: Work) -> int:
    """Return the peak memory of `work` in bytes."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def main() -> None:
    """Do the task that the first argument describes, and print what it took."""
    pin()
    task = json.loads(sys.argv[1])
    work = WORK[task["work"]](engine(task["engine"]), task["size"])
    if "demo" not in task["work"]:
        deep = sys.getrecursionlimit() + task["size"] + SPARE_FRAMES
        sys.setrecursionlimit(deep)  # micrograd recurses once for each node
    if not task["collector"]:
        gc.disable()
    if task["memory"]:
        result: Any = peak_bytes(work)
    else:
        result = seconds(work, task["repeats"])
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
