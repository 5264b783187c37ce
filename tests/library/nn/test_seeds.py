"""`np.random.seed` settles what is made without rng=, as in PyTorch's scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn

X = np.ones((2, 4), np.float32)


def model() -> list[Any]:
    first = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5), nn.ReLU())
    return [*first.state_dict().values(), first(X).data, nn.Embedding(3, 2).weight.data]


MADE: list[Callable[[], Any]] = [
    model,
    lambda: list(nn.Block(8, 2).state_dict().values()),
    lambda: list(nn.Conv2d(1, 2, 3).state_dict().values()),
    lambda: [nn.init.normal_(nn.Linear(2, 2).weight).data],
]


@pytest.fixture(autouse=True)
def state() -> Any:
    before = np.random.get_state()
    yield
    np.random.set_state(before)


@pytest.mark.parametrize("make", MADE)
def test_the_seed_of_numpy_settles_weights_and_what_is_dropped(
    make: Callable[[], Any],
) -> None:
    np.random.seed(3)
    first, second = make(), make()
    np.random.seed(3)
    again = make()
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert any(not np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_a_seed_of_its_own_does_not_depend_on_it() -> None:
    np.random.seed(3)
    first = nn.Linear(4, 3, rng=0).weight.tolist()
    before = np.random.get_state()[1].tolist()
    np.random.seed(4)
    assert nn.Linear(4, 3, rng=0).weight.tolist() == first
    np.random.seed(3)
    assert np.random.get_state()[1].tolist() == before


def test_two_runs_without_a_seed_differ() -> None:
    first = nn.Linear(4, 3).weight.tolist()
    np.random.seed()
    assert nn.Linear(4, 3).weight.tolist() != first
