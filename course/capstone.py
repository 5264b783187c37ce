"""Put the design of a capstone through the probe card, and say whether it passes.

    python -m course.capstone their/design.py

The file has a class `Design`, made from `autograd_lib.probes.card.Probe`. It runs here
as it is, so look at it first, or call this in a container.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from autograd_lib.probes.card import Card, Probe, probe, side_by_side

MUST_BE_RIGHT = 5  # the first of the experiments: what every design of the book can do
SILENT = ("wrong", "never ends")
EXCUSED = "a write to a constant"  # which the book's own engine does not notice either


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the card of a design; return 1 if it does not pass."""
    parser = argparse.ArgumentParser(prog="python -m course.capstone")
    parser.add_argument("file", type=Path, help="a file with a class Design")
    options = parser.parse_args(arguments)
    design = runpy.run_path(str(options.file)).get("Design")
    if not (isinstance(design, type) and issubclass(design, Probe)):
        print(f"{options.file} has no class Design(Probe)", file=sys.stderr)
        return 2
    card = probe(design())
    print(side_by_side(card))
    found = faults(card)
    print("; ".join(found) or "It passes.")
    return int(bool(found))


def faults(card: Card) -> list[str]:
    """Return why a card does not pass: nothing may be wrong without an error.

    An error, or that something cannot be asked, is an answer in the later experiments.
    """
    return [
        f"{name}: {said}"
        for i, (name, said) in enumerate(card.said().items())
        if (said.startswith(SILENT) and name != EXCUSED)
        or (said != "right" and i < MUST_BE_RIGHT)
    ]


if __name__ == "__main__":
    sys.exit(main())
