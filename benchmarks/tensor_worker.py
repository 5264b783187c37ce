"""A process that does one work on one engine on request.

When it is ready, or when it cannot do the work, it prints a line of JSON: the time to
prepare a step and do it once, in which compilers compile, and the time of a step after
that. Then, for each number that it reads, it does so many steps and prints the seconds.
"""

from __future__ import annotations

import json
import os
import sys
import time
import tracemalloc
from typing import Any

import numpy as np

from benchmarks.machine import pin
from benchmarks.tensor_engines import engine
from benchmarks.tensor_engines.base import Step
from benchmarks.tensor_works import WORKS

ALMOST_32_MIB = 2**25 - 2**16


def seconds(step: Step, repeats: int) -> float:
    """Return the CPU time of one step, the mean of several, with freeing.

    All threads count. For work on one thread this is the elapsed time on an idle
    machine, but other processes disturb it less.
    """
    start = time.process_time()
    for _ in range(repeats):
        step()
    return (time.process_time() - start) / repeats


def peak_bytes(step: Step) -> int:
    """Return the peak memory of a step in bytes."""
    tracemalloc.start()
    step()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def say(**what: Any) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Do the work that the first argument describes."""
    pin()
    task = json.loads(sys.argv[1])
    if task.get("line"):
        np.empty(ALMOST_32_MIB, np.uint8)  # see `pages/how_fast.md`
    try:
        chosen = engine(task["engine"])
        work = WORKS[task["work"]]
        start = sum(os.times()[:4])
        step = work.step(chosen, tiny=False)
        step()
        ready = sum(os.times()[:4]) - start  # includes compilers that it has started
        if task["gradients"]:
            np.savez(task["gradients"], *work.gradients(chosen, tiny=False))
        step()
        first = seconds(step, 1)
    except ImportError as error:
        return say(missing=f"is not installed ({error})")
    except NotImplementedError as error:
        return say(missing=str(error))
    except Exception as error:  # any error is the reason for a dash
        return say(missing=f"fails: {type(error).__name__}: {error}")
    say(version=chosen.version, ready=ready, first=first)
    for line in sys.stdin:
        if work.kind == "memory":
            say(measured=peak_bytes(step))
        else:
            say(measured=seconds(step, int(line)))
    return None


if __name__ == "__main__":
    main()
