"""The accidents on a file of yours: ``python -m autograd_lib.small test mine.py``."""

from __future__ import annotations

import argparse
import sys

from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.accidents.trial import (
    borrowed,
    examine,
    load,
    names_for,
    report,
)


def main(arguments: list[str] | None = None) -> int:
    """Run all accidents that can run; return 1 if one fails."""
    parser = argparse.ArgumentParser(
        prog="python -m autograd_lib.small", description=__doc__
    )
    parser.add_argument("command", choices=["test"])
    parser.add_argument("file", help="your engine, such as mine.py")
    parser.add_argument("upto", nargs="?", choices=STEPS, help="the last step to test")
    options = parser.parse_args(arguments)
    try:
        module = load(options.file)
    except Exception as error:
        said = f"{options.file}: {type(error).__name__}: {error}\n"
        sys.stdout.write(said)
        return 1
    if others := borrowed(module):
        said = f"{', '.join(others)}: from autograd_lib, and not your own\n"
        sys.stdout.write(said)
    outcomes = examine(module, options.upto)
    for line in [*report(outcomes), *names_for(module, outcomes)]:
        sys.stdout.write(f"{line}\n")
    count = {s: sum(o.status == s for o in outcomes) for s in ("passed", "failed")}
    ran = sum(count.values())
    sys.stdout.write(
        f"{count['passed']} of {ran} that can run; {len(outcomes) - ran} not yet\n"
    )
    return int(count["failed"] > 0 or bool(others))


if __name__ == "__main__":
    raise SystemExit(main())
