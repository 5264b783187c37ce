"""What several ranks calculate is what one calculates."""

from __future__ import annotations

import json

import pytest

from tests.library.parallel.launching import run

NAMES = [
    "random_programs",
    "transposes_by_their_dot_products",
    "a_batch_cut_into_ranks",
    "sharded_state_and_a_restart",
    "a_layer_cut_into_ranks",
    "a_pipeline",
    "second_derivatives_through_a_message",
]


@pytest.fixture(scope="module", params=[2, 4], ids=["2 ranks", "4 ranks"])
def differences(request: pytest.FixtureRequest) -> dict[str, tuple[int, float]]:
    done = run(request.param, "-m", "tests.library.parallel.programs")
    assert done.returncode == 0, done.stderr
    lines = map(json.loads, done.stdout.splitlines())
    return {name: (compared, apart) for name, compared, apart in lines}


@pytest.mark.parametrize("name", NAMES)
def test_ranks_calculate_what_one_process_does(
    name: str, differences: dict[str, tuple[int, float]]
) -> None:
    assert list(differences) == NAMES
    compared, apart = differences[name]
    assert compared >= 2
    assert apart < 1e-12
