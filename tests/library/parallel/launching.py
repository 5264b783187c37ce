"""Start ranks as a reader does, by mpiexec; skipped where there is no MPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from notebooks.notebook import ONE_THREAD, ROOT

SECONDS = 30  # after which a job counts as one that hangs


def mpiexec() -> str:
    """Return the path of mpiexec.

    With AUTOGRAD_REQUIRE_MPI=1 the test fails instead of being skipped.
    """
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found and find_spec("mpi4py"):
        return found
    if os.environ.get("AUTOGRAD_REQUIRE_MPI") == "1":
        pytest.fail("AUTOGRAD_REQUIRE_MPI is set, and mpi4py or mpiexec is missing")
    pytest.skip("needs MPI: pip install mpi4py mpich")


def run(n: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in n ranks, and return how they ended."""
    return subprocess.run(
        [mpiexec(), "-n", str(n), sys.executable, *command],
        cwd=ROOT,
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
