"""The arguments of pytest that all commands share."""

PYTEST = (
    *("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"),
    *(
        "--nbval",
        "--nbval-current-env",
        "--nbval-sanitize-with",
        "chapters/nbval_sanitize.cfg",
    ),
    *("--doctest-modules", "--quiet"),
    *("--ignore=tests/conftest.py", "--ignore=chapters/conftest.py"),
)
