"""A test of random programs, run by command for as many seeds as are asked for."""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable

EVERY = 100  # seeds, after which the counts so far are printed


def run(compare: Callable[[int], Counter[str]]) -> None:
    """Compare so many programs, from a seed on if there is a second number; print."""
    many, first = (*map(int, sys.argv[1:3]), 0)[:2]
    done, start = Counter[str](wrong=0), time.monotonic()
    warnings.simplefilter("ignore")
    for seed in range(first, first + many):
        try:
            done.update(compare(seed))
        except Exception as error:  # each is printed, and the run goes on
            done["wrong"] += 1
            text = " ".join(str(error).split())
            say(f"seed {seed}: {type(error).__name__}: {text:.150}")
        done["seeds"] += 1
        if not done["seeds"] % EVERY or done["seeds"] == many:
            say(f"{time.monotonic() - start:.0f} s: {dict(sorted(done.items()))}")


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201
