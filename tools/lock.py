"""`make lock`: resolve requirements.txt into a lock, for every system at once.

The lock holds hashes, and neither an index's address nor a path of the machine that
made it. What is locked already keeps its version, unless `--upgrade` is given.
"""

from __future__ import annotations

import re
import subprocess
import sys

from uv import find_uv_bin

from tools.notebooks import ROOT

LOCK = ROOT / "requirements.lock"
FOREIGN = re.compile(
    r"https?://|file:|^--(?:extra-)?index|^--find-links|(?:^|\s)[/~]\w"
)


def main() -> int:
    """Write the lock; further arguments, such as `--upgrade`, go to uv."""
    command = [
        find_uv_bin(),
        "pip",
        "compile",
        "requirements.txt",
        "--output-file=requirements.lock",
        "--no-config",
        "--universal",
        "--python-version=3.11",
        "--fork-strategy=fewest",
        "--generate-hashes",
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--no-header",
        "--quiet",
        *sys.argv[1:],
    ]
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode:
        return done.returncode
    leaks = leaking_lines(LOCK.read_text(encoding="utf-8"))
    if leaks:
        print("requirements.lock names a place:", *leaks, sep="\n", file=sys.stderr)
        return 1
    print("Wrote requirements.lock. Next: make test.")
    return 0


def leaking_lines(lock: str) -> list[str]:
    """Return the lines that would only work on the machine that made the lock."""
    return [line for line in lock.splitlines() if FOREIGN.search(line)]


if __name__ == "__main__":
    sys.exit(main())
