"""`%timeit` and `%%timeit`, in the words of IPython, and the book's own `%%engine`.

No other command of Jupyter's is known. A cell that is Python is left as it is. In one
that is not, such lines become calls.
"""

from __future__ import annotations

import re
import statistics
import sys
import timeit
from typing import Any

WHOLE = re.compile(r"\s*%%timeit\b[ \t]*(.*)\n?((?:.*\n?)*)")
ENGINE = re.compile(r"\s*%%engine[ \t]*\n((?:.*\n?)*)")
ADD = "__import__('autograd_lib.small.cells', fromlist=['add']).add({!r})"
LINE = re.compile(r"(?m)^([ \t]*)%timeit\b[ \t]*(.*)$")
OPTION = re.compile(r"-([a-z])\s*(\d*)\s*")
CALL = "__import__('book_live.timing', fromlist=['run']).run({!r}, {!r}, globals())"
OTHER = "%timeit on a live page takes -n and -r with a number each, and not {!r}"
EMPTY = "%timeit needs a statement to take the time of"
FILE = "<timeit>"
LONG_ENOUGH = 0.2
"""Seconds that a run has to take, unless `-n` says how many loops it has."""
RUNS = 7
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def as_python(source: str) -> str:
    """Return a cell with the commands as calls, on the lines where they were."""
    whole = WHOLE.fullmatch(source)
    if whole:
        return CALL.format(whole[1], whole[2])
    if engine := ENGINE.fullmatch(source):
        return ADD.format(engine[1])
    return LINE.sub(lambda m: m[1] + CALL.format(m[2], ""), source)


def what_is_timed(source: str) -> str:
    """Return a cell with the statements in place of the commands.

    >>> what_is_timed("x = 1\\n%timeit -n 3 f(x)")
    'x = 1\\nf(x)'
    """
    whole = WHOLE.fullmatch(source)
    if whole:
        return f"{OPTION.sub('', whole[1])}\n{whole[2]}"
    if engine := ENGINE.fullmatch(source):
        return engine[1]
    return LINE.sub(lambda m: m[1] + OPTION.sub("", m[2]), source)


def run(line: str, body: str, namespace: dict[str, Any]) -> None:
    """Take the time of a statement and print it.

    Args:
        line: what follows the command: options, and the statement.
        body: the cell below `%%timeit`; the line is then what goes before each run.
        namespace: the names of the page.

    Raises:
        ValueError: for an option that there is not, or without a statement.
        SyntaxError: if the statement is not Python.
    """
    options, code = split(line)
    setup, statement = (code or "pass", body) if body.strip() else ("pass", code)
    if not statement.strip():
        raise ValueError(EMPTY)
    for one in (setup, statement):
        compile(one, FILE, "exec")
    timer = timeit.Timer(statement, setup, globals=namespace)
    loops = options.get("n") or enough(timer)
    runs = options.get("r") or RUNS
    times = [seconds / loops for seconds in timer.repeat(runs, loops)]
    sys.stdout.write(f"{report(times, loops)}\n")


def split(line: str) -> tuple[dict[str, int], str]:
    """Return the options at the begin of a line, and what follows.

    Raises:
        ValueError: for another option.
    """
    options = {}
    while match := OPTION.match(line):
        if match[1] not in ("n", "r") or not match[2]:
            raise ValueError(OTHER.format(match[0].strip()))
        options[match[1]] = int(match[2])
        line = line[match.end() :]
    return options, line


def enough(timer: timeit.Timer) -> int:
    """Return how many loops take long enough: a power of ten."""
    loops = 1
    while timer.timeit(loops) < LONG_ENOUGH and loops < 10**9:
        loops *= 10
    return loops


def report(times: list[float], loops: int) -> str:
    """Say how long one loop took.

    Args:
        times: seconds a loop, one number a run.
        loops: how many loops each run had.

    >>> report([2e-6, 4e-6], 1000)
    '3 µs ± 1 µs per loop (mean ± std. dev. of 2 runs, 1,000 loops each)'
    """
    mean = duration(statistics.fmean(times))
    deviation = duration(statistics.pstdev(times))
    runs = f"{len(times)} run{'s' if len(times) != 1 else ''}"
    each = f"{loops:,} loop{'s' if loops != 1 else ''} each"
    said = f"{mean} ± {deviation} per loop (mean ± std. dev. of {runs}, {each})"
    fastest, slowest = min(times), max(times)
    if fastest > 0 and slowest > 4 * fastest and slowest > 1e-6:
        said = (
            f"The slowest run took {slowest / fastest:0.2f} times longer than the "
            "fastest. This could mean that an intermediate result is being cached.\n"
        ) + said
    return said


def duration(seconds: float) -> str:
    """Return a time with three digits, in its unit.

    >>> [duration(t) for t in (0.0, 1.234e-7, 0.0456, 2.0, 200.0)]
    ['0 ns', '123 ns', '45.6 ms', '2 s', '3min 20s']
    """
    if seconds >= 60:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes}min {rest}s" if rest else f"{minutes}min"
    # What three digits round up to a unit is of that unit.
    large = [one for one in UNITS if seconds >= 0.9995 * one[0]]
    scale, unit = (large or UNITS[-1:])[0]
    return f"{seconds / scale:.3g} {unit}"
