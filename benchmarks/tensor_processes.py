"""Processes that do the works, one for each engine, and the samples taken of them."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import without_tampering
from benchmarks.tensor_engines import BY_HAND, engine
from benchmarks.tensor_works import WORKS

ROOT = Path(__file__).parent.parent
SAMPLE = 0.1  # seconds that a sample takes at least

# Gradients in float32 against those by hand in float64, as a part of the largest in
# each array. A number of float32 is right to 6e-8; sums of thousands, in whatever order
# an engine takes them, and a hundred layers one after the other lose two digits of it.
TOLERANCE = 1e-4

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}
RAISED = {
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),  # the highest that glibc takes
    "MALLOC_TRIM_THRESHOLD_": str(2**30),
}


@dataclass(frozen=True)
class Entrant:
    """Who does a work.

    Attributes:
        name: the name in the results.
        engine: the engine's name.
        raised: whether glibc's memory thresholds are raised by its variables.
        line: whether they are raised by one line of the program instead.
        library: the folder from which it takes `autograd_lib`.
        kernels: the processor whose kernels OpenBLAS takes, if it is not to choose.
    """

    name: str
    engine: str
    raised: bool = True
    line: bool = False
    library: Path = ROOT
    kernels: str = ""


class Process:
    """A running `benchmarks.tensor_worker`."""

    def __init__(self, entrant: Entrant, work: str, gradients: str) -> None:
        task = {
            "engine": entrant.engine,
            "work": work,
            "gradients": gradients,
            "line": entrant.line,
        }
        environment = without_tampering(os.environ)
        kept = {k: v for k, v in environment.items() if not k.startswith("MALLOC_")}
        paths = [str(entrant.library), str(ROOT), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-W", "ignore"),
                *("-m", "benchmarks.tensor_worker", json.dumps(task)),
            ],
            cwd=ROOT,
            env=kept
            | ONE_THREAD
            | (RAISED if entrant.raised else {})
            | ({"OPENBLAS_CORETYPE": entrant.kernels} if entrant.kernels else {})
            | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.gradients = gradients
        self.repeats = 1

    def answer(self) -> dict[str, Any]:
        """Return what it says next."""
        assert self._process.stdout  # noqa: S101 - a pipe was asked for
        line = self._process.stdout.readline()
        if not line:
            return {"missing": f"its process ended with {self._process.wait()}"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def sample(self) -> float:
        """Return what a step takes: seconds, the mean of a sample, or bytes."""
        assert self._process.stdin  # noqa: S101
        self._process.stdin.write(f"{self.repeats}\n")
        self._process.stdin.flush()
        answer = self.answer()
        if "measured" not in answer:
            raise RuntimeError(f"a process under way stopped: {answer}")
        return float(answer["measured"])

    def stop(self) -> None:
        """Let it end."""
        self._process.communicate()


def play(
    work: str, entrants: list[Entrant], turns: int, check: bool
) -> tuple[dict[str, dict[str, Any]], dict[str, list[float]]]:
    """Let engines do a work in turns, in new processes.

    Args:
        work: the work's label.
        entrants: who takes part.
        turns: how many samples are taken of each.
        check: whether gradients are compared first.

    Returns:
        What each says when it is ready, with its deviation from the gradients by hand;
        and the samples of those that can do it.

    Raises:
        RuntimeError: if gradients do not agree.
    """
    with tempfile.TemporaryDirectory() as folder:
        running = {
            e.name: Process(e, work, f"{folder}/{i}.npz" if check else "")
            for i, e in enumerate(entrants)
        }
        said = {name: process.answer() for name, process in running.items()}
        try:
            able = [name for name in running if "missing" not in said[name]]
            if check:
                right = WORKS[work].gradients(engine(BY_HAND), False, np.float64)
                for name in able:
                    found = compare(name, work, running[name].gradients, right)
                    said[name]["deviation"] = found
            for name in able:
                running[name].repeats = math.ceil(SAMPLE / said[name]["first"])
            samples: dict[str, list[float]] = {name: [] for name in able}
            for turn in range(turns):
                k = turn % len(able)
                for name in able[k:] + able[:k]:
                    samples[name].append(running[name].sample())
        finally:
            for process in running.values():
                process.stop()
    return said, samples


def compare(name: str, work: str, file: str, right: list[np.ndarray]) -> float:
    """Return how far gradients are from the right ones, as a part of the largest.

    Raises:
        RuntimeError: if that is more than float32 explains.
    """
    with np.load(file) as found:
        got = [found[key] for key in found]
    shapes = [g.shape for g in got], [r.shape for r in right]
    if shapes[0] != shapes[1]:
        raise RuntimeError(f"{work}: {name} has gradients of shapes {shapes[0]}")
    far = max(
        float(np.abs(g - r).max() / np.abs(r).max())
        for g, r in zip(got, right, strict=True)
    )
    if not far < TOLERANCE:
        raise RuntimeError(
            f"{work}: the gradients of {name} are {far:.1e} from those by hand, more "
            f"than the {TOLERANCE:.0e} that float32 explains; nothing was measured"
        )
    return far
