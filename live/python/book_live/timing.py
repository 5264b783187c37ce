"""`%timeit` and `%%timeit`, reported as IPython does, and the book's `%%engine`.

Other commands of Jupyter are not supported. A cell that can be parsed as Python stays
as it is. In others, such lines become calls.
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
    """Return a cell with its commands replaced by calls, on the same lines."""
    whole = WHOLE.fullmatch(source)
    if whole:
        return CALL.format(whole[1], whole[2])
    if engine := ENGINE.fullmatch(source):
        return ADD.format(engine[1])
    return LINE.sub(lambda m: m[1] + CALL.format(m[2], ""), source)


def what_is_timed(source: str) -> str:
    """Return a cell with the timed statements in place of the commands.

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
    """Time a statement, and print the result.

    Args:
        line: the options and the statement, which follow the command.
        body: the cell below `%%timeit`; the line is then run before each loop.
        namespace: the names of the page.

    Raises:
        ValueError: for an unknown option, or without a statement.
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
    """Return the options at the beginning of a line, and the rest of it.

    Raises:
        ValueError: for an unknown option.
    """
    options = {}
    while match := OPTION.match(line):
        if match[1] not in ("n", "r") or not match[2]:
            raise ValueError(OTHER.format(match[0].strip()))
        options[match[1]] = int(match[2])
        line = line[match.end() :]
    return options, line


def enough(timer: timeit.Timer) -> int:
    """Return the number of loops, a power of ten, that takes long enough."""
    loops = 1
    while timer.timeit(loops) < LONG_ENOUGH and loops < 10**9:
        loops *= 10
    return loops


def report(times: list[float], loops: int) -> str:
    """Return a sentence with the time of one loop.

    Args:
        times: the seconds per loop, a number for each run.
        loops: the number of loops in each run.

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
    # A time that rounds up to a unit is given in that unit.
    large = [one for one in UNITS if seconds >= 0.9995 * one[0]]
    scale, unit = (large or UNITS[-1:])[0]
    return f"{seconds / scale:.3g} {unit}"
