"""Machine code is kept between processes; without Numba all is said, and works."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from autograd_lib.program import PASSES, compile
from autograd_lib.program.machine import rewrite
from autograd_lib.program.machine.build import file_of
from notebooks.notebook import ROOT
from tests.library.program.machine.needed import numba

PROGRAM = """
import numpy as np
import autograd_lib as ag
f = ag.compile(lambda x: np.sqrt(x * x + 1) * np.tanh(x) - x, passes=ag.MACHINE)
for _ in range(2):  # the second call writes the program
    f(np.linspace(-1, 1, 10_000))
loops = next(c for c in f.programs[0].calls if c.name == "loops")
from autograd_lib.program.machine.build import built
print(*built(loops.text, "loops").stats.cache_hits.values())
print(*built(loops.text, "loops").stats.cache_misses.values())
"""


def run(folder: Path) -> list[str]:
    """Return how often compiled code was found, and how often it was not."""
    environment = os.environ | {"AUTOGRAD_MACHINE_CACHE": str(folder)}
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:2]


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    numba()
    assert run(tmp_path / "new") == ["", "1"]
    assert run(tmp_path / "new") == ["1", ""]


def test_a_folder_that_cannot_be_made_does_no_harm(tmp_path: Path) -> None:
    numba()
    (tmp_path / "file").write_text("no folder")
    assert run(tmp_path / "file" / "inside")[0] == ""


def test_a_file_with_another_text_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRAD_MACHINE_CACHE", str(tmp_path))
    path = file_of("a text")
    assert path is not None
    path.write_text("something else")
    assert file_of("a text") == path
    assert path.read_text() == "a text"


def test_without_numba_it_says_so_and_numpy_runs() -> None:
    compiled = compile(lambda x: x * x + 1, passes=(rewrite.without_numba, *PASSES))
    assert compiled(np.array([1.0, 2.0])).tolist() == [2.0, 5.0]
    with pytest.warns(RuntimeWarning, match=r"Numba is not installed.*pip install"):
        got = compiled(np.array([1.0, 3.0]))
    assert got.tolist() == [2.0, 10.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(np.array([2.0, 2.0])).tolist() == [5.0, 5.0]
