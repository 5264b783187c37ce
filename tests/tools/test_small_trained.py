"""What the benchmark of the reader's engine trains is the same on both engines."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import autograd_lib.small.gpt as small
from autograd_lib.small.kept import same_weights
from benchmarks.small_models import (
    LIBRARY,
    LibraryRun,
    SmallRun,
    Text,
    convolution,
    moons,
)
from benchmarks.small_trained import KEPT, learned, page


def test_the_moons_are_told_apart_alike() -> None:
    theirs, ours = moons(LIBRARY), moons(small)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
    assert ours[1] == theirs[1] == "100 of 100"


def test_a_filter_is_moved_over_the_sheet() -> None:
    x = np.arange(24.0).reshape(1, 4, 3, 2)
    w = np.arange(8.0).reshape(2, 2, 2, 1)
    got = convolution(small.Tensor(x), small.Tensor(w)).data
    assert got.shape == (1, 3, 2, 1)
    assert got[0, 1, 1, 0] == (x[0, 1:3, 1:3] * w[..., 0]).sum()


def test_the_gpt_has_the_librarys_loss_step_by_step() -> None:
    text = Text()
    library = LibraryRun(len(text.alphabet.characters), 0)
    ours = SmallRun(same_weights(library.model, small))
    for x, y, rate in islice(text.batches(100), 3):
        losses = [run.step(x, y, rate) for run in (library, ours)]
        assert losses[1] == pytest.approx(losses[0], rel=1e-5)
    z = [run.scores(x) for run in (library, ours)]
    np.testing.assert_allclose(z[1], z[0], atol=1e-3)


def test_what_is_kept_has_a_row_for_each_seed() -> None:
    def run(ms: float) -> dict[str, object]:
        return {"loss": dict.fromkeys(KEPT, 2.0), "held out": 1.5, "ms": ms}

    seeds = {
        str(seed): {
            "curve": [3.0, 2.0],
            "library": run(10.0),
            "small": run(12.0 + seed),
        }
        for seed in (1, 0)
    }
    found = learned(seeds)
    assert found["small"].tolist() == [[2.0] * 4 + [1.5, 12.0], [2.0] * 4 + [1.5, 13.0]]
    assert found["library"].shape == (2, 6)
    assert (found["losses"].tolist(), float(found["held_out"])) == ([3.0, 2.0], 1.5)


def test_the_page_has_a_row_for_each_run() -> None:
    run = {"loss": {"1": 4.5, "10": 4.1}, "ms": 11.0, "held out": 2.6}
    found = {"steps": 40, "ratio": 1.3, "library": run, "small": run}
    figures = {
        "conditions": {"date": "today"},
        "works": {"moons": ((0.1, "9 of 9", 1.0), (0.1, "9 of 9", 2.0))},
        "gpt": {"0": found},
    }
    lines = page(figures).splitlines()
    assert "| moons | 0.100000 | 0.100000 | 9 of 9 | 9 of 9 | 2.00 |" in lines
    assert lines[-1] == "| 0 | small | 4.5000 | 4.1000 | 2.6000 | 11.0 | 1.30 |"
