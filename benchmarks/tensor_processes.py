"""The processes that do the works, one for each engine, and their samples."""

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
SAMPLE = 0.1  # minimum seconds of a sample

# The largest difference of float32 gradients from those by hand in float64, relative to
# the largest number of each array. A float32 is exact to 6e-8. Sums of thousands, in
# the order of the engine, and a hundred layers in a row lose two digits.
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
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),  # the highest that glibc accepts
    "MALLOC_TRIM_THRESHOLD_": str(2**30),
}


@dataclass(frozen=True)
class Entrant:
    """An engine under certain conditions, as it takes part in the comparison.

    Attributes:
        name: the name in the results.
        engine: the engine's name.
        raised: whether glibc's memory thresholds are raised by environment variables.
        line: whether they are raised by a line of the program instead.
        library: the folder from which it takes `autograd_lib`.
        kernels: the processor whose kernels OpenBLAS uses, or None to let it choose.
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
        """Return the next line of its output, from JSON."""
        assert self._process.stdout  # noqa: S101 - opened as a pipe
        line = self._process.stdout.readline()
        if not line:
            return {"missing": f"its process ended with {self._process.wait()}"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def sample(self) -> float:
        """Return the cost of a step: mean seconds of a sample, or bytes."""
        assert self._process.stdin  # noqa: S101
        self._process.stdin.write(f"{self.repeats}\n")
        self._process.stdin.flush()
        answer = self.answer()
        if "measured" not in answer:
            raise RuntimeError(f"a process under way stopped: {answer}")
        return float(answer["measured"])

    def stop(self) -> None:
        """End the process."""
        self._process.communicate()


def play(
    work: str, entrants: list[Entrant], turns: int, check: bool
) -> tuple[dict[str, dict[str, Any]], dict[str, list[float]]]:
    """Let engines do a work in turns, in new processes.

    Args:
        work: the work's label.
        entrants: the engines that take part.
        turns: the number of samples of each.
        check: whether gradients are compared first.

    Returns:
        The first answer of each, with its deviation from the gradients by hand; and the
        samples of those that can do the work.

    Raises:
        RuntimeError: if gradients differ.
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
    """Return the deviation of gradients, relative to the largest number.

    Raises:
        RuntimeError: if it is larger than rounding in float32 explains.
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
