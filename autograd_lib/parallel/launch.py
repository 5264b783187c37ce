"""Run a function of a page on several ranks, or show what it printed (chapter 24).

A page must show the same with MPI, without it, and in a browser. So the output of a
function is kept next to this module, in ``launch.toml``, under a hash of its lines. If
MPI is missing and the lines have changed, they run on one rank.
``AUTOGRAD_KEEP_RANKS=1 python -m tools.refresh 24``, with MPI, adds missing outputs.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograd_lib.parallel.ranks import world

Function = Callable[..., Any]
FILE = Path(__file__).with_suffix(".toml")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
SECONDS = 120
PRELUDE = """\
import numpy as np
from autograd_lib import nn, optim, parallel
from autograd_lib.engine import Tensor, grad
from autograd_lib.parallel import *
from autograd_lib.parallel.launch import say
"""


def say(*words: Any) -> None:
    """Print a line for each rank, in their order. All ranks must call it."""
    lines = world().objects(" ".join(map(str, words)))
    if world().me == 0:
        for rank, line in enumerate(lines):
            print(f"rank {rank}: {line}", flush=True)  # noqa: T201 - its purpose


def on_ranks(
    n: int, *needed: Callable[..., Any]
) -> Callable[[Callable[..., Any]], str]:
    """Run a function on n ranks with ``mpiexec``, print its output, and return that.

    It is a decorator that returns the text. The function gets all ranks as its
    argument, and can use NumPy, `Tensor`, `grad`, `nn`, `optim` and the names of
    `parallel`.

    Args:
        n: how many ranks there are.
        needed: functions or classes of the page that it uses.
    """

    def run(function: Function) -> str:
        parts = [*map(source_of, needed), source_of(function)]
        lines = "\n\n".join([PRELUDE, *parts, f"{function.__name__}(parallel.world())"])
        key = "r" + hashlib.sha256(f"{n}\n{lines}".encode()).hexdigest()[:12]
        kept = tomllib.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
        mpiexec = found()
        if mpiexec is None and key not in kept:
            print("(one rank: no mpiexec is here)")  # noqa: T201 - as below
            exec(lines, {"__name__": "__main__"})
            return ""
        text = kept[key] if mpiexec is None else started(mpiexec, n, lines, function)
        if os.environ.get("AUTOGRAD_KEEP_RANKS"):
            with FILE.open("a", encoding="utf-8") as file:
                file.write(f"{key} = '''\n{text}'''\n" if key not in kept else "")
        print(text, end="")  # noqa: T201 - a decorator has no other way to show it
        return text

    return run


def found() -> str | None:
    """Return the path of mpiexec, or None if MPI is missing."""
    beside = Path(sys.executable).with_name("mpiexec")
    path = str(beside) if beside.exists() else shutil.which("mpiexec")
    return path if find_spec("mpi4py") else None


def started(mpiexec: str, n: int, lines: str, function: Any) -> str:
    """Return the output of a script on n ranks, and the errors that end it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{function.__name__}.py"
        file.write_text(lines, encoding="utf-8")
        places = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        done = subprocess.run(
            [mpiexec, "-n", str(n), sys.executable, str(file)],
            env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(places)},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    errors = re.findall(r"(?m)^(?:\w+\.)*(\w+(?:Error|Differ): .*)$", done.stderr)
    said = [
        f"on {n} of the ranks: {line}" for line, n in sorted(Counter(errors).items())
    ]
    ends = [textwrap.fill(line, 76, subsequent_indent="  ") for line in said]
    if done.returncode and not ends:
        ends = [f"ended with status {done.returncode}"]
    return done.stdout + "".join(f"{end}\n" for end in ends)


def source_of(function: Function) -> str:
    """Return the source of a function or a class, without its decorators."""
    source = textwrap.dedent(inspect.getsource(function))
    return re.sub(r"\A(?:@.*\n)+", "", source)
