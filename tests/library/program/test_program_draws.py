"""What functions ask of a generator besides numbers (chapter 22)."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from autograd_lib.program import Refused, compile


@pytest.mark.parametrize(
    ("use", "what"),
    [
        (np.random.default_rng, "capsule"),
        (copy.deepcopy, "a copy"),
        (lambda rng: rng.bit_generator.random_raw(), "random_raw"),
        (lambda rng: np.random.Generator(rng.bit_generator), "capsule"),
        (lambda rng: rng.bit_generator.state["state"], "the state"),
        (lambda rng: setattr(rng.bit_generator, "state", {}), "a new state"),
        (lambda rng: rng.choice(["a", "b"]), "choice"),
        (lambda rng: rng.spawn(1), "spawn"),
        (lambda rng: rng.bytes(1), "bytes"),
    ],
)
def test_what_is_no_draw_of_numbers_is_refused_in_words(use, what):
    rng = np.random.default_rng(0)
    before = str(rng.bit_generator.state)
    with pytest.raises(Refused, match=rf": {what} of a generator in line \d+"):
        compile(lambda x: (x * rng.normal(), use(rng))[0])(np.ones(2))
    assert str(rng.bit_generator.state) == before
    assert rng.bit_generator.seed_seq.n_children_spawned == 0
