"""Ranks that differ or end: an error on every rank, and no job that hangs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.library.parallel.launching import run

HEAD = """\
import os, signal
import numpy as np
from autograd_lib import parallel
from autograd_lib.engine import Tensor

ranks = parallel.world()
ranks.checked = True
ranks.checker.patience = 1.0 if ranks.size > 1 else 0
x = Tensor(np.ones((4, 4)), requires_grad=True)
"""

DIFFER = {
    "another operation": (
        "(parallel.gather if ranks.me else parallel.sum_of_all)(x)",
        ["rank 0 is in sum_of_all of shape (4, 4), float64 at ", "rank 1 is in gather"],
    ),
    "another shape": (
        "parallel.sum_of_all(x[ranks.me:])",
        ["rank 0 is in sum_of_all of shape (4, 4)", "rank 1 is in sum_of_all of shape"],
    ),
    "another type": (
        "parallel.sum_of_all(np.ones(3, np.float32 if ranks.me else np.float64))",
        ["shape (3,), float64 at ", "shape (3,), float32 at "],
    ),
    "another line": (
        "if ranks.me:\n    parallel.sum_of_all(x)\nelse:\n    parallel.sum_of_all(x)",
        ["wrong.py:13, but rank 1", "wrong.py:11. All ranks"],
    ),
    "nothing": (
        "if ranks.me == 0:\n    parallel.sum_of_all(x)",
        ["rank 0 is in sum_of_all", "did not come within 1 s"],
    ),
    "a message and a sum": (
        "parallel.send(x, 1) if ranks.me == 0 else parallel.sum_of_all(x)",
        ["rank 0 is in a message from 0 to 1", "rank 1 is in sum_of_all"],
    ),
    "a backward pass on some": (
        "y = parallel.to_all(x if ranks.me else x.data).sum() + x.sum()\n"
        "y.backward()\nparallel.gather(x)",
        ["rank 0 is in gather", "rank 1 is in sum_of_all"],
    ),
}


@pytest.mark.parametrize("name", DIFFER)
def test_ranks_that_differ_get_an_error_on_every_rank(
    name: str, tmp_path: Path
) -> None:
    lines, said = DIFFER[name]
    file = tmp_path / "wrong.py"
    file.write_text(f"{HEAD}{lines}\n")
    done = run(2, str(file))
    assert done.returncode != 0
    for part in said:
        assert part in done.stderr
    raised = done.stderr.count("autograd_lib.parallel.checking.RanksDiffer: ")
    assert raised == (1 if name == "nothing" else 2)  # one had nothing more to do


def test_ranks_that_wait_for_one_that_stopped_get_the_error_too(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        f"{HEAD}ranks.checker.patience = 20\n"
        "parallel.send(x, 1) if ranks.me == 0 else parallel.sum_of_all(x)\n"
    )
    began = time.monotonic()
    done = run(4, str(file))
    assert done.returncode != 0
    assert done.stderr.count("RanksDiffer: rank 0 is in a message") == 4
    assert time.monotonic() - began < 15


def test_ranks_that_do_the_same_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "right.py"
    file.write_text(
        f"{HEAD}y = parallel.all_to_all(parallel.to_all(x))\n"
        "y = (parallel.sum_of_all(y) ** 2).sum()\ny.backward()\n"
        "if ranks.me == 0:\n    end = parallel.send(x, 1)\n"
        "if ranks.me == 1:\n    end = parallel.receive(parallel.token(), 0).sum()\n"
        "end.backward()\n"
        "found = ranks.objects(float(x.grad.data[0, 0]))\n"
        "if ranks.me == 0:\n    print(*found)\n"
    )
    done = run(2, str(file))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "9.0 8.0\n"


@pytest.mark.parametrize(
    "lines",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",
        "raise OSError('the disk is full')",
        "import sys; sys.exit('the disk is full')",
    ],
)
def test_a_rank_that_ends_ends_the_job(lines: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        f"{HEAD}ranks.checked = False\nif ranks.me == 1:\n    {lines}\n"
        "parallel.sum_of_all(x)\nprint('went on')\n"
    )
    began = time.monotonic()
    done = run(2, str(file))
    assert done.returncode != 0
    assert time.monotonic() - began < 10
    assert "went on" not in done.stdout
    if "disk" in lines:
        assert "the disk is full" in done.stderr


def test_parts_of_other_lengths_are_refused_on_every_rank(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        f"{HEAD}ranks.checked = False\nparallel.gather(x[2 * ranks.me :])\n"
    )
    done = run(2, str(file))
    assert done.stderr.count("ValueError: gather: along axis 0 the ranks' parts") == 2


def test_a_step_that_one_rank_refuses_is_refused_by_all(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        f"{HEAD}from autograd_lib.optim.algorithms import Adam\n"
        "sharded = parallel.Sharded(lambda p: Adam(p, lr=0.1), [x])\n"
        "x.grad = Tensor(np.where(np.arange(16).reshape(4, 4) == 15, np.nan, 1.0))\n"
        "before = x.data.copy()\n"
        "try:\n    sharded.step()\n"
        "except RuntimeError as error:\n"
        "    said = 'rank 1' in str(error)\n"
        "same = np.array_equal(x.data, before), sharded.optimizer.steps\n"
        "found = ranks.objects((said, *same))\n"
        "if ranks.me == 0:\n    print(found)\n"
    )
    done = run(2, str(file))
    assert done.stdout == f"{[(True, True, 0)] * 2}\n", done.stderr
