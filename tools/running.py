"""The arguments of pytest that all commands share."""

import os

# One more than there are processors: tests in a browser wait for much of their time.
PROCESSES = (os.cpu_count() or 1) + 1
PYTEST = (
    *("-n", str(PROCESSES), "--dist", "loadfile", "--no-loadscope-reorder"),
    *(
        "--nbval",
        "--nbval-current-env",
        "--nbval-sanitize-with",
        "chapters/nbval_sanitize.cfg",
    ),
    *("--doctest-modules", "--quiet"),
    *("--ignore=tests/conftest.py", "--ignore=chapters/conftest.py"),
)
