"""A process that does one work on one engine, whenever it is asked to.

It writes a line of JSON when it is ready, or when it cannot do the work: how long it
took to prepare a step and do it once, which is where compilers compile, and how long
one takes now. Then, for each line with a number that it reads, it does that many steps
and writes the seconds.
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
    """Return the processor's time for one of several steps, freeing included.

    All threads count. Of work on one thread it is the time that passes on an idle
    machine, and it is less disturbed by what else runs.
    """
    start = time.process_time()
    for _ in range(repeats):
        step()
    return (time.process_time() - start) / repeats


def peak_bytes(step: Step) -> int:
    """Return the largest amount of memory that a step held at one time."""
    tracemalloc.start()
    step()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def say(**what: Any) -> None:
    """Write a line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Do what the first argument describes."""
    pin()
    task = json.loads(sys.argv[1])
    if task.get("line"):
        np.empty(ALMOST_32_MIB, np.uint8)  # made and freed, see `pages/how_fast.md`
    try:
        chosen = engine(task["engine"])
        work = WORKS[task["work"]]
        start = sum(os.times()[:4])
        step = work.step(chosen, tiny=False)
        step()
        ready = sum(os.times()[:4]) - start  # with compilers that it has started
        if task["gradients"]:
            np.savez(task["gradients"], *work.gradients(chosen, tiny=False))
        step()
        first = seconds(step, 1)
    except ImportError as error:
        return say(missing=f"is not installed ({error})")
    except NotImplementedError as error:
        return say(missing=str(error))
    except Exception as error:  # a reason for a dash, whatever it is
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
