"""Copies of compiled functions, and of what holds them (chapter 22)."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from autograd_lib.program import compile


class Model:
    def __init__(self) -> None:
        self.w = np.ones(2)
        self.step = compile(self._step)

    def _step(self, x):
        self.w = self.w + x
        return self.w * 1


@compile
def doubled(x):
    return x * 2


def by_pickle(x):
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("copied", [copy.deepcopy, by_pickle])
def test_a_copy_of_a_model_compiles_its_own_step_anew(copied):
    model = Model()
    assert model.step(np.ones(2)).tolist() == [2, 2]
    other = copied(model)
    assert not other.step.programs
    assert other.step(np.ones(2)).tolist() == [3, 3]
    assert other.w.tolist() == [3, 3]
    assert model.w.tolist() == [2, 2]
    assert copied(doubled) is doubled  # as a function is that a module has
