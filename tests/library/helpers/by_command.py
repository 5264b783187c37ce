"""A test of random programs, run by command for as many seeds as are asked for."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable


def run(compare: Callable[[int], Counter[str]]) -> None:
    """Compare so many programs, from a seed on if there is a second number; print."""
    many, first = (*map(int, sys.argv[1:3]), 0)[:2]
    done: Counter[str] = Counter()
    warnings.simplefilter("ignore")
    for seed in range(first, first + many):
        try:
            done += compare(seed)
        except Exception as error:  # each is printed, and the run goes on
            done["WRONG"] += 1
            text = " ".join(str(error).split())
            print(f"seed {seed}: {type(error).__name__}: {text:.150}")  # noqa: T201
    print(dict(done))  # noqa: T201
